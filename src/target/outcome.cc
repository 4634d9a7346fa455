#include "target/outcome.h"

namespace loadline::target {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok: return "ok";
    case Outcome::not_found: return "not_found";
    case Outcome::denied: return "denied";
    case Outcome::exists: return "exists";
    case Outcome::not_empty: return "not_empty";
    case Outcome::throttled: return "throttled";
    case Outcome::timeout: return "timeout";
    case Outcome::connection: return "connection";
    case Outcome::short_transfer: return "short_transfer";
    case Outcome::corrupt: return "corrupt";
    case Outcome::no_space: return "no_space";
    case Outcome::server_error: return "server_error";
    case Outcome::invalid: return "invalid";
    case Outcome::io_error: return "io_error";
    case Outcome::unsupported: return "unsupported";
    case Outcome::cancelled: return "cancelled";
  }
  return "unknown";
}

std::optional<Outcome> outcome_of(std::string_view word) {
  for (const Outcome outcome : all_outcomes()) {
    if (to_string(outcome) == word) return outcome;
  }
  return std::nullopt;
}

}  // namespace loadline::target
