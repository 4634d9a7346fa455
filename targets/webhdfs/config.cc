#include "targets/webhdfs/config.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace loadline::targets::webhdfs {
namespace {

using target::Parameters;

constexpr std::int64_t k_day_ms = 86'400'000;
constexpr std::uint16_t k_port = 9870;
constexpr std::uint16_t k_tls_port = 9871;
constexpr std::uint16_t k_httpfs_port = 14'000;

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::unexpected<Error> refuse(std::string_view key, std::string what) {
  return fail(ErrorCode::bad_input, std::move(what), std::string(key));
}

// Calls `visit` with each item of a list with commas between until one is refused.
template <typename Visit>
Result<void> for_each_item(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = trim(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    if (item.empty()) continue;
    if (Result<void> good = visit(item); !good) return good;
  }
  return {};
}

// An empty value counts as not given, as COSBench's samples have it.
Result<std::int64_t> integer(const Parameters& parameters, std::string_view key,
                             std::int64_t otherwise, std::int64_t least, std::int64_t most) {
  if (trim(parameters.text(key, "")).empty()) return otherwise;
  return parameters.integer(key, otherwise, least, most);
}

Result<void> read_boolean(const Parameters& parameters, std::string_view key, bool& value) {
  if (trim(parameters.text(key, "")).empty()) return {};
  auto read = parameters.boolean(key, value);
  if (!read) return propagate(read);
  value = *read;
  return {};
}

Duration limit_of(std::int64_t milliseconds) {
  return milliseconds == 0 ? Duration::max() : Duration::milliseconds(milliseconds);
}

std::string default_user() {
  const char* given = std::getenv("HADOOP_USER_NAME");
  if (given != nullptr && *given != '\0') return given;
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> buffer{};
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0) return "";
  return found == nullptr ? "" : found->pw_name;
}

// The servers and nothing else: a user or a password does not belong into a URI, and is not shown.
Result<void> read_uri(const Parameters& parameters, Config& config) {
  const std::string text(trim(parameters.text("uri", "")));
  constexpr std::string_view k_right = "is not like webhdfs://host:9870";
  if (text.empty()) return refuse("uri", "is missing: give webhdfs://host:port");
  if (text.find('@') != std::string::npos) {
    return refuse("uri", "holds user info; give user= or token= instead");
  }
  const bool tls = text.starts_with("swebhdfs://");
  if (!tls && !text.starts_with("webhdfs://")) {
    return refuse("uri", "'" + text + "' begins with neither webhdfs:// nor swebhdfs://");
  }
  std::string_view rest = std::string_view(text).substr(text.find("://") + 3);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  if (rest.substr(slash).size() > 1) {
    return refuse("uri", "'" + text + "' has a path; folders go into root=");
  }
  const std::uint16_t port = config.httpfs ? k_httpfs_port : tls ? k_tls_port : k_port;
  const auto add = [&](std::string_view item) -> Result<void> {
    const auto host_port = parse_host_port(item);
    if (!host_port) return refuse("uri", "'" + text + "' " + std::string(k_right));
    config.name_nodes.push_back(make_endpoint(tls, *host_port, port));
    return {};
  };
  if (auto read = for_each_item(rest.substr(0, slash), add); !read) return read;
  if (config.name_nodes.empty()) return refuse("uri", "'" + text + "' names no host");
  return {};
}

Result<void> read_resolve(const Parameters& parameters, Config& config) {
  return for_each_item(parameters.text("resolve", ""), [&](std::string_view item) -> Result<void> {
    const std::size_t equals = std::min(item.find('='), item.size());
    const auto from = parse_host_port(item.substr(0, equals));
    const auto to = parse_host_port(item.substr(std::min(equals + 1, item.size())));
    if (!from || !to) {
      return refuse("resolve", "'" + std::string(item) + "' is not like dn1:9864=10.0.0.5:9864");
    }
    config.resolve.push_back(
        {.host = from->host, .port = from->port, .to_host = to->host, .to_port = to->port});
    return {};
  });
}

Result<void> read_who(const Parameters& parameters, Config& config) {
  config.token = parameters.secret("token");
  config.doas = trim(parameters.text("doas", ""));
  config.user = trim(parameters.text("user", ""));
  if (config.token.reveal() == Secret::k_mask) {
    return refuse("token",
                  "this archived workload does not hold the token; give it again with --set "
                  "storage.config.token=...");
  }
  if (!config.token.empty()) {
    // The token says who it is for; WebHDFS takes nothing beside it.
    if (!config.user.empty() || !config.doas.empty()) {
      return refuse("token", "says who we are; leave user and doas out");
    }
    return {};
  }
  if (config.user.empty()) config.user = default_user();
  return {};
}

