// What the jobs of a stage tell each other while they run: that one has ended and others are to end
// with it, and how far each is in a flow that they share. Where no job has such a rule there is no
// board, and nothing is looked at.
//
// Ownership: owns memory that is shared with processes forked later; what it hands out points into
// it. Threads, processes: everything may be called from any at any time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/shared_pages.h"
#include "engine/flow_share.h"
#include "plan/plan.h"

namespace loadline::engine {

class JobBoard {
 public:
  // Error: no memory.
  static Result<JobBoard> make(const plan::Stage& stage);

  // Not zero once the job is to end because of another; null where that cannot happen.
  const std::atomic<std::uint32_t>* told(std::size_t job) const;
  // Of nulls where the job is in no flow.
  FlowSeat flow(std::size_t job) const;

  // The job has come to its end, however. Those that are to end with it are told; its flow goes on
  // without it.
  void ended(std::size_t job, bool failed);
  // Whether the run is over with this stage.
  bool ends_run() const;

 private:
  static constexpr std::size_t k_cache_line = 64;
  struct alignas(k_cache_line) Cell {
    std::atomic<std::uint32_t> told{0};
    std::atomic<std::uint32_t> ended{0};
    std::atomic<std::uint32_t> ends_run{0};
  };
  // What the plan says of a job.
  struct Rule {
    std::uint32_t group = 0;
    plan::EndScope at_end = plan::EndScope::self;
    plan::EndScope at_error = plan::EndScope::self;
    bool follows = false;
    std::size_t flow = SIZE_MAX;
  };

  explicit JobBoard(const plan::Stage& stage);
  void tell_followers();

  std::vector<Rule> rules_;
  std::size_t flow_count_ = 0;
  bool any_end_ = false;
  SharedPages memory_;
  std::span<Cell> cells_;  // one a job, where any ends others
  std::span<FlowCounter> flows_;
  std::span<FlowMember> members_;  // one a job, where there is any flow
};

}  // namespace loadline::engine
