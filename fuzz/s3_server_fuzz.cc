// Bytes from a client, as the built-in store takes them: request heads, bodies of every framing,
// and what they do to the store. The first byte says how large the pieces are that they come in.
// links: serve
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/check.h"
#include "base/clock.h"
#include "serve/body_framing.h"
#include "serve/control.h"
#include "serve/s3_service.h"
#include "serve/server_state.h"

namespace {

using namespace loadline;         // allowed: a harness
using namespace loadline::serve;  // allowed: a harness

class Session {
 public:
  Session(ServerState& state, std::string_view input, std::size_t piece)
      : state_(state), service_(state), input_(input), piece_(piece) {}

  // One request from head to answer; false where the connection would end.
  bool request() {
    const HeadResult parsed = parse_head(input_, head_);
    if (parsed.state != HeadResult::State::complete) return false;
    input_.remove_prefix(parsed.used);
    Exchange exchange;
    service_.begin(head_, exchange);
    if (!body(exchange)) return false;
    check(service_.finish(exchange));
    if (head_.raw_path.starts_with(k_control_prefix)) {
      control_answer(state_, head_.method, head_.raw_path, exchange.text);
    }
    return true;
  }

 private:
  bool body(Exchange& exchange) {
    BodyFraming framing(head_.content_length, head_.chunked, exchange.request.aws_chunked);
    if (!head_.chunked && head_.content_length.value_or(Bytes()) == Bytes()) return true;
    while (!input_.empty()) {
      const std::string_view now = input_.substr(0, piece_);
      input_.remove_prefix(now.size());
      framing.give(std::as_bytes(std::span(now.data(), now.size())));
      while (true) {
        const BodyFraming::Event event = framing.next();
        if (event.sort == BodyFraming::Sort::need_more) break;
        if (event.sort == BodyFraming::Sort::data) service_.take(exchange, event.data);
        if (event.sort == BodyFraming::Sort::chunk_end) {
          service_.end_chunk(exchange, event.signature);
        }
        if (event.sort == BodyFraming::Sort::bad) {
          S3Service::spoil(exchange);
          check(service_.finish(exchange));
          return false;
        }
        if (event.sort == BodyFraming::Sort::end) {
          const std::size_t unused = framing.unused().size();
          input_ = {input_.data() - unused, input_.size() + unused};
          return true;
        }
      }
    }
    return false;
  }

  // Everything that is announced can be read.
  static void check(const Answer& answer) {
    CHECK(answer.status >= 200 && answer.status < 600);
    if (!answer.object) return;
    CHECK(answer.begin <= answer.end && answer.end <= answer.object->size().count());
    for (std::uint64_t at = answer.begin; at < answer.end;) {
      const Slice slice = answer.object->slice(at, answer.end - at);
      CHECK(slice.length > 0);
      at += slice.length;
    }
  }

  ServerState& state_;
  S3Service service_;
  std::string_view input_;
  std::size_t piece_;
  HttpHead head_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0];
  const std::string_view input(reinterpret_cast<const char*>(data + 1), size - 1);
  const SimClock clock;
  auto state = ServerState::make({.memory_limit = Bytes(4 << 20), .create_buckets = true}, clock);
  CHECK(state);
  Session session(**state, input, piece);
  while (session.request()) {
  }
  return 0;
}
