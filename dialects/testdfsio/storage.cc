#include "dialects/testdfsio/storage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "dialects/testdfsio/value_text.h"
#include "target/masking.h"

namespace loadline::dialects::testdfsio {
namespace {

// In front of a key of Hadoop's configuration among the parameters of a hadoop target.
constexpr std::string_view k_setting_prefix = "conf.";
// Names of folders are below the root of the storage.
constexpr const char* k_root = "/";
constexpr std::string_view k_replication = "dfs.replication";
constexpr std::string_view k_block_size = "dfs.blocksize";

std::unexpected<Error> refuse(std::string_view option, std::string what) {
  return fail(ErrorCode::bad_input, std::move(what), std::string(option));
}

std::string_view scheme_of(std::string_view uri) { return uri.substr(0, uri.find(':')); }

bool is_webhdfs(std::string_view uri) {
  return scheme_of(uri) == "webhdfs" || scheme_of(uri) == "swebhdfs";
}

// The length of "scheme:" at the front; 0 where there is none.
std::size_t scheme_length(std::string_view text) {
  const std::size_t end = text.find_first_of(":/");
  if (end == std::string_view::npos || end == 0 || text[end] != ':') return 0;
  const bool plain = std::ranges::all_of(text.substr(0, end), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.';
  });
  return plain && std::isalpha(static_cast<unsigned char>(text[0])) != 0 ? end + 1 : 0;
}

Result<std::string> clean_path(std::string_view option, std::string_view text) {
  std::string path;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") return refuse(option, fmt::format("'{}' goes up by '..'", text));
    path.append("/").append(part);
  }
  return path.empty() ? std::string("/") : path;
}

// Without a path: "hdfs://namenode:8020".
std::string without_path(std::string_view uri) {
  const std::size_t scheme = scheme_length(uri);
  std::string_view rest = uri.substr(scheme);
  if (!rest.starts_with("//")) return std::string(uri.substr(0, scheme)) + "//";
  rest.remove_prefix(2);
  const std::string_view authority = rest.substr(0, rest.find('/'));
  return fmt::format("{}//{}", uri.substr(0, scheme), authority);
}

// Settings that no storage but Hadoop's own client takes.
std::vector<std::string> unused_settings(const GenericOptions& generic, TargetKind kind) {
  std::vector<std::string> unused;
  for (const auto& [key, value] : generic.settings) {
    if (kind == TargetKind::webhdfs && (key == k_replication || key == k_block_size)) continue;
    const auto begins = [&name = key](std::string_view prefix) { return name.starts_with(prefix); };
    const bool known = key == "fs.defaultFS" || key == "fs.default.name" || begins("test.") ||
                       begins("mapreduce.") || begins("mapred.") || begins("yarn.");
    if (!known) unused.push_back(key);
  }
  return unused;
}

void set_if_given(target::Parameters& parameters, std::string_view key, const std::string& value) {
  if (!value.empty()) parameters.set(std::string(key), value);
}

target::Parameters hadoop_parameters(const std::string& uri, const StorageChoice& choice) {
  target::Parameters parameters;
  set_if_given(parameters, "uri", uri);
  parameters.set("root", k_root);
  set_if_given(parameters, "conf", fmt::format("{}", fmt::join(choice.generic->conf_files, ",")));
  set_if_given(parameters, "hadoop_classpath", choice.own->hadoop_classpath);
  set_if_given(parameters, "jars", fmt::format("{}", fmt::join(choice.generic->jars, ",")));
  set_if_given(parameters, "java_home", choice.own->java_home);
  set_if_given(parameters, "user", choice.own->user);
  set_if_given(parameters, "storage_policy", choice.storage_policy);
  for (const auto& [key, value] : choice.generic->settings) {
    parameters.set(fmt::format("{}{}", k_setting_prefix, key), value);
  }
  return parameters;
}

Result<target::Parameters> webhdfs_parameters(const std::string& uri, const StorageChoice& choice) {
  const auto variable = [&choice](const char* name) {
    return choice.world->variable(name).value_or("");
  };
  target::Parameters parameters;
  parameters.set("uri", uri);
  parameters.set("root", k_root);
  set_if_given(parameters, "user",
               choice.own->user.empty() ? variable("HADOOP_USER_NAME") : choice.own->user);
  set_if_given(parameters, "resolve", choice.own->resolve);
  set_if_given(parameters, "token", variable("LOADLINE_WEBHDFS_TOKEN"));
  // What Hadoop's client of WebHDFS sends along with a new file.
  if (const auto copies = choice.configuration->value(k_replication)) {
    constexpr std::uint64_t k_copies_most = 512;
    const auto count = count_value(k_replication, *copies, 1, k_copies_most);
    if (!count) return std::unexpected(count.error());
    parameters.set("replication", std::to_string(*count));
  }
  if (const auto size = choice.configuration->value(k_block_size)) {
    const auto bytes = setting_size(k_block_size, *size);
    if (!bytes) return std::unexpected(bytes.error());
    if (bytes->count() > 0) parameters.set("block_size", std::to_string(bytes->count()));
  }
  return parameters;
}

