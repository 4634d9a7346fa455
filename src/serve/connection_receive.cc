// How a Connection takes requests in.
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "serve/connection.h"
#include "serve/control.h"

namespace loadline::serve {

namespace {

// Received at once in search of a head. Small, so that of a body only little takes the way through
// the buffer.
constexpr std::size_t k_head_read = 16 * 1024;
constexpr std::size_t k_framed_read = 128 * 1024;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

// on: something was received. A read that does not fill the buffer has emptied the socket, so that
// the next edge will be seen; except for the end of the stream, which may have had its edge
// already.
Connection::Step Connection::receive(std::span<std::byte> into, std::size_t& received) {
  received = 0;
  if (!readable_) return Step::blocked;
  const ssize_t n = ::recv(socket_.get(), into.data(), into.size(), 0);
  if (n > 0) {
    received = static_cast<std::size_t>(n);
    if (received < into.size() && !hang_up_) readable_ = false;
    return Step::on;
  }
  if (n < 0 && errno == EINTR) return receive(into, received);
  if (n < 0 && errno == EAGAIN) {
    readable_ = false;
    return Step::blocked;
  }
  return Step::over;  // closed or reset by the client
}

Connection::Step Connection::discard() {
  std::size_t n = 0;
  return receive(context_.scratch(), n);
}

Connection::Step Connection::read_head() {
  const std::span<std::byte> buffer = context_.scratch();
  std::size_t have = pending_.size();
  std::memcpy(buffer.data(), pending_.data(), have);
  if (have == 0 || incomplete_) {
    std::size_t n = 0;
    const Step step = receive(buffer.subspan(have, k_head_read), n);
    if (step != Step::on) return step;
    have += n;
  }
  const std::string_view input = text_of(buffer.first(have));
  const HeadResult result = parse_head(input, context_.head);
  incomplete_ = result.state == HeadResult::State::incomplete;
  if (incomplete_) {
    pending_.assign(input);
    return Step::on;
  }
  if (!pending_.empty()) std::string().swap(pending_);
  if (result.state == HeadResult::State::bad) return complain(result);
  return begin_request(input.substr(result.used));
}

// The head cannot be understood, so neither can what follows it.
Connection::Step Connection::complain(const HeadResult& bad) {
  context_.counters.malformed.add(1);
  keep_alive_ = false;
  fault_.reset();
  control_ = true;  // counted already
  return prepare(S3Service::refuse(Exchange(), {bad.status, "BadRequest", bad.complaint}));
}

Connection::Step Connection::begin_request(std::string_view rest) {
  const HttpHead& head = context_.head;
  keep_alive_ = head.keep_alive;
  http_1_0_ = head.http_1_0;
  exchange_ = std::make_unique<Exchange>();
  fault_.reset();
  control_ = local_ && head.raw_path.starts_with(k_control_prefix);
  if (control_) {
    exchange_->path = head.raw_path;
    exchange_->method = head.method;
    if (head.content_length.value_or(Bytes()).count() > k_control_body_most) {
      exchange_->error = &s3_errors::entity_too_large;
    }
  } else {
    FaultRules& faults = context_.state.faults();
    faults.start_pauses(now());
    context_.service.begin(head, *exchange_);
    kind_ = exchange_->request.kind;
    fault_ = faults.decide(kind_);
    if (has_fault(FaultKind::error)) exchange_->error = &s3_errors::internal_error;
    if (has_fault(FaultKind::slowdown)) exchange_->error = &s3_errors::slow_down;
  }
  if (!head.chunked && head.content_length.value_or(Bytes()) == Bytes()) {
    pending_.assign(rest);
    framing_ = BodyFraming();
    return end_body();
  }
  return begin_body(head, rest);
}

Connection::Step Connection::begin_body(const HttpHead& head, std::string_view rest) {
  body_read_ = 0;
  body_stop_ = UINT64_MAX;
  pace_start_ = now();
  framing_ = BodyFraming(head.content_length, head.chunked, exchange_->request.aws_chunked);
  if ((has_fault(FaultKind::reset) || has_fault(FaultKind::cut)) && head.content_length) {
    body_stop_ = fault_->stop_in(head.content_length->count());
  }
  const bool hopeless = exchange_->error == &s3_errors::entity_too_large;
  if (hopeless || (head.expect_continue && exchange_->error != nullptr)) {
    // The client is told before it sends; whether it still does is unknown, so this is the end.
    keep_alive_ = false;
    return end_body();
  }
  if (head.expect_continue && rest.empty()) {
    constexpr std::string_view k_continue = "HTTP/1.1 100 Continue\r\n\r\n";
    const ssize_t n = ::send(socket_.get(), k_continue.data(), k_continue.size(), MSG_NOSIGNAL);
    if (n != static_cast<ssize_t>(k_continue.size())) return Step::over;
  }
  phase_ = Phase::body;
  // The buffer that `rest` lies in is not used while these bytes are taken.
  const auto left = framing_.direct_left();
  std::span<const std::byte> input = bytes_of(rest);
  if (body_stop_ < input.size()) input = input.first(static_cast<std::size_t>(body_stop_));
  if (!left) return input.empty() ? Step::on : take_framed(input);
  const auto taken =
      input.first(static_cast<std::size_t>(std::min<std::uint64_t>(*left, input.size())));
  if (!taken.empty()) consume(taken);
  framing_.took(taken.size());
  body_read_ = taken.size();
  pending_.assign(text_of(input.subspan(taken.size())));
  return Step::on;
}

// Body bytes of the object, or of a document.
void Connection::consume(std::span<const std::byte> bytes) {
  if (!control_) {
    context_.counters.bytes_in(kind_, bytes.size());
    context_.service.take(*exchange_, bytes);
  } else if (exchange_->text.size() + bytes.size() <= k_control_body_most) {
    exchange_->text.append(text_of(bytes));
  } else {
    exchange_->error = &s3_errors::entity_too_large;
  }
}

Connection::Step Connection::read_body() {
  if (body_read_ >= body_stop_) {
    return strike(has_fault(FaultKind::reset) ? Ending::reset : Ending::close);
  }
  const auto left = framing_.direct_left();
  return left ? read_direct(*left) : read_framed();
}

Connection::Step Connection::read_direct(std::uint64_t left) {
  if (left == 0) return end_body();
  if (!readable_) return Step::blocked;
  const bool in_place = exchange_->writer && exchange_->error == nullptr;
  std::span<std::byte> into = context_.scratch();
  if (in_place) into = exchange_->writer->space(into);
  std::size_t most = static_cast<std::size_t>(
      std::min({std::uint64_t{into.size()}, left, body_stop_ - body_read_}));
  most = pace(body_read_, most);
  if (most == 0) return Step::blocked;
  std::size_t n = 0;
  const Step step = receive(into.first(most), n);
  if (step != Step::on) return step;
  framing_.took(n);
  body_read_ += n;
  if (in_place) {
    context_.counters.bytes_in(kind_, n);
    context_.service.take_in_place(*exchange_, into.first(n));
  } else {
    consume(into.first(n));
  }
  return n == left ? end_body() : Step::on;
}

Connection::Step Connection::read_framed() {
  const std::size_t most = pace(body_read_, static_cast<std::size_t>(std::min<std::uint64_t>(
                                                k_framed_read, body_stop_ - body_read_)));
  if (most == 0) return Step::blocked;
  const std::span<std::byte> into = context_.scratch().first(most);
  std::size_t n = 0;
  const Step step = receive(into, n);
  if (step != Step::on) return step;
  return take_framed(into.first(n));
}

Connection::Step Connection::take_framed(std::span<const std::byte> input) {
  body_read_ += input.size();
  framing_.give(input);
  while (true) {
    const BodyFraming::Event event = framing_.next();
    switch (event.sort) {
      case BodyFraming::Sort::need_more: return Step::on;
      case BodyFraming::Sort::data: consume(event.data); break;
      case BodyFraming::Sort::chunk_end:
        context_.service.end_chunk(*exchange_, event.signature);
        break;
      case BodyFraming::Sort::bad:
        S3Service::spoil(*exchange_);
        keep_alive_ = false;
        return end_body();
      case BodyFraming::Sort::end: pending_.assign(text_of(framing_.unused())); return end_body();
    }
  }
}

// The request is complete.
Connection::Step Connection::end_body() {
  const bool had_body = phase_ == Phase::body;
  if (had_body && (has_fault(FaultKind::reset) || has_fault(FaultKind::cut))) {
    return strike(has_fault(FaultKind::reset) ? Ending::reset : Ending::close);
  }
  if (control_ && exchange_->error != nullptr) {
    return prepare(S3Service::refuse(*exchange_, *exchange_->error));
  }
  if (control_) {
    return prepare(
        control_answer(context_.state, exchange_->method, exchange_->path, exchange_->text));
  }
  return prepare(context_.service.finish(*exchange_));
}

}  // namespace loadline::serve
