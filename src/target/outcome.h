// How one operation ended. Closed on purpose: each target maps errno, HTTP statuses or exceptions
// to it in exactly one function, with a table test. Anything but ok is a counted failure that is
// timed apart and never counts as throughput.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace loadline::target {

enum class Outcome : std::uint8_t {
  ok,
  not_found,       // no such object or container
  denied,          // credentials or permission
  exists,          // a container that was to be created is there already
  not_empty,       // a container that was to be deleted still holds objects
  throttled,       // the store asked us to slow down
  timeout,         // no answer within the operation's limit
  connection,      // refused, reset, closed early, unreachable
  short_transfer,  // fewer bytes than announced
  corrupt,         // bytes or checksum differ from what was written
  no_space,
  server_error,  // the store says that it failed (HTTP 5xx)
  invalid,       // the store calls the request wrong (HTTP 4xx and others)
  io_error,
  unsupported,
  cancelled,  // the run was stopped while the operation was under way
};

inline constexpr std::size_t k_outcomes = static_cast<std::size_t>(Outcome::cancelled) + 1;

// The word in every output, e.g. "not_found".
std::string_view to_string(Outcome outcome);
// The outcome of a word; nothing where there is none.
std::optional<Outcome> outcome_of(std::string_view word);

// Every outcome, in order.
constexpr std::array<Outcome, k_outcomes> all_outcomes() {
  std::array<Outcome, k_outcomes> all{};
  for (std::size_t i = 0; i < k_outcomes; ++i) all[i] = static_cast<Outcome>(i);
  return all;
}

}  // namespace loadline::target
