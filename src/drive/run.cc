#include "drive/run.h"

#include <sched.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "drive/judge.h"
#include "drive/left_behind.h"
#include "drive/network.h"
#include "drive/preflight.h"
#include "drive/target_set.h"
#include "drive/trigger.h"
#include "engine/content.h"
#include "engine/stage.h"

namespace loadline::drive {
namespace {

using record::RunState;
using record::StageResult;
using record::StageState;

class LocalRun final : public Run {
 public:
  LocalRun(const plan::Plan& plan, const RunOptions& options, TargetSet targets)
      : plan_(plan), options_(options), targets_(std::move(targets)), content_(plan.seed) {
    if (options_.threads == 0) options_.threads = cores_available();
  }

  record::RunResult execute(record::TickSink& ticks) override;
  bool left_threads() const override { return left_threads_; }

 private:
  // False: the run ends with this stage, as a job of it asked for.
  bool run_stage(std::size_t index, record::TickSink& ticks);
  bool run_jobs(std::size_t index, record::TickSink& ticks);
  void remove(BlockFiles& files);
  void skip_from(std::size_t index, StageState state);
  void sleep(StageResult& stage, std::size_t index, Duration length);
  void enter(StageResult& stage, std::size_t index, StageState state,
             const std::string& reason = {});
  std::string trigger(const std::optional<plan::Trigger>& trigger, bool begin);
  RunState final_state() const;

