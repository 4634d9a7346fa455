#include <benchmark/benchmark.h>

#include <string>

#include "targets/s3/request.h"

namespace loadline::targets::s3 {
namespace {

// The head of one GET, signed, as the load path writes it.
void write_request(benchmark::State& state) {
  target::Parameters parameters;
  parameters.set("accesskey", "AKIAIOSFODNN7EXAMPLE");
  parameters.set("secretkey", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
  parameters.set("endpoint", "http://127.0.0.1:29998");
  if (state.range(0) == 0) parameters.set("signature", "none");
  const Config config = *read_config(parameters);
  RequestWriter writer(config);
  const WallTime now = WallTime::now();
  std::string head;
  for (auto _ : state) {
    writer.write({.method = "GET", .bucket = "s3testqwer1", .key = "myobjects12345"},
                 config.endpoints[0], now, head);
    benchmark::DoNotOptimize(head.data());
  }
}
BENCHMARK(write_request)->ArgName("signed")->Arg(0)->Arg(1);

}  // namespace
}  // namespace loadline::targets::s3
