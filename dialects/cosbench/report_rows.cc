#include "dialects/cosbench/report_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialects/cosbench/number_format.h"
#include "dialects/cosbench/vocabulary.h"

namespace loadline::dialects::cosbench {
namespace {

using record::StageState;

const record::StageResult* result_of(const record::RunResult& result, std::size_t index,
                                     const std::string& id) {
  if (index < result.stages.size() && result.stages[index].id == id) return &result.stages[index];
  const auto it = std::ranges::find(result.stages, id, &record::StageResult::id);
  return it == result.stages.end() ? nullptr : &*it;
}

std::vector<OpRow> operations_of(const plan::Stage& stage, const record::StageResult& result) {
  std::vector<OpRow> rows;
  const std::size_t jobs = std::min(stage.jobs.size(), result.jobs.size());
  for (std::size_t j = 0; j < jobs; ++j) {
    const plan::Job& job = stage.jobs[j];
    const std::size_t ops = std::min(job.ops.size(), result.jobs[j].ops.size());
    for (std::size_t o = 0; o < ops; ++o) {
      const OperationType* type = find_operation_type(job.ops[o].label);
      rows.push_back({.spec = &job.ops[o],
                      .stats = &result.jobs[j].ops[o].stats,
                      .job = &result.jobs[j],
                      .work_position = j + 1,
                      .work_name = job.name,
                      .plainly_named = type && job.ops[o].name == type->sample_type});
    }
  }
  return rows;
}

std::string transition(std::string_view state, WallTime at) {
  return fmt::format("{} @ {}", state, date_time(at));
}

}  // namespace

std::vector<std::string> transition_cells(const record::StageResult& stage, WallTime submitted) {
  auto history = stage.history;
  if (history.empty() || history.front().first != StageState::waiting) {
    history.insert(history.begin(), {StageState::waiting, submitted});
  }
  if (history.size() == 1 && stage.started != WallTime()) {
    history.emplace_back(StageState::running, stage.started);
  }
  if (history.back().first != stage.state) history.emplace_back(stage.state, stage.ended);
  std::vector<std::string> cells;
  StageState before = StageState::waiting;
  WallTime latest = submitted;
  for (const auto& [state, stamp] : history) {
    // A stage that never ran has no stamps of its own.
    const WallTime at = stamp == WallTime() ? latest : stamp;
    latest = at;
    if (state == StageState::running) {
      for (const char* word : {"booting", "submitting", "authing", "launching"}) {
        cells.push_back(transition(word, at));
      }
    }
    const bool closes = state == StageState::sleeping || state == StageState::completed ||
                        state == StageState::failed;
    if (before == StageState::running && closes) cells.push_back(transition("closing", at));
    cells.push_back(transition(record::to_string(state), at));
    before = state;
  }
  return cells;
}

std::vector<StageRows> rows_of(const store::StoredRun& run) {
  std::vector<StageRows> all;
  const plan::Plan& plan = run.plan();
  const record::StageResult never_ran{};
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const record::StageResult* result = result_of(run.result(), i, plan.stages[i].id);
    if (!result) result = &never_ran;
    StageRows rows;
    rows.stage = &plan.stages[i];
    rows.status = record::to_string(result->state);
    rows.transitions = transition_cells(*result, run.result().submitted);
    rows.ended = result->ended == WallTime() ? run.result().ended : result->ended;
    rows.reason = result->reason;
    rows.operations = operations_of(plan.stages[i], *result);
    all.push_back(std::move(rows));
  }
  return all;
}

std::string state_word(record::RunState state) {
  if (state == record::RunState::running || state == record::RunState::vanished) {
    state = record::RunState::terminated;
  }
  return std::string(record::to_string(state));
}

std::string processing_time(const plan::OpSpec& spec, const record::OpStats& stats) {
  const bool stamped = spec.action == plan::Action::read && !stats.first_byte.empty();
  const record::Histogram& h = stamped ? stats.first_byte : stats.latency();
  return mean_ms(h.sum_ns(), h.count());
}

}  // namespace loadline::dialects::cosbench
