// random_distribution: the skew of offsets.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dialects/fio/option_setters.h"

namespace loadline::dialects::fio {
namespace {

using std::string_view;

constexpr std::size_t k_zones_max = 256;
constexpr std::size_t k_sequence_max = 64;

std::unexpected<Error> bad(std::string what) { return fail(ErrorCode::bad_input, std::move(what)); }

struct Word {
  string_view word;
  DistributionKind kind;
};
constexpr std::array k_words = {
    Word{"random", DistributionKind::uniform},   Word{"zipf", DistributionKind::zipf},
    Word{"pareto", DistributionKind::pareto},    Word{"normal", DistributionKind::normal},
    Word{"zoned", DistributionKind::zoned},      Word{"zoned_abs", DistributionKind::zoned_abs},
    Word{"sequence", DistributionKind::sequence}};

// "theta[:centre]"; a missing theta is the usual one.
Result<Distribution> skewed(DistributionKind kind, string_view text) {
  Distribution out;
  out.kind = kind;
  out.parameter = kind == DistributionKind::zipf     ? 1.1
                  : kind == DistributionKind::pareto ? 0.2
                                                     : 20;
  const auto parts = split(text, ':');
  if (parts.size() > 2) return bad(fmt::format("'{}': give a value and perhaps a centre", text));
  if (!parts.empty() && !parts[0].empty()) {
    const auto value = parse_decimal(parts[0]);
    if (!value) return std::unexpected(value.error());
    out.parameter = *value;
  }
  if (kind == DistributionKind::zipf && (out.parameter <= 0 || out.parameter == 1.0)) {
    return bad("zipf theta must be above 0 and different from 1.0, e.g. zipf:1.2");
  }
  if (kind == DistributionKind::pareto && (out.parameter <= 0 || out.parameter >= 1)) {
    return bad("pareto input out of range (0 < input < 1.0)");
  }
  if (kind == DistributionKind::normal && (out.parameter < 0 || out.parameter >= 100)) {
    return bad("normal deviation out of range (0 <= input < 100.0)");
  }
  if (parts.size() == 2) {
    const auto centre = parse_decimal(parts[1]);
    if (!centre) return std::unexpected(centre.error());
    if (*centre < 0 || *centre > 1) return bad("random center out of range (0 <= center <= 1.0)");
    out.centre = *centre;
  }
  return out;
}

Result<DistributionZone> zone_of(string_view text, bool absolute, const SetContext& context) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos) {
    return bad(fmt::format("'{}': a zone is percent of the I/Os / {}", text,
                           absolute ? "size" : "percent of the file"));
  }
  const auto access = parse_decimal(text.substr(0, slash));
  if (!access) return std::unexpected(access.error());
  DistributionZone zone;
  zone.access_percent = *access;
  if (absolute) {
    const auto size = parse_number(text.substr(slash + 1), context.values);
    if (!size) return std::unexpected(size.error());
    zone.span = Size{Size::Unit::bytes, *size};
  } else {
    string_view percent = text.substr(slash + 1);
    if (percent.ends_with('%')) percent.remove_suffix(1);
    const auto number =
        percent.empty() ? Result<std::uint64_t>(0) : parse_number(percent, context.values);
    if (!number) return std::unexpected(number.error());
    zone.span = Size{Size::Unit::percent, *number};
  }
  if (zone.access_percent < 0 || zone.access_percent > 100)
    return bad("a share is 0 to 100 percent");
  if (zone.span.unit == Size::Unit::percent && zone.span.amount > 100) {
    return bad("zone_split percentages add to more than 100%");
  }
  return zone;
}

// What is left of 100 percent goes to the zones without a percentage of the file, evenly.
void share_rest(std::vector<DistributionZone>& zones, const std::vector<bool>& open,
                std::uint64_t rest) {
  auto places = static_cast<std::uint64_t>(std::ranges::count(open, true));
  for (std::size_t i = 0; i < zones.size(); ++i) {
    if (!open[i]) continue;
    zones[i].span.amount = rest / places;
    rest -= rest / places--;
  }
}

Result<std::vector<DistributionZone>> zones_of(string_view text, bool absolute,
                                               const SetContext& context) {
  std::vector<DistributionZone> zones;
  std::vector<bool> open;
  double access = 0;
  std::uint64_t span = 0;
  for (const string_view piece : split(text, ':')) {
    const auto zone = zone_of(trim(piece), absolute, context);
    if (!zone) return std::unexpected(zone.error());
    access += zone->access_percent;
    span += absolute ? 0 : zone->span.amount;
    zones.push_back(*zone);
    open.push_back(!absolute && trim(piece).ends_with('/'));
  }
  if (zones.empty() || zones.size() > k_zones_max) return bad("give 1 to 256 zones");
  if (std::abs(access - 100) > 1e-6) {
    return bad(fmt::format(
        "access percentage don't add up to 100 for zoned random distribution (got={:g})", access));
  }
  if (span > 100) return bad("zone_split percentages add to more than 100%");
  share_rest(zones, open, 100 - span);
  return zones;
}

Result<PerDirection<Distribution>> zoned(DistributionKind kind, string_view text,
                                         const SetContext& context) {
  const auto parts = split_directions(text, false, context.values);
  if (!parts) return std::unexpected(parts.error());
  PerDirection<Distribution> out;
  for (const Direction d : k_directions) {
    out[d].kind = kind;
    // A direction that is left out takes that of reads.
    const string_view part = (*parts)[d].empty() ? parts->read : (*parts)[d];
    auto zones = zones_of(part, kind == DistributionKind::zoned_abs, context);
    if (!zones) return std::unexpected(zones.error());
    out[d].zones = std::move(*zones);
  }
  return out;
}

Result<Distribution> sequence_of(string_view text, const SetContext& context) {
  Distribution out;
  out.kind = DistributionKind::sequence;
  for (const string_view piece : split(text, ',')) {
    const auto number = parse_number(trim(piece), context.values);
    if (!number) return std::unexpected(number.error());
    out.sequence.push_back(*number);
  }
  if (out.sequence.empty() || out.sequence.size() > k_sequence_max) {
    return bad("give 1 to 64 numbers, e.g. sequence:2,0,1");
  }
  return out;
}

}  // namespace

Result<void> set_distribution(JobOptions& job, string_view text, const SetContext& context) {
  // '=' as a separator stands in fio's manual for zoned_abs.
  const std::size_t cut = text.find_first_of(":=");
  const string_view word = text.substr(0, cut);
  const string_view tail = cut == text.npos ? string_view() : text.substr(cut + 1);
  const auto* found = std::ranges::find(k_words, word, &Word::word);
  if (found == k_words.end()) {
    return bad("valid values: random, zipf, pareto, normal, zoned, zoned_abs, sequence");
  }
  switch (found->kind) {
    case DistributionKind::uniform:
      if (!tail.empty()) return bad("random takes no value");
      job.random_distribution = {};
      return {};
    case DistributionKind::zoned:
    case DistributionKind::zoned_abs: {
      auto out = zoned(found->kind, tail, context);
      if (!out) return std::unexpected(out.error());
      job.random_distribution = std::move(*out);
      return {};
    }
    default: break;
  }
  const auto one = found->kind == DistributionKind::sequence ? sequence_of(tail, context)
                                                             : skewed(found->kind, tail);
  if (!one) return std::unexpected(one.error());
  job.random_distribution = PerDirection<Distribution>::all(*one);
  return {};
}

}  // namespace loadline::dialects::fio
