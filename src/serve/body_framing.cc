#include "serve/body_framing.h"

#include <algorithm>

namespace loadline::serve {

BodyFraming::BodyFraming(std::optional<Bytes> length, bool chunked, bool aws_chunked)
    : left_(length.value_or(Bytes()).count()), http_chunks_(chunked), aws_chunks_(aws_chunked) {}

std::optional<std::uint64_t> BodyFraming::direct_left() const {
  if (http_chunks_ || aws_chunks_) return std::nullopt;
  return left_;
}

// A message with Content-Length.
BodyFraming::Event BodyFraming::counted() {
  if (left_ == 0) return {.sort = Sort::end};
  if (input_.empty()) return {};
  const auto data =
      input_.first(static_cast<std::size_t>(std::min<std::uint64_t>(left_, input_.size())));
  left_ -= data.size();
  input_ = input_.subspan(data.size());
  return {.sort = Sort::data, .data = data};
}

// The body of the HTTP message: data, need_more, end or bad.
BodyFraming::Event BodyFraming::outer() {
  if (!http_chunks_) return counted();
  while (true) {
    const auto step = outer_.step(input_);
    input_ = input_.subspan(step.used);
    using enum aws::ChunkDecoder::Event;
    switch (step.event) {
      case need_more: return {};
      case data:
        if (!step.data.empty()) return {.sort = Sort::data, .data = step.data};
        break;
      case chunk_end: break;
      case end: return {.sort = Sort::end};
      case bad: return {.sort = Sort::bad};
    }
  }
}

BodyFraming::Event BodyFraming::next() {
  if (!aws_chunks_) return outer();
  while (!bad_) {
    if (inner_input_.empty()) {
      const Event event = outer();
      if (event.sort == Sort::need_more) return event;
      if (event.sort == Sort::end && inner_ended_) return event;
      if (event.sort != Sort::data || inner_ended_) break;  // too short, malformed, or too long
      inner_input_ = event.data;
    }
    const auto step = inner_.step(inner_input_);
    inner_input_ = inner_input_.subspan(step.used);
    using enum aws::ChunkDecoder::Event;
    switch (step.event) {
      case need_more: break;
      case data:
        if (!step.data.empty()) return {.sort = Sort::data, .data = step.data};
        break;
      case chunk_end: return {.sort = Sort::chunk_end, .signature = inner_.signature()};
      case end:
        inner_ended_ = true;
        if (!inner_input_.empty()) bad_ = true;
        break;
      case bad: bad_ = true; break;
    }
  }
  bad_ = true;
  return {.sort = Sort::bad};
}

}  // namespace loadline::serve
