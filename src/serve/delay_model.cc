#include "serve/delay_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace loadline::serve {

namespace {

// Longer delays are mistakes.
constexpr double k_milliseconds_most = 3'600'000;

// Takes a number off the front of `text`.
bool take_number(std::string_view& text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number) || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number <= k_milliseconds_most;
}

}  // namespace

Result<DelayModel> DelayModel::parse(std::string_view text) {
  const auto wrong = fail(ErrorCode::bad_input,
                          fmt::format("\"{}\" is none of fixed:MS, uniform:MS,MS, "
                                      "lognormal:MS,SIGMA, exponential:MS",
                                      text),
                          "delay");
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return wrong;
  const std::string_view word = text.substr(0, colon);
  std::string_view rest = text.substr(colon + 1);
  DelayModel model;
  if (word == "fixed") model.shape_ = Shape::fixed;
  if (word == "uniform") model.shape_ = Shape::uniform;
  if (word == "lognormal") model.shape_ = Shape::lognormal;
  if (word == "exponential") model.shape_ = Shape::exponential;
  if (model.none() || !take_number(rest, model.first_ms_)) return wrong;
  if (model.shape_ == Shape::uniform || model.shape_ == Shape::lognormal) {
    if (!rest.starts_with(',')) return wrong;
    rest.remove_prefix(1);
    if (!take_number(rest, model.second_)) return wrong;
    if (model.shape_ == Shape::uniform && model.second_ < model.first_ms_) return wrong;
    if (model.shape_ == Shape::lognormal && model.second_ > 10) return wrong;
  }
  if (!rest.empty()) return wrong;
  return model;
}

Duration DelayModel::sample(Rng& rng) const {
  double ms = first_ms_;
  switch (shape_) {
    case Shape::none: return {};
    case Shape::fixed: break;
    case Shape::uniform: ms += (second_ - first_ms_) * rng.unit(); break;
    case Shape::exponential: ms *= rng.exponential(); break;
    case Shape::lognormal: {
      // Box and Muller; one of the pair is enough here.
      const double radius = std::sqrt(2 * rng.exponential());
      ms *= std::exp(second_ * radius * std::cos(2 * std::numbers::pi * rng.unit()));
      break;
    }
  }
  return Duration::from_seconds(std::min(ms, k_milliseconds_most) / 1000);
}

}  // namespace loadline::serve
