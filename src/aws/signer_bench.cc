#include <benchmark/benchmark.h>

#include <string>

#include "aws/signer.h"
#include "aws/uri.h"
#include "aws/verifier.h"

namespace loadline::aws {
namespace {

Credentials credentials() {
  return {.access_key = "AKIAIOSFODNN7EXAMPLE",
          .secret_key = Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
          .session_token = {}};
}

// One signed GET as the load path makes it.
void sign_v4(benchmark::State& state) {
  Signer signer(credentials(), "us-east-1");
  const WallTime now = WallTime::now();
  std::string out;
  std::string path;
  for (auto _ : state) {
    out.clear();
    path.clear();
    append_encoded_path(path, "/s3testqwer1/myobjects12345");
    signer.sign({.method = "GET",
                 .path = path,
                 .query = "",
                 .host = "127.0.0.1:29998",
                 .headers = {},
                 .payload_hash = k_unsigned_payload},
                now, out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(sign_v4);

void verify_v4(benchmark::State& state) {
  Signer signer(credentials(), "us-east-1");
  const WallTime now = WallTime::now();
  std::string lines;
  signer.sign({.method = "GET", .path = "/b/k", .query = "", .host = "h", .headers = {}}, now,
              lines);
  const std::size_t auth = lines.find("Authorization: ") + 15;
  const std::size_t date = lines.find("x-amz-date: ") + 12;
  const Header headers[] = {
      {"host", "h"},
      {"x-amz-content-sha256", k_unsigned_payload},
      {"x-amz-date", std::string_view(lines).substr(date, 16)},
      {"authorization", std::string_view(lines).substr(auth, lines.size() - auth - 2)}};
  const Secret secret = credentials().secret_key;
  Verifier verifier([&](std::string_view) { return &secret; });
  for (auto _ : state) {
    const Verified verified = verifier.verify(
        {.method = "GET", .raw_path = "/b/k", .raw_query = "", .headers = headers, .bucket = ""},
        now);
    if (verified.status != VerifyStatus::ok) state.SkipWithError("not verified");
  }
}
BENCHMARK(verify_v4);

void digest_block(benchmark::State& state) {
  const std::string text(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(sha256(text));
}
BENCHMARK(digest_block)->Arg(55)->Arg(247)->Arg(65536);

}  // namespace
}  // namespace loadline::aws
