#include "dialects/testdfsio/sequence_file.h"

#include "base/check.h"
#include "base/rng.h"

namespace loadline::dialects::testdfsio {
namespace {

constexpr std::string_view k_magic = "SEQ\x06";
constexpr std::string_view k_key_class = "org.apache.hadoop.io.Text";
constexpr std::string_view k_value_class = "org.apache.hadoop.io.LongWritable";
constexpr std::size_t k_sync_size = 16;

std::string big_endian(std::uint64_t number, unsigned bytes) {
  std::string text;
  for (unsigned i = bytes; i-- > 0;) text += static_cast<char>(number >> (8 * i) & 0xff);
  return text;
}

// Text as the format keeps it: its length and its bytes.
std::string counted(std::string_view text) {
  return variable_length(static_cast<std::int64_t>(text.size())).append(text);
}

}  // namespace

std::string variable_length(std::int64_t number) {
  constexpr std::int64_t k_least_short = -112;
  constexpr std::int64_t k_most_short = 127;
  if (number >= k_least_short && number <= k_most_short) {
    return {static_cast<char>(number)};
  }
  // The first byte says how many follow, and whether they are to be inverted.
  const bool negative = number < 0;
  const auto magnitude = static_cast<std::uint64_t>(negative ? ~number : number);
  unsigned bytes = 1;
  while (bytes < 8 && magnitude >> (8 * bytes) != 0) ++bytes;
  const int first = (negative ? -120 : -112) - static_cast<int>(bytes);
  return std::string(1, static_cast<char>(first)) + big_endian(magnitude, bytes);
}

std::string sequence_file(std::string_view key, std::int64_t value, std::string_view sync) {
  CHECK(sync.size() == k_sync_size);
  std::string file(k_magic);
  file += counted(k_key_class);
  file += counted(k_value_class);
  file += '\0';              // values are not compressed
  file += '\0';              // neither are blocks
  file += big_endian(0, 4);  // no metadata
  file += sync;
  const std::string key_bytes = counted(key);
  const std::string value_bytes = big_endian(static_cast<std::uint64_t>(value), 8);
  file += big_endian(key_bytes.size() + value_bytes.size(), 4);
  file += big_endian(key_bytes.size(), 4);
  return file + key_bytes + value_bytes;
}

std::string sync_mark(std::string_view name) {
  std::uint64_t seed = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  Rng rng(seed);
  const std::uint64_t first = rng.next();
  return big_endian(first, 8) + big_endian(rng.next(), 8);
}

}  // namespace loadline::dialects::testdfsio
