#include "target/parameters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <type_traits>

namespace loadline::target {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

// Without the six decimals of std::to_string.
template <typename T>
std::string plain(T number) {
  std::array<char, 400> text{};
  char* const end = text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>) {
    return {text.data(), std::to_chars(text.data(), end, number, std::chars_format::fixed).ptr};
  } else {
    return {text.data(), std::to_chars(text.data(), end, number).ptr};
  }
}

template <typename T>
Result<T> parse_number(std::string_view key, const std::string& value, T least, T most,
                       std::string_view kind) {
  T parsed{};
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, parsed);
  if (error != std::errc() || stop != end || !(parsed >= least && parsed <= most)) {
    return fail(ErrorCode::bad_input,
                "'" + value + "' is not " + std::string(kind) + " from " + plain(least) + " to " +
                    plain(most),
                std::string(key));
  }
  return parsed;
}

}  // namespace

void Parameters::set(std::string key, std::string value) {
  for (auto& [k, v] : entries_) {
    if (k == key) {
      v = std::move(value);
      return;
    }
  }
  entries_.emplace_back(std::move(key), std::move(value));
}

const std::string* Parameters::find(std::string_view key) const {
  const auto it = std::ranges::find(entries_, key, &Entry::first);
  return it == entries_.end() ? nullptr : &it->second;
}

std::string Parameters::text(std::string_view key, std::string_view default_value) const {
  const std::string* value = find(key);
  return value ? *value : std::string(default_value);
}

Secret Parameters::secret(std::string_view key) const { return Secret(text(key, "")); }

Result<bool> Parameters::boolean(std::string_view key, bool default_value) const {
  const std::string* value = find(key);
  if (!value) return default_value;
  if (const auto parsed = parse_boolean(*value)) return *parsed;
  return fail(ErrorCode::bad_input, "'" + *value + "' is not true or false", std::string(key));
}

Result<std::int64_t> Parameters::integer(std::string_view key, std::int64_t default_value,
                                         std::int64_t least, std::int64_t most) const {
  const std::string* value = find(key);
  if (!value) return default_value;
  return parse_number<std::int64_t>(key, *value, least, most, "a whole number");
}

Result<double> Parameters::number(std::string_view key, double default_value, double least,
                                  double most) const {
  const std::string* value = find(key);
  if (!value) return default_value;
  return parse_number<double>(key, *value, least, most, "a number");
}

std::optional<bool> parse_boolean(std::string_view text) {
  const std::string word = lower(text);
  for (const char* yes : {"true", "yes", "on", "1"}) {
    if (word == yes) return true;
  }
  for (const char* no : {"false", "no", "off", "0"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

bool is_secret_key(std::string_view key) {
  const std::string word = lower(key);
  // The last two are of Hadoop's configuration.
  constexpr std::array<std::string_view, 8> k_fragments = {
      "secret",     "password",   "passwd",      "token",
      "passphrase", "credential", "account.key", "encryption.key"};
  return std::ranges::any_of(k_fragments, [&](std::string_view fragment) {
    return word.find(fragment) != std::string::npos;
  });
}

}  // namespace loadline::target
