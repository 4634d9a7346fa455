#include "dialects/fio/output/terse.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "dialects/fio/output/normal.h"

namespace loadline::dialects::fio::output {
namespace {

constexpr std::size_t k_percentiles = 20;

using Out = fmt::memory_buffer;

template <typename... Args>
void put(Out& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

// Microseconds: least, largest, mean, deviation.
void put_latency(Out& out, const record::Histogram& histogram) {
  const double mean = histogram.empty() ? 0
                                        : static_cast<double>(histogram.sum_ns()) /
                                              static_cast<double>(histogram.count());
  put(out, ";{};{};{:.6f};{:.6f}", histogram.min().ns() / 1000, histogram.max().ns() / 1000,
      mean / 1000, static_cast<double>(histogram.standard_deviation().ns()) / 1000);
}

void put_direction(Out& out, const Block& block, std::size_t series, std::uint32_t version) {
  const DirectionSummary& direction = block.directions[series];
  const ReportOptions& report = block.source.report;
  put(out, ";{};{};{};{}", direction.bytes.count() >> 10U,
      static_cast<std::uint64_t>(direction.bytes_per_second()) >> 10U,
      static_cast<std::uint64_t>(direction.operations_per_second()), direction.runtime_ms);
  put_latency(out, direction.slat);
  put_latency(out, direction.clat);
  const bool from_lat = !report.clat_percentiles && report.lat_percentiles;
  const record::Histogram& histogram = from_lat ? direction.lat : direction.clat;
  for (std::size_t i = 0; i < k_percentiles; ++i) {
    if (i >= report.percentile_list.size() || !(report.clat_percentiles || from_lat)) {
      put(out, ";0%=0");
      continue;
    }
    const double share = report.percentile_list[i];
    put(out, ";{:.6f}%={}", share, percentile_ns(histogram, share) / 1000);
  }
  put_latency(out, direction.lat);
  const Spread& bandwidth = direction.bandwidth;
  put(out, ";{};{};{:.6f}%;{:.6f};{:.6f}", std::llround(bandwidth.min), std::llround(bandwidth.max),
      direction.share_of_group, bandwidth.mean, bandwidth.deviation);
  if (version < 5) return;
  const Spread& iops = direction.iops;
  put(out, ";{};{};{};{:.6f};{:.6f};{}", bandwidth.samples, std::llround(iops.min),
      std::llround(iops.max), iops.mean, iops.deviation, iops.samples);
}

void put_machine(Out& out, const Block& block) {
  put(out, ";{:.6f}%;{:.6f}%;{};{};{}", block.user_percent, block.system_percent,
      block.context_switches, block.major_faults, block.minor_faults);
  for (const double share : block.depth) put(out, ";{:3.1f}%", share);
  // Terse knows no nanoseconds: they are below two microseconds.
  std::array<double, 10> microseconds = block.latency.microseconds;
  for (const double share : block.latency.nanoseconds) microseconds[0] += share;
  for (const double share : microseconds) put(out, ";{:3.2f}%", share);
  for (const double share : block.latency.milliseconds) put(out, ";{:3.2f}%", share);
}

void put_devices(Out& out, const std::vector<target::DeviceCounters>& devices) {
  for (const target::DeviceCounters& device : devices) {
    put(out, ";{};{};{};{};{};{};{};{};{:3.2f}%", device.name, device.reads, device.writes,
        device.read_merges, device.write_merges, device.read_time.ns() / 1'000'000,
        device.write_time.ns() / 1'000'000, device.queue_time.ns() / 1'000'000,
        busy_percent(device));
  }
}

}  // namespace

std::string terse_text(const Summary& summary, std::uint32_t version) {
  Out out;
  for (const Block& block : summary.blocks) {
    const JobSource& source = block.source;
    put(out, "{};", version);
    if (version != 2) put(out, "{};", k_version);
    put(out, "{};{};{}", source.section, source.group, block.error);
    if (source.report.unified_rw_reporting == UnifiedReporting::mixed) {
      put_direction(out, block, k_mixed, version);
    } else {
      put_direction(out, block, 0, version);
      put_direction(out, block, 1, version);
      if (version != 3) put_direction(out, block, 2, version);
      if (block.shows(k_mixed)) put_direction(out, block, k_mixed, version);
    }
    put_machine(out, block);
    if (version != 2) put_devices(out, summary.devices);
    if (source.continue_on_error) put(out, ";{};{}", block.total_errors, block.first_error);
    if (version == 2) put(out, "\n");
    if (!source.description.empty()) put(out, ";{}", source.description);
    if (version != 2 || !source.description.empty()) put(out, "\n");
  }
  return fmt::to_string(out);
}

}  // namespace loadline::dialects::fio::output
