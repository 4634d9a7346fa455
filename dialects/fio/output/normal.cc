#include "dialects/fio/output/normal.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "dialects/fio/output/figures.h"

namespace loadline::dialects::fio::output {
namespace {

using Out = fmt::memory_buffer;

template <typename... Args>
void put(Out& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

constexpr std::array<std::string_view, k_series> k_names = {"read", "write", "trim", "mixed"};

// How the numbers of a job are printed.
struct Style {
  unsigned digits = 4;
  bool binary = true;
  bool bits = false;

  explicit Style(const ReportOptions& report)
      : digits(report.significant_figures),
        binary(report.kb_base == 1024),
        bits(report.unit_base == 1) {}

  std::string rate(double bytes_per_second, bool other = false) const {
    const Unit unit = bits ? Unit::bit_per_second : Unit::byte_per_second;
    return short_number(static_cast<std::uint64_t>(bytes_per_second),
                        {.digits = digits, .binary = binary != other, .unit = unit});
  }
  std::string size(Bytes bytes, bool other = false) const {
    return short_number(bytes.count(),
                        {.digits = digits, .binary = binary != other, .unit = Unit::byte});
  }
};

void put_latency(Out& out, std::string_view name, const record::Histogram& histogram) {
  if (histogram.empty()) return;
  const auto min = static_cast<std::uint64_t>(histogram.min().ns());
  const auto max = static_cast<std::uint64_t>(histogram.max().ns());
  const auto deviation = static_cast<double>(histogram.standard_deviation().ns());
  const auto mean =
      static_cast<double>(histogram.sum_ns()) / static_cast<double>(histogram.count());
  const TimeUnitOfLine unit =
      unit_for_line(static_cast<double>(min), static_cast<double>(max), deviation);
  const auto whole = static_cast<std::uint64_t>(unit.divisor);
  put(out, "    {} ({}): min={}, max={}, avg={:5.2f}, stdev={:5.2f}\n", name, unit.name,
      short_number(min / whole, {.digits = 6}), short_number(max / whole, {.digits = 6}),
      mean / unit.divisor, deviation / unit.divisor);
}

void put_percentiles(Out& out, std::string_view name, const record::Histogram& histogram,
                     const ReportOptions& report) {
  if (histogram.empty() || report.percentile_list.empty()) return;
  // Two places, but as many as the longest of a list that was given.
  const unsigned places =
      report.percentile_list == ReportOptions().percentile_list ? 2 : report.percentile_precision;
  std::vector<std::uint64_t> values;
  for (const double share : report.percentile_list) {
    values.push_back(percentile_ns(histogram, share));
  }
  const TimeUnitOfLine unit = unit_for_percentiles(values.front(), values.back());
  const double largest = static_cast<double>(values.back()) / unit.divisor;
  const unsigned width =
      std::max(5U, largest < 1 ? 1U : static_cast<unsigned>(std::log10(largest)) + 1);
  const std::size_t per_line = std::max<std::size_t>(1, (80 - 7) / (places + 10 + width));
  put(out, "    {} percentiles ({}):\n     |", name, unit.name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool last = i + 1 == values.size();
    if (i > 0 && i % per_line == 0) put(out, "     |");
    const long value = std::lround(static_cast<double>(values[i]) / unit.divisor);
    put(out, " {:{}.{}f}th=[{:{}}]", report.percentile_list[i], places + 3, places, value, width);
    if (!last) put(out, ",");
    if (last || (i + 1) % per_line == 0) put(out, "\n");
  }
}

void put_samples(Out& out, const DirectionSummary& direction, const ReportOptions& report) {
  const Spread& bandwidth = direction.bandwidth;
  if (bandwidth.samples > 0) {
    const double base = report.kb_base;
    // The samples are KiB/s; with kb_base=1000 they are shown as what the label says.
    double scale = report.kb_base == 1024 ? 1 : 1.024;
    std::string_view label = report.kb_base == 1024 ? "KiB" : "kB";
    if (report.unit_base == 1) {
      scale *= 8;
      label = report.kb_base == 1024 ? "Kibit" : "kbit";
    }
    if (bandwidth.mean * scale > base * base) {
      scale /= base;
      label = report.unit_base == 1 ? (report.kb_base == 1024 ? "Mibit" : "Mbit")
                                    : (report.kb_base == 1024 ? "MiB" : "MB");
    }
    put(out,
        "   bw ({:>5}/s): min={:5}, max={:5}, per={:3.2f}%, avg={:5.2f}, stdev={:5.2f}, "
        "samples={}\n",
        label, std::llround(bandwidth.min * scale), std::llround(bandwidth.max * scale),
        direction.share_of_group, bandwidth.mean * scale, bandwidth.deviation * scale,
        bandwidth.samples);
  }
  const Spread& iops = direction.iops;
  if (iops.samples > 0) {
    put(out, "   iops        : min={:5}, max={:5}, avg={:5.2f}, stdev={:5.2f}, samples={}\n",
        std::llround(iops.min), std::llround(iops.max), iops.mean, iops.deviation, iops.samples);
  }
}

void put_direction(Out& out, const Block& block, std::size_t series) {
  const DirectionSummary& direction = block.directions[series];
  if (direction.runtime_ms == 0) return;
  const ReportOptions& report = block.source.report;
  const Style style(report);
  put(out, "  {}: IOPS={}, BW={} ({})({}/{}msec){}\n", k_names[series],
      short_number(static_cast<std::uint64_t>(direction.operations_per_second()),
                   {.digits = style.digits}),
      style.rate(direction.bytes_per_second()), style.rate(direction.bytes_per_second(), true),
      style.size(direction.bytes), direction.runtime_ms, series == 1 ? "; 0 zone resets" : "");
  put_latency(out, "slat", direction.slat);
  put_latency(out, "clat", direction.clat);
  put_latency(out, " lat", direction.lat);
  if (report.slat_percentiles) put_percentiles(out, "slat", direction.slat, report);
  if (report.clat_percentiles) put_percentiles(out, "clat", direction.clat, report);
  if (report.lat_percentiles) put_percentiles(out, "lat", direction.lat, report);
  put_samples(out, direction, report);
}

template <std::size_t N>
void put_shares(Out& out, std::string_view unit, const std::array<double, N>& shares) {
  constexpr std::array<std::string_view, 12> k_labels = {
      "2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"};
  std::size_t in_line = 0;
  for (std::size_t i = 0; i < N; ++i) {
    if (shares[i] <= 0) continue;
    if (in_line == 5) {
      put(out, "\n");
      in_line = 0;
    }
    if (in_line == 0) {
      put(out, "  lat ({})   : ", unit);
    } else {
      put(out, ", ");
    }
    put(out, "{}={:3.2f}%", k_labels[i], shares[i]);
    ++in_line;
  }
  if (in_line > 0) put(out, "\n");
}

void put_calls(Out& out, std::string_view name, const PercentBuckets& shares) {
  put(out,
      "     {:<9} : 0={:3.1f}%, 4={:3.1f}%, 8={:3.1f}%, 16={:3.1f}%, 32={:3.1f}%, 64={:3.1f}%, "
      ">=64={:3.1f}%\n",
      name, shares[0], shares[1], shares[2], shares[3], shares[4], shares[5], shares[6]);
}

void put_depths(Out& out, const Block& block) {
  const PercentBuckets& depth = block.depth;
  put(out,
      "  IO depths    : 1={:3.1f}%, 2={:3.1f}%, 4={:3.1f}%, 8={:3.1f}%, 16={:3.1f}%, "
      "32={:3.1f}%, >=64={:3.1f}%\n",
      depth[0], depth[1], depth[2], depth[3], depth[4], depth[5], depth[6]);
  put_calls(out, "submit", block.submits);
  put_calls(out, "complete", block.completes);
  const auto& directions = block.directions;
  put(out, "     issued rwts: total={},{},{},{} short={},{},{},0 dropped=0,0,0,0\n",
      directions[0].issued, directions[1].issued, directions[2].issued, block.sync_issued,
      directions[0].short_transfers, directions[1].short_transfers, directions[2].short_transfers);
}

void put_steady(Out& out, const Block& block) {
  if (!block.steady || !block.source.report.steadystate) return;
  const SteadyState& rule = *block.source.report.steadystate;
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
  };
  const Style style(block.source.report);
  const double bandwidth = mean(block.steady->bytes_per_second);
  put(out, "  steadystate  : attained={}, bw={} ({}), iops={}, {} {}={:.3f}{}\n",
      block.steady->attained ? "yes" : "no", style.rate(bandwidth), style.rate(bandwidth, true),
      short_number(static_cast<std::uint64_t>(mean(block.steady->iops)), {.digits = style.digits}),
      rule.value == SteadyState::Value::iops        ? "iops"
      : rule.value == SteadyState::Value::bandwidth ? "bw"
                                                    : "lat",
      rule.slope ? "slope" : "mean dev", rule.slope ? block.steady->slope : block.steady->deviation,
      rule.percent ? "%" : "");
}

void put_block(Out& out, const Block& block, WallTime at) {
  if (block.idle() && block.error == 0) return;
  const ReportOptions& report = block.source.report;
  put(out, "{}: (groupid={}, jobs={}): err={:2}", block.source.section, block.source.group,
      block.members, block.error);
  if (block.error != 0) put(out, " ({})", block.error_text);
  put(out, ": pid={}: {}\n", block.pid, date_text(at));
  if (!block.source.description.empty()) {
    put(out, "  Description  : [{}]\n", block.source.description);
  }
  for (std::size_t i = 0; i < k_series; ++i) {
    if (block.shows(i)) put_direction(out, block, i);
  }
  put_shares(out, "nsec", block.latency.nanoseconds);
  put_shares(out, "usec", block.latency.microseconds);
  put_shares(out, "msec", block.latency.milliseconds);
  if (!block.sync.empty()) {
    put(out, "  fsync/fdatasync/sync_file_range:\n");
    put_latency(out, "sync", block.sync);
    put_percentiles(out, "sync", block.sync, report);
  }
  put(out, "  cpu          : usr={:3.2f}%, sys={:3.2f}%, ctx={}, majf={}, minf={}\n",
      block.user_percent, block.system_percent, block.context_switches, block.major_faults,
      block.minor_faults);
  put_depths(out, block);
  if (block.source.continue_on_error) {
    put(out, "     errors    : total={}, first_error={}/<{}>\n", block.total_errors,
        block.first_error, errno_text(block.first_error));
  }
  put(out, "     latency   : target={}, window={}, percentile={:3.2f}%, depth={}\n",
      block.source.latency_target.ns(), block.source.latency_window.ns() / 1000,
      block.source.latency_percentile, block.latency_depth);
  put_steady(out, block);
}

void put_group(Out& out, const Group& group) {
  constexpr std::array<std::string_view, k_series> k_titles = {"   READ", "  WRITE", "   TRIM",
                                                               "  MIXED"};
  put(out, "\nRun status group {} (all jobs):\n", group.number);
  const Style style(group.report);
  for (std::size_t i = 0; i < k_series; ++i) {
    if (!group.directions[i]) continue;
    const GroupDirection& sum = *group.directions[i];
    put(out, "{}: bw={} ({}), {}-{} ({}-{}), io={} ({}), run={}-{}msec\n", k_titles[i],
        style.rate(sum.bytes_per_second), style.rate(sum.bytes_per_second, true),
        style.rate(sum.min), style.rate(sum.max), style.rate(sum.min, true),
        style.rate(sum.max, true), style.size(sum.bytes), style.size(sum.bytes, true),
        sum.shortest_ms, sum.longest_ms);
  }
}

void put_devices(Out& out, const std::vector<target::DeviceCounters>& devices) {
  if (devices.empty()) return;
  put(out, "\nDisk stats (read/write):\n");
  for (const target::DeviceCounters& device : devices) {
    put(out, "  {}: ios={}/{}, merge={}/{}, ticks={}/{}, in_queue={}, util={:3.2f}%\n", device.name,
        device.reads, device.writes, device.read_merges, device.write_merges,
        device.read_time.ns() / 1'000'000, device.write_time.ns() / 1'000'000,
        device.queue_time.ns() / 1'000'000, busy_percent(device));
  }
}

std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

// The block sizes of a job; fio prints the smallest and the largest.
std::string sizes_text(const plan::BlockIo& io, const ReportOptions& report) {
  const Style style(report);
  std::string text;
  constexpr std::array<char, plan::k_directions> k_letters = {'R', 'W', 'T'};
  for (std::size_t i = 0; i < plan::k_directions; ++i) {
    const plan::BlockSize& size = io.sizes[i];
    Bytes min = size.min;
    Bytes max = size.max;
    for (const plan::WeightedSize& part : size.split) {
      const bool first = &part == &size.split.front();
      min = first ? part.size : std::min(min, part.size);
      max = first ? part.size : std::max(max, part.size);
    }
    text += fmt::format("{}({}) {}-{}", i == 0 ? "" : ", ", k_letters[i], style.size(min),
                        style.size(max));
  }
  return text;
}

}  // namespace

std::string opening_text(const plan::Plan& plan) {
  Out out;
  std::size_t processes = 0;
  std::size_t threads = 0;
  for (const plan::Stage& stage : plan.stages) {
    for (const plan::Job& job : stage.jobs) {
      const auto read = JobSource::from_text(job.source);
      const JobSource source = read ? *read : JobSource();
      (source.thread ? threads : processes) += 1;
      if (source.clone == 1) put(out, "...\n");
      if (!source.first_of_job() || !job.block) continue;
      put(out, "{}: (g={}): rw={}, bs={}, ioengine={}, iodepth={}\n", source.section, source.group,
          source.direction, sizes_text(*job.block, source.report), source.ioengine, source.iodepth);
    }
  }
  put(out, "{}\nStarting ", k_version);
  if (threads > 0) put(out, "{}", counted(threads, "thread", "threads"));
  if (threads > 0 && processes > 0) put(out, " and ");
  if (processes > 0 || threads == 0) put(out, "{}", counted(processes, "process", "processes"));
  put(out, "\n");
  return fmt::to_string(out);
}

std::string laying_out_text(const std::string& job, std::size_t files, Bytes bytes) {
  const std::uint64_t mib = bytes.count() >> 20U;
  if (files > 1)
    return fmt::format("{}: Laying out IO files ({} files / total {}MiB)\n", job, files, mib);
  return fmt::format("{}: Laying out IO file (1 file / {}MiB)\n", job, mib);
}

std::string normal_text(const Summary& summary) {
  Out out;
  put(out, "\n");
  for (const Block& block : summary.blocks) put_block(out, block, summary.at);
  for (const Group& group : summary.groups) put_group(out, group);
  put_devices(out, summary.devices);
  return fmt::to_string(out);
}

}  // namespace loadline::dialects::fio::output
