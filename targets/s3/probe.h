// Single requests that are waited for, for the check before a run.
//
// Ownership: borrows configuration and peers. Threads: belongs to one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "net/http_client.h"
#include "targets/s3/config.h"
#include "targets/s3/outcome.h"
#include "targets/s3/peers.h"
#include "targets/s3/request.h"

namespace loadline::targets::s3 {

class Probe final : private net::HttpHandler {
 public:
  struct Reply {
    net::HttpFailure failure = net::HttpFailure::none;
    std::uint16_t status = 0;
    ErrorDocument error;
    std::string detail;  // a failure in words
    std::string server;  // the Server header
  };

  // Sends to `endpoint` (an index of config.endpoints), trying its addresses in turn; each attempt
  // takes connect_timeout at most to connect, and as much again until the answer is whole.
  static Reply ask(const Config& config, const PeerSet& peers, std::uint32_t endpoint,
                   const Request& request);

 private:
  Probe() = default;
  Reply exchange(const Config& config, const net::HttpPeer& peer, const Endpoint& endpoint,
                 const Request& request);

  std::span<const std::byte> request_body(std::uint32_t slot, std::uint64_t offset) override;
  net::BodyUse response_head(std::uint32_t slot, const net::ResponseHead& head) override;
  void response_body(std::uint32_t slot, std::span<const std::byte> bytes) override;

  SteadyClock clock_;
  std::string body_;
  std::string server_;
  std::string region_;
};

}  // namespace loadline::targets::s3
