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

bool huge(const J& job) {
  return job.mem.kind == Memory::Kind::shmhuge || job.mem.kind == Memory::Kind::mmaphuge;
}

bool replays(const J& job) { return !job.read_iolog.empty(); }

template <typename T>
bool any_rate(const PerDirection<T>& rate, T none) {
  return rate.read > none || rate.write > none || rate.trim > none;
}

constexpr auto k_refusals = std::to_array<Refusal>({
    {"ioengine=http", [](const J& j) { return j.engine == Engine::http; },
     "measure objects with a COSBench workload (loadline run)"},
    {"write_hint", [](const J& j) { return j.write_hint != WriteHint::none; },
     "no hints of lifetime are given"},
    {"unlink_each_loop", [](const J& j) { return j.unlink_each_loop; },
     "files are kept between loops"},
    {"bs_is_seq_rand", [](const J& j) { return j.bs_is_seq_rand; },
     "sizes are by direction; use two jobs"},
    {"iodepth_low",
     [](const J& j) { return j.iodepth_low.has_value() && *j.iodepth_low < j.iodepth; },
     "the queue is kept full"},
    {"atomic", [](const J& j) { return j.atomic; }, "writes are not made with RWF_ATOMIC"},
    {"write_barrier", [](const J& j) { return j.write_barrier > 0; },
     "there are no barriers in Linux any more; use fdatasync="},
    {"end_syncfs", [](const J& j) { return j.end_syncfs; }, "use end_fsync=1"},
    {"ramp_size", [](const J& j) { return j.ramp_size.count() > 0; }, "use ramp_time="},
    {"rate_ignore_thinktime",
     [](const J& j) { return j.rate_ignore_thinktime && j.thinktime > Duration(); },
     "the schedule of a rate goes on while a job thinks"},
    {"thinkcycles", [](const J& j) { return j.thinkcycles > 0; }, "use thinktime_spin="},
    {"flow", [](const J& j) { return j.flow != 0; },
     "jobs do not wait for each other's share; use rate_iops="},
    {"exitall", [](const J& j) { return j.exitall; },
     "one job's end does not end others; give each a runtime="},
    {"exitall_on_error", [](const J& j) { return j.exitall_on_error; },
     "one job's error does not end others"},
    {"numa_mem_policy",
     [](const J& j) {
       return j.numa_mem_policy && j.numa_mem_policy->mode != NumaMemory::Mode::default_ &&
              j.numa_mem_policy->mode != NumaMemory::Mode::local;
     },
     "start the run under numactl"},
    {"prio", [](const J& j) { return j.prio.has_value(); }, "start the run under ionice"},
    {"prioclass", [](const J& j) { return j.prioclass.has_value(); }, "start the run under ionice"},
    {"priohint", [](const J& j) { return j.priohint.has_value(); }, "start the run under ionice"},
    {"uid", [](const J& j) { return j.uid.has_value(); }, "start the run as that user"},
    {"gid", [](const J& j) { return j.gid.has_value(); }, "start the run as that group"},
    {"lockmem", [](const J& j) { return j.lockmem.count() > 0; }, "memory is not locked"},
    {"exec_prerun", [](const J& j) { return !j.exec_prerun.empty(); },
     "no commands are run around a job; run them around the whole"},
    {"exec_postrun", [](const J& j) { return !j.exec_postrun.empty(); },
     "no commands are run around a job; run them around the whole"},
    {"mem", huge, "no huge pages are asked for"},
    {"mem", [](const J& j) { return !j.mem.file.empty(); }, "buffers are anonymous memory"},
    {"iomem_align", [](const J& j) { return j.iomem_align.count() > 4096; },
     "buffers lie at multiples of 4096 bytes"},
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
