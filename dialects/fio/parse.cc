#include "dialects/fio/parse.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialects/fio/command_line.h"
#include "dialects/fio/job_file.h"
#include "dialects/fio/section_builder.h"

namespace loadline::dialects::fio {
namespace {

using Level = plan::Diagnostic::Level;

// Names of the table that sections have given; an alias never stands in `given`.
bool among(const std::vector<GivenOption>& given, std::string_view name) {
  return std::ranges::find(given, name, &GivenOption::name) != given.end();
}

bool writes(const JobOptions& job) { return job.rw != Rw::read && job.rw != Rw::randread; }

bool is_question(const CommandOptions& command) {
  return command.version || command.help || command.cmdhelp || command.enghelp;
}

void append(std::vector<plan::Diagnostic>& to, std::vector<plan::Diagnostic>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

class CommandParser {
 public:
  explicit CommandParser(const Surroundings& world) : world_(world), builder_(world, out_) {}

  ParsedFio parse(std::span<const std::string> words) {
    CommandLine line = read_command_line(words);
    out_.command = std::move(line.command);
    append(out_.diagnostics, line.diagnostics);
    append(out_.refusals, line.refusals);
    for (const RawSection& section : line.sections) add(section, Source::command_line);
    for (std::size_t i = 0; i < line.job_files.size(); ++i) job_file(line.job_files[i], i);
    if (!is_question(out_.command)) check();
    if (out_.command.warnings_fatal) {
      for (plan::Diagnostic& diagnostic : out_.diagnostics) diagnostic.level = Level::error;
    }
    return std::move(out_);
  }

 private:
  using Source = SectionBuilder::Source;

  void say(Level level, std::string what) {
    out_.diagnostics.push_back(diagnostic_at({}, level, std::move(what)));
  }

  void add(const RawSection& section, Source source) {
    const auto& wanted = out_.command.sections;
    const bool skipped = !wanted.empty() && !section.is_global() &&
                         std::ranges::find(wanted, section.name) == wanted.end();
    if (!skipped) builder_.add(section, source);
  }

  void job_file(const std::string& path, std::size_t index) {
    if (index > 0) {
      if (builder_.has_defaults()) {
        say(Level::warning,
            fmt::format("global options so far do not apply to '{}': each job file after the first "
                        "begins afresh, and behind a stonewall",
                        path));
      }
      builder_.begin_file();
    }
    JobFile file = read_job_file(path, world_);
    append(out_.diagnostics, file.diagnostics);
    for (const RawSection& section : file.sections) add(section, Source::job_file);
  }

  void check() {
    if (out_.command.readonly) {
      for (const JobOptions& job : out_.jobs) {
        if (!writes(job)) continue;
        say(Level::error,
            fmt::format(
                "job <{}> has write or trim bit set, but fio is in read-only mode: trim and "
                "write operations are not allowed with the --readonly parameter",
                job.name));
      }
    }
    // What is refused by name needs no jobs to be so.
    if (out_.jobs.empty() && !out_.has_errors() && out_.refusals.empty()) {
      say(Level::error, "No job(s) defined; give --name=NAME, or a job file");
    }
    for (std::size_t i = 0; i < out_.jobs.size(); ++i) check_wait_for(i);
  }

  // wait_for names an earlier job.
  void check_wait_for(std::size_t index) {
    const JobOptions& job = out_.jobs[index];
    if (job.wait_for.empty()) return;
    const auto end = out_.jobs.begin() + static_cast<std::ptrdiff_t>(index);
    if (std::find_if(out_.jobs.begin(), end, [&](const JobOptions& earlier) {
          return earlier.name == job.wait_for;
        }) != end) {
      return;
    }
    say(Level::error, fmt::format("{}: wait_for={}: there is no earlier job of this name", job.name,
                                  job.wait_for));
  }

  const Surroundings& world_;
  ParsedFio out_;
  SectionBuilder builder_;
};

}  // namespace

bool JobOptions::is_given(std::string_view option) const {
  return among(given, option) || among(inherited, option);
}

bool ParsedFio::has_errors() const {
  return std::ranges::any_of(diagnostics, [](const plan::Diagnostic& diagnostic) {
    return diagnostic.level == Level::error;
  });
}

ParsedFio parse(std::span<const std::string> words, const Surroundings& world) {
  return CommandParser(world).parse(words);
}

std::string console_line(const plan::Diagnostic& diagnostic) {
  std::string out = "fio: ";
  if (diagnostic.line != 0) {
    out += fmt::format("{}:{}:{}: ", diagnostic.file, diagnostic.line, diagnostic.column);
  }
  if (diagnostic.level == Level::warning) out += "warning: ";
  out += diagnostic.what;
  if (!diagnostic.where.empty()) out += fmt::format(" ({})", diagnostic.where);
  return out;
}

}  // namespace loadline::dialects::fio
