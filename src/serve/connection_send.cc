// How a Connection sends answers, and how faults spoil them.
#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "serve/connection.h"

namespace loadline::serve {

namespace {

// Bodies up to here go out in one call with their head, by copy; longer ones by sendfile, where
// each call costs more but no byte is copied.
constexpr std::size_t k_copy_most = k_small_body;
constexpr std::size_t k_send_most = 1024 * 1024;

std::string_view reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 409: return "Conflict";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    case 507: return "Insufficient Storage";
    default: return "Unknown";
  }
}

}  // namespace

// Takes the answer over; it goes out when it is due.
Connection::Step Connection::prepare(Answer answer) {
  due_ = now();
  if (!control_ && !context_.state.options().delay.none()) {
    due_ = due_ + context_.state.options().delay.sample(context_.delay_rng);
  }
  body_due_ = due_;
  pace_start_ = due_;
  ending_ = Ending::none;
  flip_ = UINT64_MAX;
  out_sent_ = 0;
  begin_ = answer.object ? answer.begin : 0;
  at_ = begin_;
  end_ = answer.head_only ? begin_ : begin_ + answer.body_length();
  const bool whole = !fault_ || apply_fault(answer);
  if (!control_) {
    context_.counters.request(kind_, whole ? answer.status : 0);
    if (answer.items > 0) context_.counters.items(kind_, answer.items);
  }
  format_head(answer);
  exchange_.reset();
  if (has_fault(FaultKind::stall) && !fault_->wait) {
    phase_ = Phase::silent;
    return Step::on;
  }
  const bool strikes_now = ending_ != Ending::none && at_ == end_;
  if (strikes_now) return end_now(ending_);
  if (!answer.head_only) text_ = std::move(answer.text);
  object_ = std::move(answer.object);
  phase_ = Phase::delay;
  return Step::on;
}

// False where the answer will not be a whole one.
bool Connection::apply_fault(const Answer& answer) {
  const std::uint64_t length = end_ - begin_;
  const bool object_bytes = answer.object && length > 0;
  switch (fault_->kind) {
    case FaultKind::stall:
      if (!fault_->wait) return false;
      due_ = due_ + *fault_->wait;
      body_due_ = due_;
      return true;
    case FaultKind::slow_first_byte:
      body_due_ = due_ + *fault_->wait;
      if (length == 0) due_ = body_due_;
      pace_start_ = body_due_;
      return true;
    case FaultKind::reset:
    case FaultKind::cut:
      ending_ = fault_->kind == FaultKind::reset ? Ending::reset : Ending::close;
      if (length > 0) end_ = begin_ + fault_->stop_in(length);
      return false;
    case FaultKind::wrong_bytes:
      if (object_bytes) {
        flip_ = begin_ + Rng::split(context_.state.options().seed, fault_->number).below(length);
      } else {
        context_.state.faults().withdraw(*fault_);
      }
      return true;
    case FaultKind::slow:
      if (length == 0 && body_read_ == 0) context_.state.faults().withdraw(*fault_);
      return true;
    case FaultKind::error:
    case FaultKind::slowdown:
    case FaultKind::refuse:
    case FaultKind::pause_all: return true;
  }
  return true;
}

// The fault hits before there is an answer.
Connection::Step Connection::strike(Ending ending) {
  context_.counters.request(kind_, 0);
  exchange_.reset();
  return end_now(ending);
}

void Connection::format_head(const Answer& answer) {
  out_.clear();
  out_.reserve(512);
  out_.append("HTTP/1.1 ").append(fmt::format_int(answer.status).c_str()).append(" ");
  out_.append(reason_of(answer.status)).append("\r\nServer: Loadline\r\n");
  out_.append(context_.date_line());
  if (exchange_ && !control_) {
    out_.append("x-amz-request-id: ").append(exchange_->request_id).append("\r\n");
  }
  if (answer.status != 204 && answer.status != 304) {
    out_.append("Content-Length: ");
    out_.append(fmt::format_int(answer.body_length()).c_str()).append("\r\n");
  }
  if (!answer.content_type.empty()) {
    out_.append("Content-Type: ").append(answer.content_type).append("\r\n");
  }
  out_.append(answer.headers);
  if (!keep_alive_) out_.append("Connection: close\r\n");
  if (keep_alive_ && http_1_0_) out_.append("Connection: keep-alive\r\n");
  out_.append("\r\n");
}