target::Parameters posix_parameters() {
  target::Parameters parameters;
  parameters.set("root", k_root);
  return parameters;
}

// What was asked for and this kind cannot do.
Result<void> check_choice(TargetKind kind, const std::string& uri, const StorageChoice& choice) {
  const std::string_view name = to_string(kind);
  if (kind == TargetKind::webhdfs && !is_webhdfs(uri)) {
    return refuse("--target", uri.empty() ? std::string("webhdfs has to know where: -fs "
                                                        "webhdfs://namenode:9870")
                                          : fmt::format("webhdfs is not at {}; it would be "
                                                        "-fs webhdfs://namenode:9870",
                                                        target::masked_value("uri", uri)));
  }
  if (kind == TargetKind::posix && !uri.empty() && scheme_of(uri) != "file") {
    return refuse("--target", fmt::format("posix is this machine's own files, and {} is not; "
                                          "-fs file:/// would be",
                                          target::masked_value("uri", uri)));
  }
  if (kind != TargetKind::webhdfs && !choice.own->resolve.empty()) {
    return refuse("--resolve", fmt::format("is for webhdfs, and this is {}", name));
  }
  if (kind == TargetKind::hadoop) return {};
  if (!choice.storage_policy.empty()) {
    return refuse("-storagePolicy", fmt::format("needs --target hadoop, and this is {}", name));
  }
  if (!choice.own->hadoop_classpath.empty() || !choice.own->java_home.empty()) {
    return refuse(choice.own->java_home.empty() ? "--hadoop-classpath" : "--java-home",
                  fmt::format("is for --target hadoop, and this is {}", name));
  }
  return {};
}

}  // namespace

Result<Location> location_of(std::string_view option, std::string_view text) {
  Location location;
  std::string_view path = text;
  if (const std::size_t scheme = scheme_length(text); scheme > 0) {
    location.uri = without_path(text);
    path = text.substr(scheme);
    if (path.starts_with("//")) {
      path.remove_prefix(2);
      path.remove_prefix(std::min(path.find('/'), path.size()));
      if (path.empty()) path = "/";
    }
  }
  if (!path.starts_with('/')) {
    return refuse(option, fmt::format("'{}' is no absolute path like /benchmarks/TestDFSIO", text));
  }
  auto cleaned = clean_path(option, path);
  if (!cleaned) return propagate(cleaned);
  location.path = std::move(*cleaned);
  return location;
}

Result<Storage> storage_at(const Location& place, const StorageChoice& choice) {
  std::string uri = place.uri;
  if (uri.empty()) {
    if (const auto named = choice.configuration->default_file_system()) {
      if (scheme_length(*named) == 0) {
        return refuse("fs.defaultFS",
                      fmt::format("'{}' is no file system like hdfs://namenode:8020",
                                  target::masked_value("uri", *named)));
      }
      uri = without_path(*named);
    }
  }
  Storage storage;
  storage.kind =
      choice.own->target.value_or(is_webhdfs(uri) ? TargetKind::webhdfs : TargetKind::hadoop);
  if (auto able = check_choice(storage.kind, uri, choice); !able) return propagate(able);
  storage.target.type = to_string(storage.kind);
  switch (storage.kind) {
    case TargetKind::hadoop: storage.target.parameters = hadoop_parameters(uri, choice); break;
    case TargetKind::webhdfs: {
      auto parameters = webhdfs_parameters(uri, choice);
      if (!parameters) return propagate(parameters);
      storage.target.parameters = std::move(*parameters);
      break;
    }
    case TargetKind::posix: storage.target.parameters = posix_parameters(); break;
  }
  if (storage.kind != TargetKind::hadoop) {
    for (const std::string& key : unused_settings(*choice.generic, storage.kind)) {
      storage.warnings.push_back(
          fmt::format("-D {} changes nothing over {}", key, to_string(storage.kind)));
    }
  }
  return storage;
}

std::string folder_name(std::string_view path) {
  path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
  return std::string(path);
}

}  // namespace loadline::dialects::testdfsio
