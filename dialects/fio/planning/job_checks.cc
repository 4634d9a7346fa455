// fio's own remarks that need the whole job, in its words where scripts may look for them.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

bool one_size(const JobOptions& job) {
  for (const Direction d : k_directions) {
    if (job.block_size[d].low != job.block_size[d].high || !job.bssplit[d].empty()) return false;
  }
  return true;
}

bool realigned(const JobOptions& job) {
  for (const Direction d : k_directions) {
    if (job.blockalign[d] && *job.blockalign[d] != job.block_size[d].low) return true;
  }
  return false;
}

void check_order(const JobOptions& job, Findings& findings) {
  if (realigned(job) && !job.norandommap) {
    findings.warn(job, "Any use of blockalign= turns off randommap");
  }
  if (job.norandommap && job.verify != Verify::none && !one_size(job)) {
    findings.warn(job, "norandommap given for variable block sizes, verify limited");
  }
  if (job.bs_unaligned && job.direct) findings.warn(job, "bs_unaligned may not work with raw io");
  if (is_synchronous(job.engine) && job.iodepth > 1 &&
      job.io_submit_mode != IoSubmitMode::offload) {
    findings.warn(job,
                  fmt::format("note: both iodepth >= 1 and synchronous I/O engine are selected, "
                              "queue depth will be capped at 1 (ioengine={}; more at once by "
                              "ioengine=libaio or io_uring, or by numjobs)",
                              job.ioengine));
  }
  if (job.engine == Engine::libaio && !job.direct && job.iodepth > 1) {
    findings.warn(job,
                  "libaio is asynchronous with direct=1 alone: without it each operation "
                  "waits for the one before, whatever iodepth says");
  }
}

void check_pace(const JobOptions& job, Findings& findings) {
  for (const Direction d : k_directions) {
    if (job.rate_min[d] > job.rate[d] && job.rate[d].count() > 0) {
      findings.error(job, "minimum rate exceeds rate");
    }
    if (job.rate_iops_min[d] > job.rate_iops[d] && job.rate_iops[d] > 0) {
      findings.error(job, "minimum rate exceeds rate");
    }
  }
  if (job.zonemode == ZoneMode::strided && job.zonesize.count() == 0) {
    findings.error(job, "--zonesize must be specified when using --zonemode=strided.");
  }
  if (job.zonemode == ZoneMode::none && job.zonesize.count() > 0) {
    findings.warn(job, "zonesize has no effect without --zonemode=strided");
  }
}

void check_verify(const JobOptions& job, Findings& findings) {
  if (job.verify == Verify::none) {
    if (job.verify_only) findings.error(job, "verify_only needs verify=");
    return;
  }
  const bool shared = !job.filenames.empty() ||
                      job.filename_format.find("$jobname") == std::string::npos ||
                      job.filename_format.find("$jobnum") == std::string::npos ||
                      job.filename_format.find("$filenum") == std::string::npos;
  if (writes(job.rw) && job.do_verify && job.numjobs > 1 && shared) {
    findings.warn(job,
                  "multiple writers may overwrite blocks that belong to other jobs. This can "
                  "cause verification failures.");
  }
  if (job.verify_async > 0) {
    findings.warn(job, "verify_async: blocks are verified by the job's own thread");
  }
  // Each would take the other's blocks for damage.
  std::set<std::string> names;
  for (const std::string& name : job.filenames) {
    if (names.insert(std::filesystem::path(name).lexically_normal().string()).second) continue;
    findings.error(job, fmt::format("filename= has {} twice, and verify= can know only one of them "
                                    "as written: name each file once",
                                    name));
  }
}

void check_trims(const JobOptions& job, Findings& findings) {
  if (job.trim_percentage > 0 && !writes(job.rw)) {
    findings.warn(job, "trim_percentage has no effect without writes");
  }
  if (job.trim_percentage == 0 && job.trim_backlog > 0) {
    findings.warn(job, "trim_backlog has no effect without trim_percentage");
  }
}

void check_files(const JobOptions& job, Findings& findings) {
  // fio grows the file, and reads what it made up.
  if (job.file_append && job.engine != Engine::null && (!writes(job.rw) || job.verify_only)) {
    findings.error(job, fmt::format("{}: file_append=1 begins behind the end of the file, where a "
                                    "job that does not write finds nothing: leave it out",
                                    job.name));
  }
  if (job.write_barrier > 0) {
    findings.warn(job, "write_barrier has no effect: Linux has no such writes; use fdatasync=");
  }
  if (job.unlink && job.create_only) findings.warn(job, "unlink has no effect with create_only");
}

}  // namespace

void check_readonly(const JobOptions& job, Findings& findings) {
  switch (job.engine) {
    case Engine::filecreate:
    case Engine::filedelete:
    case Engine::dircreate:
    case Engine::dirdelete:
    case Engine::falloc:
    case Engine::ftruncate:
      findings.error(job, fmt::format("ioengine={} makes, changes or removes files, which is not "
                                      "allowed with the --readonly parameter",
                                      job.ioengine));
      break;
    default: break;
  }
}

void check_job(const JobOptions& job, Findings& findings) {
  check_order(job, findings);
  check_pace(job, findings);
  check_verify(job, findings);
  check_trims(job, findings);
  check_files(job, findings);
}

}  // namespace loadline::dialects::fio
