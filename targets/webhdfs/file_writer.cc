#include "targets/webhdfs/file_writer.h"

#include <fmt/format.h>
#include <sys/uio.h>

#include <array>
#include <iterator>
#include <utility>

#include "targets/webhdfs/backoff.h"

namespace loadline::targets::webhdfs {

using net::HttpFailure;
using target::Outcome;

namespace {

iovec piece_of(std::string_view text) {
  return {.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
}

}  // namespace

FileWriter::FileWriter(Caller& caller, std::string path, WriteMode mode, bool overwrite)
    : caller_(caller),
      path_(std::move(path)),
      mode_(mode),
      overwrite_(overwrite),
      exchange_(limits_of(caller.config())) {}

Reply FileWriter::begin() {
  Attempts attempts(caller_.config().retry, caller_.clock(), caller_.rng());
  for (;;) {
    Reply reply;
    if (mode_ == WriteMode::append && caller_.config().retry > 0) reply = append_nothing();
    if (reply.good()) reply = begin_once(BodyForm::chunked);
    reply.retries = static_cast<std::uint16_t>(reply.retries + attempts.made());
    if (reply.good() || !attempts.another(reply.outcome)) {
      if (!reply.good()) failed_ = reply;
      return reply;
    }
  }
}

Reply FileWriter::begin_once(BodyForm form) {
  const bool appends = mode_ == WriteMode::append;
  const std::string_view method = appends ? "POST" : "PUT";
  const std::string query = appends ? "" : create_query(caller_.config(), overwrite_);
  Location location;
  Reply reply = caller_.locate(
      {.method = method, .op = appends ? "APPEND" : "CREATE", .path = path_, .query = query},
      location);
  if (!reply.good()) return reply;
  auto peers = caller_.hosts().find(location.endpoint, Role::data_node);
  if (!peers) return {.outcome = Outcome::connection, .detail = peers.error().what};
  caller_.writer().write_data(method, location, form, Bytes(), head_);
  const HttpFailure failure = exchange_.begin(*peers, head_);
  return failure == HttpFailure::none ? Reply{.retries = reply.retries}
                                      : judge(exchange_, failure, caller_.config().token);
}

Reply FileWriter::append_nothing() {
  Reply reply = begin_once(BodyForm::sized);
  if (reply.good()) reply = judge_answer(exchange_.read_head());
  exchange_.end();
  return reply;
}

// An answer, asked for or not.
Reply FileWriter::judge_answer(HttpFailure failure) {
  Reply reply = judge(exchange_, failure, caller_.config().token);
  if (!reply.good()) exchange_.close();
  return reply;
}

Reply FileWriter::write(std::span<const std::byte> piece) {
  if (!failed_.good()) return failed_;
  if (piece.empty()) return {};  // an empty chunk would end the body
  std::array<char, 24> size_line;
  const auto end = fmt::format_to(size_line.begin(), "{:x}\r\n", piece.size());
  const auto n = static_cast<std::size_t>(std::distance(size_line.begin(), end));
  const std::array<iovec, 3> pieces = {
      piece_of({size_line.data(), n}),
      iovec{.iov_base = const_cast<std::byte*>(piece.data()), .iov_len = piece.size()},
      piece_of("\r\n")};
  const HttpFailure failure = exchange_.send(pieces);
  if (failure == HttpFailure::none && !exchange_.has_answer()) {
    position_ += Bytes(piece.size());
    return {};
  }
  failed_ = judge_answer(failure);
  if (failed_.good()) {
    failed_.outcome = Outcome::invalid;
    failed_.detail = exchange_.peer_name() + ": answered before it had all data";
  }
  exchange_.close();
  return failed_;
}

Reply FileWriter::finish() {
  if (!failed_.good()) return failed_;
  const iovec last = piece_of("0\r\n\r\n");
  HttpFailure failure = exchange_.send(std::span(&last, 1));
  if (failure == HttpFailure::none) failure = exchange_.read_head();
  failed_ = judge_answer(failure);
  Reply reply = failed_;
  if (reply.good()) {
    failed_ = {.outcome = Outcome::invalid, .detail = "the file is closed"};
    exchange_.end();
  }
  return reply;
}

}  // namespace loadline::targets::webhdfs
