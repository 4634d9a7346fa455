// What a job has to do with the other jobs: whom its end ends, and the flow that it shares.
#include <algorithm>
#include <limits>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

plan::EndScope scope_of(ExitWhat what) {
  switch (what) {
    case ExitWhat::group: return plan::EndScope::group;
    case ExitWhat::stonewall: return plan::EndScope::stage;
    case ExitWhat::all: return plan::EndScope::run;
  }
  return plan::EndScope::group;
}

template <typename T>
T narrowed(std::int64_t value) {
  return static_cast<T>(std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(),
                                                 std::numeric_limits<T>::max()));
}

}  // namespace

void put_others(const Clone& clone, std::uint32_t group, plan::BlockIo& block) {
  const JobOptions& job = clone.job;
  block.group = group;
  if (job.exitall) block.end_of_job = scope_of(job.exit_what);
  if (job.exitall_on_error) block.end_on_error = scope_of(job.exit_what);
  block.flow = {.weight = narrowed<std::int32_t>(job.flow),
                .id = narrowed<std::uint32_t>(job.flow_id),
                .pause = job.flow_sleep};
}

}  // namespace loadline::dialects::fio
