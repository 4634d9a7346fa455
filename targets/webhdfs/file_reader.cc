#include "targets/webhdfs/file_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "targets/webhdfs/backoff.h"

namespace loadline::targets::webhdfs {

using net::HttpFailure;
using target::Outcome;

namespace {

// Of a read, taken by themselves, so that their time can be told.
constexpr std::size_t k_first_bytes = 4096;

}  // namespace

FileReader::FileReader(Caller& caller, std::string path, Bytes size)
    : caller_(caller), path_(std::move(path)), size_(size), exchange_(limits_of(caller.config())) {}

Reply FileReader::read(Bytes offset, std::span<std::byte> into, std::size_t& got) {
  got = 0;
  first_byte_ = {};
  const Bytes there = offset < size_ ? size_ - offset : Bytes();
  into = into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), there.count())));
  if (into.empty()) return {};
  Attempts attempts(caller_.config().retry, caller_.clock(), caller_.rng());
  std::uint16_t relocated = 0;
  for (;;) {
    const bool known_place = location_.has_value();
    Reply reply = once(offset, into, got);
    reply.retries = static_cast<std::uint16_t>(attempts.made() + relocated);
    if (reply.good()) {
      next_ = offset + Bytes(into.size());
      return reply;
    }
    exchange_.close();
    streams_ = false;
    location_.reset();
    // The place that was good before may not be any more: the NameNode knows.
    if (known_place && relocated == 0 && worth_retrying(reply.outcome)) {
      ++relocated;
      continue;
    }
    if (!attempts.another(reply.outcome)) return reply;
  }
}

Reply FileReader::once(Bytes offset, std::span<std::byte> into, std::size_t& got) {
  got = 0;
  if (!streams_ || position_ != offset) {
    const bool in_order = next_ > Bytes() && offset == next_;
    const Reply opened = open_at(offset, in_order ? size_ - offset : Bytes(into.size()));
    if (!opened.good()) return opened;
  }
  HttpFailure failure = exchange_.read_body(into.first(std::min(into.size(), k_first_bytes)), got);
  if (got > 0) first_byte_ = caller_.clock().now();
  if (failure == HttpFailure::none && got == k_first_bytes && got < into.size()) {
    std::size_t rest = 0;
    failure = exchange_.read_body(into.subspan(got), rest);
    got += rest;
  }
  position_ += Bytes(got);
  if (failure != HttpFailure::none) return judge(exchange_, failure, caller_.config().token);
  if (got < into.size()) {
    return {
        .outcome = Outcome::short_transfer,
        .status = exchange_.status(),
        .detail = fmt::format("{}: {} of {} bytes came", exchange_.peer_name(), got, into.size())};
  }
  if (position_ >= answer_end_) {
    exchange_.end();
    streams_ = false;
  }
  return {};
}

Reply FileReader::locate() {
  Location location;
  Reply reply = caller_.locate({.method = "GET", .op = "OPEN", .path = path_}, location);
  if (reply.good()) location_ = std::move(location);
  return reply;
}

Reply FileReader::open_at(Bytes offset, Bytes length) {
  exchange_.end();
  streams_ = false;
  if (!location_) {
    if (Reply located = locate(); !located.good()) return located;
  }
  auto peers = caller_.hosts().find(location_->endpoint, Role::data_node);
  if (!peers) return {.outcome = Outcome::connection, .detail = peers.error().what};
  set_query(location_->target, "offset", std::to_string(offset.count()));
  set_query(location_->target, "length", std::to_string(length.count()));
  caller_.writer().write_data("GET", *location_, BodyForm::none, Bytes(), head_);
  HttpFailure failure = exchange_.begin(*peers, head_);
  if (failure == HttpFailure::none) failure = exchange_.read_head();
  Reply reply = judge(exchange_, failure, caller_.config().token);
  if (!reply.good()) return reply;
  streams_ = true;
  position_ = offset;
  answer_end_ = offset + length;
  return reply;
}

}  // namespace loadline::targets::webhdfs
