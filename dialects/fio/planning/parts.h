// The steps of making one clone's job, by noun. Each sets its own fields of the BlockIo.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "dialects/fio/job_options.h"
#include "dialects/fio/job_source.h"
#include "dialects/fio/planning/file_view.h"
#include "dialects/fio/planning/findings.h"
#include "plan/plan.h"

namespace loadline::dialects::fio {

// One clone of a job.
struct Clone {
  const JobOptions& job;
  std::uint32_t number = 0;   // 0 is the first
  std::uint32_t overall = 0;  // over all jobs, from 0
  bool readonly = false;      // --readonly
  bool files_matter = true;
  const plan::Plan* so_far = nullptr;  // the jobs before it; its own stage is the last
  std::string state_folder;            // --aux-path
};

bool reads(Rw rw);
bool writes(Rw rw);
bool trims(Rw rw);
bool is_random(Rw rw);
// As fio prints it: "rw", "randrw".
std::string_view word_of(Rw rw);
// One operation at a time, whatever iodepth says.
bool is_synchronous(Engine engine);
// The engines that touch no data.
plan::FileAction action_of(Engine engine);

// files.cc: names and sizes of files, region, amount, layout.
void put_files(const Clone& clone, const FileView& view, plan::BlockIo& block, Findings& findings);
// order.cc: directions, sizes of blocks, where they lie, depth.
void put_order(const Clone& clone, plan::BlockIo& block, Findings& findings);
// pace.cc: rates, think time, limits of latency, steady state, syncs.
void put_pace(const Clone& clone, plan::BlockIo& block, Findings& findings);
// data.cc: buffers, verification, which failures do not end the job.
void put_data(const Clone& clone, plan::BlockIo& block, Findings& findings);
// verify_state.cc: how far a job came, for a later one.
void put_verify_state(const Clone& clone, const FileView& view, plan::BlockIo& block,
                      Findings& findings);
// The job of an earlier stage that writes these files last; null where there is none.
const plan::BlockIo* writer_before(const Clone& clone, const plan::BlockIo& block);
// recorded.cc: what is kept of each operation.
void put_record(const Clone& clone, plan::BlockIo& block);
// A line an operation in at least one of its logs.
bool unaveraged(const ReportOptions& job);
bool writes_iolog(const JobOptions& job);
// Each recorded run once, however many clones repeat it.
class Replays {
 public:
  explicit Replays(const FileView& view) : view_(view) {}
  const Result<ReplayFacts>& of(const ReplayRequest& request);

 private:
  const FileView& view_;
  std::map<ReplayRequest, Result<ReplayFacts>> all_;
};
// Files and directions of a job that repeats recorded operations; instead of put_files().
void put_replay(const Clone& clone, Replays& replays, plan::BlockIo& block, Findings& findings);
// target.cc: the target, the processors.
plan::TargetSpec target_of(const JobOptions& job);
void put_processors(const Clone& clone, const FileView& view, plan::BlockIo& block,
                    Findings& findings);

// busy.cc: the engines that keep the machine busy beside the storage, cpuio and exec.
bool is_busy(Engine engine);
plan::TargetSpec busy_target_of(const JobOptions& job);
void put_busy(const Clone& clone, plan::BlockIo& block, Findings& findings);
// http.cc: objects instead of files.
plan::TargetSpec http_target_of(const JobOptions& job);
void check_http(const JobOptions& job, Findings& findings);
// For results: the options as they were typed, keys and passwords masked.
std::vector<GivenOption> without_secrets(std::vector<GivenOption> options);
// client.cc: as whom and as what the job runs, its memory.
void put_client(const Clone& clone, plan::BlockIo& block);
// others.cc: what the job has to do with the other jobs.
void put_others(const Clone& clone, std::uint32_t group, plan::BlockIo& block);

// safety.cc: what a job must not destroy. Of devices and output files, the first that may not be.
void check_devices(const Clone& clone, const FileView& view, const plan::BlockIo& block,
                   Findings& findings);
// What they let through is added to `made`.
struct OutputFile {
  std::string_view option;
  std::string path;
};
void check_outputs(const Clone& clone, const JobSource& source, const FileView& view,
                   const plan::BlockIo& block, std::vector<OutputFile>& made, Findings& findings);
void check_run_outputs(const CommandOptions& command, const FileView& view,
                       std::vector<OutputFile>& made, Findings& findings);
// Outputs that are data files of a job of the plan; the first.
void check_outputs_are_no_data(std::span<const OutputFile> made, const plan::Plan& plan,
                               const FileView& view, Findings& findings);
// Files of memory that are data files of a job of the plan.
void check_memory_files(std::span<const JobOptions> jobs, const plan::Plan& plan,
                        const FileView& view, Findings& findings);

// refusals.cc: every option that is legal and cannot be honoured, by name.
void refuse_unsupported(const JobOptions& job, Findings& findings);
// job_checks.cc: fio's own remarks that need the whole job, in its words.
void check_job(const JobOptions& job, Findings& findings);
// Engines that make or remove files, whatever rw= says.
void check_readonly(const JobOptions& job, Findings& findings);

}  // namespace loadline::dialects::fio
