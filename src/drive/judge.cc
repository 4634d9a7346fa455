#include "drive/judge.h"

#include <algorithm>
#include <map>

namespace loadline::drive {
namespace {

// A set of containers as the plan names it, e.g. "s3testqwer1..2".
std::string containers_of(const plan::OpSpec& op) {
  const plan::NameSpec& name = op.container;
  if (!name.index) return name.prefix;
  const std::string lower = std::to_string(name.index->lower);
  const std::string upper = std::to_string(name.index->upper);
  return name.prefix + lower + (lower == upper ? "" : ".." + upper) + name.suffix;
}

struct Tally {
  std::uint64_t objects_written = 0;
  std::uint64_t containers_made = 0;
  bool objects_removed = false;  // by a cleanup that went through
  bool containers_removed = false;
  bool cleanup_planned = false;
};

void note(Tally& tally, const plan::OpSpec& op, const record::OpStats& stats, bool completed) {
  if (plan::is_write(op.action)) tally.objects_written += stats.successes();
  if (op.create_containers) tally.containers_made += stats.container_ops;
  if (op.action != plan::Action::cleanup) return;
  if (op.object.index && completed) tally.objects_removed = true;
  if (op.remove_containers && completed) tally.containers_removed = true;
}

}  // namespace

std::string reason_to_fail(const plan::Stage& stage, const std::vector<record::JobResult>& jobs) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].block) {
      // A job on blocks says itself which failures it minds.
      const record::BlockFailure& failure = jobs[i].block->failure;
      if (jobs[i].block->stop != record::BlockStop::error) continue;
      return "work " + jobs[i].name + ": " + failure.operation + " of " + failure.file +
             " at offset " + std::to_string(failure.offset.count()) + ": " + failure.text;
    }
    std::uint64_t samples = 0;
    std::uint64_t failures = 0;
    for (const record::OpResult& op : jobs[i].ops) {
      samples += op.stats.samples();
      failures += op.stats.failure_count();
      if (op.stats.samples() > 0 && op.stats.successes() == 0) {
        return "work " + jobs[i].name + ": none of " + std::to_string(op.stats.samples()) + " " +
               op.name + " operations succeeded";
      }
    }
    const std::uint64_t accepted =
        samples * stage.jobs[i].acceptable_failures_per_million / 1'000'000;
    if (failures > accepted) {
      return "work " + jobs[i].name + ": " + std::to_string(failures) + " of " +
             std::to_string(samples) + " operations failed, more than the " +
             std::to_string(accepted) + " that are accepted";
    }
  }
  return {};
}

std::vector<std::string> left_behind(const plan::Plan& plan,
                                     const std::vector<record::StageResult>& stages) {
  std::map<std::string, Tally> tallies;
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    for (std::size_t j = 0; j < plan.stages[s].jobs.size(); ++j) {
      const auto& ops = plan.stages[s].jobs[j].ops;
      for (std::size_t i = 0; i < ops.size(); ++i) {
        Tally& tally = tallies[containers_of(ops[i])];
        tally.cleanup_planned |= ops[i].action == plan::Action::cleanup;
        if (s >= stages.size() || j >= stages[s].jobs.size()) continue;
        note(tally, ops[i], stages[s].jobs[j].ops[i].stats,
             stages[s].state == record::StageState::completed);
      }
    }
  }
  std::vector<std::string> lines;
  for (const auto& [containers, tally] : tallies) {
    const bool objects = tally.objects_written > 0 && !tally.objects_removed;
    const bool made = tally.containers_made > 0 && !tally.containers_removed;
    if (!tally.cleanup_planned || (!objects && !made)) continue;
    std::string line = "containers " + containers;
    if (objects) line += ": objects of " + std::to_string(tally.objects_written) + " writes";
    if (made)
      line += objects ? ", and the containers themselves" : ": empty or not, they are there";
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace loadline::drive
