#include "engine/skewed_rank.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace loadline::engine {
namespace {

constexpr std::uint64_t k_ranks_summed = 10'000'000;
constexpr std::uint64_t k_golden_ratio = 0x61c8864680b583ebULL;  // -2^64 / phi
constexpr int k_uniforms = 12;                                   // as many added up look normal

// 1 + 2^-s + .. + n^-s: the first terms one by one, the rest by Euler and Maclaurin's formula.
double harmonic(std::uint64_t n, double s) {
  const std::uint64_t exact = std::min<std::uint64_t>(n, 1000);
  double sum = 0;
  for (std::uint64_t i = exact; i >= 1; --i) sum += std::pow(static_cast<double>(i), -s);
  if (exact == n) return sum;
  const auto a = static_cast<double>(exact);
  const auto b = static_cast<double>(n);
  const auto f = [s](double x) { return std::pow(x, -s); };
  const double integral = (std::pow(b, 1 - s) - std::pow(a, 1 - s)) / (1 - s);
  return sum + integral + (f(b) - f(a)) / 2 + s * (f(a) / a - f(b) / b) / 12;
}

}  // namespace

SkewedRank::SkewedRank(const Options& options, Rng& rng) : options_(options) {
  CHECK(options.n > 0);
  const auto n = static_cast<double>(options.n);
  const double p = options.parameter;
  if (options.kind == Kind::normal) {
    const auto wanted = static_cast<std::uint64_t>(std::ceil(n * p / 100));
    deviation_ = std::min(wanted, options.n / 2);
    const double off = options.centre < 0 ? 0 : n * (options.centre - 0.5);
    shift_ = static_cast<std::uint64_t>(off < 0 ? off + n : off);
    return;
  }
  shift_ = options.centre < 0 ? rng.next() >> 1 : static_cast<std::uint64_t>(n * options.centre);
  if (options.kind == Kind::pareto) {
    exponent_ = std::log(p) / std::log(1 - p);
    return;
  }
  zeta_n_ = harmonic(std::min(options.n, k_ranks_summed), p);
  second_ = 1 + std::pow(0.5, p);
  alpha_ = 1 / (1 - p);
  eta_ = (1 - std::pow(2 / n, 1 - p)) / (1 - second_ / zeta_n_);
}

std::uint64_t SkewedRank::next(Rng& rng) const {
  std::uint64_t rank = 0;
  if (options_.kind == Kind::zipf) {
    rank = zipf(rng);
  } else if (options_.kind == Kind::pareto) {
    const auto n = static_cast<double>(options_.n - 1);
    rank = static_cast<std::uint64_t>(n * std::pow(rng.unit(), exponent_));
  } else {
    rank = normal(rng);
  }
  if (options_.spread) rank *= k_golden_ratio;
  return (rank + shift_) % options_.n;
}

std::uint64_t SkewedRank::zipf(Rng& rng) const {
  const double u = rng.unit();
  const double at = u * zeta_n_;
  if (at < 1) return 0;
  if (at < second_) return 1;
  const double base = std::max(0.0, eta_ * u - eta_ + 1);
  return static_cast<std::uint64_t>(static_cast<double>(options_.n) * std::pow(base, alpha_));
}

// The mean of uniforms over the whole range, and a uniform one within the deviation on top, halved
// until it stays inside: fio's "normal" is this bell.
std::uint64_t SkewedRank::normal(Rng& rng) const {
  std::uint64_t sum = 0;
  for (int i = 0; i < k_uniforms; ++i) sum += rng.below(options_.n + 1);
  const auto mean = static_cast<std::int64_t>((sum + k_uniforms - 1) / k_uniforms);
  if (deviation_ == 0) return static_cast<std::uint64_t>(mean);
  auto off =
      static_cast<std::int64_t>(rng.below(deviation_)) - static_cast<std::int64_t>(deviation_ / 2);
  const auto n = static_cast<std::int64_t>(options_.n);
  while (off != 0 && (mean + off < 0 || mean + off >= n)) off /= 2;
  return static_cast<std::uint64_t>(mean + off);
}

}  // namespace loadline::engine
