#include "app/judge_run.h"

#include <vector>

#include "drive/build_info.h"
#include "drive/run.h"
#include "record/verdict.h"

namespace loadline::app {

void judge_run(record::RunResult& result, const record::SteadyWatch& steady) {
  const drive::BuildInfo build = drive::build_info();
  result.verdicts =
      record::judge(result, {.clock_step = (result.ended - result.started) - result.elapsed,
                             .build_type = build.build_type,
                             .sanitized = !build.sanitizers.empty(),
                             .cpus = drive::cores_available()});
  const std::vector<record::Verdict> unsteady = steady.verdicts(result);
  result.verdicts.insert(result.verdicts.end(), unsteady.begin(), unsteady.end());
}

}  // namespace loadline::app
