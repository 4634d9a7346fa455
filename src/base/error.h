// The one error value. A function that can fail for a reason outside this program returns
// Result<T>; nobody can ignore it. Exceptions never cross a module boundary.
//
// Our own bugs are not errors: see check.h. A failed storage operation is not an error either: it
// is a target::Outcome that is counted.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace loadline {

enum class ErrorCode : std::uint8_t {
  bad_input,    // the user's text or options are wrong; exit status 2
  not_found,    // something named does not exist
  denied,       // permission or credentials
  unavailable,  // a host, service or device does not answer
  io,           // the operating system refused or failed
  unsupported,  // understood, but this build or target cannot do it
  cancelled,    // stopped from outside
};

std::string_view to_string(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::io;
  std::string what;     // one line: what is wrong, and what would be right
  std::string context;  // where: file:line:column, an option, a path; may be empty
  int os_error = 0;     // errno, where the operating system refused

  // "context: what", or "what" alone.
  std::string message() const;
};

template <typename T>
using Result = std::expected<T, Error>;

// Builds the failing side of a Result: return fail(ErrorCode::io, "cannot open", path).
inline std::unexpected<Error> fail(ErrorCode code, std::string what, std::string context = {}) {
  return std::unexpected<Error>(Error{code, std::move(what), std::move(context)});
}

// Passes an error on from a Result of another type: if (!r) return propagate(r);
template <typename T>
std::unexpected<Error> propagate(Result<T>& failed) {
  return std::unexpected<Error>(std::move(failed.error()));
}

// The text of an errno value, e.g. "No such file or directory".
std::string errno_text(int error_number);

// Maps errno of a file or socket call that serves Loadline itself (not a measured operation).
std::unexpected<Error> fail_errno(int error_number, std::string_view doing, std::string context);

}  // namespace loadline
