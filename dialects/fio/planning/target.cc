// The target of a job, and the processors that it runs on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

std::string_view engine_word(Engine engine) {
  switch (engine) {
    case Engine::sync: return "sync";
    case Engine::vsync: return "vsync";
    case Engine::pvsync: return "pvsync";
    case Engine::pvsync2: return "pvsync2";
    case Engine::libaio: return "libaio";
    case Engine::io_uring: return "io_uring";
    case Engine::posixaio: return "posixaio";
    case Engine::mmap: return "mmap";
    case Engine::splice: return "splice";
    case Engine::null: return "null";
    default: return "psync";
  }
}

std::string_view sync_word(SyncMode sync) {
  switch (sync) {
    case SyncMode::none: return "none";
    case SyncMode::sync: return "sync";
    case SyncMode::dsync: return "dsync";
  }
  return "none";
}

std::string_view advice_word(const JobOptions& job) {
  switch (job.fadvise_hint) {
    case Fadvise::none: return "0";
    case Fadvise::by_pattern: return is_random(job.rw) ? "random" : "sequential";
    case Fadvise::random: return "random";
    case Fadvise::sequential: return "sequential";
    case Fadvise::noreuse: return "noreuse";
  }
  return "0";
}

std::string_view fallocate_word(Fallocate fallocate) {
  switch (fallocate) {
    case Fallocate::none: return "none";
    case Fallocate::native: return "native";
    case Fallocate::posix: return "posix";
    case Fallocate::keep: return "keep";
    case Fallocate::truncate: return "truncate";
  }
  return "native";
}

// Sets a parameter only where it differs from the target's own default, so that equal jobs share a
// target and plans stay short.
class Setter {
 public:
  explicit Setter(target::Parameters& parameters) : parameters_(parameters) {}
  void flag(const char* key, bool value, bool usual = false) {
    if (value != usual) parameters_.set(key, value ? "true" : "false");
  }
  void text(const char* key, std::string_view value, std::string_view usual) {
    if (value != usual) parameters_.set(key, std::string(value));
  }

 private:
  target::Parameters& parameters_;
};

void put_ring(const JobOptions& job, Setter& set) {
  set.flag("fixedbufs", job.fixedbufs);
  set.flag("registerfiles", job.registerfiles);
  set.flag("nonvectored", job.nonvectored, true);
  set.flag("sqthread_poll", job.sqthread_poll);
  if (job.sqthread_poll_cpu) {
    set.text("sqthread_poll_cpu", std::to_string(*job.sqthread_poll_cpu), "-1");
  }
  set.flag("force_async", job.force_async_every == 1 || job.force_async);
}

}  // namespace

bool is_synchronous(Engine engine) {
  return engine != Engine::libaio && engine != Engine::io_uring && engine != Engine::posixaio &&
         engine != Engine::http && engine != Engine::null;
}

plan::FileAction action_of(Engine engine) {
  switch (engine) {
    case Engine::filecreate: return plan::FileAction::create;
    case Engine::filestat: return plan::FileAction::stat;
    case Engine::filedelete: return plan::FileAction::remove;
    case Engine::dircreate: return plan::FileAction::make_directory;
    case Engine::dirstat: return plan::FileAction::stat_directory;
    case Engine::dirdelete: return plan::FileAction::remove_directory;
    case Engine::falloc: return plan::FileAction::allocate;
    case Engine::ftruncate: return plan::FileAction::truncate;
    case Engine::cpuio:
    case Engine::exec: return plan::FileAction::stat;
    default: return plan::FileAction::data;
  }
}

plan::TargetSpec target_of(const JobOptions& job) {
  if (job.engine == Engine::http) return http_target_of(job);
  if (is_busy(job.engine)) return busy_target_of(job);
  plan::TargetSpec target{.type = "posix"};
  Setter set(target.parameters);
  set.text("engine", engine_word(job.engine), "psync");
  set.flag("direct", job.direct);
  set.text("sync", sync_word(job.sync), "none");
  // What is read into the cache first is not thrown out again.
  set.flag("invalidate", job.invalidate && !job.pre_read, true);
  set.text("fadvise", advice_word(job), "0");
  set.text("fallocate", fallocate_word(job.fallocate), "native");
  set.flag("allow_mounted_write", job.allow_mounted_write);
  set.flag("hipri", job.hipri);
  if (job.engine == Engine::pvsync2) {
    set.text("hipri_percentage", std::to_string(job.hipri_percentage), "100");
  }
  // A share of written blocks is trimmed on files too; rw=trim is for devices, as in fio.
  set.flag("trim_files", job.trim_percentage > 0);
  set.flag("uncached", job.uncached);
  set.flag("nowait", job.nowait);
  set.flag("userspace_reap", job.userspace_reap);
  if (job.engine == Engine::io_uring) put_ring(job, set);
  return target;
}

void put_processors(const Clone& clone, const FileView& view, plan::BlockIo& block,
                    Findings& findings) {
  const JobOptions& job = clone.job;
  std::vector<std::uint32_t> cpus = job.cpus_allowed;
  for (const std::uint32_t node : job.numa_cpu_nodes) {
    const std::vector<std::uint32_t> more = view.cpus_of_node(node);
    if (clone.files_matter && more.empty()) {
      findings.error(job, fmt::format("numa_cpu_nodes={}: there is no such node", node));
    }
    cpus.insert(cpus.end(), more.begin(), more.end());
  }
  if (job.cpus_allowed_policy == CpusPolicy::split && !cpus.empty()) {
    cpus = {cpus[clone.number % cpus.size()]};
  }
  block.cpus = fmt::format("{}", fmt::join(cpus, ","));
  block.nice = job.nice;
}

}  // namespace loadline::dialects::fio
