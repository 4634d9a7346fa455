#include "net/http_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <utility>

#include "base/check.h"

namespace loadline::net {
namespace {

constexpr std::size_t k_events = 256;
constexpr std::size_t k_buffer_bytes = 256 * 1024;
// A first receive this small leaves the rest of a large unwanted body to be dropped uncopied.
constexpr std::size_t k_first_receive_small = 1024;
constexpr std::size_t k_first_receive_usual = 32 * 1024;
constexpr std::uint64_t k_large_discard = 24 * 1024;
constexpr std::size_t k_pieces_max = 16;
// Receives and sends of one slot before the others get their turn.
constexpr int k_calls_per_turn = 16;
constexpr std::uint32_t k_ending = EPOLLRDHUP | EPOLLHUP | EPOLLERR;

}  // namespace

Result<std::unique_ptr<HttpClient>> HttpClient::open(HttpClientOptions options, const Clock& clock,
                                                     HttpHandler& handler) {
  CHECK(!options.peers.empty() && options.slots > 0 && options.connecting_max > 0);
  UniqueFd epoll(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return fail_errno(errno, "epoll_create1", "");
  return std::unique_ptr<HttpClient>(
      new HttpClient(std::move(options), clock, handler, std::move(epoll)));
}

HttpClient::HttpClient(HttpClientOptions options, const Clock& clock, HttpHandler& handler,
                       UniqueFd epoll)
    : clock_(clock),
      handler_(handler),
      peers_(std::move(options.peers)),
      epoll_(std::move(epoll)),
      slots_(options.slots),
      connect_deadlines_(options.slots, options.connect_timeout),
      activity_deadlines_(options.slots, options.activity_timeout),
      connecting_max_(options.connecting_max),
      events_(k_events),
      buffer_(k_buffer_bytes),
      now_(clock.now()) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].peer = static_cast<std::uint32_t>((options.first_peer + i) % peers_.size());
  }
}

std::size_t HttpClient::choose_peer(std::uint32_t slot) {
  Slot& s = slots_[slot];
  if (s.move_on) s.peer = static_cast<std::uint32_t>((s.peer + 1) % peers_.size());
  s.move_on = false;
  return s.peer;
}

std::size_t HttpClient::add_peer(HttpPeer peer) {
  peers_.push_back(std::move(peer));
  return peers_.size() - 1;
}

void HttpClient::use_peer(std::uint32_t slot, std::size_t peer) {
  Slot& s = slots_[slot];
  CHECK(s.state == State::idle && peer < peers_.size());
  if (s.peer != peer) s.transport.close();
  s.peer = static_cast<std::uint32_t>(peer);
  s.move_on = false;
}

void HttpClient::start(std::uint32_t slot, const RequestShape& shape) {
  Slot& s = slots_[slot];
  CHECK(s.state == State::idle);
  // While others are under way, poll() has looked at the clock a moment ago.
  if (busy_ == 0) now_ = clock_.now();
  ++busy_;
  s.shape = shape;
  s.reopened = false;
  s.reused = s.transport.is_open();
  s.problem.clear();
  if (s.reused) {
    begin_request(slot);
  } else {
    connect_deadlines_.touch(slot, now_);
    connect(slot);
  }
}

// Sends the request, from its beginning, on the open connection.
void HttpClient::begin_request(std::uint32_t slot) {
  Slot& s = slots_[slot];
  s.state = State::sending;
  s.heard = false;
  s.peer_closing = false;
  s.discards = false;
  s.send_error = 0;
  s.status = 0;
  s.sent = 0;
  s.received = 0;
  s.first_byte = {};
  s.parser.start(s.shape.to_head);
  activity_deadlines_.touch(slot, now_);
  send(slot);
}

bool HttpClient::send(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const std::uint64_t total = s.head.size() + s.shape.body_bytes;
  for (int call = 0; call < k_calls_per_turn; ++call) {
    std::array<iovec, k_pieces_max> pieces;
    std::size_t n = 0;
    std::uint64_t at = s.sent;
    if (at < s.head.size()) {
      pieces[n++] = {.iov_base = s.head.data() + at, .iov_len = s.head.size() - at};
      at = s.head.size();
    }
    while (n < pieces.size() && at < total && at - s.sent < k_lookback) {
      std::span<const std::byte> run = handler_.request_body(slot, at - s.head.size());
      run = run.first(static_cast<std::size_t>(
          std::min<std::uint64_t>({run.size(), total - at, k_lookback - (at - s.sent)})));
      CHECK(!run.empty());
      pieces[n++] = {.iov_base = const_cast<std::byte*>(run.data()), .iov_len = run.size()};
      at += run.size();
    }
    const IoResult result = s.transport.send(std::span(pieces).first(n));
    if (result.status == IoStatus::done) {
      s.sent += result.bytes;
      activity_deadlines_.touch(slot, now_);
      if (s.sent == total) {
        s.state = State::receiving;
        return true;
      }
      if (s.sent == at) continue;
    }
    if (result.status == IoStatus::done || result.status == IoStatus::again) {
      if (!s.watches_writable) watch(slot, true, false);
      if (result.status == IoStatus::done && s.transport.is_tls()) continue;
      return true;
    }
    if (s.sent > 0) {
      // The server may have answered before it cut us off.
      s.send_error = result.error_number;
      s.peer_closing = true;
      receive(slot);
    } else {
      // It was closed before we had sent a byte.
      on_broken(slot,
                {.status = IoStatus::closed, .bytes = 0, .error_number = result.error_number});
    }
    return false;
  }
  unfinished_.push_back(slot);
  return true;
}

