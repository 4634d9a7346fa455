// The parameters of a hadoop target, read once and checked; nothing of Java is touched for that.
//
// Threads: plain values. Errors: Error.context names the parameter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/secret.h"
#include "target/parameters.h"

namespace loadline::targets::hadoop {

struct Config {
  std::string uri;   // scheme://authority/; empty: fs.defaultFS of the configuration
  std::string root;  // absolute path without a slash at its end; "" is the root itself
  std::vector<std::string> conf_files;                   // XML, absolute paths
  std::vector<std::string> conf_folders;                 // into the class path
  std::vector<std::pair<std::string, Secret>> settings;  // of conf.KEY, in order
  std::string class_path;
  std::vector<std::string> jars;
  std::string java_home;
  std::vector<std::string> jvm_options;
  std::string user;
  std::int64_t block_size = 0;   // bytes; zero: the file system's own
  std::int16_t replication = 0;  // zero: the file system's own
  std::string storage_policy;
  std::int32_t buffer_size = 4096;  // bytes, that a stream is opened with
  bool instance_per_thread = false;

  // A parameter of a user's conf.KEY that is set here already.
  bool has_setting(std::string_view key) const;
  // The path of a name: absolute ones and URLs as they are, others below the root.
  std::string path_of(std::string_view name) const;
  // What the process's one VM is started for.
  std::string vm_wanted() const;
};

inline constexpr std::string_view k_setting_prefix = "conf.";

Result<Config> read_config(const target::Parameters& parameters);

// What `loadline version` and the documentation list.
std::vector<target::ParameterSpec> parameter_table();

}  // namespace loadline::targets::hadoop
