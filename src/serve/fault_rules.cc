#include "serve/fault_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/rng.h"

namespace loadline::serve {

namespace {

constexpr std::array k_fault_kinds = {
    FaultKind::error,  FaultKind::slowdown,        FaultKind::reset, FaultKind::cut,
    FaultKind::stall,  FaultKind::slow_first_byte, FaultKind::slow,  FaultKind::wrong_bytes,
    FaultKind::refuse, FaultKind::pause_all,
};
constexpr std::array<std::string_view, 11> k_keys = {
    "kind", "fault", "every", "probability", "after", "limit", "at", "ms", "rate", "from", "for"};
// Times in a rule; longer ones are mistakes.
constexpr std::uint64_t k_milliseconds_most = 24ULL * 3600 * 1000;

std::unexpected<Error> wrong(std::string what, std::string_view rule) {
  return fail(ErrorCode::bad_input, std::move(what), fmt::format("fault rule \"{}\"", rule));
}

template <typename T>
Result<T> number(std::string_view key, std::string_view value, T least, T most,
                 std::string_view rule) {
  T parsed{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error != std::errc() || end != value.data() + value.size() || !(parsed >= least) ||
      !(parsed <= most)) {
    return wrong(fmt::format("{}=\"{}\" is not a number from {} to {}", key, value, least, most),
                 rule);
  }
  return parsed;
}

// One `key=value` of a rule. `given` collects the keys, to check them against the fault later.
class RuleParser {
 public:
  explicit RuleParser(std::string_view text) { rule_.text = std::string(text); }

  Result<FaultRule> parse() {
    std::string_view rest = rule_.text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      const std::string_view item = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const std::size_t equals = item.find('=');
      if (equals == std::string_view::npos) {
        return wrong(fmt::format("\"{}\" is not key=value", item), rule_.text);
      }
      const std::string_view key = item.substr(0, equals);
      if (std::ranges::find(k_keys, key) == k_keys.end()) {
        return wrong(fmt::format("unknown key \"{}\"; there are {}", key, fmt::join(k_keys, ", ")),
                     rule_.text);
      }
      if (given(key)) return wrong(fmt::format("{} is given twice", key), rule_.text);
      if (auto taken = take(key, item.substr(equals + 1)); !taken) return propagate(taken);
      given_.push_back(key);
    }
    if (auto sound = check(); !sound) return propagate(sound);
    return std::move(rule_);
  }

 private:
  bool given(std::string_view key) const { return std::ranges::find(given_, key) != given_.end(); }

  Result<void> take_words(std::string_view key, std::string_view value) {
    if (key == "kind") {
      rule_.kind = request_kind_of(value);
      if (rule_.kind || value == "any") return {};
      std::vector<std::string_view> words = {"any"};
      for (const RequestKind kind : all_request_kinds()) words.push_back(to_string(kind));
      return wrong(fmt::format("unknown kind \"{}\"; there are {}", value, fmt::join(words, ", ")),
                   rule_.text);
    }
    std::vector<std::string_view> words;
    for (const FaultKind fault : k_fault_kinds) {
      words.push_back(to_string(fault));
      rule_.fault = fault;
      if (value == words.back()) return {};
    }
    return wrong(fmt::format("unknown fault \"{}\"; there are {}", value, fmt::join(words, ", ")),
                 rule_.text);
  }

  Result<void> take(std::string_view key, std::string_view value) {
    if (key == "kind" || key == "fault") return take_words(key, value);
    if (key == "probability") {
      auto parsed = number<double>(key, value, 0.0, 1.0, rule_.text);
      if (!parsed) return propagate(parsed);
      rule_.probability = *parsed;
      return {};
    }
    const bool time = key == "ms" || key == "for" || key == "from";
    const std::uint64_t least = key == "every" || key == "rate" || key == "for" ? 1 : 0;
    const std::uint64_t most = time ? k_milliseconds_most : key == "at" ? 100 : UINT64_MAX;
    auto parsed = number<std::uint64_t>(key, value, least, most, rule_.text);
    if (!parsed) return propagate(parsed);
    if (key == "every") rule_.every = *parsed;
    if (key == "after") rule_.after = *parsed;
    if (key == "limit") rule_.limit = *parsed;
    if (key == "rate") rule_.bytes_per_second = *parsed;
    if (key == "at") rule_.at_percent = static_cast<unsigned>(*parsed);
    if (time) {
      const Duration duration = Duration::milliseconds(static_cast<std::int64_t>(*parsed));
      if (key == "ms") rule_.wait = duration;
      if (key == "from") rule_.from = duration;
      if (key == "for") rule_.length = duration;
    }
    return {};
  }

  // Every key must mean something to the fault, and what the fault needs must be there.
  Result<void> check() const {
    using enum FaultKind;
    if (!given("fault")) return wrong("there is no fault=", rule_.text);
    const FaultKind fault = rule_.fault;
    const bool request = fault != pause_all;
    std::vector<std::string_view> right = {"fault"};
    if (request && fault != refuse) right.push_back("kind");
    if (request) right.insert(right.end(), {"every", "probability", "after", "limit"});
    if (fault == reset || fault == cut) right.push_back("at");
    if (fault == stall || fault == slow_first_byte || fault == refuse) right.push_back("ms");
    if (fault == slow) right.push_back("rate");
    if (fault == pause_all) right.insert(right.end(), {"from", "for"});
    for (const std::string_view key : given_) {
      if (std::ranges::find(right, key) != right.end()) continue;
      return wrong(fmt::format("{} means nothing to fault={}, which takes {}", key,
                               to_string(fault), fmt::join(right, ", ")),
                   rule_.text);
    }
    if (given("every") && given("probability")) {
      return wrong("every and probability exclude each other", rule_.text);
    }
    if (fault == slow_first_byte && !given("ms")) return wrong("ms= is missing", rule_.text);
    if (fault == slow && !given("rate")) return wrong("rate= is missing", rule_.text);
    if (fault == pause_all && !given("for")) return wrong("for= is missing", rule_.text);
    if (fault == wrong_bytes && rule_.kind != RequestKind::get_object) {
      return wrong("wrong_bytes needs kind=get_object", rule_.text);
    }
    return {};
  }

