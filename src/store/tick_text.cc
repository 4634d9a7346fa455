#include "store/tick_text.h"

#include <numeric>
#include <utility>

#include "store/outcome_codec.h"

namespace loadline::json {

// Keys are short because they are written every second of every run.
template <>
struct Fields<store::OpTick> {
  static void visit(auto& v, auto& op) {
    // Sums of `outcomes`: row_of() and from_line() make them.
    auto& [successes, failures, outcomes, outside, bytes, service_sum_ns, response_sum_ns,
           first_byte_sum_ns, first_byte_count, p50, p99, max] = op;
    v.if_set("n", outcomes);
    v.if_set("out", outside);
    v.if_set("bytes", bytes);
    v.if_set("svc", service_sum_ns);
    v.if_set("rsp", response_sum_ns);
    v.if_set("fb", first_byte_sum_ns);
    v.if_set("fbn", first_byte_count);
    v.nanoseconds("p50", p50);
    v.nanoseconds("p99", p99);
    v.nanoseconds("max", max);
  }
};

template <>
struct Fields<store::TickRow> {
  static void visit(auto& v, auto& row) {
    auto& [stage, index, start, length, ended, jobs] = row;
    v("stage", stage);
    v("i", index);
    v("t", start);
    v("d", length);
    v.if_set("at", ended);
    v("jobs", jobs);
  }
};

}  // namespace loadline::json

namespace loadline::store {
namespace {

void add_up_outcomes(OpTick& op) {
  op.successes = op.outcomes[static_cast<std::size_t>(target::Outcome::ok)];
  op.failures =
      std::accumulate(op.outcomes.begin(), op.outcomes.end(), std::uint64_t{0}) - op.successes;
}

OpTick op_tick_of(const record::OpStats& stats) {
  const record::Histogram& latency = stats.latency();
  OpTick op{.outcomes = stats.outcomes,
            .outside = stats.outside,
            .bytes = stats.bytes,
            .service_sum_ns = stats.service.sum_ns(),
            .response_sum_ns = stats.response.sum_ns(),
            .first_byte_sum_ns = stats.first_byte.sum_ns(),
            .first_byte_count = stats.first_byte.count(),
            .p50 = latency.quantile(5'000'000),
            .p99 = latency.quantile(9'900'000),
            .max = latency.max()};
  add_up_outcomes(op);
  return op;
}

}  // namespace

TickRow row_of(const record::Tick& tick) {
  TickRow row{.stage = tick.stage,
              .index = tick.index,
              .start = tick.start,
              .length = tick.length,
              .ended = tick.ended,
              .jobs = {}};
  for (const std::vector<record::OpStats>& ops : tick.jobs) {
    std::vector<OpTick>& job = row.jobs.emplace_back();
    for (const record::OpStats& stats : ops) job.push_back(op_tick_of(stats));
  }
  return row;
}

std::string to_line(const TickRow& row) {
  const json::Writer writer({});
  return json::print_line(writer.write(row)) + "\n";
}

Result<TickRow> from_line(std::string_view line) {
  Result<json::Json> parsed = json::parse(line);
  if (!parsed) return propagate(parsed);
  TickRow row;
  json::Reader reader(json::Unknown::ignored);
  reader.read(*parsed, row);
  if (reader.failed()) return std::unexpected(reader.error());
  for (std::vector<OpTick>& ops : row.jobs) {
    for (OpTick& op : ops) add_up_outcomes(op);
  }
  return row;
}

}  // namespace loadline::store
