#include "plan/result_operations.h"

namespace loadline::plan {
namespace {

Action action_of(const StreamIo& stream) {
  if (is_read(stream.action)) return Action::read;
  return stream.action == StreamAction::truncate ? Action::truncate : Action::write;
}

std::vector<ResultOperation> operations_of(const StreamIo& stream) {
  const std::string label(to_string(stream.action));
  if (stream.action == StreamAction::put) {
    return {{.name = label, .label = label, .action = Action::prepare}};
  }
  if (stream.action == StreamAction::remove) {
    return {{.name = label, .label = label, .action = Action::cleanup}};
  }
  const Action action = action_of(stream);
  return {{.name = "open", .label = "open", .action = Action::open},
          {.name = std::string(to_string(action)), .label = label, .action = action},
          {.name = "close", .label = "close", .action = Action::close}};
}

}  // namespace

std::vector<ResultOperation> result_operations(const Job& job) {
  std::vector<ResultOperation> operations;
  if (job.block) {
    for (const Action action : {Action::read, Action::write, Action::trim, Action::sync}) {
      const std::string name(to_string(action));
      operations.push_back({.name = name, .label = name, .action = action});
    }
    return operations;
  }
  if (job.stream) return operations_of(*job.stream);
  for (const OpSpec& op : job.ops) {
    operations.push_back({.name = op.name, .label = op.label, .action = op.action});
  }
  return operations;
}

}  // namespace loadline::plan
