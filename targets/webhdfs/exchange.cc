#include "targets/webhdfs/exchange.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace loadline::targets::webhdfs {
namespace {

using net::HttpFailure;
using net::HttpResponseParser;
using net::IoResult;
using net::IoStatus;

constexpr std::size_t k_pieces_max = 4;

int poll_limit(Duration limit) {
  if (limit == Duration::max()) return -1;
  // Rounded up, so that nothing is waited for in a spin.
  const std::int64_t milliseconds = (limit.ns() + 999'999) / 1'000'000;
  return static_cast<int>(std::min<std::int64_t>(milliseconds, INT_MAX));
}

std::string key_of(const net::HttpPeer& peer) { return peer.name + " " + peer.address.text(); }

}  // namespace

HttpFailure Exchange::refuse(HttpFailure failure, std::string why) {
  why_ = std::move(why);
  close();
  return failure;
}

HttpFailure Exchange::broken(const IoResult& result) {
  if (result.status == IoStatus::closed) {
    return refuse(HttpFailure::closed, "the connection was closed before an answer came");
  }
  return refuse(HttpFailure::reset,
                "the connection broke: " + transport_.failure(result.error_number));
}

HttpFailure Exchange::wait(short events, Duration limit, HttpFailure late) {
  pollfd entry{.fd = transport_.fd(), .events = events, .revents = 0};
  for (;;) {
    const int n = ::poll(&entry, 1, poll_limit(limit));
    if (n > 0) return HttpFailure::none;
    if (n == 0) {
      const std::string_view what =
          late == HttpFailure::timeout ? "no byte for" : "no connection within";
      return refuse(late, fmt::format("{} {} ms", what, limit.ns() / 1'000'000));
    }
    if (errno != EINTR) return refuse(HttpFailure::reset, errno_text(errno));
  }
}

// Whether the connection is still open and leads to one of these.
bool Exchange::is_kept(std::span<const net::HttpPeer> peers) {
  if (!transport_.is_open()) return false;
  const bool same =
      std::ranges::any_of(peers, [&](const net::HttpPeer& peer) { return key_of(peer) == peer_; });
  char byte = 0;
  const ssize_t n = ::recv(transport_.fd(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  // Its end has come, or what belongs to no request.
  const bool quiet = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  if (same && quiet) return true;
  close();
  return false;
}

HttpFailure Exchange::connect(const net::HttpPeer& peer) {
  peer_ = key_of(peer);
  const auto failed = [&](int error_number) {
    return refuse(HttpFailure::connect, fmt::format("cannot connect to {}: {}", peer.address.text(),
                                                    errno_text(error_number)));
  };
  IoResult result = transport_.connect(peer.address);
  while (result.status == IoStatus::again) {
    const HttpFailure late = wait(POLLOUT, limits_.connect, HttpFailure::connect_timeout);
    if (late != HttpFailure::none) return late;
    result = transport_.connected();
  }
  if (result.status == IoStatus::failed) return failed(result.error_number);
  return peer.tls == nullptr ? HttpFailure::none : handshake(peer);
}

HttpFailure Exchange::handshake(const net::HttpPeer& peer) {
  transport_.start_tls(*peer.tls, peer.tls_host);
  for (;;) {
    const IoResult result = transport_.handshake();
    if (result.status == IoStatus::done) return HttpFailure::none;
    if (result.status != IoStatus::again) {
      return refuse(HttpFailure::tls, result.status == IoStatus::closed
                                          ? "TLS: the server closed the connection"
                                          : "TLS: " + transport_.failure(result.error_number));
    }
    const HttpFailure late = wait(POLLIN, limits_.connect, HttpFailure::connect_timeout);
    if (late != HttpFailure::none) return late;
  }
}

HttpFailure Exchange::begin(std::span<const net::HttpPeer> peers, std::string_view head) {
  CHECK(!peers.empty());
  end();
  peer_name_ = peers.front().name;
  reused_ = is_kept(peers);
  if (!reused_) {
    HttpFailure failure = HttpFailure::none;
    for (const net::HttpPeer& peer : peers) {
      failure = connect(peer);
      if (failure == HttpFailure::none) break;
    }
    if (failure != HttpFailure::none) return failure;
  }
  parser_.start(false);
  busy_ = true;
  has_head_ = false;
  ended_ = false;
  status_ = 0;
  location_.clear();
  why_.clear();
  from_ = to_ = 0;
  const iovec piece{.iov_base = const_cast<char*>(head.data()), .iov_len = head.size()};
  return send(std::span(&piece, 1));
}

HttpFailure Exchange::send(std::span<const iovec> pieces) {
  std::array<iovec, k_pieces_max> left{};
  CHECK(pieces.size() <= left.size());
  std::ranges::copy(pieces, left.begin());
  std::size_t at = 0;
  if (const HttpFailure failure = look_for_head(); failure != HttpFailure::none) return failure;
  while (at < pieces.size() && !has_head_) {
    const IoResult result = transport_.send(std::span(left).first(pieces.size()).subspan(at));
    if (result.status == IoStatus::again) {
      const HttpFailure late = wait(POLLOUT | POLLIN, limits_.activity, HttpFailure::timeout);
      if (late != HttpFailure::none) return late;
      const HttpFailure failure = look_for_head();
      if (failure != HttpFailure::none) return failure;
      continue;
    }
    // The server may have answered before it cut us off.
    if (result.status != IoStatus::done)
      return look_for_head() == HttpFailure::none && has_head_ ? HttpFailure::none : broken(result);
    std::size_t sent = result.bytes;
    while (at < pieces.size() && sent >= left[at].iov_len) sent -= left[at++].iov_len;
    if (at == pieces.size()) break;
    left[at].iov_base = static_cast<char*>(left[at].iov_base) + sent;
    left[at].iov_len -= sent;
  }
  return HttpFailure::none;
}

HttpFailure Exchange::look_for_head() {
  while (!has_head_) {
    if (from_ == to_) {
      const IoResult result = transport_.receive(buffer_);
      if (result.status == IoStatus::again) return HttpFailure::none;
      if (result.status != IoStatus::done) return broken(result);
      from_ = 0;
      to_ = result.bytes;
    }
    const auto step = parser_.feed(std::span(buffer_).subspan(from_, to_ - from_));
    from_ += step.used;
    if (step.event == HttpResponseParser::Event::head) take_head();
    if (step.event == HttpResponseParser::Event::bad) {
      return refuse(HttpFailure::malformed,
                    "not an HTTP answer: " + std::string(parser_.problem()));
    }
  }
  return HttpFailure::none;
}

void Exchange::take_head() {
  has_head_ = true;
  status_ = parser_.head().status;
  keep_alive_ = parser_.head().keep_alive;
  location_ = parser_.head().find("location");
  server_ = parser_.head().find("server");
}

HttpFailure Exchange::read_head() {
  for (;;) {
    const HttpFailure failure = look_for_head();
    if (failure != HttpFailure::none || has_head_) return failure;
    const HttpFailure late = wait(POLLIN, limits_.activity, HttpFailure::timeout);
    if (late != HttpFailure::none) return late;
  }
}

HttpFailure Exchange::read_body(std::span<std::byte> into, std::size_t& got) {
  got = 0;
  while (got < into.size() && !ended_) {
    const std::size_t before = got;
    HttpFailure failure = parse_body(into, got);
    if (failure == HttpFailure::none && !ended_ && got == before && from_ == to_) {
      failure = receive_body(into, got);
    }
    if (failure != HttpFailure::none) return failure;
  }
  return HttpFailure::none;
}

// What was received along with the head, or between pieces of data.
HttpFailure Exchange::parse_body(std::span<std::byte> into, std::size_t& got) {
  const std::size_t most = std::min(to_ - from_, into.size() - got);
  const auto step = parser_.feed(std::span(buffer_).subspan(from_, most));
  from_ += step.used;
  switch (step.event) {
    case HttpResponseParser::Event::body:
      std::memcpy(into.data() + got, step.body.data(), step.body.size());
      got += step.body.size();
      break;
    case HttpResponseParser::Event::end: ended_ = true; break;
    case HttpResponseParser::Event::bad:
      return refuse(HttpFailure::malformed,
                    "not an HTTP answer: " + std::string(parser_.problem()));
    default: break;
  }
  return HttpFailure::none;
}

HttpFailure Exchange::receive_body(std::span<std::byte> into, std::size_t& got) {
  const std::uint64_t direct = std::min<std::uint64_t>(parser_.droppable(), into.size() - got);
  const std::span<std::byte> to =
      direct > 0 ? into.subspan(got, static_cast<std::size_t>(direct)) : std::span(buffer_);
  const IoResult result = transport_.receive(to);
  switch (result.status) {
    case IoStatus::again: return wait(POLLIN, limits_.activity, HttpFailure::timeout);
    case IoStatus::failed: return broken(result);
    case IoStatus::closed:
      keep_alive_ = false;
      if (parser_.finish() != HttpResponseParser::Event::end) {
        return refuse(HttpFailure::short_body, "the body ended early");
      }
      ended_ = true;
      return HttpFailure::none;
    case IoStatus::done: break;
  }
  if (direct > 0) {
    got += result.bytes;
    ended_ = parser_.dropped(result.bytes);
  } else {
    from_ = 0;
    to_ = result.bytes;
  }
  return HttpFailure::none;
}

HttpFailure Exchange::read_text(std::string& into, std::size_t most) {
  std::array<std::byte, 16 * 1024> piece;
  while (!ended_) {
    std::size_t got = 0;
    const HttpFailure failure = read_body(piece, got);
    const std::size_t room = most - std::min(most, into.size());
    into.append(reinterpret_cast<const char*>(piece.data()), std::min(got, room));
    if (failure != HttpFailure::none) return failure;
  }
  return HttpFailure::none;
}

void Exchange::end() {
  if (!busy_) return;
  // The end of a chunked body may have come with its last data.
  if (has_head_ && !ended_) {
    ended_ = parser_.feed(std::span(buffer_).subspan(from_, to_ - from_)).event ==
             HttpResponseParser::Event::end;
  }
  busy_ = false;
  if (!ended_ || !keep_alive_) close();
}

void Exchange::close() {
  busy_ = false;
  transport_.close();
}

}  // namespace loadline::targets::webhdfs
