// What is measured must be what is true: against latencies that are known beforehand.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>

#include "targets/mock/latency_model.h"
#include "tests/flow/flow.h"

namespace loadline::flow {
namespace {

// Millions of operations, and figures of memory, say nothing more under a sanitizer.
constexpr bool k_sanitized = LOADLINE_SANITIZED;

class KnownTruthTest : public FlowTest {
 protected:
  void expect_quantiles(const std::string& model, const record::Histogram& measured,
                        double tolerance) {
    const auto truth = targets::LatencyModel::parse(model);
    ASSERT_TRUE(truth.has_value());
    for (const double q : {0.5, 0.99, 0.999}) {
      const double want = truth->quantile(q).as_milliseconds();
      const double got = measured.quantile(static_cast<std::uint32_t>(q * 1e7)).as_milliseconds();
      EXPECT_NEAR(got, want, want * tolerance) << model << " at " << q;
    }
  }
};

TEST_F(KnownTruthTest, finds_the_quantiles_of_known_distributions_within_one_percent) {
  if (k_sanitized) GTEST_SKIP() << "the builds without a sanitizer run it";
  for (const std::string model :
       {"lognormal(2ms,0.5)", "exponential(1ms)", "uniform(1ms,5ms)", "3ms"}) {
    const Outcome outcome =
        run(workload("mock", "latency=" + model, R"(workers="64" totalOps="4000000")"));
    ASSERT_EQ(outcome.op(0).stats.successes(), 4'000'000U);
    expect_quantiles(model, outcome.op(0).stats.service, 0.01);
  }
}

TEST_F(KnownTruthTest, finds_them_on_a_real_clock_too) {
  clock_ = &steady_;
  const Outcome outcome =
      run(workload("mock", "latency=uniform(1ms,5ms)", R"(workers="256" totalOps="200000")"));
  ASSERT_EQ(outcome.op(0).stats.successes(), 200'000U);
  expect_quantiles("uniform(1ms,5ms)", outcome.op(0).stats.service, 0.01);
}

// 500 operations a second, 1 ms each, 100 workers; for 2 s nothing ends. In an open loop the
// operations due in the first 2 s - 1 ms of the stall wait for its end: of 10 000 operations in 20
// s the 1000 in the stall waited 2 ms more each, so the slowest 1 % begin at 2 s - 100 * 2 ms = 1.8
// s.
TEST_F(KnownTruthTest, charges_a_stall_to_all_operations_of_an_open_loop) {
  const Outcome open = run(workload("mock", "latency=1ms;stall=2000;stall_at=8000",
                                    R"(workers="2000" runtime="20" rate="500")"));
  const record::OpStats& stats = open.op(0).stats;
  ASSERT_EQ(stats.successes(), 10'000U);
  const double p99 = stats.response.quantile(9'900'000).as_milliseconds();
  EXPECT_NEAR(p99, 1800, 1800 * 0.02);

  // The closed loop that gives the same number of operations sees one slow operation per worker.
  const Outcome closed =
      run(workload("mock", "latency=1ms;stall=2000;stall_at=8000", R"(workers="1" runtime="20")"));
  EXPECT_LT(closed.op(0).stats.service.quantile(9'900'000).as_milliseconds(), 1.02);
}

std::uint64_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stoull(line.substr(6));
  }
  return 0;
}

TEST_F(KnownTruthTest, needs_no_more_memory_for_an_hour_than_for_a_minute) {
  if (k_sanitized) GTEST_SKIP() << "the builds without a sanitizer run it";
  const auto work = [](int seconds) {
    return fmt::format(R"(workers="16" runtime="{}")", seconds);
  };
  run(workload("mock", "latency=10ms", work(60)));
  const std::uint64_t minute = resident_kib();
  const Outcome hour = run(workload("mock", "latency=10ms", work(3600)));
  EXPECT_EQ(hour.op(0).stats.successes(), 5'760'000U);
  EXPECT_EQ(hour.ticks, 3600U);
  EXPECT_LE(resident_kib(), minute + 1024);
}

}  // namespace
}  // namespace loadline::flow
