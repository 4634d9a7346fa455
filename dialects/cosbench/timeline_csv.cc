#include "dialects/cosbench/timeline_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "dialects/cosbench/number_format.h"

namespace loadline::dialects::cosbench {
namespace {

constexpr std::array<std::string_view, 7> k_titles = {"Op-Count",     "Byte-Count", "Avg-ResTime",
                                                      "Avg-ProcTime", "Throughput", "Bandwidth",
                                                      "Succ-Ratio"};
constexpr Duration k_shortest_row = Duration::seconds(1);

std::vector<const plan::OpSpec*> operations_of(const plan::Stage& stage) {
  std::vector<const plan::OpSpec*> ops;
  for (const plan::Job& job : stage.jobs) {
    for (const plan::OpSpec& op : job.ops) ops.push_back(&op);
  }
  return ops;
}

// The cell of one operation under title number `title`.
std::string measure(std::size_t title, const plan::OpSpec& spec, const store::OpTick& op,
                    Duration length) {
  const bool stamped = spec.action == plan::Action::read && op.first_byte_count > 0;
  const bool paced = op.response_sum_ns > 0;
  switch (title) {
    case 0: return std::to_string(op.successes);
    case 1: return std::to_string(op.bytes.count());
    case 2: return mean_ms(paced ? op.response_sum_ns : op.service_sum_ns, op.successes);
    case 3:
      return stamped ? mean_ms(op.first_byte_sum_ns, op.first_byte_count)
                     : mean_ms(op.service_sum_ns, op.successes);
    case 4: return per_second(op.successes, length);
    case 5: return per_second(op.bytes.count(), length);
    default: return success_ratio(op.successes, op.successes + op.failures);
  }
}

}  // namespace

TimelineWriter::TimelineWriter(std::filesystem::path folder, const plan::Plan& plan)
    : folder_(std::move(folder)), plan_(plan) {}

void TimelineWriter::take(const store::TickRow& tick) {
  if (tick.stage >= plan_.stages.size()) return;
  if (stage_ != tick.stage) open_stage(tick.stage);
  const auto interval =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, tick.start / interval_));
  if (current_ && current_->interval != interval) {
    if (ready_) write(*ready_);
    ready_ = std::exchange(current_, std::nullopt);
  }
  if (!current_) {
    current_ = Row{.interval = interval, .length = {}, .ended = {}, .ops = {}};
    current_->ops.resize(operations_of(plan_.stages[tick.stage]).size());
  }
  add(*current_, tick);
}

Result<void> TimelineWriter::finish() {
  close_stage();
  while (stages_done_ < plan_.stages.size()) {
    if (auto made = write_file(path_of(stages_done_), ""); !made && state_) state_ = made;
    stages_done_ += 1;
  }
  return state_;
}

void TimelineWriter::add(Row& row, const store::TickRow& tick) {
  Row next{.interval = row.interval, .length = tick.length, .ended = tick.ended, .ops = {}};
  for (const auto& job : tick.jobs) next.ops.insert(next.ops.end(), job.begin(), job.end());
  add(row, next);
}

void TimelineWriter::add(Row& row, const Row& next) {
  row.length += next.length;
  row.ended = next.ended;
  const std::size_t ops = std::min(row.ops.size(), next.ops.size());
  for (std::size_t i = 0; i < ops; ++i) {
    store::OpTick& sum = row.ops[i];
    sum.successes += next.ops[i].successes;
    sum.failures += next.ops[i].failures;
    sum.bytes += next.ops[i].bytes;
    sum.service_sum_ns += next.ops[i].service_sum_ns;
    sum.response_sum_ns += next.ops[i].response_sum_ns;
    sum.first_byte_sum_ns += next.ops[i].first_byte_sum_ns;
    sum.first_byte_count += next.ops[i].first_byte_count;
  }
}

void TimelineWriter::open_stage(std::size_t stage) {
  close_stage();
  while (stages_done_ < stage) {
    if (auto made = write_file(path_of(stages_done_), ""); !made && state_) state_ = made;
    stages_done_ += 1;
  }
  stage_ = stage;
  stages_done_ = std::max(stages_done_, stage + 1);
  interval_ = Duration::max();
  for (const plan::Job& job : plan_.stages[stage].jobs)
    interval_ = std::min(interval_, job.interval);
  file_ = std::make_unique<OutFile>(path_of(stage));
  rows_ = 0;
  write_header();
}

void TimelineWriter::close_stage() {
  if (!stage_) return;
  if (current_ && ready_ && current_->length < k_shortest_row) {
    add(*ready_, *current_);
    current_.reset();
  }
  if (ready_) write(*ready_);
  if (current_) write(*current_);
  ready_.reset();
  current_.reset();
  if (auto closed = file_->close(); !closed && state_) state_ = closed;
  file_.reset();
  stage_.reset();
}

void TimelineWriter::write_header() {
  const auto ops = operations_of(plan_.stages[*stage_]);
  std::string titles = "Timestamp,";
  std::string names;
  for (const std::string_view title : k_titles) {
    titles += fmt::format("{}{:,<{}}", title, "", ops.size());
    for (const plan::OpSpec* op : ops) names += "," + cell(op->name);
  }
  file_->write(titles + "Version-Info,,\n" + names + ",Min-Version,Version,Max-Version\n");
}

void TimelineWriter::write(const Row& row) {
  const auto ops = operations_of(plan_.stages[*stage_]);
  std::string line = row.ended.local("%H:%M:%S");
  for (std::size_t title = 0; title < k_titles.size(); ++title) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
      line += "," + measure(title, *ops[i], row.ops[i], row.length);
    }
  }
  // Snapshot numbers: every row has exactly one of everybody.
  file_->write(fmt::format("{},{},{},{}\n", line, rows_, rows_, rows_));
  rows_ += 1;
}

std::filesystem::path TimelineWriter::path_of(std::size_t stage) const {
  return folder_ / (plan_.stages[stage].id + ".csv");
}

}  // namespace loadline::dialects::cosbench
