#include "app/serve_command.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/s3_server.h"

namespace loadline::app {

namespace {

using serve::ServeKey;
using serve::ServeOptions;

// The options as text; interpreted once, in options_of().
struct Texts {
  std::string listen = "127.0.0.1:29998";
  std::vector<std::string> keys;
  std::string key_file;
  std::vector<std::string> faults;
  std::string memory;
  std::string delay;
  std::string etag = "fast";
  std::string server_name;
  unsigned threads = 1;
  std::uint64_t seed = 1;
  bool discard = false;
  bool create_buckets = false;
  bool allow_remote = false;
  bool quiet = false;
};

void declare(CLI::App& app, Texts& texts) {
  app.add_option("--listen", texts.listen, "address:port; port 0 takes a free one")
      ->capture_default_str();
  app.add_option("--key", texts.keys, "ACCESSKEY:SECRETKEY to check signatures with; repeatable");
  app.add_option("--key-file", texts.key_file, "file with one ACCESSKEY:SECRETKEY a line");
  app.add_option("--threads", texts.threads, "serving threads, 1 to 64")->capture_default_str();
  app.add_option("--memory", texts.memory,
                 "most memory for objects, e.g. 8GiB (default: half of the machine's)");
  app.add_option("--fault", texts.faults,
                 "a fault rule, e.g. \"kind=get_object;fault=reset;every=100\"; repeatable");
  app.add_option("--delay", texts.delay,
                 "latency of every answer: fixed:MS, uniform:MS,MS, lognormal:MS,SIGMA or "
                 "exponential:MS");
  app.add_option("--etag", texts.etag, "fast, or md5 as S3 has it")->capture_default_str();
  app.add_option("--server-name", texts.server_name,
                 "domain of virtual-host style requests, besides localhost");
  app.add_option("--seed", texts.seed, "of faults and delays")->capture_default_str();
  app.add_flag("--discard", texts.discard, "keep only the lengths of objects; reads return filler");
  app.add_flag("--create-buckets", texts.create_buckets,
               "a PUT into a missing bucket makes the bucket");
  app.add_flag("--allow-remote", texts.allow_remote, "listen on addresses other than loopback");
  app.add_flag("--quiet", texts.quiet, "no counters at the end");
}

Result<Bytes> parse_memory(const std::string& text) {
  static constexpr std::pair<std::string_view, double> k_units[] = {
      {"", 1},     {"B", 1},         {"KB", 1e3},      {"MB", 1e6},
      {"GB", 1e9}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
  };
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string_view unit = end;
  for (const auto& [name, factor] : k_units) {
    const double bytes = number * factor;
    if (unit != name || end == text.c_str() || !(bytes >= 1e6) || bytes > 1e15) continue;
    return Bytes(static_cast<std::uint64_t>(bytes));
  }
  return fail(ErrorCode::bad_input,
              fmt::format("\"{}\" is not a size of at least 1MB, such as 8GiB or 500MB", text),
              "--memory");
}

// Never repeats what it was given: it may be a secret.
Result<ServeKey> parse_key(std::string_view text, std::string where) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) {
    return fail(ErrorCode::bad_input, "a key is ACCESSKEY:SECRETKEY", std::move(where));
  }
  return ServeKey{std::string(text.substr(0, colon)), Secret(std::string(text.substr(colon + 1)))};
}

Result<void> read_keys(const Texts& texts, ServeOptions& options) {
  for (const std::string& text : texts.keys) {
    auto key = parse_key(text, "--key");
    if (!key) return propagate(key);
    options.keys.push_back(std::move(*key));
  }
  if (texts.key_file.empty()) return {};
  std::ifstream file(texts.key_file);
  if (!file) return fail(ErrorCode::bad_input, "cannot be read", texts.key_file);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    auto key = parse_key(line, fmt::format("{}:{}", texts.key_file, number));
    if (!key) return propagate(key);
    options.keys.push_back(std::move(*key));
  }
  if (options.keys.empty()) return fail(ErrorCode::bad_input, "holds no key", texts.key_file);
  return {};
}

Result<ServeOptions> options_of(const Texts& texts) {
  ServeOptions options{.listen = texts.listen,
                       .allow_remote = texts.allow_remote,
                       .threads = texts.threads,
                       .retain = texts.discard ? serve::Retain::length : serve::Retain::data,
                       .create_buckets = texts.create_buckets,
                       .server_name = texts.server_name,
                       .seed = texts.seed};
  if (auto read = read_keys(texts, options); !read) return propagate(read);
  if (!texts.memory.empty()) {
    auto memory = parse_memory(texts.memory);
    if (!memory) return propagate(memory);
    options.memory_limit = *memory;
  }
  for (const std::string& text : texts.faults) {
    auto rule = serve::parse_fault_rule(text);
    if (!rule) return propagate(rule);
    options.faults.push_back(std::move(*rule));
  }
  if (!texts.delay.empty()) {
    auto delay = serve::DelayModel::parse(texts.delay);
    if (!delay) return propagate(delay);
    options.delay = *delay;
  }
  if (texts.etag == "md5") {
    options.etag = serve::EtagKind::md5;
  } else if (texts.etag != "fast") {
    return fail(ErrorCode::bad_input, fmt::format("\"{}\" is neither fast nor md5", texts.etag),
                "--etag");
  }
  return options;
}

// Other users can read a process's arguments; the secrets must not stay there.
void scrub_keys(int argc, char** argv) {
  const auto scrub = [](char* text) {
    char* const secret = std::strchr(text, ':');
    if (secret != nullptr) std::fill(secret + 1, secret + std::strlen(secret), '*');
  };
  bool secret_follows = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    // After --key all words up to the next option are keys.
    if (word.starts_with("--")) {
      secret_follows = word == "--key";
      if (word.starts_with("--key=")) scrub(argv[i]);
    } else if (secret_follows) {
      scrub(argv[i]);
    }
  }
}

int complain(const Error& error) {
  fmt::print(stderr, "loadline serve-s3: {}\n", error.message());
  return 2;
}

// Thousands of connections need as many descriptors.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

int serve_until_signal(ServeOptions options, bool quiet) {
  // Blocked in all threads, so that they wait for us in sigwait.
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  raise_descriptor_limit();
  auto server = serve::S3Server::start(std::move(options));
  if (!server) return complain(server.error());
  fmt::print("listening on {}\n", (*server)->url());
  std::fflush(stdout);
  int received = 0;
  ::sigwait(&signals, &received);
  (*server)->stop();
  if (!quiet) fmt::print(stderr, "{}", serve::counters_text((*server)->counters()));
  return 0;
}

}  // namespace

int run_serve_s3(int argc, char** argv) {
  CLI::App app("The built-in S3 store: in memory, on loopback.", "loadline serve-s3");
  Texts texts;
  declare(app, texts);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    scrub_keys(argc, argv);
    return app.exit(error) == 0 ? 0 : 2;
  }
  scrub_keys(argc, argv);
  auto options = options_of(texts);
  if (!options) return complain(options.error());
  return serve_until_signal(std::move(*options), texts.quiet);
}

}  // namespace loadline::app
