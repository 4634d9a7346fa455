#include "store/result_text.h"

#include "plan/json_reader.h"
#include "plan/json_writer.h"
#include "store/block_fields.h"
#include "store/outcome_codec.h"
#include "store/stream_fields.h"

namespace loadline::json {

using record::Histogram;

namespace {

__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t k_nanoseconds_max = std::uint64_t{1} << 62;

}  // namespace

// Buckets that hold something, as [index, count], and what they do not say.
template <>
struct Codec<Histogram> {
  static Json write(const Histogram& histogram, const Writer&) {
    Json buckets = Json::array();
    for (std::size_t i = histogram.first_used(); i <= histogram.last_used(); ++i) {
      if (histogram.at(i) > 0) buckets.push_back(Json::array({i, histogram.at(i)}));
    }
    Json object = Json::object();
    object["min_ns"] = histogram.min().ns();
    object["max_ns"] = histogram.max().ns();
    object["sum_ns"] = histogram.sum_ns();
    object["past_top"] = histogram.past_top();
    object["buckets"] = std::move(buckets);
    return object;
  }
  struct Summary {
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    std::uint64_t sum = 0;
    std::uint64_t past_top = 0;
    std::vector<std::vector<std::uint64_t>> buckets;
  };
  static void read(const Json& json, Histogram& histogram, Reader& reader);
};

template <>
struct Fields<Codec<Histogram>::Summary> {
  static void visit(auto& v, auto& summary) {
    v("min_ns", summary.min);
    v("max_ns", summary.max);
    v("sum_ns", summary.sum);
    v("past_top", summary.past_top);
    v("buckets", summary.buckets);
  }
};

void Codec<Histogram>::read(const Json& json, Histogram& histogram, Reader& reader) {
  Summary summary;
  reader.read(json, summary);
  for (const std::vector<std::uint64_t>& bucket : summary.buckets) {
    if (bucket.size() != 2 || bucket[0] >= Histogram::k_buckets) {
      return reader.fail("has a bucket that is not [index, count] with an index below " +
                         std::to_string(Histogram::k_buckets));
    }
    histogram.restore_bucket(bucket[0], bucket[1]);
  }
  histogram.restore_summary(summary.min, summary.max, summary.sum, summary.past_top);
  const auto count = static_cast<Wide>(histogram.count());
  if (summary.min > summary.max || summary.max > k_nanoseconds_max ||
      summary.sum < summary.min * count || summary.sum > summary.max * count) {
    reader.fail("has a minimum, maximum or sum that its counts cannot have");
  }
}

template <>
struct Codec<std::vector<std::pair<std::string, std::string>>> {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  static Json write(const Pairs& pairs, const Writer&) {
    Json object = Json::object();
    for (const auto& [key, value] : pairs) object[key] = value;
    return object;
  }
  static void read(const Json& json, Pairs& pairs, Reader& reader) {
    if (!json.is_object()) return reader.fail("is not an object");
    for (const auto& [key, value] : json.items()) {
      const Reader::Step step(reader, key);
      reader.read(value, pairs.emplace_back(key, "").second);
    }
  }
};

template <>
struct Fields<record::Verdict> {
  static void visit(auto& v, auto& verdict) {
    auto& [id, level, where, text] = verdict;
    v("id", id);
    v("level", level);
    v("where", where);
    v("text", text);
  }
};

template <>
struct Fields<record::FailureExample> {
  static void visit(auto& v, auto& failure) {
    auto& [outcome, status, times, item, detail] = failure;
    v("outcome", outcome);
    v("status", status);
    v("times", times);
    v("item", item);
    v("detail", detail);
  }
};

namespace {

// What people look for in a histogram, in nanoseconds.
Json summary_of(const Histogram& histogram) {
  Json summary = Json::object();
  summary["count"] = histogram.count();
  if (histogram.empty()) return summary;
  summary["mean"] = histogram.mean().ns();
  summary["stddev"] = histogram.standard_deviation().ns();
  summary["min"] = histogram.min().ns();
  constexpr std::pair<const char*, std::uint32_t> k_quantiles[] = {
      {"p50", 5'000'000}, {"p90", 9'000'000},   {"p95", 9'500'000},
      {"p99", 9'900'000}, {"p99.9", 9'990'000}, {"p99.99", 9'999'000}};
  for (const auto& [name, per_ten_million] : k_quantiles) {
    summary[name] = histogram.quantile(per_ten_million).ns();
  }
  summary["max"] = histogram.max().ns();
  return summary;
}

}  // namespace

template <>
struct Fields<record::OpStats> {
  static void visit(auto& v, auto& stats) {
    auto& [outcomes, bytes, items, retries, outside, container_ops, container_failures, service,
           response, first_byte, failed, submission, completion, failures] = stats;
    v.derived("operations", [&] { return stats.successes(); });
    v.derived("failed_operations", [&] { return stats.failure_count(); });
    v("outcomes", outcomes);
    v("bytes", bytes);
    v("items", items);
    v("retries", retries);
    v("outside", outside);
    v("container_ops", container_ops);
    v("container_failures", container_failures);
    // The job knows the window, and fills these in.
    v.derived("throughput_per_second", [] { return 0; });
    v.derived("bytes_per_second", [] { return 0; });
    v.derived("service_time_ns", [&] { return summary_of(stats.service); });
    v.derived("response_time_ns", [&] { return summary_of(stats.latency()); });
    v.derived("first_byte_ns", [&] { return summary_of(stats.first_byte); });
    v.derived("failed_ns", [&] { return summary_of(stats.failed); });
    v.derived("submission_ns", [&] { return summary_of(stats.submission); });
    v.derived("completion_ns", [&] { return summary_of(stats.completion); });
    v("failures", failures);
    v.detail("service_histogram", service);
    v.detail("response_histogram", response);
    v.detail("first_byte_histogram", first_byte);
    v.detail("failed_histogram", failed);
    v.detail("submission_histogram", submission);
    v.detail("completion_histogram", completion);
  }
};

template <>
struct Fields<record::OpResult> {
  static void visit(auto& v, auto& op) {
    auto& [name, label, action, stats] = op;
    v("name", name);
    v("label", label);
    v("action", action);
    Fields<record::OpStats>::visit(v, stats);
  }
};

template <>
struct Fields<record::ClientLoad> {
  static void visit(auto& v, auto& client) {
    auto& [threads, wall, cpu_of_threads, cpu_of_busiest, loops, lag_max, late_issues] = client;
    v("threads", threads);
    v("wall_s", wall);
    v("cpu_of_threads_s", cpu_of_threads);
    v("cpu_of_busiest_s", cpu_of_busiest);
    v("loops", loops);
    v("lag_max_s", lag_max);
    v("late_issues", late_issues);
  }
};

template <>
struct Fields<record::JobResult> {
  static void visit(auto& v, auto& job) {
    auto& [name, label, workers, target, target_says, window, window_start, in_flight_at_end,
           oldest_in_flight, never_issued, offered, pauses, client, ops, block, files, interfaces,
           remarks] = job;
    v("name", name);
    v("label", label);
    v("workers", workers);
    v("target", target);
    v("target_says", target_says);
    v("window_s", window);
    v("window_start_s", window_start);
    v("in_flight_at_end", in_flight_at_end);
    v("oldest_in_flight_s", oldest_in_flight);
    v("never_issued", never_issued);
    v("offered_per_second", offered);
    v.if_set("pauses", pauses);
    v("client", client);
    v("ops", ops);
    v("block", block);
    v.if_set("files", files);
    v.if_set("interfaces", interfaces);
    v.if_set("remarks", remarks);
    v.derived_in("ops", [&](std::size_t i, Json& op) {
      const record::OpStats& stats = job.ops[i].stats;
      const auto rate = [&](std::uint64_t n) {
        return Rate::of(static_cast<double>(n), job.window).per_second();
      };
      op["throughput_per_second"] = rate(stats.successes());
      op["bytes_per_second"] = rate(stats.bytes.count());
    });
  }
};

template <>
struct Fields<std::pair<record::StageState, WallTime>> {
  static void visit(auto& v, auto& change) {
    v("state", change.first);
    v("at", change.second);
  }
};

template <>
struct Fields<record::StageResult> {
  static void visit(auto& v, auto& stage) {
    auto& [id, name, state, reason, started, ended, elapsed, history, trigger_output, jobs] = stage;
    v("id", id);
    v("name", name);
    v("state", state);
    v("reason", reason);
    v.if_set("started", started);
    v.if_set("ended", ended);
    v("elapsed_s", elapsed);
    v("history", history);
    v.if_set("trigger_output", trigger_output);
    v("jobs", jobs);
  }
};

// The whole text: the version comes first.
struct ResultDocument {
  int schema_version = record::k_schema_version;
  record::RunResult result;
};

template <>
struct Fields<ResultDocument> {
  static void visit(auto& v, auto& document) {
    auto& [state, reason, submitted, started, ended, elapsed, stages, verdicts, trigger_output,
           left_behind, context] = document.result;
    v("schema_version", document.schema_version);
    v("state", state);
    v("reason", reason);
    v.if_set("submitted", submitted);
    v.if_set("started", started);
    v.if_set("ended", ended);
    v("elapsed_s", elapsed);
    v("context", context);
    v("verdicts", verdicts);
    v("left_behind", left_behind);
    v.if_set("trigger_output", trigger_output);
    v("stages", stages);
  }
};

}  // namespace loadline::json

namespace loadline::store {

std::string to_text(const record::RunResult& result, Histograms histograms) {
  const json::Writer writer({.details = histograms == Histograms::included});
  return json::print(writer.write(json::ResultDocument{.result = result}));
}

Result<record::RunResult> from_text(std::string_view text) {
  Result<json::Json> parsed = json::parse(text);
  if (!parsed) return propagate(parsed);
  Result<void> version =
      json::check_version(*parsed, "schema_version", record::k_schema_version, "result");
  if (!version) return propagate(version);
  json::ResultDocument document;
  json::Reader reader(json::Unknown::ignored);
  reader.read(*parsed, document);
  if (reader.failed()) return std::unexpected(reader.error());
  return std::move(document.result);
}

}  // namespace loadline::store
