// Turns raw sections into JobOptions: globals first, a later option wins, everything is checked.
#pragma once

#include "dialects/fio/option_table.h"
#include "dialects/fio/options.h"
#include "dialects/fio/raw_section.h"

namespace loadline::dialects::fio {

// Borrows both; one builder for a whole command. Single thread.
class SectionBuilder {
 public:
  SectionBuilder(const Surroundings& world, ParsedFio& out) : world_(world), out_(out) {}

  enum class Source : std::uint8_t { command_line, job_file };

  // A global section changes the defaults of those that follow; another one is a job.
  void add(const RawSection& section, Source source);
  // Forgets the global options, as fio does for each job file after the first, and lets the next
  // job start a file.
  void begin_file();
  bool has_defaults() const { return !defaults_.inherited.empty(); }

 private:
  void apply(const RawOption& raw, JobOptions& job, std::vector<GivenOption>& given,
             std::string_view dropped);
  void unknown(const RawOption& raw, const JobOptions& job, std::string_view dropped);
  void check_engine_options(const RawSection& section, const JobOptions& job,
                            std::string_view dropped);
  void check_job(const RawSection& section, const JobOptions& job, std::string_view dropped);
  void error(const Place& place, std::string what, std::string_view dropped);
  void warn(const Place& place, std::string what);
  void refuse(const Place& place, std::string what, const std::string& job);

  const Surroundings& world_;
  ParsedFio& out_;
  JobOptions defaults_;  // of the global sections so far; `inherited` is what they gave
  bool starts_file_ = false;
};

}  // namespace loadline::dialects::fio
