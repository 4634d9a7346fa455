#include "record/hdr_log.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/check.h"

namespace loadline::record {
namespace {

using Buffer = std::vector<unsigned char>;

// The low byte of a cookie says how counts are stored: 0x1_ is ZigZag LEB128.
constexpr std::uint32_t k_payload_cookie = 0x1c849313;
constexpr std::uint32_t k_compressed_cookie = 0x1c849314;
constexpr std::size_t k_payload_header = 40;
constexpr std::size_t k_compressed_header = 8;
// More than any histogram of 64-bit counts in this layout needs.
constexpr std::size_t k_payload_max = k_payload_header + 9 * Histogram::k_buckets;
constexpr std::int32_t k_digits = 2;
constexpr std::uint64_t k_highest = (std::uint64_t{1} << Histogram::k_top_bits) - 1;

constexpr std::string_view k_base64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(const Buffer& bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= n ? k_base64[group >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

std::optional<Buffer> from_base64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return std::nullopt;
  while (text.ends_with('=') && text.size() % 4 != 2) text.remove_suffix(1);
  Buffer bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t group = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const std::size_t digit = k_base64.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<unsigned char>(group >> bits & 0xffU));
    }
  }
  return bytes;
}

// Big-endian, as every number of the format.
template <typename T>
void put(Buffer& into, T value) {
  for (std::size_t i = sizeof(T); i-- > 0;) {
    into.push_back(static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff));
  }
}

std::uint64_t get(const Buffer& from, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | from[at + i];
  return value;
}

// ZigZag LEB128 in at most nine bytes: the ninth holds eight bits.
void put_count(Buffer& into, std::int64_t value) {
  std::uint64_t left = static_cast<std::uint64_t>(value) << 1;
  if (value < 0) left = ~left;
  for (int i = 0; i < 8; ++i) {
    if (left < 0x80) {
      into.push_back(static_cast<unsigned char>(left));
      return;
    }
    into.push_back(static_cast<unsigned char>((left & 0x7f) | 0x80));
    left >>= 7;
  }
  into.push_back(static_cast<unsigned char>(left));
}

std::optional<std::int64_t> get_count(const Buffer& from, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 9; ++i) {
    if (at >= from.size()) return std::nullopt;
    const std::uint64_t byte = from[at++];
    const std::uint64_t part = i < 8 ? byte & 0x7f : byte;
    value |= part << (7 * i);
    if (i < 8 && byte < 0x80) break;
  }
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

// Counts from bucket 0 to the last one used, runs of zeros as one negative number.
Buffer counts_of(const Histogram& histogram) {
  constexpr std::size_t k_last = Histogram::k_buckets - 1;
  const std::size_t last = histogram.past_top() > 0 ? k_last : histogram.last_used();
  Buffer counts;
  std::int64_t zeros = 0;
  for (std::size_t i = 0; i <= last && !histogram.empty(); ++i) {
    const std::uint64_t count =
        histogram.at(i) + (i == k_last ? histogram.past_top() : std::uint64_t{0});
    if (count == 0) {
      ++zeros;
      continue;
    }
    if (zeros > 0) put_count(counts, -zeros);
    zeros = 0;
    put_count(counts, static_cast<std::int64_t>(count));
  }
  return counts;
}

Buffer payload_of(const Histogram& histogram) {
  const Buffer counts = counts_of(histogram);
  Buffer payload;
  put<std::uint32_t>(payload, k_payload_cookie);
  put<std::uint32_t>(payload, static_cast<std::uint32_t>(counts.size()));
  put<std::uint32_t>(payload, 0);  // offset of a shifted histogram
  put<std::int32_t>(payload, k_digits);
  put<std::uint64_t>(payload, 1);  // lowest value told from zero: 1 ns
  put<std::uint64_t>(payload, k_highest);
  put<std::uint64_t>(payload, std::bit_cast<std::uint64_t>(1.0));  // integer to double ratio
  payload.insert(payload.end(), counts.begin(), counts.end());
  return payload;
}

std::unexpected<Error> broken(std::string_view why) {
  return fail(ErrorCode::bad_input, fmt::format("no HdrHistogram: {}", why));
}

Result<Buffer> inflate_all(const Buffer& compressed) {
  Buffer payload(k_payload_max);
  uLongf size = payload.size();
  const int code = ::uncompress(payload.data(), &size, compressed.data() + k_compressed_header,
                                compressed.size() - k_compressed_header);
  if (code != Z_OK) return broken("its zlib data is damaged or too long");
  payload.resize(size);
  return payload;
}

Result<void> check_header(const Buffer& payload) {
  // The second digit of the cookie is the counts' word size, which this encoding does not use.
  constexpr std::uint64_t k_mask = ~std::uint64_t{0xf0};
  if (payload.size() < k_payload_header ||
      (get(payload, 0, 4) & k_mask) != (k_payload_cookie & k_mask)) {
    return broken("its payload does not begin with the V2 cookie");
  }
  if (get(payload, 4, 4) != payload.size() - k_payload_header) {
    return broken("its payload has another length than it says");
  }
  if (get(payload, 8, 4) != 0 || get(payload, 12, 4) != k_digits || get(payload, 16, 8) != 1) {
    return fail(ErrorCode::unsupported,
                "a HdrHistogram of another layout than two significant digits and unit 1");
  }
  return {};
}

