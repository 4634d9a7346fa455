// What a job keeps of each operation, and which recorded operations it repeats.
#include <fmt/format.h>

#include <algorithm>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

// The name of this clone: the list goes round.
std::string iolog_of(const Clone& clone) {
  std::vector<std::string> names(1);
  const std::string& list = clone.job.read_iolog;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == ':') {
      names.emplace_back();
      continue;
    }
    if (list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ':') ++i;
    names.back() += list[i];
  }
  return names[clone.number % names.size()];
}

ReplayRequest request_of(const Clone& clone) {
  const JobOptions& job = clone.job;
  ReplayRequest request{.iolog = iolog_of(clone),
                        .redirect = job.replay_redirect,
                        .scale = job.replay_scale,
                        .align = job.replay_align.count(),
                        .skip_sync = job.replay_skip_sync};
  if (!job.directories.empty()) {
    request.directory = job.directories[clone.number % job.directories.size()];
  }
  for (const Direction d : k_directions) {
    request.skip[static_cast<std::size_t>(d)] = job.replay_skip[d];
  }
  return request;
}

void check_replay(const Clone& clone, const ReplayFacts& facts, Findings& findings) {
  const JobOptions& job = clone.job;
  if (clone.readonly && (facts.uses[1] || facts.uses[2])) {
    findings.error(job, "trim and write operations are not allowed with the --readonly parameter.");
  }
  if (!job.filenames.empty()) {
    findings.warn(job,
                  "filename has no effect with read_iolog: the files are those of the iolog "
                  "(replay_redirect= names another)");
  }
  if (job.loops > 1 || job.time_based) {
    findings.warn(job, "loops and time_based have no effect with read_iolog: it is repeated once");
  }
  if (!job.write_iolog.empty()) findings.warn(job, "read iolog overrides write_iolog");
}

}  // namespace

bool unaveraged(const ReportOptions& job) {
  const bool any = job.bandwidth_log.on || job.latency_log.on || job.iops_log.on;
  return any && job.log_avg.value_or(Duration()) <= Duration();
}

bool writes_iolog(const JobOptions& job) {
  return !job.write_iolog.empty() && job.read_iolog.empty();
}

void put_record(const Clone& clone, plan::BlockIo& block) {
  const JobOptions& job = clone.job;
  std::string beside;
  if (writes_iolog(job)) {
    beside = job.write_iolog;
  } else if (unaveraged(job)) {
    for (const LogFile* log : {&job.bandwidth_log, &job.iops_log, &job.latency_log}) {
      if (log->on && beside.empty()) beside = log->name;
    }
    if (beside.empty()) beside = job.name;
  } else {
    return;
  }
  // Beside what is no file there is no place for one.
  if (beside.starts_with("/dev/") && !beside.starts_with("/dev/shm/")) beside = job.name;
  block.trace.record = fmt::format("{}.{}.trace", beside, clone.overall + 1);
}

void put_replay(const Clone& clone, Replays& replays, plan::BlockIo& block, Findings& findings) {
  const JobOptions& job = clone.job;
  if (!clone.files_matter) {
    block.files = {{.path = iolog_of(clone), .size = {}}};
    return;
  }
  const Result<ReplayFacts>& facts = replays.of(request_of(clone));
  if (!facts) {
    findings.error(job, fmt::format("read_iolog: {}", facts.error().message()));
    return;
  }
  check_replay(clone, *facts, findings);
  for (const std::string& path : facts->files) block.files.push_back({.path = path, .size = {}});
  block.uses = facts->uses;
  // Of syncs alone: something has to be open.
  if (!block.uses[0] && !block.uses[1] && !block.uses[2]) block.uses[1] = true;
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    block.order[d] = {};
    if (!facts->uses[d]) continue;
    block.sizes[d] = {.min = Bytes(facts->smallest[d]),
                      .max = Bytes(facts->largest[d]),
                      .step = Bytes(1),
                      .split = {},
                      .align = {}};
  }
  block.sequencing = plan::Sequencing::none;
  block.trim_then_write = false;
  block.trace.replay = facts->trace;
  block.trace.at_once = job.replay_no_stall;
  block.trace.speed_percent = job.replay_time_scale;
  block.operations = job.number_ios;
  block.lay_out = false;
  block.may_create = job.allow_file_create && !clone.readonly;
  block.read_only = clone.readonly;
}

const Result<ReplayFacts>& Replays::of(const ReplayRequest& request) {
  const auto known = all_.find(request);
  if (known != all_.end()) return known->second;
  return all_.emplace(request, view_.replay(request)).first->second;
}

}  // namespace loadline::dialects::fio
