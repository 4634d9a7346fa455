// Setters of processors, NUMA nodes, errors and buffer memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "dialects/fio/option_setters.h"

namespace loadline::dialects::fio {
namespace {

using std::string_view;
using J = JobOptions;

constexpr std::uint64_t k_node_max = 1023;

std::unexpected<Error> bad(std::string what) { return fail(ErrorCode::bad_input, std::move(what)); }

Result<std::vector<std::uint32_t>> cpu_list(string_view text, const SetContext& context) {
  return parse_index_list(text, context.world->cpus - 1, "CPU");
}

// Names are those that a storage system can answer with; others are given as numbers.
struct ErrnoName {
  string_view name;
  int value;
};
constexpr std::array k_errnos = {
    ErrnoName{"EPERM", EPERM},         ErrnoName{"ENOENT", ENOENT},
    ErrnoName{"EINTR", EINTR},         ErrnoName{"EIO", EIO},
    ErrnoName{"ENXIO", ENXIO},         ErrnoName{"E2BIG", E2BIG},
    ErrnoName{"EBADF", EBADF},         ErrnoName{"EAGAIN", EAGAIN},
    ErrnoName{"ENOMEM", ENOMEM},       ErrnoName{"EACCES", EACCES},
    ErrnoName{"EFAULT", EFAULT},       ErrnoName{"ENOTBLK", ENOTBLK},
    ErrnoName{"EBUSY", EBUSY},         ErrnoName{"EEXIST", EEXIST},
    ErrnoName{"EXDEV", EXDEV},         ErrnoName{"ENODEV", ENODEV},
    ErrnoName{"ENOTDIR", ENOTDIR},     ErrnoName{"EISDIR", EISDIR},
    ErrnoName{"EINVAL", EINVAL},       ErrnoName{"ENFILE", ENFILE},
    ErrnoName{"EMFILE", EMFILE},       ErrnoName{"ENOTTY", ENOTTY},
    ErrnoName{"ETXTBSY", ETXTBSY},     ErrnoName{"EFBIG", EFBIG},
    ErrnoName{"ENOSPC", ENOSPC},       ErrnoName{"ESPIPE", ESPIPE},
    ErrnoName{"EROFS", EROFS},         ErrnoName{"EMLINK", EMLINK},
    ErrnoName{"EPIPE", EPIPE},         ErrnoName{"ERANGE", ERANGE},
    ErrnoName{"ENODATA", ENODATA},     ErrnoName{"EILSEQ", EILSEQ},
    ErrnoName{"EDQUOT", EDQUOT},       ErrnoName{"ESTALE", ESTALE},
    ErrnoName{"ETIMEDOUT", ETIMEDOUT}, ErrnoName{"ECONNRESET", ECONNRESET},
    ErrnoName{"ENOTCONN", ENOTCONN},   ErrnoName{"EOPNOTSUPP", EOPNOTSUPP},
    ErrnoName{"ENOSYS", ENOSYS},       ErrnoName{"EREMOTEIO", EREMOTEIO},
    ErrnoName{"ENOLINK", ENOLINK}};

Result<std::vector<int>> errors_of(string_view text, const SetContext& context) {
  std::vector<int> out;
  for (const string_view whole : split(text, ':')) {
    const string_view word = trim(whole);
    if (word.starts_with('E')) {
      const int value = errno_of(word);
      if (value == 0) return bad(fmt::format("Unknown error {}, please use number value", word));
      out.push_back(value);
      continue;
    }
    const auto number = parse_number(word, context.values);
    if (!number) return std::unexpected(number.error());
    if (*number == 0 || *number > 4095) {
      return bad(fmt::format("'{}' is no errno value, e.g. EIO or 5", word));
    }
    out.push_back(static_cast<int>(*number));
  }
  if (out.size() > 16) return bad("at most 16 errors of a kind");
  return out;
}

}  // namespace

int errno_of(string_view name) {
  const auto* found = std::ranges::find(k_errnos, name, &ErrnoName::name);
  return found == k_errnos.end() ? 0 : found->value;
}

Result<void> set_cpus_allowed(J& job, string_view text, const SetContext& context) {
  auto cpus = cpu_list(text, context);
  if (!cpus) return std::unexpected(cpus.error());
  job.cpus_allowed = std::move(*cpus);
  return {};
}

Result<void> set_verify_async_cpus(J& job, string_view text, const SetContext& context) {
  auto cpus = cpu_list(text, context);
  if (!cpus) return std::unexpected(cpus.error());
  job.verify_async_cpus = std::move(*cpus);
  return {};
}

Result<void> set_cpumask(J& job, string_view text, const SetContext& context) {
  const auto mask = parse_number(text, context.values);
  if (!mask) return std::unexpected(mask.error());
  if (*mask == 0) return bad("the mask names no CPU");
  const auto last = static_cast<std::uint64_t>(63 - std::countl_zero(*mask));
  if (last >= context.world->cpus) {
    return bad(fmt::format("CPU {} too large (max={})", last, context.world->cpus - 1));
  }
  job.cpus_allowed.clear();
  for (std::uint32_t cpu = 0; cpu <= last; ++cpu) {
    if ((*mask >> cpu & 1U) != 0) job.cpus_allowed.push_back(cpu);
  }
  return {};
}

Result<void> set_numa_cpu_nodes(J& job, string_view text, const SetContext&) {
  if (text == "all") {
    job.numa_cpu_nodes.clear();
    return {};
  }
  auto nodes = parse_index_list(text, k_node_max, "NUMA node");
  if (!nodes) return std::unexpected(nodes.error());
  job.numa_cpu_nodes = std::move(*nodes);
  return {};
}

Result<void> set_numa_mem_policy(J& job, string_view text, const SetContext&) {
  using Mode = NumaMemory::Mode;
  struct Word {
    string_view word;
    Mode mode;
    bool nodes;
  };
  static constexpr std::array k_words = {
      Word{"default", Mode::default_, false}, Word{"prefer", Mode::prefer, true},
      Word{"bind", Mode::bind, true}, Word{"interleave", Mode::interleave, true},
      Word{"local", Mode::local, false}};
  const std::size_t colon = text.find(':');
  const auto* found = std::ranges::find(k_words, text.substr(0, colon), &Word::word);
  if (found == k_words.end()) {
    return bad("valid values: default, prefer:N, bind:LIST, interleave:LIST, local");
  }
  if (found->nodes != (colon != text.npos)) {
    return bad(
        fmt::format("{} {}", found->word, found->nodes ? "needs nodes, e.g. :0-1" : "takes none"));
  }
  NumaMemory policy{.mode = found->mode, .nodes = {}};
  if (found->nodes && text.substr(colon + 1) == "all" && found->mode != Mode::prefer) {
    policy.all = true;
  } else if (found->nodes) {
    auto nodes = parse_index_list(text.substr(colon + 1), k_node_max, "NUMA node");
    if (!nodes) return std::unexpected(nodes.error());
    if (found->mode == Mode::prefer && nodes->size() != 1) return bad("prefer takes one node");
    policy.nodes = std::move(*nodes);
  }
  job.numa_mem_policy = std::move(policy);
  return {};
}

Result<void> set_continue_on_error(J& job, string_view text, const SetContext&) {
  struct Word {
    string_view word;
    ContinueOnError which;
  };
  static constexpr std::array k_words = {Word{"none", {}},
                                         Word{"0", {}},
                                         Word{"read", {.read = true}},
                                         Word{"write", {.write = true}},
                                         Word{"io", {.read = true, .write = true}},
                                         Word{"verify", {.verify = true}},
                                         Word{"all", {.read = true, .write = true, .verify = true}},
                                         Word{"1", {.read = true, .write = true, .verify = true}}};
  const auto* found = std::ranges::find(k_words, text, &Word::word);
  if (found == k_words.end()) return bad("valid values: none, read, write, io, verify, all, 0, 1");
  job.continue_on_error = found->which;
  return {};
}

Result<void> set_ignore_error(J& job, string_view text, const SetContext& context) {
  const auto parts = split(text, ',');
  if (parts.size() > 3) return bad("give lists for read,write,verify, with ':' inside a list");
  std::vector<int>* const lists[] = {&job.ignore_error_read, &job.ignore_error_write,
                                     &job.ignore_error_verify};
  std::vector<std::vector<int>> read;
  for (const string_view part : parts) {
    auto errors = errors_of(part, context);
    if (!errors) return std::unexpected(errors.error());
    read.push_back(std::move(*errors));
  }
  for (std::size_t i = 0; i < read.size(); ++i) *lists[i] = std::move(read[i]);
  return {};
}

Result<void> set_mem(J& job, string_view text, const SetContext&) {
  using Kind = Memory::Kind;
  struct Word {
    string_view word;
    Kind kind;
  };
  static constexpr std::array k_words = {
      Word{"malloc", Kind::malloc},         Word{"shm", Kind::shm},
      Word{"shmhuge", Kind::shmhuge},       Word{"mmap", Kind::mmap},
      Word{"mmapshared", Kind::mmapshared}, Word{"mmaphuge", Kind::mmaphuge},
      Word{"cudamalloc", Kind::cudamalloc}};
  const std::size_t colon = text.find(':');
  const auto* found = std::ranges::find(k_words, text.substr(0, colon), &Word::word);
  if (found == k_words.end()) {
    return bad("valid values: malloc, shm, shmhuge, mmap, mmapshared, mmaphuge, cudamalloc");
  }
  const std::string file(colon == text.npos ? string_view() : text.substr(colon + 1));
  const bool mapped =
      found->kind == Kind::mmap || found->kind == Kind::mmapshared || found->kind == Kind::mmaphuge;
  if (!file.empty() && !mapped) return bad(fmt::format("{} takes no file", found->word));
  if (file.empty() && found->kind == Kind::mmapshared) {
    return bad("mmapshared needs a file: mmapshared:/path");
  }
  job.mem = Memory{.kind = found->kind, .file = file};
  return {};
}

}  // namespace loadline::dialects::fio
