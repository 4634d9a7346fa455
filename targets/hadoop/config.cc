#include "targets/hadoop/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/nearest_word.h"
#include "target/masking.h"
#include "targets/hadoop/vm_options.h"

namespace loadline::targets::hadoop {
namespace {

namespace fs = std::filesystem;
using target::Parameters;

constexpr std::string_view k_root_default = "/benchmarks/loadline";

std::unexpected<Error> refuse(std::string_view key, std::string what) {
  return fail(ErrorCode::bad_input, std::move(what), std::string(key));
}

std::vector<std::string> list_of(const std::string& text) {
  std::vector<std::string> items;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (comma > 0) items.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return items;
}

Result<void> check_keys(const Parameters& parameters) {
  const std::vector<target::ParameterSpec> table = parameter_table();
  for (const auto& [key, value] : parameters.entries()) {
    if (key.starts_with(k_setting_prefix) && key.size() > k_setting_prefix.size()) continue;
    if (std::ranges::find(table, key, &target::ParameterSpec::key) != table.end()) continue;
    std::vector<std::string_view> known;
    for (const auto& spec : table) known.push_back(spec.key);
    const auto close = nearest(key, known);
    const bool of_hadoop = key.find('.') != std::string::npos;
    return refuse(
        key, close && !of_hadoop ? fmt::format("is no parameter of storage hadoop; {}?", *close)
             : of_hadoop ? fmt::format("is no parameter of storage hadoop; conf.{} would set it "
                                       "in Hadoop's configuration",
                                       key)
                         : fmt::format("is no parameter of storage hadoop; it has {}",
                                       fmt::join(known, ", ")));
  }
  return {};
}

// Splits hdfs://host:8020/base into the file system and the path on it.
Result<void> read_place(const Parameters& parameters, Config& config) {
  const std::string uri = parameters.text("uri", "");
  std::string path;
  if (!uri.empty()) {
    const std::size_t colon = uri.find(':');
    const std::string scheme = uri.substr(0, std::min(colon, uri.size()));
    const bool plain = !scheme.empty() && std::ranges::all_of(scheme, [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.';
    });
    if (colon == std::string::npos || !plain || !uri.substr(colon + 1).starts_with('/') ||
        uri.find_first_of(" \t\r\n") != std::string::npos) {
      return refuse("uri", fmt::format("'{}' is no file system like hdfs://namenode:8020",
                                       target::masked_value("uri", uri)));
    }
    std::string rest = uri.substr(colon + 1);
    std::string authority;
    if (rest.starts_with("//")) {
      rest = rest.substr(2);
      authority = rest.substr(0, rest.find('/'));
      rest = rest.substr(authority.size());
    }
    path = rest;
    config.uri = scheme + "://" + authority + "/";
  }
  while (path.ends_with('/')) path.pop_back();
  config.root = parameters.text("root", path.empty() ? k_root_default : std::string_view(path));
  if (!config.root.starts_with('/')) {
    return refuse("root", fmt::format("'{}' is no absolute path on the file system; {} would be",
                                      config.root, k_root_default));
  }
  while (config.root.ends_with('/')) config.root.pop_back();
  return {};
}

Result<void> read_configuration(const Parameters& parameters, Config& config) {
  for (const std::string& entry : list_of(parameters.text("conf", ""))) {
    std::error_code error;
    const fs::path path = fs::absolute(entry, error);
    if (fs::is_directory(path, error)) {
      config.conf_folders.push_back(path.string());
    } else if (fs::is_regular_file(path, error)) {
      config.conf_files.push_back(path.string());
    } else {
      return refuse("conf", fmt::format("'{}' is no XML file and no folder of them", entry));
    }
  }
  for (const auto& [key, value] : parameters.entries()) {
    if (!key.starts_with(k_setting_prefix)) continue;
    if (target::is_secret_key(key) && value == Secret::k_mask) {
      return refuse(key, fmt::format("this archived workload does not hold the secret; give it "
                                     "again with --set storage.config.{}=...",
                                     key));
    }
    config.settings.emplace_back(key.substr(k_setting_prefix.size()), Secret(value));
  }
  return {};
}

Result<void> read_java(const Parameters& parameters, Config& config) {
  config.class_path = parameters.text("hadoop_classpath", "");
  config.java_home = parameters.text("java_home", "");
  config.user = parameters.text("user", "");
  for (std::string& jar : list_of(parameters.text("jars", ""))) {
    std::error_code error;
    const bool folder_of_jars = jar.ends_with("/*");
    if (!folder_of_jars && !fs::exists(jar, error)) {
      return refuse("jars", fmt::format("'{}' does not exist", jar));
    }
    config.jars.push_back(std::move(jar));
  }
  std::string text = parameters.text("jvm_options", "");
  // What users of Hadoop's own C library have set already.
  const char* const inherited = std::getenv("LIBHDFS_OPTS");
  if (!parameters.has("jvm_options") && inherited != nullptr) text = inherited;
  auto words = shell_words(text);
  if (!words) return propagate(words);
  config.jvm_options = std::move(*words);
  return {};
}

Result<void> read_files(const Parameters& parameters, Config& config) {
  auto block_size = parameters.integer("block_size", 0, 0, 1LL << 50);
  if (!block_size) return propagate(block_size);
  config.block_size = *block_size;
  auto replication = parameters.integer("replication", 0, 0, 512);
  if (!replication) return propagate(replication);
  config.replication = static_cast<std::int16_t>(*replication);
  config.storage_policy = parameters.text("storage_policy", "");
  auto buffer_size = parameters.integer("buffer_size", config.buffer_size, 1, 1 << 30);
  if (!buffer_size) return propagate(buffer_size);
  config.buffer_size = static_cast<std::int32_t>(*buffer_size);
  const std::string instances = parameters.text("fs_instances", "process");
  if (instances != "process" && instances != "thread") {
    return refuse("fs_instances", fmt::format("'{}' is neither process nor thread", instances));
  }
  config.instance_per_thread = instances == "thread";
  return {};
}

}  // namespace

bool Config::has_setting(std::string_view key) const {
  return std::ranges::any_of(settings, [&](const auto& one) { return one.first == key; });
}

std::string Config::path_of(std::string_view name) const {
  if (name.starts_with('/') || name.find("://") != std::string_view::npos) {
    return std::string(name);
  }
  if (name.empty()) return root.empty() ? "/" : root;
  return root + "/" + std::string(name);
}

std::string Config::vm_wanted() const {
  return fmt::format("{}\n{}\n{}\n{}\n{}", java_home, class_path, fmt::join(jars, "\t"),
                     fmt::join(jvm_options, "\t"), fmt::join(conf_folders, "\t"));
}

Result<Config> read_config(const Parameters& parameters) {
  Config config;
  if (auto known = check_keys(parameters); !known) return propagate(known);
  for (const auto& read : {read_place, read_configuration, read_java, read_files}) {
    if (auto done = read(parameters, config); !done) return propagate(done);
  }
  return config;
}

std::vector<target::ParameterSpec> parameter_table() {
  return {
      {"uri", "",
       "file system, e.g. hdfs://namenode:8020 or s3a://bucket, with or without a path; "
       "default: fs.defaultFS of Hadoop's configuration"},
      {"root", std::string(k_root_default),
       "absolute path on it, below which containers and relative names lie; default: the path in "
       "uri, where it has one"},
      {"conf", "",
       "Hadoop's configuration: XML files, or folders with core-site.xml and hdfs-site.xml, with "
       "commas between"},
      {"conf.KEY", "", "one setting of Hadoop's configuration, e.g. conf.dfs.replication=2"},
      {"hadoop_classpath", "",
       "class path with Hadoop's jars, `folder/*` allowed; default: CLASSPATH, else what the "
       "command `hadoop classpath` says"},
      {"jars", "", "jars of plugins, with commas between, added to the class path"},
      {"java_home", "", "folder of the Java to use; default: JAVA_HOME, else that of `java`"},
      {"jvm_options", "",
       "more options of the Java VM, quoted as in a shell; default: LIBHDFS_OPTS"},
      {"user", "", "user name on the file system; default: Hadoop's own choice"},
      {"block_size", "0", "bytes of a block of new files; 0: the file system's own"},
      {"replication", "0", "copies of new files; 0: the file system's own"},
      {"storage_policy", "", "storage policy of new files, e.g. HOT or ALL_SSD"},
      {"buffer_size", "4096", "bytes of the buffer that a stream is opened with"},
      {"fs_instances", "process",
       "process: one client for all threads; thread: one for each, with connections of its own"},
  };
}

}  // namespace loadline::targets::hadoop
