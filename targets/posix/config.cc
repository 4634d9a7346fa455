#include "targets/posix/config.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

namespace loadline::targets::posix {
namespace {

template <typename T>
struct Word {
  std::string_view word;
  T value;
};

constexpr std::array<Word<Engine>, 11> k_engines{{{"psync", Engine::psync},
                                                  {"sync", Engine::sync},
                                                  {"vsync", Engine::vsync},
                                                  {"pvsync", Engine::pvsync},
                                                  {"pvsync2", Engine::pvsync2},
                                                  {"libaio", Engine::libaio},
                                                  {"io_uring", Engine::io_uring},
                                                  {"mmap", Engine::mmap},
                                                  {"posixaio", Engine::posixaio},
                                                  {"splice", Engine::splice},
                                                  {"null", Engine::null}}};
constexpr std::array<Word<int>, 5> k_syncs{
    {{"none", 0}, {"sync", O_SYNC}, {"dsync", O_DSYNC}, {"0", 0}, {"1", O_SYNC}}};
// "1" leaves the choice to whoever knows the order of the accesses, so here it asks for nothing.
constexpr std::array<Word<Advice>, 5> k_advices{{{"0", Advice::none},
                                                 {"1", Advice::none},
                                                 {"random", Advice::random},
                                                 {"sequential", Advice::sequential},
                                                 {"noreuse", Advice::no_reuse}}};
constexpr std::array<Word<Preallocation>, 7> k_preallocations{
    {{"native", Preallocation::native},
     {"none", Preallocation::none},
     {"posix", Preallocation::posix},
     {"keep", Preallocation::keep},
     {"truncate", Preallocation::truncate},
     {"0", Preallocation::none},
     {"1", Preallocation::posix}}};

// Reads parameters one by one and keeps the first error.
class Reader {
 public:
  explicit Reader(const target::Parameters& parameters) : parameters_(parameters) {}

  template <typename T, std::size_t N>
  void word(std::string_view key, const std::array<Word<T>, N>& words, T& into) {
    if (!parameters_.has(key)) return;
    const std::string text = parameters_.text(key, "");
    const auto it = std::ranges::find(words, text, &Word<T>::word);
    if (it != words.end()) {
      into = it->value;
      return;
    }
    std::vector<std::string_view> all;
    for (const auto& w : words) all.push_back(w.word);
    note({.code = ErrorCode::bad_input,
          .what = fmt::format("'{}' is none of {}", text, fmt::join(all, ", ")),
          .context = std::string(key)});
  }

  void flag(std::string_view key, bool& into) {
    auto value = parameters_.boolean(key, into);
    if (value) {
      into = *value;
    } else {
      note(std::move(value.error()));
    }
  }

  template <typename T>
  void integer(std::string_view key, std::int64_t least, std::int64_t most, T& into) {
    auto value = parameters_.integer(key, into, least, most);
    if (value) {
      into = static_cast<T>(*value);
    } else {
      note(std::move(value.error()));
    }
  }

  void note(Error error) {
    if (!error_) error_ = std::move(error);
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const target::Parameters& parameters_;
  std::optional<Error> error_;
};

std::optional<Error> contradiction(const Config& config) {
  if (config.engine == Engine::io_uring && config.polled && !config.direct) {
    return Error{
        .code = ErrorCode::bad_input, .what = "polled I/O needs direct=1", .context = "hipri"};
  }
  return {};
}

}  // namespace

std::string_view to_string(Engine engine) {
  return std::ranges::find(k_engines, engine, &Word<Engine>::value)->word;
}

bool is_synchronous(Engine engine) {
  return engine != Engine::libaio && engine != Engine::io_uring && engine != Engine::posixaio;
}

std::vector<target::ParameterSpec> parameter_table() {
  return {
      {"engine", "psync",
       "how blocks are moved: psync, sync, vsync, pvsync, pvsync2, libaio, io_uring, mmap, "
       "posixaio, splice or null"},
      {"root", "", "folder of the containers, for objects: containers are folders below it"},
      {"direct", "false", "past the page cache (O_DIRECT)"},
      {"sync", "none", "every write reaches the disk: none, sync (O_SYNC) or dsync (O_DSYNC)"},
      {"invalidate", "true", "block I/O: drop what is cached of a file when it is opened"},
      {"fadvise", "0", "posix_fadvise when a file is opened: 0, 1, random, sequential, noreuse"},
      {"fallocate", "native",
       "how files to be written get their space: native, none, posix, keep or truncate"},
      {"allow_mounted_write", "false",
       "permit writes and trims on block devices, also on one in use"},
      {"trim_files", "false", "a trim punches a hole into a file; else for devices alone"},
      {"hipri", "false", "pvsync2, io_uring: poll for completions"},
      {"hipri_percentage", "100", "pvsync2: the percentage of operations that are polled for"},
      {"uncached", "false", "pvsync2, io_uring: buffered, dropped from the cache afterwards"},
      {"nowait", "false", "pvsync2, libaio, io_uring: fail where an operation would block"},
      {"fixedbufs", "false", "io_uring: register the buffers"},
      {"registerfiles", "false", "io_uring: register the files"},
      {"nonvectored", "true", "io_uring: read and write instead of readv and writev"},
      {"sqthread_poll", "false", "io_uring: a kernel thread takes the submissions"},
      {"sqthread_poll_cpu", "-1", "io_uring: the CPU of that thread; -1: any"},
      {"force_async", "false", "io_uring: never try an operation in the submitting thread"},
      {"userspace_reap", "false", "libaio: look for completions without a system call"},
  };
}

Result<Config> read_config(const target::Parameters& parameters) {
  Config config;
  Reader reader(parameters);
  reader.word("engine", k_engines, config.engine);
  config.root = parameters.text("root", "");
  while (config.root.size() > 1 && config.root.ends_with('/')) config.root.pop_back();
  reader.flag("direct", config.direct);
  reader.word("sync", k_syncs, config.sync_flag);
  reader.flag("invalidate", config.invalidate);
  reader.word("fadvise", k_advices, config.advice);
  reader.word("fallocate", k_preallocations, config.preallocation);
  reader.flag("allow_mounted_write", config.allow_mounted_write);
  reader.flag("trim_files", config.trim_files);
  reader.flag("hipri", config.polled);
  reader.integer("hipri_percentage", 0, 100, config.polled_percent);
  reader.flag("uncached", config.uncached);
  reader.flag("nowait", config.nowait);
  reader.flag("fixedbufs", config.fixed_buffers);
  reader.flag("registerfiles", config.registered_files);
  bool nonvectored = !config.vectored;
  reader.flag("nonvectored", nonvectored);
  config.vectored = !nonvectored;
  reader.flag("sqthread_poll", config.submission_thread);
  reader.integer("sqthread_poll_cpu", -1, 65'535, config.submission_cpu);
  if (config.submission_cpu >= 0) config.submission_thread = true;
  reader.flag("force_async", config.force_async);
  reader.flag("userspace_reap", config.userspace_reap);
  if (const auto wrong = contradiction(config)) reader.note(*wrong);
  if (reader.error()) return std::unexpected(*reader.error());
  return config;
}

}  // namespace loadline::targets::posix