void HttpClient::on_event(std::uint32_t slot, std::uint32_t events) {
  Slot& s = slots_[slot];
  switch (s.state) {
    case State::sending:
    case State::receiving: on_exchange_event(slot, events); break;
    case State::idle:
      // Nothing is expected: the server has closed, or says something that belongs to no request.
      if ((events & (EPOLLIN | k_ending)) != 0) s.transport.close();
      break;
    case State::waiting: break;
    case State::connecting: continue_connecting(slot); break;
    case State::tunnelling: read_tunnel_answer(slot); break;
    case State::handshaking: handshake(slot); break;
  }
}

void HttpClient::on_exchange_event(std::uint32_t slot, std::uint32_t events) {
  Slot& s = slots_[slot];
  if (s.state == State::sending && !send(slot)) return;
  if (s.state < State::sending) return;
  if ((events & k_ending) != 0) s.peer_closing = true;
  if (s.transport.is_tls() || (events & (EPOLLIN | k_ending)) != 0) receive(slot);
}

// Takes what has come. With plain TCP a receive that returns less than asked for has emptied the
// socket, so that the next arrival is a new edge; TLS and an ending connection are read to the end.
void HttpClient::receive(std::uint32_t slot) {
  Slot& s = slots_[slot];
  for (int call = 0; call < k_calls_per_turn; ++call) {
    const bool dropping = s.discards && s.transport.can_drop() && s.parser.droppable() > 0;
    std::size_t asked = k_buffer_bytes;
    if (dropping) {
      asked = static_cast<std::size_t>(std::min<std::uint64_t>(s.parser.droppable(), 1U << 30U));
    } else if (!s.parser.in_body() && !s.shape.expects_data) {
      asked = usual_discard_ >= k_large_discard ? k_first_receive_small : k_first_receive_usual;
    }
    const IoResult result = dropping ? s.transport.drop(Bytes(asked))
                                     : s.transport.receive(std::span(buffer_).first(asked));
    moment_ = {};
    if (result.status == IoStatus::again) return;
    if (result.status != IoStatus::done) return on_broken(slot, result);
    s.heard = true;
    activity_deadlines_.touch(slot, now_);
    const bool open =
        dropping ? drop(slot, result) : take(slot, std::span(buffer_).first(result.bytes));
    if (!open) return;
    if (result.bytes < asked && !s.peer_closing && !s.transport.is_tls()) return;
  }
  unfinished_.push_back(slot);
}

bool HttpClient::drop(std::uint32_t slot, const IoResult& result) {
  Slot& s = slots_[slot];
  stamp_first_byte(s);
  s.received += result.bytes;
  if (!s.parser.dropped(result.bytes)) return true;
  finish(slot, HttpFailure::none, 0);
  return false;
}

bool HttpClient::take(std::uint32_t slot, std::span<const std::byte> bytes) {
  Slot& s = slots_[slot];
  for (;;) {
    const HttpResponseParser::Step step = s.parser.feed(bytes);
    bytes = bytes.subspan(step.used);
    switch (step.event) {
      case HttpResponseParser::Event::need_more: return true;
      case HttpResponseParser::Event::head:
        s.status = s.parser.head().status;
        s.discards = handler_.response_head(slot, s.parser.head()) == BodyUse::discard;
        if (s.discards && s.status < 300) {
          usual_discard_ = s.parser.head().content_length.value_or(0);
        }
        break;
      case HttpResponseParser::Event::body:
        stamp_first_byte(s);
        s.received += step.body.size();
        if (!s.discards) handler_.response_body(slot, step.body);
        break;
      case HttpResponseParser::Event::end:
        // What follows belongs to no request of ours.
        if (!bytes.empty()) s.peer_closing = true;
        finish(slot, HttpFailure::none, 0);
        return false;
      case HttpResponseParser::Event::bad:
        s.problem = s.parser.problem();
        fail(slot, HttpFailure::malformed);
        return false;
    }
  }
}

// The time of the last receive; the clock is read once for all that came with it.
Instant HttpClient::moment() {
  if (!moment_.stamped()) moment_ = clock_.now();
  return moment_;
}

void HttpClient::stamp_first_byte(Slot& s) {
  if (!s.first_byte.stamped()) s.first_byte = moment();
}

// Whether the server had closed a kept connection before this request reached it: then it has
// acknowledged nothing of it. A server that read the request and hung up has, and one that closed
// with the request unread has reset the connection.
bool HttpClient::was_closed_before(const Slot& s) const {
  return s.reused && !s.heard && !s.reopened && s.transport.unacknowledged() >= Bytes(s.sent);
}

