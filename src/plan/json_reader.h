// From JSON to values, by the description of their fields (plan/json_fields.h).
//
// Errors: a Reader keeps the first one, its context the path of the field, "stages[0].name".
// Threads: a Reader belongs to one thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/units.h"
#include "plan/json_fields.h"
#include "plan/json_text.h"

namespace loadline::json {

enum class Unknown : std::uint8_t { refused, ignored };

class Reader {
 public:
  explicit Reader(Unknown unknown) : unknown_(unknown) {}

  template <typename T>
  void read(const Json& json, T& into);

  template <typename T>
  void operator()(const char* key, T& into) {
    if (const Json* member = find(key)) {
      const Step step(*this, key);
      read(*member, into);
    } else if constexpr (!k_is_optional<T>) {
      const Step step(*this, key);
      fail("is missing");
    }
  }
  template <typename T>
  void if_set(const char* key, T& into) {
    if (const Json* member = find(key)) {
      const Step step(*this, key);
      read(*member, into);
    }
  }
  template <typename T>
  void detail(const char* key, T& into) {
    if_set(key, into);
  }
  void hex(const char* key, std::string& into) {
    std::string digits;
    (*this)(key, digits);
    const Step step(*this, key);
    if (auto bytes = bytes_of_hex(digits)) {
      into = std::move(*bytes);
    } else {
      fail("is not made of pairs of hex digits");
    }
  }
  void nanoseconds(const char* key, Duration& into) {
    std::int64_t ns = into.ns();
    if_set(key, ns);
    into = Duration::nanoseconds(ns);
  }
  template <typename F>
  void derived(const char* key, F) {
    find(key);
  }
  template <typename F>
  void derived_in(const char*, F) {}

  // Keeps the first error; everything after it is skipped.
  void fail(std::string what);
  bool failed() const { return error_.has_value(); }
  Error error() const { return *error_; }

  // Extends the path for the life of the object.
  class Step {
   public:
    Step(Reader& reader, std::string_view key);
    Step(Reader& reader, std::size_t index);
    ~Step() { reader_.path_.resize(length_); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Reader& reader_;
    std::size_t length_;
  };

 private:
  // The member of the object under visit, or null; notes that it is known.
  const Json* find(const char* key);
  template <typename T>
  void read_integer(const Json& json, T& into);
  template <typename T>
  void read_enum(const Json& json, T& into);
  template <typename T>
  void read_fields(const Json& json, T& into);
  void read_number(const Json& json, double& into);
  void read_text(const Json& json, std::string& into);
  void read_duration(const Json& json, Duration& into);
  void read_wall_time(const Json& json, WallTime& into);
  void refuse_unknown(const std::vector<std::string_view>& known);

  Unknown unknown_;
  std::optional<Error> error_;
  std::string path_;
  const Json* object_ = nullptr;
  std::vector<std::string_view> known_;  // keys asked for in *object_
};

template <typename T>
void Reader::read(const Json& json, T& into) {
  if (failed()) return;
  if constexpr (HasCodec<T>) {
    Codec<T>::read(json, into, *this);
  } else if constexpr (HasFields<T>) {
    read_fields(json, into);
  } else if constexpr (k_is_optional<T>) {
    read(json, into.emplace());
  } else if constexpr (k_is_vector<T>) {
    if (!json.is_array()) return fail("is not a list");
    for (std::size_t i = 0; i < json.size() && !failed(); ++i) {
      const Step step(*this, i);
      read(json[i], into.emplace_back());
    }
  } else if constexpr (k_is_array<T>) {
    if (!json.is_array() || json.size() != into.size()) {
      return fail("is not a list of " + std::to_string(into.size()));
    }
    for (std::size_t i = 0; i < into.size() && !failed(); ++i) {
      const Step step(*this, i);
      read(json[i], into[i]);
    }
  } else if constexpr (std::is_enum_v<T>) {
    read_enum(json, into);
  } else if constexpr (std::same_as<T, bool>) {
    if (!json.is_boolean()) return fail("is not true or false");
    into = json.get<bool>();
  } else if constexpr (std::integral<T>) {
    read_integer(json, into);
  } else if constexpr (std::same_as<T, double>) {
    read_number(json, into);
  } else if constexpr (std::same_as<T, std::string>) {
    read_text(json, into);
  } else if constexpr (std::same_as<T, Duration>) {
    read_duration(json, into);
  } else if constexpr (std::same_as<T, WallTime>) {
    read_wall_time(json, into);
  } else if constexpr (std::same_as<T, Rate>) {
    double number = 0;
    read_number(json, number);
    into = Rate::per_second(number);
  } else {
    static_assert(std::same_as<T, Bytes> || std::same_as<T, OpCount>);
    std::uint64_t count = 0;
    read_integer(json, count);
    into = T(count);
  }
}

template <typename T>
void Reader::read_integer(const Json& json, T& into) {
  using Limits = std::numeric_limits<T>;
  if (json.is_number_unsigned() && std::in_range<T>(json.get<std::uint64_t>())) {
    into = static_cast<T>(json.get<std::uint64_t>());
  } else if (json.is_number_integer() && !json.is_number_unsigned() &&
             std::in_range<T>(json.get<std::int64_t>())) {
    into = static_cast<T>(json.get<std::int64_t>());
  } else {
    fail("is not a whole number from " + std::to_string(Limits::min()) + " to " +
         std::to_string(Limits::max()));
  }
}

// The words of an enum are to_string() of 0, 1, .. up to the first "unknown".
template <typename T>
void Reader::read_enum(const Json& json, T& into) {
  std::string words;
  for (unsigned i = 0; i < 256; ++i) {
    const auto value = static_cast<T>(i);
    const std::string_view word = to_string(value);
    if (word == "unknown") break;
    if (json.is_string() && json.get_ref<const std::string&>() == word) {
      into = value;
      return;
    }
    words.append(i == 0 ? "" : ", ").append(word);
  }
  fail("is none of " + words);
}

template <typename T>
void Reader::read_fields(const Json& json, T& into) {
  if (!json.is_object()) return fail("is not an object");
  const Json* outer = std::exchange(object_, &json);
  std::vector<std::string_view> outer_known = std::exchange(known_, {});
  Fields<T>::visit(*this, into);
  refuse_unknown(known_);
  object_ = outer;
  known_ = std::move(outer_known);
}

}  // namespace loadline::json
