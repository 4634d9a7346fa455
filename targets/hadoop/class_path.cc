#include "targets/hadoop/class_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "base/child_process.h"
#include "base/unique_fd.h"

namespace loadline::targets::hadoop {
namespace {

namespace fs = std::filesystem;

constexpr int k_patience_ms = 60'000;

// Where the command's answer goes; removed at the end of its life.
class AnswerFile {
 public:
  AnswerFile() {
    std::string pattern = (fs::temp_directory_path() / "loadline-hadoop-XXXXXX").string();
    const UniqueFd made(::mkstemp(pattern.data()));
    if (made) path_ = pattern;
  }
  ~AnswerFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  AnswerFile(const AnswerFile&) = delete;
  AnswerFile& operator=(const AnswerFile&) = delete;
  const std::string& path() const { return path_; }
  // The last line that is not empty.
  std::string last_line() const {
    std::ifstream in(path_);
    std::string last;
    for (std::string line; std::getline(in, line);) {
      if (!line.empty()) last = line;
    }
    return last;
  }

 private:
  std::string path_;
};

// The answer of one command, or why there is none.
std::optional<std::string> ask(const std::vector<std::string>& words, std::string& why) {
  const AnswerFile answer;
  const std::string line = fmt::format("{}", fmt::join(words, " "));
  auto child =
      ChildProcess::start({.words = words, .output = answer.path(), .errors = "/dev/null"});
  if (!child) {
    why = fmt::format("{} ({})", line, child.error().what);
    return std::nullopt;
  }
  const auto status = child->wait(k_patience_ms);
  std::string text = answer.last_line();
  if (status == 0 && !text.empty()) return text;
  why = status ? fmt::format("{} (exit {})", line, *status)
               : fmt::format("{} (no answer in {} s)", line, k_patience_ms / 1000);
  return std::nullopt;
}

void append_entries(std::vector<std::string>& all, std::vector<std::string> more) {
  for (std::string& entry : more) {
    if (std::ranges::find(all, entry) == all.end()) all.push_back(std::move(entry));
  }
}

}  // namespace

std::vector<std::string> expanded(std::string_view class_path) {
  std::vector<std::string> entries;
  while (!class_path.empty()) {
    const std::size_t colon = std::min(class_path.find(':'), class_path.size());
    const std::string_view entry = class_path.substr(0, colon);
    class_path.remove_prefix(std::min(colon + 1, class_path.size()));
    if (entry.empty()) continue;
    if (entry != "*" && !entry.ends_with("/*")) {
      entries.emplace_back(entry);
      continue;
    }
    const std::string folder(entry == "*" ? "." : entry.substr(0, entry.size() - 2));
    std::vector<std::string> jars;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const std::string suffix = it->path().extension().string();
      if (suffix == ".jar" || suffix == ".JAR") jars.push_back(it->path().string());
    }
    std::ranges::sort(jars);
    append_entries(entries, std::move(jars));
  }
  return entries;
}

Result<ClassPath> find_class_path(const ClassPathSources& sources) {
  ClassPath found;
  std::string base;
  if (!sources.parameter.empty()) {
    base = sources.parameter;
    found.from = "hadoop_classpath";
  } else if (!sources.environment.empty()) {
    base = sources.environment;
    found.from = "CLASSPATH";
  } else {
    const bool at_home = !sources.hadoop_home.empty();
    const std::string command = at_home ? sources.hadoop_home + "/bin/hadoop" : sources.command;
    std::string why;
    // Before Hadoop 2.6 there is no --glob.
    auto answer = ask({command, "classpath", "--glob"}, why);
    if (!answer && at_home) answer = ask({command, "classpath"}, why);
    if (!answer) {
      return fail(ErrorCode::not_found,
                  fmt::format("no class path with Hadoop's jars; hadoop_classpath=/opt/hadoop/"
                              "etc/hadoop:/opt/hadoop/share/hadoop/common/*:... would be right; "
                              "tried hadoop_classpath (not given), CLASSPATH (not set), {}, {}",
                              at_home ? "HADOOP_HOME" : "HADOOP_HOME (not set)", why),
                  "hadoop_classpath");
    }
    base = *answer;
    found.from = command + " classpath";
  }
  std::vector<std::string> entries;
  append_entries(entries, sources.folders);
  if (!sources.conf_dir.empty()) append_entries(entries, {sources.conf_dir});
  append_entries(entries, expanded(base));
  for (const std::string& jar : sources.jars) append_entries(entries, expanded(jar));
  found.text = fmt::format("{}", fmt::join(entries, ":"));
  return found;
}

}  // namespace loadline::targets::hadoop