  const plan::Plan& plan_;
  RunOptions options_;
  TargetSet targets_;
  engine::ContentPool content_;
  record::RunResult result_;
  Instant stage_started_;
  bool left_threads_ = false;
};

record::RunResult LocalRun::execute(record::TickSink& ticks) {
  const Instant begin = options_.clock->now();
  result_.submitted = result_.started = WallTime::now();
  for (const plan::Stage& stage : plan_.stages) {
    result_.stages.push_back(
        {.id = stage.id, .name = stage.name, .history = {{StageState::waiting, result_.started}}});
  }
  result_.trigger_output = trigger(plan_.trigger, true);
  for (std::size_t i = 0; i < plan_.stages.size(); ++i) {
    if (options_.stop.stop_requested()) {
      skip_from(i, StageState::cancelled);
      break;
    }
    const bool goes_on = run_stage(i, ticks);
    if (result_.stages[i].state == StageState::terminated) {
      skip_from(i + 1, StageState::aborted);
      break;
    }
    if (!goes_on) {
      skip_from(i + 1, StageState::completed);
      break;
    }
  }
  result_.trigger_output += trigger(plan_.trigger, false);
  result_.state = final_state();
  result_.left_behind = left_behind(plan_, result_.stages);
  result_.ended = WallTime::now();
  result_.elapsed = options_.clock->now() - begin;
  for (const StageResult& stage : result_.stages) {
    if (result_.reason.empty() && !stage.reason.empty()) {
      result_.reason = "stage " + stage.name + ": " + stage.reason;
    }
  }
  return std::move(result_);
}

bool LocalRun::run_stage(std::size_t index, record::TickSink& ticks) {
  const plan::Stage& spec = plan_.stages[index];
  StageResult& stage = result_.stages[index];
  stage.started = WallTime::now();
  stage_started_ = options_.clock->now();
  stage.trigger_output = trigger(spec.trigger, true);
  bool goes_on = true;
  if (spec.jobs.empty()) {
    sleep(stage, index, spec.delay_after);
    enter(stage, index,
          options_.stop.stop_requested() ? StageState::cancelled : StageState::completed);
  } else {
    goes_on = run_jobs(index, ticks);
  }
  stage.trigger_output += trigger(spec.trigger, false);
  stage.ended = WallTime::now();
  stage.elapsed = options_.clock->now() - stage_started_;
  return goes_on;
}

bool LocalRun::run_jobs(std::size_t index, record::TickSink& ticks) {
  const plan::Stage& spec = plan_.stages[index];
  StageResult& stage = result_.stages[index];
  enter(stage, index, StageState::running);
  engine::StageOptions options{.stage = &spec,
                               .index = static_cast<std::uint32_t>(index),
                               .content = &content_,
                               .clock = options_.clock,
                               .seed = plan_.seed,
                               .threads = options_.threads,
                               .drain = options_.drain,
                               .stop = options_.stop,
                               .ticks = &ticks};
  options.waiting = [this](const std::string& text) {
    if (options_.log) options_.log->warn("run", text);
  };
  for (const plan::Job& job : spec.jobs) options.targets.push_back(&targets_.of(job));
  options.tick = plan_.tick;
  BlockFiles files(spec, options.targets);
  options.refused = files.provide(plan_.seed + index, options_.layout, options_.stop);
  if (options_.stop.stop_requested()) {
    remove(files);
    enter(stage, index, StageState::cancelled);
    return true;
  }
  files.watch();
  if (options_.stage_begins) options_.stage_begins(index);
  std::optional<NetworkWatch> network;
  if (std::ranges::any_of(spec.jobs, [](const auto& job) { return job.stream.has_value(); })) {
    network.emplace();
  }
  Result<engine::StageOutcome> outcome = engine::run_stage(options);
  if (!outcome) {
    enter(stage, index, StageState::terminated, outcome.error().message());
    return false;
  }
  stage.jobs = std::move(outcome->jobs);
  for (std::size_t i = 0; i < stage.jobs.size(); ++i) {
    if (network && spec.jobs[i].stream) stage.jobs[i].interfaces = network->counted();
  }
  left_threads_ = outcome->left_threads;
  // Who looks at files of a storage that hangs, hangs.
  if (!outcome->storage_hangs) {
    files.finish(stage.jobs);
    remove(files);
  }
  if (outcome->stopped) {
    enter(stage, index, StageState::cancelled);
    return true;
  }
  if (outcome->given_up) {
    enter(stage, index, StageState::terminated, *outcome->given_up);
    return false;
  }
  const std::string failed = reason_to_fail(spec, stage);
  if (spec.delay_after > Duration()) sleep(stage, index, spec.delay_after);
  enter(stage, index, failed.empty() ? StageState::completed : StageState::failed, failed);
  return !outcome->ends_run;
}

// Those that the plan wants removed, and this run made.
void LocalRun::remove(BlockFiles& files) {
  for (const std::string& name : files.remove(*options_.clock)) {
    if (options_.log) options_.log->warn("run", "left=\"" + name + "\"");
  }
}

void LocalRun::skip_from(std::size_t index, StageState state) {
  for (std::size_t i = index; i < result_.stages.size(); ++i) {
    result_.stages[i].state = state;
    result_.stages[i].history.emplace_back(state, WallTime::now());
  }
}

// In short naps, so that a stop is noticed.
void LocalRun::sleep(StageResult& stage, std::size_t index, Duration length) {
  enter(stage, index, StageState::sleeping);
  const Instant end = options_.clock->now() + length;
  for (Instant now = options_.clock->now(); now < end && !options_.stop.stop_requested();
       now = options_.clock->now()) {
    options_.clock->sleep_until(std::min(end, now + Duration::milliseconds(100)));
  }
}

void LocalRun::enter(StageResult& stage, std::size_t index, StageState state,
                     const std::string& reason) {
  stage.state = state;
  stage.reason = reason;
  stage.history.emplace_back(state, WallTime::now());
  if (options_.live) {
    options_.live->write({.stage = static_cast<std::uint32_t>(index),
                          .state = state,
                          .stage_started = stage_started_});
  }
  if (!reason.empty() && options_.log) {
    options_.log->error("run", "stage=" + stage.id + " state=" + std::string(to_string(state)) +
                                   " reason=\"" + reason + "\"");
  }
}

std::string LocalRun::trigger(const std::optional<plan::Trigger>& trigger, bool begin) {
  if (!trigger) return {};
  const std::vector<std::string> end{"-k"};
  return run_trigger(options_.scripts, trigger->script, begin ? trigger->arguments : end,
                     options_.stop);
}

RunState LocalRun::final_state() const {
  const auto any = [&](StageState state) {
    return std::ranges::any_of(result_.stages,
                               [&](const StageResult& stage) { return stage.state == state; });
  };
  if (any(StageState::cancelled)) return RunState::cancelled;
  if (any(StageState::terminated)) return RunState::terminated;
  return any(StageState::failed) ? RunState::failed : RunState::finished;
}

}  // namespace

Result<std::unique_ptr<Run>> Run::prepare(const plan::Plan& plan, const RunOptions& options) {
  CHECK(options.target_types && options.clock);
  if (auto triggers = check_triggers(plan, options.scripts); !triggers) return propagate(triggers);
  auto targets = TargetSet::open(plan, *options.target_types);
  if (!targets) return propagate(targets);
  if (auto files = targets->allow_open_files(plan); !files) return propagate(files);
  auto kept = std::make_unique<TargetSet>(std::move(*targets));
  if (options.preflight) {
    auto asked =
        ask_until_stopped([&plan, all = kept.get()] { return all->preflight(plan); }, options.stop);
    // They may still be asked, until the process ends.
    if (!asked && asked.error().code == ErrorCode::cancelled) static_cast<void>(kept.release());
    if (!asked) return propagate(asked);
  }
  return std::make_unique<LocalRun>(plan, options, std::move(*kept));
}

Result<void> Run::check(const plan::Plan& plan, const RunOptions& options) {
  CHECK(options.target_types);
  if (auto triggers = check_triggers(plan, options.scripts); !triggers) return triggers;
  const auto targets = TargetSet::open(plan, *options.target_types);
  if (!targets) return std::unexpected(targets.error());
  return {};
}

std::uint32_t cores_available() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&cores)));
}

}  // namespace loadline::drive
