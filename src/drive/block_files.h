// The files of a stage's jobs on blocks: made and filled before the stage, watched while it runs,
// removed after it where the plan says so and this run made them.
//
// Ownership: borrows stage and targets. Threads: one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "plan/plan.h"
#include "record/run_result.h"
#include "target/target.h"

namespace loadline::drive {

// Told before files of a job are written: how many, and how many bytes in all.
using LayoutObserver = std::function<void(const plan::Job& job, std::size_t files, Bytes bytes)>;

class BlockFiles {
 public:
  // `targets`: one a job.
  BlockFiles(const plan::Stage& stage, std::vector<target::Target*> targets)
      : stage_(stage), targets_(std::move(targets)), jobs_(stage.jobs.size()) {}

  // One job after the other. The errors of those whose files cannot be had, one a job; empty where
  // the stage has no job on blocks. After a stop the stage must not begin: the file under work is
  // undone, those that were finished stay, and the rest is not looked at.
  std::vector<std::optional<Error>> provide(std::uint64_t seed, const LayoutObserver& observer,
                                            const std::stop_token& stop);
  void watch();
  // What the watches saw, and what was laid out, into the results of the jobs.
  void finish(std::vector<record::JobResult>& results);
  // Never an error: what cannot be removed is a line of the answer.
  std::vector<std::string> remove(const Clock& clock);

 private:
  struct Files {
    std::vector<target::ObjectNeed> needs;
    std::vector<target::ObjectFacts> facts;  // empty where they could not be had
    std::unique_ptr<target::Watch> watch;
  };
  const plan::Stage& stage_;
  std::vector<target::Target*> targets_;
  std::vector<Files> jobs_;
};

}  // namespace loadline::drive
