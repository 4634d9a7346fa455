#include "dialects/fio/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialects/fio/command_table.h"
#include "dialects/fio/names.h"
#include "dialects/fio/option_table.h"

namespace loadline::dialects::fio {
namespace {

using std::string_view;

// The kind of value, by the slot it goes to.
struct KindName {
  string_view operator()(Dropped form) const {
    switch (form) {
      case Dropped::number: return "integer value";
      case Dropped::flag: return "boolean value";
      case Dropped::set_flag: return "empty or boolean value ([0|1])";
      case Dropped::text: break;
    }
    return "string";
  }
  string_view operator()(Custom) const { return "string"; }
  string_view operator()(Pick) const { return "one of a list"; }
  string_view operator()(SetFlag) const { return "empty or boolean value ([0|1])"; }
  string_view operator()(Milliseconds) const { return "milliseconds"; }
  string_view operator()(OptionalMilliseconds) const { return "milliseconds"; }
  string_view operator()(Microseconds) const { return "microseconds"; }
  string_view operator()(Member<bool>) const { return "boolean value"; }
  string_view operator()(Member<std::string>) const { return "string"; }
  string_view operator()(Member<Duration>) const { return "time"; }
  string_view operator()(Member<std::optional<Duration>>) const { return "time"; }
  string_view operator()(Member<DurationRange>) const { return "time or time-time"; }
  string_view operator()(Member<Size>) const { return "size, percentage or zones"; }
  string_view operator()(Member<std::optional<Size>>) const { return "size, percentage or zones"; }
  string_view operator()(Member<std::optional<ByteRange>>) const { return "size or size-size"; }
  string_view operator()(Member<PerDirection<Duration>>) const { return "time[,time[,time]]"; }
  template <typename T>
  string_view operator()(Member<PerDirection<T>>) const {
    return "number[,number[,number]]";
  }
  template <typename T>
  string_view operator()(Member<T>) const {
    return "integer value";
  }
};

std::string line_of(string_view name, string_view text) {
  return fmt::format("{:<28}: {}\n", name, text);
}

std::string page_of(const Option& option) {
  std::string out = fmt::format("{:>20}: {}\n", option.name, option.help);
  if (!option.alias.empty()) out += fmt::format("{:>20}: {}\n", "alias", option.alias);
  out += fmt::format("{:>20}: {}\n", "type", std::visit(KindName{}, option.slot));
  const bool low = option.min != std::numeric_limits<std::int64_t>::min();
  const bool high = option.max != std::numeric_limits<std::int64_t>::max();
  if (low || high) {
    out += fmt::format("{:>20}:{}{}{}\n", "range", low ? fmt::format(" min={}", option.min) : "",
                       low && high ? "," : "", high ? fmt::format(" max={}", option.max) : "");
  }
  string_view head = "valid values";
  for (const Choice& choice : option.choices) {
    out += fmt::format("{:>20}: {:<12} {}\n", head, choice.word, choice.help);
    head = "";
  }
  if (!option.engines.empty()) out += fmt::format("{:>20}: {}\n", "ioengine", option.engines);
  if (!option.refused.empty()) out += fmt::format("{:>20}: {}\n", "not supported", option.refused);
  return out;
}

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         string_view("_-./,:=%+@").find(c) != string_view::npos;
}

std::string quoted(string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string word_of(const GivenOption& option) {
  return option.bare ? fmt::format(" --{}", option.name)
                     : fmt::format(" --{}={}", option.name, quoted(option.value));
}

}  // namespace

std::string help_text() {
  std::string out = "fio [options] [job options] <job file(s)>\n";
  for (const CommandOption& option : command_options()) {
    if (!option.refused.empty()) continue;
    const string_view form = option.argument == Argument::required   ? "=VALUE"
                             : option.argument == Argument::optional ? "[=VALUE]"
                                                                     : "";
    out += fmt::format("  {:<26}{}\n", fmt::format("--{}{}", option.name, form), option.help);
  }
  return out;
}

std::string command_help(string_view name) {
  if (name.empty() || name == "all") {
    std::string out;
    for (const Option* option : all_options()) {
      if (option->engines.empty()) out += line_of(option->name, option->help);
    }
    return out;
  }
  const Option* option = find_option(name, {});
  if (option != nullptr) return page_of(*option);
  std::vector<string_view> names;
  for (const Option* one : all_options()) names.push_back(one->name);
  std::string out = fmt::format("No such command: {}\n", name);
  const auto near = nearest_name(name, names);
  if (near) out += " - showing closest match\n" + page_of(*find_option(*near, {}));
  return out;
}

bool has_engine_help(string_view text) {
  const string_view engine = text.substr(0, text.find(','));
  if (engine.empty()) return true;
  return std::ranges::any_of(engine_options(),
                             [&](const Option& option) { return option.belongs_to(engine); });
}

std::string engine_help(string_view text) {
  const std::size_t comma = text.find(',');
  const string_view engine = text.substr(0, comma);
  if (engine.empty()) {
    std::string out = "Available IO engines:\n";
    for (const EngineName& entry : engine_names()) {
      if (entry.engine != Engine::other) out += fmt::format("\t{:<14}{}\n", entry.name, entry.help);
    }
    return out;
  }
  const auto names = engine_names();
  if (std::ranges::find(names, engine, &EngineName::name) == names.end()) {
    return fmt::format("fio: engine {0} not loadable\nIO engine {0} not found\n", engine);
  }
  if (!has_engine_help(text)) return fmt::format("IO engine {} has no options\n", engine);
  std::string out;
  for (const Option& option : engine_options()) {
    if (!option.belongs_to(engine)) continue;
    if (comma == text.npos) {
      out += line_of(option.name, option.help);
    } else if (option.name == text.substr(comma + 1)) {
      out += page_of(option);
    }
  }
  return out;
}

std::string show_command(const ParsedFio& parsed) {
  std::string out = "fio";
  std::size_t shown = 0;  // of the global options
  bool named = false;
  for (const JobOptions& job : parsed.jobs) {
    if (job.starts_file) {
      out += "\nfio";
      shown = 0;
      named = false;
    }
    if (named && shown < job.inherited.size()) out += " --name=global";
    for (; shown < job.inherited.size(); ++shown) out += word_of(job.inherited[shown]);
    out += fmt::format(" --name={}", quoted(job.name));
    named = true;
    for (const GivenOption& option : job.given) {
      if (option.name != "name") out += word_of(option);
    }
  }
  return out + "\n";
}

}  // namespace loadline::dialects::fio
