// The part of the HTTP client that opens connections: its turn, TCP, a proxy's tunnel, TLS.
#include <fmt/format.h>

#include <cerrno>
#include <string_view>

#include "base/check.h"
#include "net/http_client.h"

namespace loadline::net {

void HttpClient::watch(std::uint32_t slot, bool writable, bool is_new) {
  Slot& s = slots_[slot];
  epoll_event event{};
  // Edge-triggered: one registration serves the connection's life. Writability is asked for only
  // where a send came up short, because it would be reported along with every stale edge.
  event.events = EPOLLIN | EPOLLRDHUP | EPOLLET | (writable ? std::uint32_t{EPOLLOUT} : 0U);
  event.data.u32 = slot;
  s.watches_writable = writable;
  CHECK(epoll_ctl(epoll_.get(), is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, s.transport.fd(), &event) ==
        0);
}

void HttpClient::connect(std::uint32_t slot) {
  Slot& s = slots_[slot];
  if (connecting_ >= connecting_max_) {
    s.state = State::waiting;
    connect_queue_.push_back(slot);
    return;
  }
  s.state = State::connecting;
  ++connecting_;
  ++connections_opened_;
  const IoResult result = s.transport.connect(peers_[s.peer].address);
  if (result.status == IoStatus::failed) {
    s.problem = errno_text(result.error_number);
    return fail(slot, HttpFailure::connect, result.error_number);
  }
  watch(slot, true, true);
  if (result.status == IoStatus::done) after_connected(slot);
}

void HttpClient::continue_connecting(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const IoResult result = s.transport.connected();
  if (result.status == IoStatus::again) return;
  if (result.status == IoStatus::failed) {
    s.problem = errno_text(result.error_number);
    return fail(slot, HttpFailure::connect, result.error_number);
  }
  after_connected(slot);
}

void HttpClient::after_connected(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const HttpPeer& peer = peers_[s.peer];
  if (!peer.tunnel.empty() && s.state == State::connecting) {
    s.state = State::tunnelling;
    s.parser.start(false);
    const std::string ask =
        "CONNECT " + peer.tunnel + " HTTP/1.1\r\nHost: " + peer.tunnel + "\r\n\r\n";
    const iovec piece{.iov_base = const_cast<char*>(ask.data()), .iov_len = ask.size()};
    // So short a text always fits into the buffer of a new connection.
    const IoResult result = s.transport.send(std::span(&piece, 1));
    if (result.status != IoStatus::done || result.bytes != ask.size()) {
      s.problem = s.transport.failure(result.error_number);
      fail(slot, HttpFailure::proxy, result.error_number);
    }
    return;
  }
  if (peer.tls != nullptr) {
    s.state = State::handshaking;
    s.transport.start_tls(*peer.tls, peer.tls_host);
    return handshake(slot);
  }
  enter_exchange(slot);
}

void HttpClient::read_tunnel_answer(std::uint32_t slot) {
  Slot& s = slots_[slot];
  for (;;) {
    const IoResult result = s.transport.receive(std::span(buffer_).first(4096));
    if (result.status == IoStatus::again) return;
    if (result.status != IoStatus::done) {
      s.problem = result.status == IoStatus::closed ? "it closed the connection"
                                                    : s.transport.failure(result.error_number);
      return fail(slot, HttpFailure::proxy, result.error_number);
    }
    const auto step = s.parser.feed(std::span(buffer_).first(result.bytes));
    if (step.event == HttpResponseParser::Event::need_more) continue;
    if (step.event != HttpResponseParser::Event::head) {
      s.problem = s.parser.problem();
      return fail(slot, HttpFailure::proxy);
    }
    if (s.parser.head().status / 100 != 2) {
      s.problem = fmt::format("it answered {}", s.parser.head().status);
      return fail(slot, HttpFailure::proxy);
    }
    return after_connected(slot);
  }
}

void HttpClient::handshake(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const IoResult result = s.transport.handshake();
  if (result.status == IoStatus::again) return;
  if (result.status != IoStatus::done) {
    s.problem = result.status == IoStatus::closed ? "the server closed the connection"
                                                  : s.transport.failure(result.error_number);
    return fail(slot, HttpFailure::tls, result.error_number);
  }
  enter_exchange(slot);
}

void HttpClient::enter_exchange(std::uint32_t slot) {
  watch(slot, false, false);
  leave_connecting();
  connect_deadlines_.remove(slot);
  begin_request(slot);
}

// A turn to connect is free: the next in the queue gets it.
void HttpClient::leave_connecting() {
  --connecting_;
  // One that fails at once comes back here; the loop below is then under way already.
  if (serving_queue_) return;
  serving_queue_ = true;
  while (connecting_ < connecting_max_ && connect_queue_at_ < connect_queue_.size()) {
    const std::uint32_t next = connect_queue_[connect_queue_at_++];
    // It may have run out of time in the queue.
    if (slots_[next].state == State::waiting) connect(next);
  }
  serving_queue_ = false;
  if (connect_queue_at_ == connect_queue_.size()) {
    connect_queue_.clear();
    connect_queue_at_ = 0;
  }
}

std::string HttpClient::explain(const HttpResult& result) const {
  const Slot& s = slots_[result.slot];
  const HttpPeer& to = peers_[s.peer];
  const std::string peer = fmt::format("{} ({})", to.name, to.address.text());
  switch (result.failure) {
    case HttpFailure::none: return "";
    case HttpFailure::connect: return fmt::format("cannot connect to {}: {}", peer, s.problem);
    case HttpFailure::connect_timeout:
      return fmt::format("no connection within {} ms", connect_deadlines_.limit().ns() / 1'000'000);
    case HttpFailure::tls: return fmt::format("TLS with {}: {}", peer, s.problem);
    case HttpFailure::proxy:
      return fmt::format("the proxy gives no tunnel to {}: {}", peer, s.problem);
    case HttpFailure::closed: return "the connection was closed before an answer came";
    case HttpFailure::reset: return fmt::format("the connection broke: {}", s.problem);
    case HttpFailure::short_body:
      return fmt::format("the body ended after {} bytes", result.body_received);
    case HttpFailure::malformed: return fmt::format("not an HTTP answer: {}", s.problem);
    case HttpFailure::timeout:
      return fmt::format("no byte for {} ms", activity_deadlines_.limit().ns() / 1'000'000);
    case HttpFailure::cancelled: return "cancelled";
  }
  return "";
}

}  // namespace loadline::net
