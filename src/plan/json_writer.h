// From values to JSON, by the description of their fields (plan/json_fields.h).
//
// Threads: a Writer belongs to one thread.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include "base/clock.h"
#include "base/units.h"
#include "plan/json_fields.h"
#include "plan/json_text.h"

namespace loadline::json {

class Writer {
 public:
  struct Options {
    bool mask_secrets = false;
    bool details = true;  // fields that are only of use to a Reader
  };
  explicit Writer(const Options& options) : options_(options) {}

  bool mask_secrets() const { return options_.mask_secrets; }

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
  template <typename T>
  void detail(const char* key, const T& value) {
    if (options_.details) if_set(key, value);
  }
  // Raw bytes, as hex digits.
  void hex(const char* key, const std::string& bytes) { (*object_)[key] = hex_of(bytes); }
  // In whole nanoseconds; left out where zero.
  void nanoseconds(const char* key, Duration d) { if_set(key, d.ns()); }
  // For people and scripts: what the fields amount to. A Reader passes over it.
  template <typename F>
  void derived(const char* key, F make) {
    (*object_)[key] = make();
  }
  // The same for the elements of a list that has been written: amend(index, element).
  template <typename F>
  void derived_in(const char* list, F amend) {
    Json& elements = (*object_)[list];
    for (std::size_t i = 0; i < elements.size(); ++i) amend(i, elements[i]);
  }

 private:
  Options options_;
  Json* object_ = nullptr;
};

template <typename T>
Json Writer::write(const T& value) const {
  if constexpr (HasCodec<T>) {
    return Codec<T>::write(value, *this);
  } else if constexpr (HasFields<T>) {
    Json object = Json::object();
    Writer inner(options_);
    inner.object_ = &object;
    Fields<T>::visit(inner, value);
    return object;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(to_string(value));
  } else if constexpr (k_is_vector<T> || k_is_array<T>) {
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

}  // namespace loadline::json
