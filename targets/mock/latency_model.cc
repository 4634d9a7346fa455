#include "targets/mock/latency_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace loadline::targets {
namespace {

constexpr std::string_view k_right =
    "a latency is e.g. 2ms, uniform(1ms,5ms), exponential(2ms) or lognormal(2ms,0.5)";

std::optional<double> parse_ns(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit == "ns") return value;
  if (unit == "us") return value * 1e3;
  if (unit == "ms") return value * 1e6;
  if (unit == "s") return value * 1e9;
  return std::nullopt;
}

std::optional<double> parse_plain(std::string_view text) {
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value < 0) return std::nullopt;
  return value;
}

// "name(a,b)" into name and arguments; a text without parentheses is an argument of "fixed".
struct Call {
  std::string_view name;
  std::vector<std::string_view> arguments;
};
std::optional<Call> parse_call(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) return Call{"fixed", {text}};
  if (text.back() != ')') return std::nullopt;
  Call call{.name = text.substr(0, open)};
  std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  while (true) {
    const std::size_t comma = inside.find(',');
    call.arguments.push_back(inside.substr(0, comma));
    if (comma == std::string_view::npos) return call;
    inside.remove_prefix(comma + 1);
  }
}

// The standard normal quantile, by Newton's method on erfc.
double normal_quantile(double q) {
  double x = q < 0.5 ? -1 : 1;
  for (int i = 0; i < 60; ++i) {
    const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double step = std::clamp((below - q) / density, -0.5, 0.5);
    x -= step;
    if (std::abs(step) < 1e-12) break;
  }
  return x;
}

Duration from_ns(double ns) { return Duration::nanoseconds(static_cast<std::int64_t>(ns)); }

}  // namespace

LatencyModel LatencyModel::fixed(Duration d) {
  LatencyModel model;
  model.a_ns_ = static_cast<double>(d.ns());
  return model;
}

Result<LatencyModel> LatencyModel::parse(std::string_view text) {
  const auto wrong = [&] {
    return fail(ErrorCode::bad_input, "'" + std::string(text) + "': " + std::string(k_right));
  };
  const auto call = text.empty() ? std::nullopt : parse_call(text);
  if (!call) return wrong();
  const auto first = parse_ns(call->arguments[0]);
  if (!first) return wrong();
  LatencyModel model;
  model.a_ns_ = *first;
  const std::size_t n = call->arguments.size();
  if (call->name == "fixed" && n == 1) return model;
  if (call->name == "exponential" && n == 1) {
    model.kind_ = Kind::exponential;
    return model;
  }
  if (n != 2) return wrong();
  const auto second =
      call->name == "uniform" ? parse_ns(call->arguments[1]) : parse_plain(call->arguments[1]);
  if (!second) return wrong();
  model.b_ = *second;
  if (call->name == "uniform" && model.b_ >= model.a_ns_) {
    model.kind_ = Kind::uniform;
    return model;
  }
  if (call->name == "lognormal") {
    model.kind_ = Kind::lognormal;
    return model;
  }
  return wrong();
}

Duration LatencyModel::draw(Rng& rng) const {
  switch (kind_) {
    case Kind::fixed: return from_ns(a_ns_);
    case Kind::uniform: return from_ns(a_ns_ + (b_ - a_ns_) * rng.unit());
    case Kind::exponential: return from_ns(a_ns_ * rng.exponential());
    case Kind::lognormal: {
      // Box and Muller.
      const double radius = std::sqrt(2 * rng.exponential());
      const double angle = 2 * std::numbers::pi * rng.unit();
      return from_ns(a_ns_ * std::exp(b_ * radius * std::cos(angle)));
    }
  }
  return {};
}

Duration LatencyModel::quantile(double q) const {
  switch (kind_) {
    case Kind::fixed: return from_ns(a_ns_);
    case Kind::uniform: return from_ns(a_ns_ + (b_ - a_ns_) * q);
    case Kind::exponential: return from_ns(-a_ns_ * std::log1p(-q));
    case Kind::lognormal: return from_ns(a_ns_ * std::exp(b_ * normal_quantile(q)));
  }
  return {};
}

}  // namespace loadline::targets
