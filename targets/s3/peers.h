// Where a target's connections go: every address of every endpoint, resolved once.
//
// Ownership: borrows the TlsContext. Threads: PeerSet is a plain value that many sessions read;
// ServerName is safe from any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.h"
#include "net/http_client.h"
#include "targets/s3/config.h"

namespace loadline::targets::s3 {

struct PeerSet {
  std::vector<net::HttpPeer> peers;
  std::vector<std::uint32_t> endpoint;  // of the peer of the same index
};

// Resolves the endpoints, or the proxy in their place. Interleaved, so that few slots reach all
// endpoints. Error.context names the endpoint.
Result<PeerSet> resolve_peers(const Config& config, const net::TlsContext* tls);

// The first Server header that a session has seen.
class ServerName {
 public:
  void set(std::string_view name);
  std::string get() const;

 private:
  mutable std::mutex mutex_;
  std::string name_;
};

}  // namespace loadline::targets::s3