void HttpClient::on_broken(std::uint32_t slot, const IoResult& result) {
  Slot& s = slots_[slot];
  // EPIPE: the server closed first and reset what we sent afterwards.
  const bool reset = s.send_error != 0 && s.send_error != EPIPE;
  const bool in_order = result.status == IoStatus::closed && !reset;
  if (in_order && was_closed_before(s)) {
    ++reopened_;
    s.reopened = true;
    s.reused = false;
    s.transport.close();
    activity_deadlines_.remove(slot);
    connect_deadlines_.touch(slot, now_);
    return connect(slot);
  }
  if (in_order && s.heard && s.status != 0) {
    if (s.parser.finish() == HttpResponseParser::Event::end) {
      stamp_first_byte(s);
      return finish(slot, HttpFailure::none, 0);
    }
    return fail(slot, HttpFailure::short_body);
  }
  if (in_order && result.error_number == 0) return fail(slot, HttpFailure::closed);
  const int error_number = result.error_number != 0 ? result.error_number : s.send_error;
  s.problem = s.transport.failure(error_number);
  fail(slot, HttpFailure::reset, error_number);
}

void HttpClient::fail(std::uint32_t slot, HttpFailure failure, int error_number) {
  CHECK(failure != HttpFailure::none);
  finish(slot, failure, error_number);
}

void HttpClient::finish(std::uint32_t slot, HttpFailure failure, int error_number) {
  Slot& s = slots_[slot];
  const bool all_sent = s.state == State::receiving;
  const bool was_connecting = s.state < State::sending;
  if (was_connecting) {
    if (s.state != State::waiting) leave_connecting();
    connect_deadlines_.remove(slot);
    s.move_on = failure != HttpFailure::cancelled;
  } else {
    activity_deadlines_.remove(slot);
  }
  s.state = State::idle;
  --busy_;
  HttpResult& result = finished_.emplace_back();
  result.slot = slot;
  result.failure = failure;
  result.error_number = error_number;
  if (!was_connecting) {
    result.status = s.status;
    result.body_sent = s.sent > s.head.size() ? s.sent - s.head.size() : 0;
    result.body_received = s.received;
    result.first_byte = s.first_byte;
  }
  const bool without_body = failure == HttpFailure::none && !s.first_byte.stamped();
  if (failure != HttpFailure::none) moment_ = {};
  result.done = moment();
  if (without_body) result.first_byte = result.done;
  const bool keep =
      failure == HttpFailure::none && all_sent && !s.peer_closing && s.parser.head().keep_alive;
  if (!keep) s.transport.close();
}

void HttpClient::cancel_all() {
  now_ = clock_.now();
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].state == State::waiting) fail(slot, HttpFailure::cancelled);
  }
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].state != State::idle) fail(slot, HttpFailure::cancelled);
  }
}

int HttpClient::wait(Instant deadline) {
  const bool at_once = !finished_.empty() || !unfinished_.empty();
  Duration left;
  if (!at_once) {
    const Instant until = std::min(
        {deadline, connect_deadlines_.next_deadline(), activity_deadlines_.next_deadline()});
    left = std::max(until - clock_.now(), Duration());
  }
  const int n = wait_for_events(left);
  now_ = clock_.now();
  return n;
}

int HttpClient::wait_for_events(Duration left) {
  const int most = static_cast<int>(events_.size());
  if (has_epoll_pwait2_) {
    const timespec timeout{.tv_sec = left.ns() / 1'000'000'000,
                           .tv_nsec = left.ns() % 1'000'000'000};
    const int n = epoll_pwait2(epoll_.get(), events_.data(), most, &timeout, nullptr);
    if (n >= 0 || errno != ENOSYS) return n;
    has_epoll_pwait2_ = false;
  }
  // Before Linux 5.11: whole milliseconds, rounded up so that nothing is waited for in a spin.
  const std::int64_t milliseconds = left.ns() / 1'000'000 + (left.ns() % 1'000'000 != 0 ? 1 : 0);
  return epoll_wait(epoll_.get(), events_.data(), most,
                    static_cast<int>(std::min<std::int64_t>(milliseconds, INT_MAX)));
}

std::span<const HttpResult> HttpClient::poll(Instant deadline) {
  delivered_.clear();
  const int n = wait(deadline);
  for (int i = 0; i < n; ++i) {
    const epoll_event& event = events_[static_cast<std::size_t>(i)];
    on_event(event.data.u32, event.events);
  }
  std::swap(turns_, unfinished_);
  for (const std::uint32_t slot : turns_) {
    if (slots_[slot].state >= State::sending) on_exchange_event(slot, EPOLLIN);
  }
  turns_.clear();
  expire(now_);
  std::swap(finished_, delivered_);
  return delivered_;
}

void HttpClient::expire(Instant now) {
  while (connect_deadlines_.next_deadline() <= now) {
    fail(connect_deadlines_.first(), HttpFailure::connect_timeout);
  }
  while (activity_deadlines_.next_deadline() <= now) {
    fail(activity_deadlines_.first(), HttpFailure::timeout);
  }
}

}  // namespace loadline::net
