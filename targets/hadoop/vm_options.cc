#include "targets/hadoop/vm_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

namespace loadline::targets::hadoop {
namespace {

constexpr std::uint64_t k_mib = 1 << 20;
constexpr std::uint64_t k_heap_least_mib = 256;
// References stay 32 bits wide below 32 GiB.
constexpr std::uint64_t k_heap_most_mib = 30 * 1024;

// What Hadoop's classes look into, of java.base.
constexpr std::array<std::string_view, 11> k_opened = {
    "java.io",       "java.lang",         "java.lang.reflect", "java.math",
    "java.net",      "java.text",         "java.util",         "java.util.concurrent",
    "java.util.zip", "sun.security.util", "sun.security.x509"};

// A heap for many streams, each with a buffer and packets under way, and room for the rest.
std::uint64_t heap_mib(Bytes memory) {
  return std::clamp(memory.count() / 2 / k_mib, k_heap_least_mib, k_heap_most_mib);
}

std::unexpected<Error> unclosed(char quote) {
  return fail(ErrorCode::bad_input,
              fmt::format("a {} is not closed", quote == '\\'  ? "backslash at the end"
                                                : quote == '"' ? "double quote"
                                                               : "single quote"),
              "jvm_options");
}

}  // namespace

std::vector<std::string> vm_options(const VmRequest& request) {
  std::vector<std::string> options{
      "-Djava.class.path=" + request.class_path,
      fmt::format("-Xmx{}m", heap_mib(request.memory)),
      "-Xrs",  // the signals that end a run are ours
      "-XX:+ExitOnOutOfMemoryError",
      "-XX:+DisplayVMOutputToStderr",  // standard output holds results
      "-Djava.net.preferIPv4Stack=true",
      "-Djava.awt.headless=true",
      "-Dhadoop.root.logger=WARN,console",
  };
  if (request.modules) {
    for (const std::string_view package : k_opened) {
      options.push_back(fmt::format("--add-opens=java.base/{}=ALL-UNNAMED", package));
    }
  }
  options.insert(options.end(), request.user.begin(), request.user.end());
  return options;
}

Result<std::vector<std::string>> shell_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (quote == 0 && blank) {
      if (begun) words.push_back(std::move(word));
      word.clear();
      begun = false;
      continue;
    }
    begun = true;
    const bool escapes = quote == 0 || (quote == '"' && i + 1 < text.size() &&
                                        (text[i + 1] == '"' || text[i + 1] == '\\'));
    if (c == '\\' && escapes) {
      if (++i == text.size()) return unclosed('\\');
      word.push_back(text[i]);
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else {
      word.push_back(c);
    }
  }
  if (quote != 0) return unclosed(quote);
  if (begun) words.push_back(std::move(word));
  return words;
}

Bytes machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  std::uint64_t memory = static_cast<std::uint64_t>(std::max(pages, 1L)) *
                         static_cast<std::uint64_t>(std::max(page, 1L));
  for (const char* limit :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream in(limit);
    std::string text;
    std::uint64_t value = 0;
    if (!(in >> text)) continue;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value > 0) {
      memory = std::min(memory, value);
    }
  }
  return Bytes(memory);
}

}  // namespace loadline::targets::hadoop
