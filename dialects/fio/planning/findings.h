// What is said about jobs while a plan is made of them.
#pragma once

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
  void warn(const JobOptions& job, std::string what) {
    add(job, plan::Diagnostic::Level::warning, std::move(what));
  }
  // An option that is understood and legal, but cannot be honoured.
  void refuse(const JobOptions& job, std::string what) {
    add(job, plan::Diagnostic::Level::error, std::move(what) + " (job " + job.name + ")");
  }
  bool failed() const { return failed_; }
  std::vector<plan::Diagnostic> take() { return std::move(all_); }

 private:
  void add(const JobOptions& job, plan::Diagnostic::Level level, std::string what);

  std::vector<plan::Diagnostic> all_;
  bool failed_ = false;
};

}  // namespace loadline::dialects::fio