Connection::Step Connection::send_answer() {
  if (!writable_) return Step::blocked;
  if (out_sent_ < out_.size()) return send_head();
  if (at_ == end_) return answered();
  const Step due = body_due_ > due_ ? wait_until(body_due_) : Step::on;
  return due == Step::on ? send_body() : due;
}

// The next bytes of the body, at most `most` and none that are due to be changed.
Slice Connection::body_slice(std::size_t most) const {
  const std::uint64_t stop = at_ < flip_ ? std::min(end_, flip_) : end_;
  most = static_cast<std::size_t>(std::min<std::uint64_t>(most, stop - at_));
  if (object_) return object_->slice(at_, most);
  return {reinterpret_cast<const std::byte*>(text_.data()) + at_, most, std::nullopt};
}

// The head, and with it the body where that is short and due.
Connection::Step Connection::send_head() {
  const bool body_now = at_ < end_ && body_due_ <= due_ && !has_fault(FaultKind::slow);
  std::array<iovec, 2> parts{};
  parts[0] = {out_.data() + out_sent_, out_.size() - out_sent_};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = 1;
  Slice body;
  if (body_now && end_ - at_ <= k_copy_most && at_ != flip_) {
    body = body_slice(k_copy_most);
    parts[1] = {const_cast<std::byte*>(body.data), body.length};
    message.msg_iovlen = 2;
  }
  const bool more_follows = body_now && at_ + body.length < end_;
  if (!control_) context_.counters.bytes_out(kind_, body.length);
  const ssize_t n =
      ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL | (more_follows ? MSG_MORE : 0));
  const std::size_t moved = n > 0 ? static_cast<std::size_t>(n) : 0;
  const std::size_t of_head = std::min(moved, parts[0].iov_len);
  out_sent_ += of_head;
  at_ += moved - of_head;
  if (!control_) context_.counters.not_sent(kind_, body.length - (moved - of_head));
  return sent(n);
}

Connection::Step Connection::send_body() {
  const std::size_t most = pace(at_ - begin_, k_send_most);
  if (most == 0) return Step::blocked;
  Slice slice;
  std::byte changed{};
  if (at_ == flip_) {
    slice = object_->slice(at_, 1);
    changed = *slice.data ^ std::byte{1};
    slice = {&changed, 1, std::nullopt};
  } else {
    slice = body_slice(most);
  }
  if (!control_) context_.counters.bytes_out(kind_, slice.length);
  ssize_t n = 0;
  if (slice.file_offset && slice.length > k_copy_most) {
    object_->mark_sent(at_);
    auto offset = static_cast<off_t>(*slice.file_offset);
    n = ::sendfile(socket_.get(), context_.state.arena().fd(), &offset, slice.length);
  } else {
    const int more_follows = at_ + slice.length < end_ ? MSG_MORE : 0;
    n = ::send(socket_.get(), slice.data, slice.length, MSG_NOSIGNAL | more_follows);
  }
  const std::size_t moved = n > 0 ? static_cast<std::size_t>(n) : 0;
  at_ += moved;
  if (!control_) context_.counters.not_sent(kind_, slice.length - moved);
  return sent(n);
}

Connection::Step Connection::sent(std::int64_t result) {
  if (result > 0 || errno == EINTR) return Step::on;
  if (result < 0 && errno == EAGAIN) {
    writable_ = false;
    return Step::blocked;
  }
  return Step::over;  // the client is gone
}

Connection::Step Connection::answered() {
  std::string().swap(out_);
  std::string().swap(text_);
  object_ = ObjectPin();
  fault_.reset();
  body_read_ = 0;
  if (ending_ != Ending::none) return end_now(ending_);
  if (!keep_alive_) return end_now(Ending::close);
  phase_ = Phase::head;
  return Step::on;
}

}  // namespace loadline::serve