  FaultRule rule_;
  std::vector<std::string_view> given_;  // views of rule_.text
};

}  // namespace

std::string_view to_string(FaultKind kind) {
  switch (kind) {
    case FaultKind::error: return "error";
    case FaultKind::slowdown: return "slowdown";
    case FaultKind::reset: return "reset";
    case FaultKind::cut: return "cut";
    case FaultKind::stall: return "stall";
    case FaultKind::slow_first_byte: return "slow_first_byte";
    case FaultKind::slow: return "slow";
    case FaultKind::wrong_bytes: return "wrong_bytes";
    case FaultKind::refuse: return "refuse";
    case FaultKind::pause_all: return "pause_all";
  }
  return "error";
}

Result<FaultRule> parse_fault_rule(std::string_view text) { return RuleParser(text).parse(); }

Result<std::vector<FaultRule>> parse_fault_rules(std::string_view lines) {
  std::vector<FaultRule> rules;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    auto rule = parse_fault_rule(line);
    if (!rule) return propagate(rule);
    rules.push_back(std::move(*rule));
  }
  return rules;
}

FaultRules::FaultRules(std::vector<FaultRule> rules, std::uint64_t seed) : seed_(seed) {
  replace(std::move(rules));
}

bool FaultRules::fires(State& state, std::size_t index) const {
  const FaultRule& rule = state.rule;
  const std::uint64_t matched = state.matched++;
  if (matched < rule.after || state.injected >= rule.limit) return false;
  const std::uint64_t number = matched - rule.after;
  if (!rule.probability) return number % rule.every == rule.every - 1;
  return Rng::split(seed_ + index * 0x9e3779b97f4a7c15ULL, number).unit() < *rule.probability;
}

std::optional<Fault> FaultRules::decide(RequestKind kind) {
  if (!any_.load(std::memory_order_relaxed)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  std::optional<Fault> fault;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& state = states_[i];
    const FaultRule& rule = state.rule;
    if (rule.fault == FaultKind::refuse || rule.fault == FaultKind::pause_all) continue;
    if (rule.kind && *rule.kind != kind) continue;
    if (!fires(state, i) || fault) continue;
    ++state.injected;
    fault = Fault{rule.fault, rule.at_percent, rule.wait, rule.bytes_per_second, state.matched - 1,
                  i,          generation_};
  }
  return fault;
}

void FaultRules::withdraw(const Fault& fault) {
  const std::lock_guard lock(mutex_);
  if (fault.generation == generation_ && states_[fault.rule].injected > 0) {
    --states_[fault.rule].injected;
  }
}

std::optional<Fault> FaultRules::decide_connection() {
  if (!any_.load(std::memory_order_relaxed)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  std::optional<Fault> fault;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& state = states_[i];
    if (state.rule.fault != FaultKind::refuse || !fires(state, i) || fault) continue;
    ++state.injected;
    fault = Fault{.kind = FaultKind::refuse,
                  .wait = state.rule.wait,
                  .number = state.matched - 1,
                  .rule = i,
                  .generation = generation_};
  }
  return fault;
}

void FaultRules::start_pauses(Instant now) {
  if (!pauses_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  if (!pauses_start_.stamped()) pauses_start_ = now;
}

std::optional<Instant> FaultRules::paused_until(Instant now) {
  if (!pauses_.load(std::memory_order_relaxed)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (!pauses_start_.stamped()) return std::nullopt;
  std::optional<Instant> until;
  bool to_come = false;
  for (State& state : states_) {
    if (state.rule.fault != FaultKind::pause_all) continue;
    const Instant begin = pauses_start_ + state.rule.from;
    const Instant end = begin + state.rule.length;
    if (now < end) to_come = true;
    if (now < begin || now >= end) continue;
    state.injected = 1;
    until = std::max(until.value_or(end), end);
  }
  if (!to_come) pauses_.store(false, std::memory_order_relaxed);
  return until;
}

void FaultRules::replace(std::vector<FaultRule> rules) {
  const std::lock_guard lock(mutex_);
  states_.clear();
  for (FaultRule& rule : rules) states_.push_back({.rule = std::move(rule)});
  pauses_start_ = Instant();
  ++generation_;
  const auto is_pause = [](const State& state) { return state.rule.fault == FaultKind::pause_all; };
  any_.store(!std::ranges::all_of(states_, is_pause), std::memory_order_relaxed);
  pauses_.store(std::ranges::any_of(states_, is_pause), std::memory_order_relaxed);
}

void FaultRules::reset() {
  const std::lock_guard lock(mutex_);
  for (State& state : states_) state.matched = state.injected = 0;
}

std::vector<FaultCount> FaultRules::counts() const {
  const std::lock_guard lock(mutex_);
  std::vector<FaultCount> all;
  for (const State& state : states_) {
    all.push_back({state.rule.text, state.matched, state.injected});
  }
  return all;
}

}  // namespace loadline::serve
