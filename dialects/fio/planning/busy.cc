// cpuio and exec: jobs that move no data. Each operation burns a chunk of a processor, or runs the
// program; what an operation does with a file is nothing.
#include <fmt/format.h>

#include <limits>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

constexpr std::uint32_t k_whole = 100;  // percent

std::string arguments_of(const JobOptions& job) {
  std::string text;
  for (std::size_t i = 0; i < job.arguments.size(); ++i) {
    const char next = i + 1 < job.arguments.size() ? job.arguments[i + 1] : 0;
    if (job.arguments[i] != '%' || (next != 'r' && next != 'n')) {
      text += job.arguments[i];
      continue;
    }
    text += next == 'n' ? job.name
                        : fmt::format("{}", static_cast<std::uint64_t>(
                                                job.runtime.value_or(Duration()).as_seconds()));
    ++i;
  }
  return text;
}

}  // namespace

bool is_busy(Engine engine) { return engine == Engine::cpuio || engine == Engine::exec; }

plan::TargetSpec busy_target_of(const JobOptions& job) {
  if (job.engine == Engine::cpuio) {
    plan::TargetSpec target{.type = "cpu"};
    target.parameters.set("chunk_us", std::to_string(job.cpu_chunk.ns() / 1000));
    return target;
  }
  plan::TargetSpec target{.type = "program"};
  target.parameters.set("program", job.program);
  if (!job.arguments.empty()) target.parameters.set("arguments", arguments_of(job));
  if (job.std_redirect) {
    target.parameters.set("output", job.name + ".stdout");
    target.parameters.set("errors", job.name + ".stderr");
  }
  if (job.runtime && *job.runtime > Duration()) {
    target.parameters.set("time_limit_s", fmt::format("{}", job.runtime->as_seconds()));
  }
  target.parameters.set("grace_s", std::to_string(job.grace_time));
  return target;
}

void put_busy(const Clone& clone, plan::BlockIo& block, Findings& findings) {
  const JobOptions& job = clone.job;
  block.files = {{.path = job.ioengine, .size = Bytes()}};
  block.size = {};
  block.amount = {};
  block.uses = {true, false, false};
  block.lay_out = block.unlink = block.pre_read = false;
  block.split_latency = false;
  block.follows = job.exit_on_io_done;
  if (job.engine == Engine::exec) {
    if (job.program.empty()) findings.error(job, "ioengine=exec needs program=");
    // Once: a program that ends early ends the job.
    block.time_based = false;
    return;
  }
  if (job.cpu_load == 0) {
    findings.error(job, "cpu thread needs rate (cpuload=)");
    return;
  }
  // Without a runtime: until it is stopped, or follows the others.
  block.time_based = job.runtime && *job.runtime > Duration();
  if (!block.time_based) block.loops = std::numeric_limits<std::uint32_t>::max();
  const Duration idle =
      Duration::nanoseconds(job.cpu_chunk.ns() * (k_whole - job.cpu_load) / job.cpu_load);
  block.think = {.pause = idle, .spin = Duration(), .every = 1};
}

}  // namespace loadline::dialects::fio
