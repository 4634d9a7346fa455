// JSON in and out by one description of a struct's fields, so that encoder and decoder cannot
// diverge. A struct is described once:
//
//   template <>
//   struct json::Fields<Pace> {
//     static void visit(auto& v, auto& pace) {
//       auto& [arrival, rate] = pace;      // a new member breaks the build here
//       v("arrival", arrival);
//       v("rate_per_second", rate);
//     }
//   };
//
// Units: Duration is a number of seconds (whole ones exact, others to the nanosecond up to 26
// days), Bytes and OpCount are whole numbers, Rate is per second, WallTime is ISO 8601 in UTC, cut
// to the millisecond; enums are the words of their to_string(). Text that is not UTF-8 is written
// with replacement characters.
//
// Errors: a Reader keeps the first one, its context the path of the field, "stages[0].name".
// Threads: a Writer or Reader belongs to one thread. For plan and store alone.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/units.h"

namespace loadline::json {

using Json = nlohmann::ordered_json;

// No exception of the JSON library leaves these. Errors name line and column.
Result<Json> parse(std::string_view text);
// indent < 0: all on one line.
std::string print(const Json& json, int indent);

// "2026-11-30T16:59:47.123Z", as WallTime::iso8601() prints it.
std::optional<WallTime> parse_iso8601(std::string_view text);

Json seconds_of(Duration d);
std::optional<Duration> duration_of(const Json& seconds);

// Describes a struct; see above.
template <typename T>
struct Fields;
// For what is no plain struct: static Json write(const T&, const Writer&) and
// static void read(const Json&, T&, Reader&), which calls reader.fail() for what it refuses.
template <typename T>
struct Codec;

template <typename T>
concept HasFields = requires { sizeof(Fields<T>); };
template <typename T>
concept HasCodec = requires { sizeof(Codec<T>); };

template <typename T>
inline constexpr bool k_is_optional = false;
template <typename T>
inline constexpr bool k_is_optional<std::optional<T>> = true;
template <typename T>
inline constexpr bool k_is_vector = false;
template <typename T>
inline constexpr bool k_is_vector<std::vector<T>> = true;

class Writer {
 public:
  explicit Writer(bool mask_secrets = false) : mask_secrets_(mask_secrets) {}

  bool mask_secrets() const { return mask_secrets_; }

  template <typename T>
  Json write(const T& value) const;

  // What Fields<T>::visit calls. An optional without a value is left out.
  template <typename T>
  void operator()(const char* key, const T& value) {
    if constexpr (k_is_optional<T>) {
      if (value) (*object_)[key] = write(*value);
    } else {
      (*object_)[key] = write(value);
    }
  }
  // Left out where it equals its type's default.
  template <typename T>
  void if_set(const char* key, const T& value) {
    if (!(value == T())) (*object_)[key] = write(value);
  }
  // For people and scripts; a Reader passes over it.
  template <typename F>
  void derived(const char* key, F make) {
    (*object_)[key] = make();
  }

 private:
  bool mask_secrets_;
  Json* object_ = nullptr;
};

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
  template <typename F>
  void derived(const char* key, F) {
    find(key);
  }

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
Json Writer::write(const T& value) const {
  if constexpr (HasCodec<T>) {
    return Codec<T>::write(value, *this);
  } else if constexpr (HasFields<T>) {
    Json object = Json::object();
    Writer inner(mask_secrets_);
    inner.object_ = &object;
    Fields<T>::visit(inner, value);
    return object;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(to_string(value));
  } else if constexpr (k_is_vector<T>) {
    Json list = Json::array();
    for (const auto& element : value) list.push_back(write(element));
    return list;
  } else if constexpr (std::same_as<T, Duration>) {
    return seconds_of(value);
  } else if constexpr (std::same_as<T, Bytes> || std::same_as<T, OpCount>) {
    return value.count();
  } else if constexpr (std::same_as<T, Rate>) {
    return value.per_second();
  } else if constexpr (std::same_as<T, WallTime>) {
    return value.iso8601();
  } else {
    static_assert(std::is_arithmetic_v<T> || std::same_as<T, std::string>);
    return value;
  }
}

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
