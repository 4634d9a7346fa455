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
// Units are those of json_text.h; an enum is the word of its to_string(). Raw bytes are visited by
// v.hex("content_hex", bytes).
//
// json_writer.h and json_reader.h do what it says. For plan and store alone.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace loadline::json {

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
template <typename T>
inline constexpr bool k_is_array = false;
template <typename T, std::size_t N>
inline constexpr bool k_is_array<std::array<T, N>> = true;

}  // namespace loadline::json
