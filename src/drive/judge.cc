#include "drive/judge.h"

#include "record/verdict.h"

namespace loadline::drive {
namespace {

// Of a job on streams: the first file that failed, unless it may go on as long as any succeeds.
std::string failed_file(const plan::StreamIo& stream, const record::StreamFiles& files) {
  const record::StreamFile* first = nullptr;
  std::size_t failed = 0;
  bool fatal = !stream.keep_going;
  for (const record::StreamFile& file : files) {
    if (file.outcome == target::Outcome::ok || file.outcome == target::Outcome::cancelled) continue;
    ++failed;
    if (file.number == record::k_no_file) fatal = true;
    if (first == nullptr) first = &file;
  }
  if (first == nullptr || (!fatal && failed < files.size())) return {};
  std::string text = stream.folder;
  if (first->number != record::k_no_file) text += "/" + plan::file_name(stream, first->number);
  text += ": " + std::string(to_string(first->outcome));
  if (!first->detail.empty()) text += ": " + first->detail;
  if (failed > 1) text += " (and " + std::to_string(failed - 1) + " more)";
  return text;
}

}  // namespace

std::string reason_to_fail(const plan::Stage& stage, const record::StageResult& result) {
  const std::vector<record::JobResult>& jobs = result.jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].block) {
      // A job on blocks says itself which failures it minds.
      const record::BlockFailure& failure = jobs[i].block->failure;
      if (jobs[i].block->stop != record::BlockStop::error) continue;
      if (failure.operation == "process") return "work " + jobs[i].name + ": " + failure.text;
      return "work " + jobs[i].name + ": " + failure.operation + " of " + failure.file +
             " at offset " + std::to_string(failure.offset.count()) + ": " + failure.text;
    }
    if (stage.jobs[i].stream) {
      const std::string file = failed_file(*stage.jobs[i].stream, jobs[i].files);
      if (!file.empty()) return "work " + record::name_of(result, jobs[i]) + ": " + file;
      continue;
    }
    std::uint64_t samples = 0;
    std::uint64_t failures = 0;
    std::uint64_t ended = 0;
    for (const record::OpResult& op : jobs[i].ops) {
      samples += op.stats.samples();
      failures += op.stats.failure_count();
      ended += op.stats.samples() + op.stats.container_ops;
      if (op.stats.samples() > 0 && op.stats.successes() == 0) {
        return "work " + record::name_of(result, jobs[i]) + ": none of " +
               std::to_string(op.stats.samples()) + " " + op.name + " operations succeeded";
      }
    }
    if (ended == 0 && jobs[i].in_flight_at_end > 0) {
      return "work " + record::name_of(result, jobs[i]) + ": nothing completed; " +
             record::under_way_text(jobs[i]);
    }
    const std::uint64_t accepted =
        samples * stage.jobs[i].acceptable_failures_per_million / 1'000'000;
    if (failures > accepted) {
      return "work " + record::name_of(result, jobs[i]) + ": " + std::to_string(failures) + " of " +
             std::to_string(samples) + " operations failed, more than the " +
             std::to_string(accepted) + " that are accepted";
    }
  }
  return {};
}

}  // namespace loadline::drive
