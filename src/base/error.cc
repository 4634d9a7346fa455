#include "base/error.h"

#include <cerrno>
#include <system_error>

namespace loadline {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::bad_input: return "bad input";
    case ErrorCode::not_found: return "not found";
    case ErrorCode::denied: return "denied";
    case ErrorCode::unavailable: return "unavailable";
    case ErrorCode::io: return "i/o error";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::cancelled: return "cancelled";
  }
  return "unknown";
}

std::string Error::message() const { return context.empty() ? what : context + ": " + what; }

std::string errno_text(int error_number) { return std::generic_category().message(error_number); }

std::unexpected<Error> fail_errno(int error_number, std::string_view doing, std::string context) {
  ErrorCode code = ErrorCode::io;
  if (error_number == ENOENT || error_number == ENOTDIR) code = ErrorCode::not_found;
  if (error_number == EACCES || error_number == EPERM) code = ErrorCode::denied;
  if (error_number == ECONNREFUSED || error_number == EHOSTUNREACH) code = ErrorCode::unavailable;
  return std::unexpected<Error>(Error{.code = code,
                                      .what = std::string(doing) + ": " + errno_text(error_number),
                                      .context = std::move(context),
                                      .os_error = error_number});
}

}  // namespace loadline
