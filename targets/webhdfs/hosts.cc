#include "targets/webhdfs/hosts.h"

#include <algorithm>
#include <utility>

namespace loadline::targets::webhdfs {
namespace {

struct Destination {
  std::string host;
  std::uint16_t port = 0;
};

Destination destination_of(const Config& config, const Endpoint& endpoint) {
  for (const HostRule& rule : config.resolve) {
    if (rule.host != endpoint.host || (rule.port != 0 && rule.port != endpoint.port)) continue;
    return {.host = rule.to_host, .port = rule.to_port != 0 ? rule.to_port : endpoint.port};
  }
  return {.host = endpoint.host, .port = endpoint.port};
}

}  // namespace

std::string name_of(const Endpoint& endpoint, Role role) {
  return std::string(role == Role::name_node ? "NameNode " : "DataNode ") +
         (endpoint.tls ? "https://" : "http://") + endpoint.authority;
}

Result<std::vector<net::HttpPeer>> Hosts::find(const Endpoint& endpoint, Role role) {
  const std::string name = name_of(endpoint, role);
  const std::lock_guard lock(mutex_);
  if (const auto found = known_.find(name); found != known_.end()) return found->second;
  if (endpoint.tls && tls_ == nullptr) {
    return fail(ErrorCode::unavailable, name + " wants TLS: give a uri with swebhdfs://");
  }
  if (!endpoint.tls && tls_ != nullptr) {
    return fail(ErrorCode::unavailable, "the redirect leads from TLS to plain HTTP, to " + name +
                                            ": nothing is sent there in the clear");
  }
  const Destination to = destination_of(config_, endpoint);
  auto addresses = net::resolve(to.host, to.port);
  if (!addresses) {
    const std::string sent = role == Role::data_node ? "we were sent to " : "";
    return fail(ErrorCode::unavailable,
                sent + name + ": " + addresses.error().what +
                    "; give its address with resolve=" + endpoint.authority + "=ADDRESS:PORT");
  }
  std::vector<net::HttpPeer> peers;
  for (const net::Address& address : *addresses) {
    net::HttpPeer& peer = peers.emplace_back();
    peer.address = address;
    peer.name = name;
    if (!endpoint.tls) continue;
    peer.tls = tls_;
    peer.tls_host = endpoint.host;
  }
  return known_.emplace(name, std::move(peers)).first->second;
}

void ServerName::set(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (name_.empty()) name_ = name;
}

std::string ServerName::get() const {
  const std::lock_guard lock(mutex_);
  return name_;
}

}  // namespace loadline::targets::webhdfs
