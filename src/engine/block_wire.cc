#include "engine/block_wire.h"

#include <bit>
#include <concepts>
#include <cstring>
#include <type_traits>

namespace loadline::engine {
namespace {

template <typename T, typename Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

// The parts of each kind of value, in order. `v` takes them to or from the wire.

void each(auto& v, Is<record::FailureExample> auto& value) {
  auto& [outcome, status, times, item, detail] = value;
  v(outcome, status, times, item, detail);
}

void each(auto& v, Is<record::OpStats> auto& value) {
  auto& [outcomes, bytes, items, retries, outside, container_ops, container_failures, service,
         response, first_byte, failed, submission, completion, failures] = value;
  v(outcomes, bytes, items, retries, outside, container_ops, container_failures, service, response,
    first_byte, failed, submission, completion, failures);
}

void each(auto& v, Is<record::TickCounts> auto& value) {
  auto& [tick, ops] = value;
  v(tick, ops);
}

void each(auto& v, Is<record::WorkerLoad> auto& value) {
  auto& [depth, submits, completes, cpu_user, cpu_system, context_switches, major_faults,
         minor_faults] = value;
  v(depth, submits, completes, cpu_user, cpu_system, context_switches, major_faults, minor_faults);
}

void each(auto& v, Is<WirePassed> auto& value) {
  auto& [tick, load] = value;
  v(tick, load);
}

void each(auto& v, Is<record::BlockDirection> auto& value) {
  auto& [runtime, short_transfers, errors] = value;
  v(runtime, short_transfers, errors);
}

void each(auto& v, Is<record::BlockFailure> auto& value) {
  auto& [error, operation, file, offset, length, text] = value;
  v(error, operation, file, offset, length, text);
}

void each(auto& v, Is<record::LatencyTargetReport> auto& value) {
  auto& [depth, found] = value;
  v(depth, found);
}

void each(auto& v, Is<record::SteadyReport> auto& value) {
  auto& [attained, deviation, slope, iops, bytes_per_second, latency_ns] = value;
  v(attained, deviation, slope, iops, bytes_per_second, latency_ns);
}

void each(auto& v, Is<record::BlockCounters> auto& value) {
  auto& [depth, submits, completes, directions, sync_errors, verify_errors, verified, end_sync,
         elapsed, started, cpu_user, cpu_system, context_switches, major_faults, minor_faults,
         thread_id, signal, stop, failure, mismatches, errors, latency_target, steady, observed,
         laid_out, asked, used, unsynced, remarks] = value;
  (void)observed;
  v(depth, submits, completes, directions, sync_errors, verify_errors, verified, end_sync, elapsed,
    started, cpu_user, cpu_system, context_switches, major_faults, minor_faults, thread_id, signal,
    stop, failure, mismatches, errors, latency_target, steady, laid_out, asked, used, unsynced,
    remarks);
}

void each(auto& v, Is<BlockWorker::Report> auto& value) {
  auto& [counters, started, first_issued, last_done, stopped, in_flight_at_end, never_issued, loops,
         cpu, by_runtime] = value;
  v(counters, started, first_issued, last_done, stopped, in_flight_at_end, never_issued, loops, cpu,
    by_runtime);
}

class Writer {
 public:
  explicit Writer(WireKind kind) { number(static_cast<std::uint64_t>(kind)); }

  void operator()(const auto&... parts) { (one(parts), ...); }
  std::string take() { return std::move(text_); }

 private:
  void number(std::uint64_t value) {
    while (value >= 0x80) {
      text_ += static_cast<char>(0x80 | (value & 0x7f));
      value >>= 7;
    }
    text_ += static_cast<char>(value);
  }
  void one(std::signed_integral auto value) {
    const auto wide = static_cast<std::int64_t>(value);
    number((static_cast<std::uint64_t>(wide) << 1) ^ static_cast<std::uint64_t>(wide >> 63));
  }
  void one(std::unsigned_integral auto value) { number(value); }
  void one(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  void one(Bytes value) { number(value.count()); }
  void one(Duration value) { one(value.ns()); }
  void one(Instant value) { one(value.ns()); }
  void one(const std::string& value) {
    number(value.size());
    text_ += value;
  }
  template <typename T>
    requires std::is_enum_v<T>
  void one(T value) {
    number(static_cast<std::uint64_t>(value));
  }
  template <typename T, std::size_t n>
  void one(const std::array<T, n>& values) {
    for (const T& value : values) one(value);
  }
  template <typename T>
  void one(const std::vector<T>& values) {
    number(values.size());
    for (const T& value : values) one(value);
  }
  template <typename A, typename B>
  void one(const std::pair<A, B>& value) {
    one(value.first);
    one(value.second);
  }
  template <typename T>
  void one(const std::optional<T>& value) {
    number(value.has_value() ? 1 : 0);
    if (value) one(*value);
  }
  void one(const record::Histogram& value);
  template <typename T>
    requires std::is_class_v<T>
  void one(const T& value) {
    each(*this, value);
  }

  std::string text_;
};

void Writer::one(const record::Histogram& value) {
  number(value.count());
  if (value.empty()) return;
  one(value.min());
  one(value.max());
  number(value.sum_ns());
  number(value.past_top());
  // Each bucket by its distance from the one before; a distance of zero ends them.
  std::size_t before = 0;
  for (std::size_t i = value.first_used(); i <= value.last_used(); ++i) {
    if (value.at(i) == 0) continue;
    number(i + 1 - before);
    number(value.at(i));
    before = i + 1;
  }
  number(0);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) { kind_ = number(); }

