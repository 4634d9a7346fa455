// The parameters of a webhdfs target, read once and checked.
//
// Threads: plain values. Errors: Error.context names the parameter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/secret.h"
#include "base/units.h"
#include "net/tls.h"
#include "target/parameters.h"

namespace loadline::targets::webhdfs {

// A server of the REST interface: a NameNode or an HttpFS gateway, later a DataNode too.
struct Endpoint {
  bool tls = false;
  std::string host;  // lower case, without brackets
  std::uint16_t port = 0;
  std::string authority;  // "host:port", as the Host header and messages have it
  bool operator==(const Endpoint&) const = default;
};

// What to connect to in place of a name, for hosts that only the cluster itself can resolve.
struct HostRule {
  std::string host;
  std::uint16_t port = 0;  // 0: any
  std::string to_host;
  std::uint16_t to_port = 0;  // 0: the same
};

struct Config {
  std::vector<Endpoint> name_nodes;  // at least one; several: of one cluster, one of them active
  std::string root;                  // folder of the containers, without / at its end
  std::string user;                  // user.name; empty: not sent
  std::string doas;
  Secret token;             // delegation token
  bool httpfs = false;      // a gateway: it takes and gives the data itself, in one step
  bool noredirect = false;  // ask for the location in JSON instead of a 307
  std::vector<HostRule> resolve;
  std::optional<Bytes> block_size;           // unset: the cluster's
  std::optional<std::uint16_t> replication;  // unset: the cluster's
  std::string permission;                    // octal digits; empty: the cluster's
  bool overwrite = true;
  Duration timeout;          // without a byte moved either way
  Duration connect_timeout;  // until connected, TLS included
  net::TlsOptions tls;
  std::uint16_t retry = 0;
};

Result<Config> read_config(const target::Parameters& parameters);

// "host", "host:port", "[v6]:port"; nothing where the text is no such thing. Port 0: none given.
struct HostPort {
  std::string host;
  std::uint16_t port = 0;
};
std::optional<HostPort> parse_host_port(std::string_view text);
Endpoint make_endpoint(bool tls, const HostPort& host_port, std::uint16_t port_default);

// What `loadline version` and the documentation list.
std::vector<target::ParameterSpec> parameter_table();

}  // namespace loadline::targets::webhdfs
