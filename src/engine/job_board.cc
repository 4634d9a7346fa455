#include "engine/job_board.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace loadline::engine {

using plan::EndScope;

JobBoard::JobBoard(const plan::Stage& stage) {
  std::vector<std::uint32_t> flow_ids;
  for (const plan::Job& job : stage.jobs) {
    Rule& rule = rules_.emplace_back();
    if (!job.block) continue;
    const plan::BlockIo& block = *job.block;
    rule.group = block.group;
    rule.at_end = block.end_of_job;
    rule.at_error = std::max(block.end_of_job, block.end_on_error);
    rule.follows = block.follows;
    any_end_ = any_end_ || rule.at_error != EndScope::self || rule.follows;
    if (block.flow.weight == 0) continue;
    const auto known = std::ranges::find(flow_ids, block.flow.id);
    rule.flow = static_cast<std::size_t>(known - flow_ids.begin());
    if (known == flow_ids.end()) flow_ids.push_back(block.flow.id);
  }
  flow_count_ = flow_ids.size();
}

Result<JobBoard> JobBoard::make(const plan::Stage& stage) {
  JobBoard board(stage);
  const std::size_t cells = board.any_end_ ? board.rules_.size() : 0;
  const std::size_t members = board.flow_count_ > 0 ? board.rules_.size() : 0;
  auto memory = SharedPages::make(cells * sizeof(Cell) + board.flow_count_ * sizeof(FlowCounter) +
                                  members * sizeof(FlowMember));
  if (!memory) return propagate(memory);
  board.memory_ = std::move(*memory);
  std::byte* at = board.memory_.bytes().data();
  auto* first_cell = reinterpret_cast<Cell*>(at);
  std::uninitialized_value_construct_n(first_cell, cells);
  auto* first_flow = reinterpret_cast<FlowCounter*>(at + cells * sizeof(Cell));
  std::uninitialized_value_construct_n(first_flow, board.flow_count_);
  auto* first_member = reinterpret_cast<FlowMember*>(at + cells * sizeof(Cell) +
                                                     board.flow_count_ * sizeof(FlowCounter));
  std::uninitialized_value_construct_n(first_member, members);
  board.cells_ = {first_cell, cells};
  board.flows_ = {first_flow, board.flow_count_};
  board.members_ = {first_member, members};
  return board;
}

const std::atomic<std::uint32_t>* JobBoard::told(std::size_t job) const {
  return cells_.empty() ? nullptr : &cells_[job].told;
}

FlowSeat JobBoard::flow(std::size_t job) const {
  if (rules_[job].flow >= flows_.size()) return {};
  return {.counter = &flows_[rules_[job].flow], .member = &members_[job]};
}

void JobBoard::ended(std::size_t job, bool failed) {
  if (const FlowSeat seat = flow(job); seat.member != nullptr) seat.leave();
  if (cells_.empty()) return;
  cells_[job].ended.store(1);
  const Rule& rule = rules_[job];
  const EndScope scope = failed ? rule.at_error : rule.at_end;
  if (scope == EndScope::run) cells_[job].ends_run.store(1);
  for (std::size_t i = 0; i < cells_.size() && scope != EndScope::self; ++i) {
    if (i == job || (scope == EndScope::group && rules_[i].group != rule.group)) continue;
    cells_[i].told.store(1);
  }
  tell_followers();
}

void JobBoard::tell_followers() {
  bool any_leader = false;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (rules_[i].follows) continue;
    any_leader = true;
    if (cells_[i].ended.load() == 0) return;
  }
  if (!any_leader) return;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (rules_[i].follows) cells_[i].told.store(1);
  }
}

bool JobBoard::ends_run() const {
  return std::ranges::any_of(cells_, [](const Cell& cell) { return cell.ends_run.load() != 0; });
}

}  // namespace loadline::engine
