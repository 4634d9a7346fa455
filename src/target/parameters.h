// The key=value parameters of a target as the workload gives them: ordered, keys unique, values
// uninterpreted until the target's factory reads them once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/secret.h"
#include "base/units.h"

namespace loadline::target {

// One key that a target understands, for `loadline version`, docs and checks.
struct ParameterSpec {
  std::string key;
  std::string default_value;
  std::string meaning;  // with its unit
  bool secret = false;  // masked in every result
};

class Parameters {
 public:
  using Entry = std::pair<std::string, std::string>;

  // A later value for a key replaces the earlier one.
  void set(std::string key, std::string value);
  const std::vector<Entry>& entries() const { return entries_; }
  bool has(std::string_view key) const { return find(key) != nullptr; }

  // The value as text, or the default.
  std::string text(std::string_view key, std::string_view default_value) const;
  Secret secret(std::string_view key) const;
  // These refuse a malformed value with Error.context = key.
  Result<bool> boolean(std::string_view key, bool default_value) const;
  Result<std::int64_t> integer(std::string_view key, std::int64_t default_value, std::int64_t least,
                               std::int64_t most) const;
  Result<double> number(std::string_view key, double default_value, double least,
                        double most) const;

  bool operator==(const Parameters&) const = default;

 private:
  const std::string* find(std::string_view key) const;
  std::vector<Entry> entries_;
};

// true/false/yes/no/on/off/1/0 in any case.
std::optional<bool> parse_boolean(std::string_view text);

// Keys whose values never reach a log, a result, a page or a process list, whatever the target:
// secretkey, password, token and the like.
bool is_secret_key(std::string_view key);

}  // namespace loadline::target
