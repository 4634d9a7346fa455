#include "targets/s3/peers.h"

#include <algorithm>
#include <utility>

namespace loadline::targets::s3 {

Result<PeerSet> resolve_peers(const Config& config, const net::TlsContext* tls) {
  std::vector<std::vector<net::HttpPeer>> by_endpoint;
  std::size_t longest = 0;
  const bool proxied = !config.proxy_host.empty();
  for (const Endpoint& endpoint : config.endpoints) {
    auto addresses = proxied ? net::resolve(config.proxy_host, config.proxy_port)
                             : net::resolve(endpoint.host, endpoint.port);
    if (!addresses) {
      const std::string what = proxied ? "proxy " + config.proxy_host : "host " + endpoint.host;
      return fail(ErrorCode::unavailable, what + ": " + addresses.error().what, endpoint.name);
    }
    auto& peers = by_endpoint.emplace_back();
    for (const net::Address& address : *addresses) {
      net::HttpPeer& peer = peers.emplace_back();
      peer.address = address;
      peer.name = endpoint.name;
      if (!endpoint.https) continue;
      peer.tls = tls;
      peer.tls_host = endpoint.host;
      if (proxied) {
        const bool v6 = endpoint.host.find(':') != std::string::npos;
        peer.tunnel =
            (v6 ? "[" + endpoint.host + "]" : endpoint.host) + ":" + std::to_string(endpoint.port);
      }
    }
    longest = std::max(longest, peers.size());
  }
  PeerSet set;
  for (std::size_t round = 0; round < longest; ++round) {
    for (std::size_t i = 0; i < by_endpoint.size(); ++i) {
      if (round >= by_endpoint[i].size()) continue;
      set.peers.push_back(std::move(by_endpoint[i][round]));
      set.endpoint.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return set;
}

void ServerName::set(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (name_.empty()) name_ = name;
}

std::string ServerName::get() const {
  const std::lock_guard lock(mutex_);
  return name_;
}

}  // namespace loadline::targets::s3