Result<void> read_root(const Parameters& parameters, Config& config) {
  config.root = trim(parameters.text("root", ""));
  if (config.root.empty()) config.root = "/benchmarks/loadline";
  const bool steps = (config.root + "/").find("/../") != std::string::npos ||
                     (config.root + "/").find("/./") != std::string::npos;
  if (!config.root.starts_with('/') || steps) {
    return refuse("root", "'" + config.root + "' is not a folder like /benchmarks/loadline");
  }
  while (config.root.ends_with('/')) config.root.pop_back();
  return {};
}

Result<void> read_network(const Parameters& parameters, Config& config) {
  auto timeout = integer(parameters, "timeout", 60'000, 0, k_day_ms);
  if (!timeout) return propagate(timeout);
  auto connect_timeout = integer(parameters, "connect_timeout", *timeout, 0, k_day_ms);
  if (!connect_timeout) return propagate(connect_timeout);
  config.timeout = limit_of(*timeout);
  config.connect_timeout = limit_of(*connect_timeout);
  bool no_verify = false;
  if (auto read = read_boolean(parameters, "no_verify_ssl", no_verify); !read) return read;
  config.tls = {.verify = !no_verify,
                .ca_file = parameters.text("ca_file", ""),
                .cert_file = parameters.text("cert_file", ""),
                .key_file = parameters.text("key_file", "")};
  auto retry = integer(parameters, "retry", 0, 0, 1000);
  if (!retry) return propagate(retry);
  config.retry = static_cast<std::uint16_t>(*retry);
  return {};
}

Result<void> read_files(const Parameters& parameters, Config& config) {
  auto block_size = integer(parameters, "block_size", 0, 1, INT64_MAX);
  if (!block_size) return propagate(block_size);
  if (*block_size > 0) config.block_size = Bytes(static_cast<std::uint64_t>(*block_size));
  auto replication = integer(parameters, "replication", 0, 1, 512);
  if (!replication) return propagate(replication);
  if (*replication > 0) config.replication = static_cast<std::uint16_t>(*replication);
  config.permission = trim(parameters.text("permission", ""));
  const bool octal =
      std::ranges::all_of(config.permission, [](char c) { return c >= '0' && c <= '7'; });
  if (!octal || config.permission.size() > 4) {
    return refuse("permission", "'" + config.permission + "' is not octal digits like 644");
  }
  return {};
}

}  // namespace

Result<Config> read_config(const Parameters& parameters) {
  Config config;
  const std::array<std::pair<std::string_view, bool*>, 3> booleans = {
      {{"httpfs", &config.httpfs},
       {"noredirect", &config.noredirect},
       {"overwrite", &config.overwrite}}};
  for (const auto& [key, value] : booleans) {
    if (auto read = read_boolean(parameters, key, *value); !read) return propagate(read);
  }
  if (config.httpfs && config.noredirect) {
    return refuse("noredirect", "has no meaning with httpfs=true: there is no redirect");
  }
  for (const auto& read : {read_uri, read_resolve, read_who, read_root, read_network, read_files}) {
    if (auto done = read(parameters, config); !done) return propagate(done);
  }
  return config;
}

std::optional<HostPort> parse_host_port(std::string_view text) {
  HostPort result;
  const bool bracketed = text.starts_with('[');
  const std::size_t host_end = bracketed ? text.find(']') : std::min(text.find(':'), text.size());
  if (host_end == std::string_view::npos) return std::nullopt;
  const std::string_view host = text.substr(bracketed ? 1 : 0, host_end - (bracketed ? 1 : 0));
  std::string_view port = text.substr(bracketed ? host_end + 1 : host_end);
  for (const char c : host) {
    const bool fits = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '.' ||
                      c == '_' || (bracketed && (c == ':' || c == '%'));
    if (c >= 'A' && c <= 'Z') {
      result.host.push_back(static_cast<char>(c + 32));
    } else if (fits) {
      result.host.push_back(c);
    } else {
      return std::nullopt;
    }
  }
  if (result.host.empty()) return std::nullopt;
  if (port.empty()) return result;
  if (port.front() != ':') return std::nullopt;
  port.remove_prefix(1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), result.port);
  if (error != std::errc() || end != port.data() + port.size() || result.port == 0) {
    return std::nullopt;
  }
  return result;
}

Endpoint make_endpoint(bool tls, const HostPort& host_port, std::uint16_t port_default) {
  Endpoint endpoint{.tls = tls, .host = host_port.host};
  endpoint.port = host_port.port != 0 ? host_port.port : port_default;
  const bool v6 = endpoint.host.find(':') != std::string::npos;
  endpoint.authority =
      (v6 ? "[" + endpoint.host + "]" : endpoint.host) + ":" + std::to_string(endpoint.port);
  return endpoint;
}

}  // namespace loadline::targets::webhdfs
