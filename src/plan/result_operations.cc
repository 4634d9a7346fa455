#include "plan/result_operations.h"

namespace loadline::plan {

std::vector<ResultOperation> result_operations(const Job& job) {
  std::vector<ResultOperation> operations;
  if (job.block) {
    for (const Action action : {Action::read, Action::write, Action::trim, Action::sync}) {
      const std::string name(to_string(action));
      operations.push_back({.name = name, .label = name, .action = action});
    }
    return operations;
  }
  for (const OpSpec& op : job.ops) {
    operations.push_back({.name = op.name, .label = op.label, .action = op.action});
  }
  return operations;
}

}  // namespace loadline::plan
