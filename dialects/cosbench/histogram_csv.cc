#include "dialects/cosbench/histogram_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "dialects/cosbench/number_format.h"
#include "dialects/cosbench/out_file.h"

namespace loadline::dialects::cosbench {
namespace {

constexpr std::size_t k_buckets = 50'001;
constexpr std::uint64_t k_bucket_ms = 10;
constexpr std::uint64_t k_bucket_ns = k_bucket_ms * 1'000'000;

struct Column {
  std::string title;
  std::uint64_t total = 0;
  std::uint64_t cumulative = 0;
  std::vector<std::uint64_t> counts;
  std::string cells_if_empty;  // most of the 50 001 are
};

// A bucket of ours counts whole, where its middle lies.
Column column_of(const StageRows& stage, const OpRow& row) {
  Column column;
  column.title = fmt::format("{}-w{}-{}-{}", cell(stage.stage->id), row.work_position,
                             cell(row.work_name), cell(row.spec->name));
  column.counts.resize(k_buckets);
  const record::Histogram& latency = row.stats->latency();
  column.total = latency.count();
  column.counts.back() = latency.past_top();
  if (latency.count() == latency.past_top()) return column;
  for (std::size_t i = latency.first_used(); i <= latency.last_used(); ++i) {
    const std::uint64_t low = record::Histogram::lowest_of(i);
    const std::uint64_t middle = low + (record::Histogram::highest_of(i) - low) / 2;
    column.counts[std::min<std::uint64_t>(middle / k_bucket_ns, k_buckets - 1)] += latency.at(i);
  }
  return column;
}

std::vector<Column> columns_of(std::span<const StageRows> stages) {
  std::vector<Column> columns;
  for (const bool plain : {true, false}) {
    for (const StageRows& stage : stages) {
      for (const OpRow& row : stage.operations) {
        if (row.plainly_named == plain && row.spec->response_histogram) {
          columns.push_back(column_of(stage, row));
        }
      }
    }
  }
  return columns;
}

}  // namespace

Result<void> write_histogram_csv(const std::filesystem::path& path,
                                 std::span<const StageRows> stages) {
  std::vector<Column> columns = columns_of(stages);
  OutFile file(path);
  std::string line = "ResTime";
  for (const Column& column : columns) line += fmt::format(",{},(%)", column.title);
  file.write(line + "\n");
  for (std::size_t bucket = 0; bucket < k_buckets; ++bucket) {
    const std::uint64_t low = bucket * k_bucket_ms;
    line.clear();
    if (bucket + 1 < k_buckets) {
      fmt::format_to(std::back_inserter(line), "{}~{}", low, low + k_bucket_ms);
    } else {
      fmt::format_to(std::back_inserter(line), "{}~+INF", low);
    }
    for (Column& column : columns) {
      const std::uint64_t count = column.counts[bucket];
      column.cumulative += count;
      if (count > 0 || column.cells_if_empty.empty()) {
        const std::string cumulative = share(column.cumulative, column.total);
        column.cells_if_empty = fmt::format(",0,{}", cumulative);
        fmt::format_to(std::back_inserter(line), ",{},{}", count, cumulative);
      } else {
        line += column.cells_if_empty;
      }
    }
    line += '\n';
    file.write(line);
  }
  return file.close();
}

}  // namespace loadline::dialects::cosbench
