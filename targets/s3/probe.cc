#include "targets/s3/probe.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::targets::s3 {
namespace {

constexpr std::size_t k_body_max = 64 * 1024;
// Nobody waits longer than this for a check.
constexpr Duration k_patience = Duration::seconds(30);

}  // namespace

Probe::Reply Probe::ask(const Config& config, const PeerSet& peers, std::uint32_t endpoint,
                        const Request& request) {
  Reply reply;
  for (std::size_t i = 0; i < peers.peers.size(); ++i) {
    if (peers.endpoint[i] != endpoint) continue;
    Probe probe;
    reply = probe.exchange(config, peers.peers[i], config.endpoints[endpoint], request);
    if (reply.failure == net::HttpFailure::none) break;
  }
  return reply;
}

Probe::Reply Probe::exchange(const Config& config, const net::HttpPeer& peer,
                             const Endpoint& endpoint, const Request& request) {
  Reply reply;
  const Duration limit = std::min(config.connect_timeout, k_patience);
  auto client = net::HttpClient::open(
      {.slots = 1, .peers = {peer}, .connect_timeout = limit, .activity_timeout = limit}, clock_,
      *this);
  if (!client) {
    reply.failure = net::HttpFailure::connect;
    reply.detail = client.error().message();
    return reply;
  }
  RequestWriter writer(config);
  writer.write(request, endpoint, WallTime::now(), (*client)->request_head(0));
  (*client)->start(0, {.to_head = request.method == "HEAD"});
  const Instant give_up = clock_.now() + limit * 2;
  for (;;) {
    const auto results = (*client)->poll(give_up);
    if (results.empty()) {
      if (clock_.now() < give_up) continue;
      reply.failure = net::HttpFailure::timeout;
      reply.detail = fmt::format("no whole answer within {} ms", (limit * 2).ns() / 1'000'000);
      return reply;
    }
    reply.failure = results[0].failure;
    reply.status = results[0].status;
    reply.error = parse_error(body_);
    if (reply.error.region.empty()) reply.error.region = region_;
    reply.server = server_;
    reply.detail = reply.failure == net::HttpFailure::none
                       ? describe_answer(reply.status, reply.error)
                       : (*client)->explain(results[0]);
    return reply;
  }
}

std::span<const std::byte> Probe::request_body(std::uint32_t, std::uint64_t) { return {}; }

net::BodyUse Probe::response_head(std::uint32_t, const net::ResponseHead& head) {
  server_ = head.find("server");
  if (head.status >= 300) region_ = head.find("x-amz-bucket-region");
  return net::BodyUse::consume;
}

void Probe::response_body(std::uint32_t, std::span<const std::byte> bytes) {
  const std::size_t n = std::min(bytes.size(), k_body_max - std::min(k_body_max, body_.size()));
  body_.append(reinterpret_cast<const char*>(bytes.data()), n);
}

}  // namespace loadline::targets::s3
