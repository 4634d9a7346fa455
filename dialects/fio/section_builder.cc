#include "dialects/fio/section_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialects/fio/names.h"

namespace loadline::dialects::fio {
namespace {

using std::string_view;
using Level = plan::Diagnostic::Level;

constexpr std::size_t k_findings_max = 20;

string_view engine_of(const JobOptions& job) {
  return string_view(job.ioengine).substr(0, job.ioengine.find(':'));
}

// "0" and "none" switch a refused option off, and ask for nothing.
bool asks_for_something(const Option& option, const RawOption& raw) {
  if (option.refused.empty()) return false;
  return !raw.has_value || (raw.value != "0" && raw.value != "none");
}

bool moves(const JobOptions& job, Direction d) {
  const bool mixed = job.rw == Rw::readwrite || job.rw == Rw::randrw;
  const bool trims = job.rw == Rw::trim || job.rw == Rw::randtrim || job.rw == Rw::trimwrite ||
                     job.rw == Rw::randtrimwrite;
  switch (d) {
    case Direction::read: return mixed || job.rw == Rw::read || job.rw == Rw::randread;
    case Direction::trim: return trims;
    case Direction::write: break;
  }
  return mixed || job.rw == Rw::write || job.rw == Rw::randwrite || job.rw == Rw::trimwrite ||
         job.rw == Rw::randtrimwrite;
}

}  // namespace

void SectionBuilder::error(const Place& place, std::string what, string_view dropped) {
  if (out_.diagnostics.size() >= k_findings_max) return;
  std::string where = dropped.empty() ? std::string() : fmt::format("job {} dropped", dropped);
  out_.diagnostics.push_back(diagnostic_at(place, Level::error, std::move(what), std::move(where)));
}

void SectionBuilder::warn(const Place& place, std::string what) {
  if (out_.diagnostics.size() >= k_findings_max) return;
  out_.diagnostics.push_back(diagnostic_at(place, Level::warning, std::move(what)));
}

void SectionBuilder::refuse(const Place& place, std::string what, const std::string& job) {
  if (out_.refusals.size() >= k_findings_max) return;
  out_.refusals.push_back(diagnostic_at(place, Level::error, std::move(what), "job " + job));
}

void SectionBuilder::begin_file() {
  defaults_ = JobOptions{};
  starts_file_ = true;
}

void SectionBuilder::unknown(const RawOption& raw, const JobOptions& job, string_view dropped) {
  if (out_.diagnostics.size() >= k_findings_max) return;
  std::vector<string_view> names;
  for (const Option* option : all_options()) {
    if (!option->belongs_to(engine_of(job))) continue;
    names.push_back(option->name);
    if (!option->alias.empty()) names.push_back(option->alias);
  }
  const auto near = nearest_name(raw.name, names);
  const std::string guess = near ? fmt::format(". Did you mean {}?", *near) : std::string();
  error(raw.place, fmt::format("Bad option <{}>{}", raw.word, guess), dropped);
}

void SectionBuilder::apply(const RawOption& raw, JobOptions& job, std::vector<GivenOption>& given,
                           string_view dropped) {
  const Option* option = find_option(raw.name, engine_of(job));
  if (option == nullptr) return unknown(raw, job, dropped);
  const bool may_be_bare =
      option->takes_optional_value() || (option->bare_in_file && raw.place.line != 0);
  if (raw.value.empty() && (raw.has_value || !may_be_bare)) {
    return error(raw.place, fmt::format("option {} requires an argument", raw.name), dropped);
  }
  Place place = raw.place;
  place.column = raw.value_column;
  std::vector<std::string> warnings;
  const SetContext context{.values = {.kb_base = job.kb_base, .warnings = &warnings},
                           .world = &world_};
  const auto set = set_option(*option, raw.value, job, context);
  const std::string typed = raw.has_value ? fmt::format("{}={}", raw.name, raw.value) : raw.name;
  if (!set) {
    return error(place, fmt::format("failed parsing {}: {}", typed, set.error().message()),
                 dropped);
  }
  const bool ignored = std::holds_alternative<Dropped>(option->slot) && option->refused.empty();
  if (ignored) warnings.push_back("it has no meaning any more, and is ignored");
  for (auto warning = warnings.begin(); warning != warnings.end(); ++warning) {
    // Three directions of one value remark on it three times.
    if (std::find(warnings.begin(), warning, *warning) != warning) continue;
    warn(place, fmt::format("{}: {}", raw.name, *warning));
  }
  if (asks_for_something(*option, raw) && option->engines.empty()) {
    refuse(raw.place, fmt::format("{} is not supported: {}", raw.name, option->refused), job.name);
  }
  given.push_back({std::string(option->name), raw.value, !raw.has_value});
}

// An engine's option is right wherever it stands in its section, if the engine has it in the end.
void SectionBuilder::check_engine_options(const RawSection& section, const JobOptions& job,
                                          string_view dropped) {
  for (const RawOption& raw : section.options) {
    const Option* option = find_option(raw.name, engine_of(job));
    if (option == nullptr) continue;
    if (!option->belongs_to(engine_of(job))) {
      error(raw.place,
            fmt::format("unrecognized option '{}': it belongs to ioengine={}, and this job has {}",
                        raw.word, option->engines, engine_of(job)),
            dropped);
    } else if (job.engine != Engine::other && !option->engines.empty() &&
               asks_for_something(*option, raw)) {
      refuse(raw.place, fmt::format("{} is not supported: {}", raw.name, option->refused),
             job.name);
    }
  }
}

void SectionBuilder::check_job(const RawSection& section, const JobOptions& job,
                               std::string_view dropped) {
  for (const Direction d : k_directions) {
    if (job.rate[d].count() != 0 && job.rate_iops[d] != 0) {
      error(section.place, "rate and rate_iops are mutually exclusive; leave one out", dropped);
      break;
    }
  }
  if (job.size && job.size->unit == Size::Unit::bytes && job.size->amount != 0) {
    std::uint64_t least = UINT64_MAX;
    for (const Direction d : k_directions) {
      if (moves(job, d)) least = std::min(least, job.block_size[d].low.count());
    }
    if (least != UINT64_MAX && job.size->amount < least) {
      error(section.place,
            fmt::format("size too small, must not be less than minimum block size: {} < {}",
                        job.size->amount, least),
            dropped);
    }
  }
  if (job.time_based && (!job.runtime || job.runtime->ns() == 0)) {
    warn(section.place, fmt::format("{}: time_based requires a runtime/timeout setting; it has no "
                                    "effect",
                                    job.name));
  }
  if (job.engine == Engine::other) {
    refuse(section.place,
           fmt::format("ioengine={} is not supported; --enghelp lists the engines", job.ioengine),
           job.name);
  } else if (job.engine == Engine::http && job.http.mode != EngineOptions::Http::Mode::s3) {
    refuse(section.place, "ioengine=http is supported with http_mode=s3 only", job.name);
  }
  if (job.zonemode == ZoneMode::zbd) {
    refuse(section.place, "zonemode=zbd is not supported: it needs a zoned block device", job.name);
  }
  if (job.mem.kind == Memory::Kind::cudamalloc) {
    refuse(section.place, "mem=cudamalloc is not supported: it needs a GPU", job.name);
  }
}

void SectionBuilder::add(const RawSection& section, Source source) {
  const bool global = section.is_global();
  JobOptions job = defaults_;
  if (!global) {
    job.name = section.name;
    job.file = section.place.file;
    job.line = section.place.line;
  }
  std::vector<GivenOption> given;
  if (!global && source == Source::command_line) given.push_back({"name", section.name, false});
  const string_view dropped =
      source == Source::job_file && !global ? string_view(section.name) : string_view();
  // In a job file kb_base and the engine take effect first, wherever they stand.
  const auto is_early = [&](const RawOption& raw) {
    if (source == Source::command_line) return false;
    const Option* option = find_option(raw.name, {});
    return option != nullptr && option->early;
  };
  for (const RawOption& raw : section.options) {
    if (is_early(raw)) apply(raw, job, given, dropped);
  }
  for (const RawOption& raw : section.options) {
    if (!is_early(raw)) apply(raw, job, given, dropped);
  }
  if (global) {
    defaults_ = std::move(job);
    defaults_.inherited.insert(defaults_.inherited.end(), given.begin(), given.end());
    out_.global_options.insert(out_.global_options.end(), given.begin(), given.end());
    return;
  }
  check_engine_options(section, job, dropped);
  check_job(section, job, dropped);
  job.given = std::move(given);
  job.starts_file = starts_file_;
  starts_file_ = false;
  out_.jobs.push_back(std::move(job));
}

}  // namespace loadline::dialects::fio
