// What a job must not destroy: devices, its own data, the device folder. All of it is looked at
// before anything begins; the target looks again at what it opens.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dialects/fio/output/trace_logs.h"
#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

bool touches_files(const JobOptions& job) {
  return job.engine != Engine::null && job.engine != Engine::http && !is_busy(job.engine);
}

// Trims destroy what is there as writes do; the engines that only allocate are asked for too.
bool changes_data(const plan::BlockIo& block) {
  if (block.action == plan::FileAction::allocate || block.action == plan::FileAction::truncate) {
    return true;
  }
  const bool writes = block.uses[static_cast<std::size_t>(plan::Direction::write)];
  const bool trims = block.uses[static_cast<std::size_t>(plan::Direction::trim)];
  return block.action == plan::FileAction::data && ((writes && !block.verify.only) || trims);
}

// Names that were made of the job's are new files in nearly all cases; who has a link to a device
// there is refused when the files are provided.
bool names_are_given(const JobOptions& job, const plan::BlockIo& block) {
  return !job.filenames.empty() || !job.opendir.empty() || !job.read_iolog.empty() ||
         block.files.size() == 1;
}

std::string_view last_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

class Outputs {
 public:
  Outputs(const FileView& view, std::vector<OutputFile>& made, Findings& findings)
      : view_(view), made_(made), findings_(findings) {}

  void check(const JobOptions& job, std::string_view option, const std::string& path) {
    if (path.empty()) return;
    made_.push_back({option, path});
    const auto allowed = view_.may_be_output(path);
    if (!allowed) findings_.error(job, fmt::format("{}: {}", option, allowed.error().message()));
  }
  void check(std::string_view option, const std::string& path) {
    if (path.empty()) return;
    made_.push_back({option, path});
    const auto allowed = view_.may_be_output(path);
    if (!allowed) findings_.error(fmt::format("{}: {}", option, allowed.error().message()));
  }

 private:
  const FileView& view_;
  std::vector<OutputFile>& made_;
  Findings& findings_;
};

void check_logs(const JobOptions& job, const JobSource& source, Outputs& outputs) {
  struct Log {
    std::string_view option;
    const LogFile* log;
    std::string_view kind;
  };
  const ReportOptions& report = source.report;
  for (const Log& log : {Log{"write_bw_log", &report.bandwidth_log, "bw"},
                         {"write_iops_log", &report.iops_log, "iops"},
                         {"write_lat_log", &report.latency_log, "lat"},
                         {"write_hist_log", &report.histogram_log, "clat_hist"}}) {
    if (log.log->on) outputs.check(job, log.option, output::log_name(source, *log.log, log.kind));
  }
}

}  // namespace

void check_devices(const Clone& clone, const FileView& view, const plan::BlockIo& block,
                   Findings& findings) {
  const JobOptions& job = clone.job;
  if (job.allow_mounted_write || !touches_files(job) || !changes_data(block)) return;
  if (!names_are_given(job, block)) return;
  for (const plan::BlockFile& file : block.files) {
    const auto allowed = view.may_write(file.path);
    if (allowed) continue;
    findings.error(job, fmt::format("{}: {}", job.name, allowed.error().message()));
    return;
  }
}

void check_outputs(const Clone& clone, const JobSource& source, const FileView& view,
                   const plan::BlockIo& block, std::vector<OutputFile>& made, Findings& findings) {
  const JobOptions& job = clone.job;
  Outputs outputs(view, made, findings);
  check_logs(job, source, outputs);
  outputs.check(job, "write_iolog", source.write_iolog);
  outputs.check(job, "the trace of write_iolog and logs", block.trace.record);
  outputs.check(job, "verify_state_save", block.verify.state_save);
  outputs.check(job, "mem", block.memory.file);
  // These lie in the current folder.
  if (!job.exec_prerun.empty()) outputs.check(job, "exec_prerun", "prerun.txt");
  if (!job.exec_postrun.empty()) outputs.check(job, "exec_postrun", "postrun.txt");
  if (block.verify.dump) outputs.check(job, "verify_dump", "block.received");
}

void check_run_outputs(const CommandOptions& command, const FileView& view,
                       std::vector<OutputFile>& made, Findings& findings) {
  Outputs outputs(view, made, findings);
  outputs.check("output", command.output);
  if (command.bandwidth_log) {
    outputs.check("bandwidth-log", *command.bandwidth_log + "-read_bw.log");
  }
}

void check_outputs_are_no_data(std::span<const OutputFile> made, const plan::Plan& plan,
                               const FileView& view, Findings& findings) {
  // To ask of each two files would take long with many: names tell nearly all of them apart.
  std::multimap<std::string_view, const OutputFile*> by_name;
  for (const OutputFile& output : made) by_name.emplace(last_of(output.path), &output);
  for (const plan::Stage& stage : plan.stages) {
    for (const plan::Job& job : stage.jobs) {
      if (!job.block) continue;
      for (const plan::BlockFile& file : job.block->files) {
        const auto [first, end] = by_name.equal_range(last_of(file.path));
        const auto same = std::find_if(first, end, [&](const auto& entry) {
          return view.same_file(entry.second->path, file.path);
        });
        if (same == end || view.kind_of(file.path) == PathKind::other) continue;
        findings.error(
            fmt::format("{}: {} is a data file of job {}, which would lose what is in "
                        "it: name another file",
                        same->second->option, same->second->path, job.name));
        return;
      }
    }
  }
}

void check_memory_files(std::span<const JobOptions> jobs, const plan::Plan& plan,
                        const FileView& view, Findings& findings) {
  for (const JobOptions& job : jobs) {
    const std::string& memory = job.mem.file;
    if (memory.empty()) continue;
    const auto is_data = [&](const plan::BlockFile& file) {
      return view.same_file(file.path, memory);
    };
    for (const plan::Stage& stage : plan.stages) {
      for (const plan::Job& other : stage.jobs) {
        if (!other.block || std::ranges::none_of(other.block->files, is_data)) continue;
        findings.error(job, fmt::format("mem: {} is a data file of job {}, and blocks of memory "
                                        "would be written over its data: name another file",
                                        memory, other.name));
        return;
      }
    }
  }
}

}  // namespace loadline::dialects::fio
