#include "drive/left_streams.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace loadline::drive {
namespace {

using plan::StreamAction;

bool removes(const plan::Job& job, const plan::Job& made) {
  if (!job.stream || job.stream->action != StreamAction::remove) return false;
  if (job.target != made.target || job.stream->folder != made.stream->folder) return false;
  if (made.stream->action == StreamAction::put) return job.stream->puts == made.stream->puts;
  return job.stream->prefix == made.stream->prefix;
}

enum class Removal : std::uint8_t { none, done, missed };

// What became of the stages behind `stage` that were to remove the files of `made`.
Removal removal_of(const plan::Plan& plan, const std::vector<record::StageResult>& stages,
                   std::size_t stage, const plan::Job& made) {
  Removal removal = Removal::none;
  for (std::size_t s = stage + 1; s < plan.stages.size(); ++s) {
    const bool planned = std::ranges::any_of(
        plan.stages[s].jobs, [&](const plan::Job& job) { return removes(job, made); });
    if (!planned) continue;
    if (s < stages.size() && stages[s].state == record::StageState::completed) {
      return Removal::done;
    }
    removal = Removal::missed;
  }
  return removal;
}

// "folder /d: 10 files from f0 to f9"; nothing where the job made none.
std::optional<std::string> files_made(const plan::StreamIo& stream,
                                      const record::StreamFiles& files) {
  std::uint64_t count = 0;
  std::uint64_t first = UINT64_MAX;
  std::uint64_t last = 0;
  for (const record::StreamFile& file : files) {
    const bool made = file.outcome == target::Outcome::ok || file.bytes > Bytes();
    if (file.number == record::k_no_file || !made) continue;
    ++count;
    first = std::min(first, file.number);
    last = std::max(last, file.number);
  }
  if (count == 0) return std::nullopt;
  std::string text = "folder " + stream.folder + ": ";
  if (count == 1) return text + "file " + plan::file_name(stream, first);
  return text + std::to_string(count) + " files from " + plan::file_name(stream, first) + " to " +
         plan::file_name(stream, last);
}

}  // namespace

std::vector<std::string> left_streams(const plan::Plan& plan,
                                      const std::vector<record::StageResult>& stages) {
  std::vector<std::string> lines;
  for (std::size_t s = 0; s < plan.stages.size() && s < stages.size(); ++s) {
    const std::vector<plan::Job>& jobs = plan.stages[s].jobs;
    for (std::size_t j = 0; j < jobs.size() && j < stages[s].jobs.size(); ++j) {
      if (!jobs[j].stream || !plan::makes_files(jobs[j].stream->action)) continue;
      if (removal_of(plan, stages, s, jobs[j]) != Removal::missed) continue;
      if (auto line = files_made(*jobs[j].stream, stages[s].jobs[j].files)) lines.push_back(*line);
    }
  }
  return lines;
}

}  // namespace loadline::drive
