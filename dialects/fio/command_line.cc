#include "dialects/fio/command_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialects/fio/command_table.h"
#include "dialects/fio/names.h"
#include "dialects/fio/option_table.h"

namespace loadline::dialects::fio {
namespace {

using std::string_view;
using Level = plan::Diagnostic::Level;

constexpr std::size_t k_findings_max = 20;

// A name of either table; one of the two is set.
struct Found {
  const CommandOption* command = nullptr;
  const Option* job = nullptr;
  string_view name;  // as the table has it, an alias too

  Argument argument() const {
    if (command != nullptr) return command->argument;
    return job->takes_optional_value() ? Argument::optional : Argument::required;
  }
  bool same_as(const Found& other) const { return command == other.command && job == other.job; }
};

std::vector<Found> all_names() {
  std::vector<Found> out;
  for (const CommandOption& option : command_options()) {
    out.push_back({.command = &option, .name = option.name});
  }
  for (const Option* option : all_options()) {
    out.push_back({.job = option, .name = option->name});
    if (!option->alias.empty()) out.push_back({.job = option, .name = option->alias});
  }
  return out;
}

class CommandLineReader {
 public:
  explicit CommandLineReader(std::span<const std::string> words)
      : words_(words), names_(all_names()) {}

  CommandLine read() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (word == "--") break;
      if (word.size() < 2 || word[0] != '-') {
        out_.job_files.push_back(word);
      } else {
        option(word);
      }
    }
    while (at_ < words_.size()) out_.job_files.push_back(words_[at_++]);
    return std::move(out_);
  }

 private:
  void say(Level level, std::string what) {
    if (out_.diagnostics.size() >= k_findings_max) return;
    out_.diagnostics.push_back(diagnostic_at({}, level, std::move(what)));
  }

  void option(const std::string& word) {
    const string_view text = string_view(word).substr(word.starts_with("--") ? 2 : 1);
    const std::size_t equals = text.find('=');
    const string_view name = text.substr(0, equals);
    const auto found = lookup(name, word);
    if (!found) return;
    RawOption raw;
    raw.name = std::string(found->name);
    raw.word = word;
    raw.has_value = equals != text.npos;
    if (raw.has_value) raw.value = std::string(text.substr(equals + 1));
    if (!raw.has_value && found->argument() == Argument::required) {
      if (at_ >= words_.size()) {
        return say(Level::error,
                   fmt::format("option '{}' requires an argument, e.g. {}=VALUE", word, word));
      }
      raw.value = words_[at_++];
      raw.has_value = true;
    }
    if (found->command != nullptr) {
      own(*found->command, raw);
    } else {
      of_job(std::move(raw));
    }
  }

  std::optional<Found> lookup(string_view name, const std::string& word) {
    if (name == "o" && word == "-o") name = "output";
    if (name == "h" && word == "-h") name = "help";
    if (name == "v" && word == "-v") name = "version";
    for (const Found& entry : names_) {
      if (entry.name == name) return entry;
    }
    std::vector<Found> candidates;
    if (!name.empty()) candidates = beginning_with(name, false);
    if (candidates.empty() && !name.empty()) candidates = beginning_with(name, true);
    const bool one =
        !candidates.empty() && std::ranges::all_of(candidates, [&](const Found& entry) {
          return entry.same_as(candidates.front());
        });
    if (one) {
      say(Level::warning, fmt::format("'{}' is read as --{}", word, candidates.front().name));
      return candidates.front();
    }
    if (!candidates.empty()) {
      std::string list;
      for (const Found& entry : candidates) list += fmt::format(" '--{}'", entry.name);
      say(Level::error, fmt::format("option '{}' is ambiguous; possibilities:{}", word, list));
      return std::nullopt;
    }
    unrecognized(name, word);
    return std::nullopt;
  }

  // Engines' own options count only where nothing else begins so.
  std::vector<Found> beginning_with(string_view name, bool of_engines) const {
    std::vector<Found> out;
    for (const Found& entry : names_) {
      const bool engine = entry.job != nullptr && !entry.job->engines.empty();
      if (engine == of_engines && entry.name.starts_with(name)) out.push_back(entry);
    }
    return out;
  }

  void unrecognized(string_view name, const std::string& word) {
    if (out_.diagnostics.size() >= k_findings_max) return;
    std::vector<string_view> names;
    for (const Found& entry : names_) {
      if (entry.job == nullptr || entry.job->engines.empty()) names.push_back(entry.name);
    }
    const auto near = nearest_name(name, names);
    say(Level::error, fmt::format("unrecognized option '{}'{}", word,
                                  near ? fmt::format(". Did you mean {}?", *near) : ""));
  }

  void own(const CommandOption& option, const RawOption& raw) {
    if (option.argument == Argument::none && raw.has_value) {
      return say(Level::error, fmt::format("option '--{}' doesn't allow an argument", option.name));
    }
    if (option.argument == Argument::required && raw.value.empty()) {
      return say(Level::error, fmt::format("option {} requires an argument", option.name));
    }
    if (!option.refused.empty() && out_.refusals.size() < k_findings_max) {
      out_.refusals.push_back(diagnostic_at(
          {}, Level::error, fmt::format("--{} is not supported: {}", option.name, option.refused)));
    }
    if (option.set == nullptr) return;
    const auto set = option.set(out_.command, raw.value);
    if (!set) {
      say(Level::error, fmt::format("failed parsing {}{}{}: {}", option.name,
                                    raw.has_value ? "=" : "", raw.value, set.error().message()));
    }
  }

  void of_job(RawOption raw) {
    if (raw.name == "name") {
      if (raw.value.empty()) return say(Level::error, "option name requires an argument");
      out_.sections.push_back({.name = raw.value, .place = {}, .options = {}});
      if (out_.sections.back().is_global() && raw.value != "global") {
        say(Level::warning, fmt::format("--name={} sets global options, because it begins with "
                                        "'global'",
                                        raw.value));
      }
      return;
    }
    if (out_.sections.empty()) {
      out_.sections.push_back({.name = "global", .place = {}, .options = {}});
    }
    out_.sections.back().options.push_back(std::move(raw));
  }

  std::span<const std::string> words_;
  std::vector<Found> names_;
  std::size_t at_ = 0;
  CommandLine out_;
};

}  // namespace

CommandLine read_command_line(std::span<const std::string> words) {
  return CommandLineReader(words).read();
}

}  // namespace loadline::dialects::fio
