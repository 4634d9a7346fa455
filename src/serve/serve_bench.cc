// What the store costs beside the sockets: a GET from the bytes of its head to the answer, a small
// PUT, and taking in the bytes of a large one that repeats.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "serve/s3_service.h"
#include "serve/server_state.h"
#include "serve/test_bytes.h"

namespace loadline::serve {
namespace {

struct Store {
  Store() : state(std::move(*ServerState::make({.memory_limit = Bytes(64 << 20)}, clock))) {
    state->store().create_bucket("bucket", WallTime::from_ns(0));
  }
  Answer answer(std::string_view text) {
    const HeadResult parsed = parse_head(text, head);
    CHECK(parsed.state == HeadResult::State::complete);
    Exchange exchange;
    service.begin(head, exchange);
    const std::string_view body = text.substr(parsed.used);
    service.take(exchange, std::as_bytes(std::span(body.data(), body.size())));
    return service.finish(exchange);
  }

  SteadyClock clock;
  std::unique_ptr<ServerState> state;
  S3Service service{*state};
  HttpHead head;
};

const std::string k_put =
    "PUT /bucket/object HTTP/1.1\r\nHost: 127.0.0.1:29998\r\nContent-Length: 4096\r\n"
    "x-amz-content-sha256: UNSIGNED-PAYLOAD\r\n\r\n" +
    std::string(4096, 'x');

void get_object(benchmark::State& run) {
  Store store;
  store.answer(k_put);
  const std::string text =
      "GET /bucket/object HTTP/1.1\r\nHost: 127.0.0.1:29998\r\n"
      "x-amz-content-sha256: UNSIGNED-PAYLOAD\r\nx-amz-date: 20261130T170000Z\r\n"
      "Authorization: AWS4-HMAC-SHA256 Credential=AK/20261130/us-east-1/s3/aws4_request\r\n\r\n";
  for (auto _ : run) benchmark::DoNotOptimize(store.answer(text));
}
BENCHMARK(get_object);

void put_object_4k(benchmark::State& run) {
  Store store;
  for (auto _ : run) benchmark::DoNotOptimize(store.answer(k_put));
}
BENCHMARK(put_object_4k);

void take_in_64_mib_of_a_4_mib_pool(benchmark::State& run) {
  constexpr std::size_t k_size = 64 << 20;
  auto arena = std::move(*Arena::make(Bytes(128 << 20)));
  const std::string pool = random_bytes(4 << 20, 1);
  std::vector<std::byte> scratch(256 << 10);
  for (auto _ : run) {
    BodyWriter writer(*arena, Bytes(k_size), nullptr);
    for (std::size_t at = 0; at < k_size;) {
      const auto space = writer.space(scratch);
      const std::size_t in_pool = at % pool.size();
      const std::size_t n = std::min({space.size(), pool.size() - in_pool, k_size - at});
      std::memcpy(space.data(), pool.data() + in_pool, n);
      writer.commit(n);
      at += n;
    }
    benchmark::DoNotOptimize(writer.finish());
  }
  run.SetBytesProcessed(static_cast<std::int64_t>(run.iterations() * k_size));
}
BENCHMARK(take_in_64_mib_of_a_4_mib_pool)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace loadline::serve