// "12.345" seconds.
std::optional<Duration> seconds_from(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !(value >= 0 && value < 9e9)) return std::nullopt;
  return Duration::from_seconds(value);
}

}  // namespace

std::string encode_hdr(const Histogram& histogram) {
  const Buffer payload = payload_of(histogram);
  uLongf size = ::compressBound(payload.size());
  Buffer packed(size);
  CHECK(::compress(packed.data(), &size, payload.data(), payload.size()) == Z_OK);
  Buffer bytes;
  put<std::uint32_t>(bytes, k_compressed_cookie);
  put<std::uint32_t>(bytes, static_cast<std::uint32_t>(size));
  bytes.insert(bytes.end(), packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
  return to_base64(bytes);
}

Result<Histogram> decode_hdr(std::string_view base64) {
  const std::optional<Buffer> bytes = from_base64(base64);
  if (!bytes) return broken("it is not base64");
  constexpr std::uint64_t k_mask = ~std::uint64_t{0xf0};
  if (bytes->size() < k_compressed_header ||
      (get(*bytes, 0, 4) & k_mask) != (k_compressed_cookie & k_mask)) {
    return broken("it does not begin with the cookie of compressed V2");
  }
  Result<Buffer> payload = inflate_all(*bytes);
  if (!payload) return propagate(payload);
  if (Result<void> header = check_header(*payload); !header) return propagate(header);
  Histogram histogram;
  std::uint64_t bucket = 0;
  for (std::size_t at = k_payload_header; at < payload->size();) {
    const std::optional<std::int64_t> count = get_count(*payload, at);
    if (!count) return broken("it ends inside a count");
    if (*count < 0) {
      bucket += std::uint64_t{0} - static_cast<std::uint64_t>(*count);
      if (bucket >= Histogram::k_buckets) return broken("it has more buckets than its layout");
      continue;
    }
    if (bucket >= Histogram::k_buckets) return broken("it has more buckets than its layout");
    const std::uint64_t low = Histogram::lowest_of(bucket);
    const std::uint64_t middle = low + (Histogram::highest_of(bucket) - low) / 2;
    if (*count > 0) {
      histogram.add(Duration::nanoseconds(static_cast<std::int64_t>(middle)),
                    static_cast<std::uint64_t>(*count));
    }
    ++bucket;
  }
  return histogram;
}

std::string hdr_log_header(WallTime base) {
  const std::int64_t milliseconds = base.ns() / 1'000'000;
  const double seconds = static_cast<double>(milliseconds) / 1e3;
  return fmt::format(
      "#[Histogram log format version 1.3]\n"
      "#[Logged by Loadline; latencies in nanoseconds, Interval_Max in milliseconds]\n"
      "#[StartTime: {0:.3f} (seconds since epoch), {1}]\n"
      "#[BaseTime: {0:.3f} (seconds since epoch)]\n"
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
      "\"Interval_Compressed_Histogram\"\n",
      seconds, base.iso8601());
}

std::string hdr_log_line(const std::string& tag, Duration start, Duration length,
                         const Histogram& histogram) {
  return fmt::format("Tag={},{:.3f},{:.3f},{:.3f},{}\n", tag, start.as_seconds(),
                     length.as_seconds(), histogram.max().as_milliseconds(), encode_hdr(histogram));
}

Result<HdrInterval> parse_hdr_log_line(std::string_view line) {
  std::array<std::string_view, 5> parts;  // tag, start, length, max, histogram
  constexpr std::string_view k_tag = "Tag=";
  std::size_t first = 1;
  if (line.starts_with(k_tag)) {
    line.remove_prefix(k_tag.size());
    first = 0;
  }
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  for (std::size_t i = first; i < parts.size(); ++i) {
    const std::size_t comma = i + 1 < parts.size() ? line.find(',') : line.size();
    if (comma == std::string_view::npos) return broken("the log line has too few columns");
    parts[i] = line.substr(0, comma);
    line.remove_prefix(std::min(comma + 1, line.size()));
  }
  const std::optional<Duration> start = seconds_from(parts[1]);
  const std::optional<Duration> length = seconds_from(parts[2]);
  if (!start || !length) return broken("the log line does not say when its interval was");
  Result<Histogram> histogram = decode_hdr(parts[4]);
  if (!histogram) return propagate(histogram);
  return HdrInterval{std::string(parts[0]), *start, *length, std::move(*histogram)};
}

std::string hdr_tag(std::string_view text) {
  std::string tag(text);
  std::ranges::replace_if(
      tag, [](unsigned char c) { return c <= ' ' || c == ',' || c == 0x7f; }, '_');
  return tag;
}

}  // namespace loadline::record