  void operator()(auto&... parts) { (one(parts), ...); }
  bool is(WireKind kind) const { return good_ && kind_ == static_cast<std::uint64_t>(kind); }
  bool ended_well() const { return good_ && text_.empty(); }

 private:
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (text_.empty()) break;
      const auto byte = static_cast<unsigned char>(text_.front());
      text_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) return value;
    }
    good_ = false;
    return 0;
  }
  // Of things that follow, each of at least one byte.
  std::size_t length() {
    const std::uint64_t n = number();
    if (n <= text_.size()) return n;
    good_ = false;
    return 0;
  }
  std::int64_t signed_number() {
    const std::uint64_t folded = number();
    return static_cast<std::int64_t>(folded >> 1) ^ -static_cast<std::int64_t>(folded & 1);
  }
  template <std::signed_integral T>
  void one(T& value) {
    value = static_cast<T>(signed_number());
  }
  template <std::unsigned_integral T>
  void one(T& value) {
    value = static_cast<T>(number());
  }
  void one(double& value) { value = std::bit_cast<double>(number()); }
  void one(Bytes& value) { value = Bytes(number()); }
  void one(Duration& value) { value = Duration::nanoseconds(signed_number()); }
  void one(Instant& value) { value = Instant::from_ns(signed_number()); }
  void one(std::string& value) {
    const std::size_t n = length();
    value = text_.substr(0, n);
    text_.remove_prefix(n);
  }
  template <typename T>
    requires std::is_enum_v<T>
  void one(T& value) {
    value = static_cast<T>(number());
  }
  template <typename T, std::size_t n>
  void one(std::array<T, n>& values) {
    for (T& value : values) one(value);
  }
  template <typename T>
  void one(std::vector<T>& values) {
    const std::size_t n = length();
    values.clear();
    for (std::size_t i = 0; i < n && good_; ++i) one(values.emplace_back());
  }
  template <typename A, typename B>
  void one(std::pair<A, B>& value) {
    one(value.first);
    one(value.second);
  }
  template <typename T>
  void one(std::optional<T>& value) {
    value.reset();
    if (number() == 1) one(value.emplace());
  }
  void one(record::Histogram& value);
  template <typename T>
    requires std::is_class_v<T>
  void one(T& value) {
    each(*this, value);
  }

  std::string_view text_;
  std::uint64_t kind_ = 0;
  bool good_ = true;
};

void Reader::one(record::Histogram& value) {
  value.clear();
  if (number() == 0) return;
  const std::int64_t min = signed_number();
  const std::int64_t max = signed_number();
  const std::uint64_t sum = number();
  const std::uint64_t past_top = number();
  std::uint64_t at = 0;
  while (good_) {
    const std::uint64_t distance = number();
    if (distance == 0) break;
    at += distance;
    if (distance > record::Histogram::k_buckets || at > record::Histogram::k_buckets) {
      good_ = false;
      return;
    }
    value.restore_bucket(at - 1, number());
  }
  if (!good_) return;
  value.restore_summary(static_cast<std::uint64_t>(min), static_cast<std::uint64_t>(max), sum,
                        past_top);
}

template <typename T>
std::string encode(WireKind kind, const T& value) {
  Writer writer(kind);
  writer(value);
  return writer.take();
}

template <typename T>
std::optional<T> decode(WireKind kind, std::string_view message) {
  Reader reader(message);
  if (!reader.is(kind)) return {};
  T value{};
  reader(value);
  if (!reader.ended_well()) return {};
  return value;
}

}  // namespace

std::string encode_prepared() { return Writer(WireKind::prepared).take(); }

std::string encode_tick(const record::TickCounts& counts) { return encode(WireKind::tick, counts); }

std::string encode_passed(const WirePassed& passed) { return encode(WireKind::passed, passed); }

std::string encode_report(const BlockWorker::Report& report) {
  return encode(WireKind::report, report);
}

std::optional<WireKind> kind_of(std::string_view message) {
  if (message.empty()) return {};
  const auto kind = static_cast<unsigned char>(message.front());
  if (kind > static_cast<unsigned char>(WireKind::report)) return {};
  return static_cast<WireKind>(kind);
}

std::optional<record::TickCounts> decode_tick(std::string_view message) {
  return decode<record::TickCounts>(WireKind::tick, message);
}

std::optional<WirePassed> decode_passed(std::string_view message) {
  return decode<WirePassed>(WireKind::passed, message);
}

std::optional<BlockWorker::Report> decode_report(std::string_view message) {
  return decode<BlockWorker::Report>(WireKind::report, message);
}

std::string WireFrames::frame(std::string_view message) {
  const auto length = static_cast<std::uint32_t>(message.size());
  std::string text(sizeof length, '\0');
  std::memcpy(text.data(), &length, sizeof length);
  text += message;
  return text;
}

std::optional<std::string> WireFrames::next() {
  std::uint32_t length = 0;
  if (!good_ || bytes_.size() - at_ < sizeof length) return {};
  std::memcpy(&length, bytes_.data() + at_, sizeof length);
  if (length > k_message_max) {
    good_ = false;
    return {};
  }
  if (bytes_.size() - at_ < sizeof length + length) return {};
  std::string message = bytes_.substr(at_ + sizeof length, length);
  at_ += sizeof length + length;
  if (at_ == bytes_.size()) {
    bytes_.clear();
    at_ = 0;
  }
  return message;
}

}  // namespace loadline::engine
