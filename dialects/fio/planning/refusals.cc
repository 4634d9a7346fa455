// Every option that is legal and cannot be honoured, by name, with the reason. What the option
// table itself refuses is not here.
#include <fmt/format.h>

#include <array>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

struct Refusal {
  std::string_view option;
  bool (*asked)(const JobOptions& job);
  std::string_view why;
};

using J = JobOptions;

// Random and sequential in one job.
bool partly_random(const J& job) {
  if (!is_random(job.rw)) return false;
  const PerDirection<std::uint32_t>& share = job.percentage_random;
  return share.read < 100 || share.write < 100 || share.trim < 100;
}

bool replays(const J& job) { return !job.read_iolog.empty(); }

template <typename T>
bool any_rate(const PerDirection<T>& rate, T none) {
  return rate.read > none || rate.write > none || rate.trim > none;
}

constexpr auto k_refusals = std::to_array<Refusal>({
    {"write_hint", [](const J& j) { return j.write_hint != WriteHint::none; },
     "no hints of lifetime are given"},
    {"unlink_each_loop", [](const J& j) { return j.unlink_each_loop && j.loops > 1; },
     "files are kept between loops; use unlink=1"},
    {"bs_is_seq_rand", [](const J& j) { return j.bs_is_seq_rand && partly_random(j); },
     "where a job is both, sizes are by direction; use two jobs"},
    {"atomic", [](const J& j) { return j.atomic; }, "writes are not made with RWF_ATOMIC"},
    {"end_syncfs", [](const J& j) { return j.end_syncfs; }, "use end_fsync=1"},
    {"ramp_size", [](const J& j) { return j.ramp_size.count() > 0; }, "use ramp_time="},
    {"thinkcycles", [](const J& j) { return j.thinkcycles > 0; }, "use thinktime_spin="},
    {"verify_policy", [](const J& j) { return j.verify_fsynced_only; },
     "all that was written is verified"},
    {"read_iolog with verify", [](const J& j) { return replays(j) && j.verify != Verify::none; },
     "what was recorded says nothing of the data; verify in a job of its own"},
    {"read_iolog with rate",
     [](const J& j) {
       return replays(j) && (any_rate(j.rate, Bytes()) || any_rate(j.rate_iops, std::uint64_t{0}));
     },
     "the times are those of the iolog; use replay_time_scale="},
    {"read_iolog with this ioengine",
     [](const J& j) { return replays(j) && action_of(j.engine) != plan::FileAction::data; },
     "what is repeated reads and writes data"},
    {"log_issue_time", [](const J& j) { return j.log_issue_time && !unaveraged(j); },
     "lines of averaged logs have no time of issue; leave log_avg_msec out"},
    {"block_error_percentiles", [](const J& j) { return j.block_error_percentiles; },
     "errors are counted by kind"},
});

}  // namespace

void refuse_unsupported(const JobOptions& job, Findings& findings) {
  for (const Refusal& refusal : k_refusals) {
    if (refusal.asked(job)) {
      findings.refuse(job, fmt::format("{} is not supported: {}", refusal.option, refusal.why));
    }
  }
}

}  // namespace loadline::dialects::fio
