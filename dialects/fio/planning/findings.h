// What is said about jobs while a plan is made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dialects/fio/job_options.h"
#include "plan/diagnostic.h"

namespace loadline::dialects::fio {

class Findings {
 public:
  // A mistake: nothing runs.
  void error(const JobOptions& job, std::string what) {
    add(job, plan::Diagnostic::Level::error, std::move(what));
  }
  // One of the command, not of a job.
  void error(std::string what) { error(JobOptions(), std::move(what)); }
  // A mistake that fio makes each clone of the job fail by, one after the other, where its own
  // mistakes end everything: its exit status is the number of them.
  void fail_clone(const JobOptions& job, std::string what) {
    const bool failed = failed_;
    error(job, std::move(what));
    failed_ = failed;
    ++failed_clones_;
  }
  void warn(const JobOptions& job, std::string what) {
    add(job, plan::Diagnostic::Level::warning, std::move(what));
  }
  // An option that is understood and legal, but cannot be honoured.
  void refuse(const JobOptions& job, std::string what) {
    add(job, plan::Diagnostic::Level::error, std::move(what) + " (job " + job.name + ")");
  }
  bool failed() const { return failed_; }  // but for failed clones
  std::uint32_t failed_clones() const { return failed_clones_; }
  std::vector<plan::Diagnostic> take() { return std::move(all_); }

 private:
  void add(const JobOptions& job, plan::Diagnostic::Level level, std::string what);

  std::vector<plan::Diagnostic> all_;
  bool failed_ = false;
  std::uint32_t failed_clones_ = 0;
};

}  // namespace loadline::dialects::fio
