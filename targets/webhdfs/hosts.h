// Addresses of the cluster's servers by name, looked up once for all sessions: NameNodes before the
// run, DataNodes when the first redirect names them.
//
// Ownership: borrows configuration and TlsContext. Threads: safe from any; find() blocks while a
// name is looked up for the first time.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "net/http_client.h"
#include "targets/webhdfs/config.h"

namespace loadline::targets::webhdfs {

enum class Role : std::uint8_t { name_node, data_node };

class Hosts {
 public:
  Hosts(const Config& config, const net::TlsContext* tls) : config_(config), tls_(tls) {}

  // Every address of the server, to be tried in turn; at least one. Error.what is a whole sentence.
  Result<std::vector<net::HttpPeer>> find(const Endpoint& endpoint, Role role);

 private:
  const Config& config_;
  const net::TlsContext* tls_;
  std::mutex mutex_;
  std::map<std::string, std::vector<net::HttpPeer>, std::less<>> known_;
};

// "DataNode http://dn1:9864"
std::string name_of(const Endpoint& endpoint, Role role);

// The first Server header that a session has seen.
class ServerName {
 public:
  void set(std::string_view name);
  std::string get() const;

 private:
  mutable std::mutex mutex_;
  std::string name_;
};

}  // namespace loadline::targets::webhdfs
