#include "dialects/fio/output/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "dialects/fio/output/figures.h"
#include "dialects/fio/output/json_text.h"
#include "dialects/fio/output/normal.h"

namespace loadline::dialects::fio::output {
namespace {

constexpr std::array<std::string_view, k_series> k_names = {"read", "write", "trim", "mixed"};
constexpr std::uint64_t k_eta_unknown = 2147483647;

std::uint64_t whole(double value) { return static_cast<std::uint64_t>(std::llround(value)); }
std::uint64_t floored(double value) { return static_cast<std::uint64_t>(value); }
std::uint64_t milliseconds(Duration d) { return static_cast<std::uint64_t>(d.ns() / 1'000'000); }

void put_options(JsonText& out, std::string_view key, const std::vector<GivenOption>& options) {
  // A key stands once: the last value given counts.
  std::vector<const GivenOption*> shown;
  for (const GivenOption& option : options) {
    std::erase_if(shown, [&](const GivenOption* other) { return other->name == option.name; });
    if (!option.bare) shown.push_back(&option);
  }
  out.begin_object(key);
  for (const GivenOption* option : shown) out.text(option->name, option->value);
  out.end_object();
}

struct LatencyStyle {
  bool percentiles = false;
  bool bins = false;
};

void put_latency(JsonText& out, std::string_view key, const record::Histogram& histogram,
                 const ReportOptions& report, LatencyStyle style) {
  const auto count = static_cast<double>(histogram.count());
  out.begin_object(key);
  out.integer("min", static_cast<std::uint64_t>(histogram.min().ns()));
  out.integer("max", static_cast<std::uint64_t>(histogram.max().ns()));
  out.real("mean", histogram.empty() ? 0 : static_cast<double>(histogram.sum_ns()) / count);
  out.real("stddev", static_cast<double>(histogram.standard_deviation().ns()));
  out.integer("N", histogram.count());
  if (style.percentiles && !histogram.empty()) {
    out.begin_object("percentile");
    std::set<std::string> seen;
    for (const double share : report.percentile_list) {
      const std::string name = fmt::format("{:.6f}", share);
      if (seen.insert(name).second) out.integer(name, percentile_ns(histogram, share));
    }
    out.end_object();
    if (style.bins) {
      out.begin_object("bins");
      for (std::size_t i = histogram.first_used(); i <= histogram.last_used(); ++i) {
        if (histogram.at(i) == 0) continue;
        const std::uint64_t low = record::Histogram::lowest_of(i);
        const std::uint64_t middle = low + (record::Histogram::highest_of(i) - low + 1) / 2;
        out.integer(fmt::format("{}", middle), histogram.at(i));
      }
      out.end_object();
    }
  }
  out.end_object();
}

void put_direction(JsonText& out, const Block& block, std::size_t series, bool bins) {
  const DirectionSummary& direction = block.directions[series];
  const ReportOptions& report = block.source.report;
  const double rate = direction.bytes_per_second();
  out.begin_object(k_names[series]);
  out.integer("io_bytes", direction.bytes.count());
  out.integer("io_kbytes", direction.bytes.count() >> 10U);
  out.integer("bw_bytes", floored(rate));
  out.integer("bw", floored(rate) >> 10U);
  out.real("iops", direction.operations_per_second());
  out.integer("runtime", direction.runtime_ms);
  out.integer("total_ios", direction.operations);
  out.integer("short_ios", direction.short_transfers);
  out.integer("drop_ios", 0);
  put_latency(out, "slat_ns", direction.slat, report, {report.slat_percentiles, bins});
  put_latency(out, "clat_ns", direction.clat, report, {report.clat_percentiles, bins});
  put_latency(out, "lat_ns", direction.lat, report, {report.lat_percentiles, bins});
  out.integer("bw_min", whole(direction.bandwidth.min));
  out.integer("bw_max", whole(direction.bandwidth.max));
  out.real("bw_agg", direction.share_of_group);
  out.real("bw_mean", direction.bandwidth.mean);
  out.real("bw_dev", direction.bandwidth.deviation);
  out.integer("bw_samples", direction.bandwidth.samples);
  out.integer("iops_min", whole(direction.iops.min));
  out.integer("iops_max", whole(direction.iops.max));
  out.real("iops_mean", direction.iops.mean);
  out.real("iops_stddev", direction.iops.deviation);
  out.integer("iops_samples", direction.iops.samples);
  out.end_object();
}

template <std::size_t N>
void put_shares(JsonText& out, std::string_view key, const std::array<std::string_view, N>& names,
                const std::array<double, N>& shares) {
  out.begin_object(key);
  for (std::size_t i = 0; i < N; ++i) out.real(names[i], shares[i]);
  out.end_object();
}

void put_machine(JsonText& out, const Block& block) {
  static constexpr std::array<std::string_view, 7> k_depths = {"1",  "2",  "4",   "8",
                                                               "16", "32", ">=64"};
  static constexpr std::array<std::string_view, 7> k_calls = {"0",  "4",  "8",   "16",
                                                              "32", "64", ">=64"};
  static constexpr std::array<std::string_view, 10> k_small = {"2",   "4",   "10",  "20",  "50",
                                                               "100", "250", "500", "750", "1000"};
  static constexpr std::array<std::string_view, 12> k_large = {
      "2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"};
  out.integer("job_runtime", block.job_runtime_ms);
  out.real("usr_cpu", block.user_percent);
  out.real("sys_cpu", block.system_percent);
  out.integer("ctx", block.context_switches);
  out.integer("majf", block.major_faults);
  out.integer("minf", block.minor_faults);
  put_shares(out, "iodepth_level", k_depths, block.depth);
  put_shares(out, "iodepth_submit", k_calls, block.submits);
  put_shares(out, "iodepth_complete", k_calls, block.completes);
  put_shares(out, "latency_ns", k_small, block.latency.nanoseconds);
  put_shares(out, "latency_us", k_small, block.latency.microseconds);
  put_shares(out, "latency_ms", k_large, block.latency.milliseconds);
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

void put_steady(JsonText& out, const Block& block) {
  const ReportOptions& report = block.source.report;
  if (!report.steadystate || report.steadystate_duration <= Duration()) return;
  const SteadyState& rule = *report.steadystate;
  const record::SteadyReport seen = block.steady.value_or(record::SteadyReport{});
  const char* percent = rule.percent ? "%" : "";
  const std::vector<double>& judged = rule.value == SteadyState::Value::iops ? seen.iops
                                      : rule.value == SteadyState::Value::bandwidth
                                          ? seen.bytes_per_second
                                          : seen.latency_ns;
  const double unit = rule.percent ? mean_of(judged) / 100 : 1;
  out.begin_object("steadystate");
  out.text("ss", fmt::format("{}{}:{:.6f}{}",
                             rule.value == SteadyState::Value::iops        ? "iops"
                             : rule.value == SteadyState::Value::bandwidth ? "bw"
                                                                           : "lat",
                             rule.slope ? "_slope" : "", rule.limit, percent));
  out.integer("duration", static_cast<std::uint64_t>(report.steadystate_duration.as_seconds()));
  out.integer("attained", seen.attained ? 1 : 0);
  out.text("criterion", fmt::format("{:.6f}{}", rule.slope ? seen.slope : seen.deviation, percent));
  out.real("max_deviation", rule.slope ? 0 : seen.deviation * unit);
  out.real("slope", seen.slope);
  out.begin_object("data");
  out.integer("bw_mean", floored(mean_of(seen.bytes_per_second)));
  out.integer("iops_mean", floored(mean_of(seen.iops)));
  out.begin_array("iops");
  for (const double value : seen.iops) out.integer("", whole(value));
  out.end_array();
  out.begin_array("bw");
  for (const double value : seen.bytes_per_second) out.integer("", whole(value));
  out.end_array();
  out.end_object();
  out.end_object();
}

void put_block(JsonText& out, const Block& block, bool final, bool bins) {
  const JobSource& source = block.source;
  out.begin_object();
  out.text("jobname", source.section);
  out.integer("groupid", source.group);
  out.integer("error", static_cast<std::uint64_t>(block.error));
  out.integer("eta", final ? 0 : k_eta_unknown);
  out.integer("elapsed", block.elapsed_s);
  put_options(out, "job options", source.given);
  const bool mixed_alone = source.report.unified_rw_reporting == UnifiedReporting::mixed;
  if (!mixed_alone) {
    for (std::size_t i = 0; i < plan::k_directions; ++i) put_direction(out, block, i, bins);
    out.begin_object("sync");
    out.integer("total_ios", block.sync_operations);
    put_latency(out, "lat_ns", block.sync, source.report, {true, bins});
    out.end_object();
  }
  if (block.shows(k_mixed)) put_direction(out, block, k_mixed, bins);
  put_machine(out, block);
  if (source.continue_on_error) {
    out.integer("total_err", block.total_errors);
    out.integer("first_error", static_cast<std::uint64_t>(block.first_error));
  }
  // As in fio, not where nothing was ever issued.
  if (!block.idle()) {
    out.integer("latency_depth", block.latency_depth);
    out.integer("latency_target", static_cast<std::uint64_t>(source.latency_target.ns()));
    out.real("latency_percentile", source.latency_percentile);
    out.integer("latency_window", static_cast<std::uint64_t>(source.latency_window.ns() / 1000));
  }
  if (!source.description.empty()) out.text("desc", source.description);
  put_steady(out, block);
  out.end_object();
}

void put_device(JsonText& out, const target::DeviceCounters& device) {
  out.begin_object();
  out.text("name", device.name);
  out.integer("read_ios", device.reads);
  out.integer("write_ios", device.writes);
  out.integer("read_merges", device.read_merges);
  out.integer("write_merges", device.write_merges);
  out.integer("read_ticks", milliseconds(device.read_time));
  out.integer("write_ticks", milliseconds(device.write_time));
  out.integer("in_queue", milliseconds(device.queue_time));
  out.real("util", busy_percent(device));
  out.end_object();
}

}  // namespace

std::string json_text(const Summary& summary, bool bins) {
  JsonText out;
  out.begin_object();
  out.text("fio version", k_version);
  out.integer("timestamp", static_cast<std::uint64_t>(summary.at.ns() / 1'000'000'000));
  out.integer("timestamp_ms", static_cast<std::uint64_t>(summary.at.ns() / 1'000'000));
  out.text("time", date_text(summary.at));
  if (!summary.run.global_options.empty()) {
    put_options(out, "global options", summary.run.global_options);
  }
  out.begin_array("jobs");
  for (const Block& block : summary.blocks) put_block(out, block, summary.final, bins);
  out.end_array();
  if (!summary.devices.empty()) {
    out.begin_array("disk_util");
    for (const target::DeviceCounters& device : summary.devices) put_device(out, device);
    out.end_array();
  }
  out.end_object();
  return out.take();
}

}  // namespace loadline::dialects::fio::output
