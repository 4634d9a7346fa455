// Setters of patterns, verification, replay, logs and figures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "dialects/fio/option_setters.h"
#include "dialects/fio/pattern.h"

namespace loadline::dialects::fio {
namespace {

using std::string_view;
using J = JobOptions;

constexpr std::size_t k_percentiles_max = 20;

std::unexpected<Error> bad(std::string what) { return fail(ErrorCode::bad_input, std::move(what)); }

Result<void> set_log(LogFile& log, string_view text) {
  log = LogFile{.on = true, .name = std::string(text)};
  return {};
}

// The most decimals that any of the numbers was written with.
std::uint32_t decimals_of(string_view text) {
  std::size_t most = 0;
  for (const string_view piece : split(text, ':')) {
    const std::size_t dot = piece.find('.');
    if (dot != piece.npos) most = std::max(most, trim(piece).size() - dot - 1);
  }
  return static_cast<std::uint32_t>(most);
}

Result<double> steady_limit(string_view text, SteadyState& state, const SetContext& context) {
  if (text.ends_with('%')) {
    state.percent = true;
    return parse_decimal(text.substr(0, text.size() - 1));
  }
  switch (state.value) {
    case SteadyState::Value::iops: return parse_decimal(text);
    case SteadyState::Value::bandwidth: {
      const auto bytes = parse_number(text, context.values);
      if (!bytes) return std::unexpected(bytes.error());
      return static_cast<double>(*bytes);
    }
    case SteadyState::Value::latency: break;
  }
  // fio reads a bare number of a latency as nanoseconds.
  if (text.find_first_not_of("0123456789") == text.npos) return parse_decimal(text);
  const auto time = parse_time(text, TimeUnit::microseconds);
  if (!time) return std::unexpected(time.error());
  return static_cast<double>(time->ns());
}

}  // namespace

Result<void> set_buffer_pattern(J& job, string_view text, const SetContext& context) {
  auto pattern = parse_pattern(text, PatternOffsets::refused, *context.world);
  if (!pattern) return std::unexpected(pattern.error());
  job.buffer_pattern = std::move(*pattern);
  job.refill_buffers = false;
  job.scramble_buffers = false;
  job.zero_buffers = false;
  return {};
}

Result<void> set_verify_pattern(J& job, string_view text, const SetContext& context) {
  auto pattern = parse_pattern(text, PatternOffsets::allowed, *context.world);
  if (!pattern) return std::unexpected(pattern.error());
  job.verify_pattern = std::move(*pattern);
  return {};
}

Result<void> set_verify_policy(J& job, string_view text, const SetContext&) {
  if (text != "completed" && text != "fsynced") return bad("valid values: completed, fsynced");
  job.verify_fsynced_only = text == "fsynced";
  return {};
}

Result<void> set_replay_skip(J& job, string_view text, const SetContext&) {
  PerDirection<bool> skip;
  bool sync = false;
  for (const string_view word : split(text, ',')) {
    if (word == "read") {
      skip.read = true;
    } else if (word == "write") {
      skip.write = true;
    } else if (word == "trim") {
      skip.trim = true;
    } else if (word == "sync") {
      sync = true;
    } else {
      return bad("valid values: read, write, trim, sync, with ',' between");
    }
  }
  job.replay_skip = skip;
  job.replay_skip_sync = sync;
  return {};
}

Result<void> set_bandwidth_log(J& job, string_view text, const SetContext&) {
  return set_log(job.bandwidth_log, text);
}
Result<void> set_latency_log(J& job, string_view text, const SetContext&) {
  return set_log(job.latency_log, text);
}
Result<void> set_iops_log(J& job, string_view text, const SetContext&) {
  return set_log(job.iops_log, text);
}
Result<void> set_histogram_log(J& job, string_view text, const SetContext&) {
  return set_log(job.histogram_log, text);
}

Result<void> set_percentile_list(J& job, string_view text, const SetContext&) {
  auto list = parse_decimals(text, k_percentiles_max);
  if (!list) return std::unexpected(list.error());
  for (const double percent : *list) {
    if (percent < 0 || percent > 100) return bad("a percentile is 0 to 100");
  }
  std::ranges::sort(*list);
  job.percentile_list = std::move(*list);
  job.percentile_precision = std::max(2U, decimals_of(text));
  return {};
}

Result<void> set_steadystate(J& job, string_view text, const SetContext& context) {
  using Value = SteadyState::Value;
  struct Word {
    string_view word;
    Value value;
    bool slope;
  };
  static constexpr std::array k_words = {
      Word{"iops", Value::iops, false},    Word{"iops_slope", Value::iops, true},
      Word{"bw", Value::bandwidth, false}, Word{"bw_slope", Value::bandwidth, true},
      Word{"lat", Value::latency, false},  Word{"lat_slope", Value::latency, true}};
  const std::size_t colon = text.find(':');
  const auto* found = std::ranges::find(k_words, text.substr(0, colon), &Word::word);
  if (found == k_words.end()) {
    return bad("valid values: iops, iops_slope, bw, bw_slope, lat, lat_slope, then :limit");
  }
  if (colon == text.npos) {
    return bad("steadystate threshold must be specified in addition to criterion, e.g. iops:0.3%");
  }
  SteadyState state{.value = found->value, .slope = found->slope};
  const auto limit = steady_limit(text.substr(colon + 1), state, context);
  if (!limit) return std::unexpected(limit.error());
  if (*limit < 0) return bad("the limit cannot be negative");
  state.limit = *limit;
  job.steadystate = state;
  return {};
}

Result<void> set_force_async(J& job, string_view text, const SetContext& context) {
  const auto every = parse_number(text, context.values);
  if (!every) return std::unexpected(every.error());
  if (*every > UINT32_MAX) return bad("the number is too large");
  job.force_async_every = static_cast<std::uint32_t>(*every);
  job.force_async = *every != 0;
  return {};
}

Result<void> set_cmdprio_percentage(J& job, string_view text, const SetContext& context) {
  const auto parts = split_directions(text, true, context.values);
  if (!parts) return std::unexpected(parts.error());
  std::uint32_t* const places[] = {&job.cmdprio_percentage, &job.cmdprio_percentage_write};
  const string_view texts[] = {parts->read, parts->write};
  for (std::size_t i = 0; i < 2; ++i) {
    if (texts[i].empty()) continue;
    const auto percent = parse_number(texts[i], context.values);
    if (!percent) return std::unexpected(percent.error());
    if (*percent > 100) return bad(fmt::format("max value out of range: {} (100 max)", *percent));
    *places[i] = static_cast<std::uint32_t>(*percent);
  }
  return {};
}

}  // namespace loadline::dialects::fio
