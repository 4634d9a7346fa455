// Quantities as types. There is no implicit conversion between them and none to plain numbers, so
// that mixing milliseconds with nanoseconds, or bytes with counts, does not compile.
//
// Threads: plain values. Units: Duration and Instant count nanoseconds, Bytes count bytes, Rate is
// per second.
#pragma once

#include <compare>
#include <cstdint>

namespace loadline {

// A span of time in nanoseconds; may be negative.
class Duration {
 public:
  constexpr Duration() = default;
  static constexpr Duration nanoseconds(std::int64_t n) { return Duration(n); }
  static constexpr Duration microseconds(std::int64_t n) { return Duration(n * 1'000); }
  static constexpr Duration milliseconds(std::int64_t n) { return Duration(n * 1'000'000); }
  static constexpr Duration seconds(std::int64_t n) { return Duration(n * 1'000'000'000); }
  // To the nearest nanosecond.
  static constexpr Duration from_seconds(double s) {
    return Duration(static_cast<std::int64_t>(s * 1e9 + (s < 0 ? -0.5 : 0.5)));
  }
  static constexpr Duration max() { return Duration(INT64_MAX); }

  constexpr std::int64_t ns() const { return ns_; }
  constexpr double as_seconds() const { return static_cast<double>(ns_) / 1e9; }
  constexpr double as_milliseconds() const { return static_cast<double>(ns_) / 1e6; }

  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration operator+(Duration o) const { return Duration(ns_ + o.ns_); }
  constexpr Duration operator-(Duration o) const { return Duration(ns_ - o.ns_); }
  constexpr Duration operator*(std::int64_t k) const { return Duration(ns_ * k); }
  constexpr Duration operator/(std::int64_t k) const { return Duration(ns_ / k); }
  constexpr std::int64_t operator/(Duration o) const { return ns_ / o.ns_; }
  constexpr Duration& operator+=(Duration o) {
    ns_ += o.ns_;
    return *this;
  }

 private:
  explicit constexpr Duration(std::int64_t ns) : ns_(ns) {}
  std::int64_t ns_ = 0;
};

// A point on one Clock's monotonic time line. The default value means "never stamped".
class Instant {
 public:
  constexpr Instant() = default;
  static constexpr Instant from_ns(std::int64_t ns) { return Instant(ns); }
  static constexpr Instant max() { return Instant(INT64_MAX); }

  constexpr std::int64_t ns() const { return ns_; }
  constexpr bool stamped() const { return ns_ != 0; }

  constexpr auto operator<=>(const Instant&) const = default;
  // Saturates at max(), so that "for ever" stays for ever.
  constexpr Instant operator+(Duration d) const {
    return (d.ns() > 0 && ns_ > INT64_MAX - d.ns()) ? max() : Instant(ns_ + d.ns());
  }
  constexpr Instant operator-(Duration d) const { return Instant(ns_ - d.ns()); }
  constexpr Duration operator-(Instant o) const { return Duration::nanoseconds(ns_ - o.ns_); }

 private:
  explicit constexpr Instant(std::int64_t ns) : ns_(ns) {}
  std::int64_t ns_ = 0;
};

// A number of bytes. Never negative.
class Bytes {
 public:
  constexpr Bytes() = default;
  explicit constexpr Bytes(std::uint64_t n) : n_(n) {}
  static constexpr Bytes max() { return Bytes(UINT64_MAX); }

  constexpr std::uint64_t count() const { return n_; }

  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes operator+(Bytes o) const { return Bytes(n_ + o.n_); }
  constexpr Bytes operator-(Bytes o) const { return Bytes(n_ - o.n_); }
  constexpr Bytes operator*(std::uint64_t k) const { return Bytes(n_ * k); }
  constexpr Bytes& operator+=(Bytes o) {
    n_ += o.n_;
    return *this;
  }

 private:
  std::uint64_t n_ = 0;
};

// A number of operations.
class OpCount {
 public:
  constexpr OpCount() = default;
  explicit constexpr OpCount(std::uint64_t n) : n_(n) {}

  constexpr std::uint64_t count() const { return n_; }

  constexpr auto operator<=>(const OpCount&) const = default;
  constexpr OpCount operator+(OpCount o) const { return OpCount(n_ + o.n_); }
  constexpr OpCount operator-(OpCount o) const { return OpCount(n_ - o.n_); }
  constexpr OpCount& operator+=(OpCount o) {
    n_ += o.n_;
    return *this;
  }

 private:
  std::uint64_t n_ = 0;
};

// Something per second.
class Rate {
 public:
  constexpr Rate() = default;
  static constexpr Rate per_second(double r) { return Rate(r); }
  // The rate of `n` in `d`; zero where no time has passed.
  static constexpr Rate of(double n, Duration d) {
    return d.ns() > 0 ? Rate(n / d.as_seconds()) : Rate();
  }

  constexpr double per_second() const { return r_; }
  constexpr auto operator<=>(const Rate&) const = default;

 private:
  explicit constexpr Rate(double r) : r_(r) {}
  double r_ = 0;
};

// Names one worker thread of one driver, counted from 0 over the whole run of a stage.
enum class WorkerId : std::uint32_t {};

constexpr std::uint32_t index_of(WorkerId id) { return static_cast<std::uint32_t>(id); }

}  // namespace loadline
