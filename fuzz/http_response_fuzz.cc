// Feeds bytes to the HTTP response parser in pieces whose sizes the input chooses, and checks what
// must hold whatever comes: progress, pieces inside the input, and no more dropped than announced.
// links: net
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "net/http_response.h"

using loadline::net::HttpResponseParser;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const bool to_head = (data[0] & 1) != 0;
  const bool drops = (data[0] & 2) != 0;
  const std::size_t piece = data[1] == 0 ? size : data[1];
  std::span<const std::byte> rest(reinterpret_cast<const std::byte*>(data) + 2, size - 2);

  HttpResponseParser parser;
  parser.start(to_head);
  while (!rest.empty()) {
    // Its own memory, so that a view kept too long is found.
    const std::vector<std::byte> part(rest.begin(), rest.begin() + std::min(piece, rest.size()));
    rest = rest.subspan(part.size());
    for (std::span<const std::byte> input(part);;) {
      if (drops && parser.in_body() && parser.droppable() > 0) {
        const auto n = std::min<std::uint64_t>(parser.droppable(), input.size());
        if (n > 0 && !parser.dropped(n) && n == input.size()) break;
        input = input.subspan(n);
      }
      const HttpResponseParser::Step step = parser.feed(input);
      CHECK(step.used <= input.size() && step.body.size() <= input.size());
      input = input.subspan(step.used);
      switch (step.event) {
        case HttpResponseParser::Event::head:
          CHECK(parser.head().status >= 200);
          (void)parser.head().find("etag");
          continue;
        case HttpResponseParser::Event::body: CHECK(!step.body.empty()); continue;
        case HttpResponseParser::Event::need_more: CHECK(input.empty()); break;
        case HttpResponseParser::Event::end: return 0;
        case HttpResponseParser::Event::bad: CHECK(!parser.problem().empty()); return 0;
      }
      break;
    }
  }
  parser.finish();
  return 0;
}
