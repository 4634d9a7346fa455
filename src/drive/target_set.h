// The targets of a plan: one for each distinct type and parameters, shared by all jobs that name
// it, so that what a target remembers lasts over stages.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "plan/plan.h"
#include "target/target.h"

namespace loadline::drive {

class TargetSet {
 public:
  // Opens all targets of the plan and refuses operations that they cannot do.
  static Result<TargetSet> open(const plan::Plan& plan,
                                const std::vector<target::TargetType>& types);

  target::Target& of(const plan::Job& job) const;
  // Asks every storage about the first containers that the plan uses of it.
  Result<void> preflight(const plan::Plan& plan) const;

  // Raises the process's limit of open files to what the plan's largest stage needs; refuses a plan
  // that needs more than may be had.
  Result<void> allow_open_files(const plan::Plan& plan) const;

  // How many containers of one target are asked about.
  static constexpr std::size_t k_containers_asked = 16;

 private:
  struct Entry {
    plan::TargetSpec spec;
    std::unique_ptr<target::Target> target;
  };
  std::vector<Entry> entries_;
};

}  // namespace loadline::drive
