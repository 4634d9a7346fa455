#include "dialects/cosbench/workload.h"

#include <algorithm>

namespace loadline::dialects::cosbench {

bool only_sleeps(const Stage& stage) {
  const bool delays_only =
      std::ranges::all_of(stage.works, [](const Work& work) { return work.type == "delay"; });
  return (stage.name == "delay" && stage.closure_delay_s > 0) || delays_only;
}

}  // namespace loadline::dialects::cosbench
