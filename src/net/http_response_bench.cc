#include <benchmark/benchmark.h>

#include <string_view>

#include "net/http_response.h"

namespace loadline::net {
namespace {

// A head as nginx and S3 stores send them.
void parse_response_head(benchmark::State& state) {
  constexpr std::string_view k_head =
      "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Mon, 30 Nov 2026 17:42:53 GMT\r\n"
      "Content-Type: application/octet-stream\r\nContent-Length: 100000\r\n"
      "Last-Modified: Mon, 30 Nov 2026 17:42:52 GMT\r\nConnection: keep-alive\r\n"
      "ETag: \"6b0db59c-186a0\"\r\nAccept-Ranges: bytes\r\n\r\n";
  HttpResponseParser parser;
  for (auto _ : state) {
    parser.start(false);
    benchmark::DoNotOptimize(parser.feed(std::as_bytes(std::span(k_head))));
  }
}
BENCHMARK(parse_response_head);

}  // namespace
}  // namespace loadline::net
