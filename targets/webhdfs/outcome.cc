#include "targets/webhdfs/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace loadline::targets::webhdfs {
namespace {

using net::HttpFailure;
using target::Outcome;

constexpr std::size_t k_detail_max = 300;
constexpr std::string_view k_standby = "StandbyException";

struct NamedOutcome {
  std::string_view text;
  Outcome outcome;
};

// By the exception's name. What ends "try again later" is throttled: a file's lease that another
// writer still has, or had until a moment ago, is of that kind.
constexpr std::array<NamedOutcome, 35> k_exceptions = {{
    {"FileNotFoundException", Outcome::not_found},
    {"PathNotFoundException", Outcome::not_found},
    {"ParentNotDirectoryException", Outcome::not_found},
    {"AccessControlException", Outcome::denied},
    {"SecurityException", Outcome::denied},
    {"AuthorizationException", Outcome::denied},
    {"AuthenticationException", Outcome::denied},
    {"InvalidToken", Outcome::denied},
    {"PathPermissionException", Outcome::denied},
    {"PathAccessDeniedException", Outcome::denied},
    {"FileAlreadyExistsException", Outcome::exists},
    {"PathExistsException", Outcome::exists},
    {"PathIsNotEmptyDirectoryException", Outcome::not_empty},
    {"AlreadyBeingCreatedException", Outcome::throttled},
    {"RecoveryInProgressException", Outcome::throttled},
    {"LeaseExpiredException", Outcome::throttled},
    {"NotReplicatedYetException", Outcome::throttled},
    {"RetriableException", Outcome::throttled},
    {"RetryStartFileException", Outcome::throttled},
    {"RpcThrottlingException", Outcome::throttled},
    {k_standby, Outcome::server_error},
    {"ObserverRetryOnActiveException", Outcome::server_error},
    {"SafeModeException", Outcome::server_error},
    {"RuntimeException", Outcome::server_error},
    {"NullPointerException", Outcome::server_error},
    {"OutOfMemoryError", Outcome::server_error},
    {"QuotaExceededException", Outcome::no_space},
    {"DSQuotaExceededException", Outcome::no_space},
    {"NSQuotaExceededException", Outcome::no_space},
    {"QuotaByStorageTypeExceededException", Outcome::no_space},
    {"DiskOutOfSpaceException", Outcome::no_space},
    {"IllegalArgumentException", Outcome::invalid},
    {"InvalidPathException", Outcome::invalid},
    {"UnsupportedOperationException", Outcome::unsupported},
    {"SocketTimeoutException", Outcome::timeout},
}};

// Plain IOExceptions, and what a gateway hands on without its name, say what they are in words.
constexpr std::array<NamedOutcome, 5> k_messages = {{
    {"not sufficiently replicated yet", Outcome::throttled},
    {"lease recovery is in progress", Outcome::throttled},
    {"could only be written to 0 of", Outcome::no_space},
    {"could only be replicated to 0 nodes", Outcome::no_space},
    {"is non empty", Outcome::not_empty},
}};

Outcome of_failure(HttpFailure failure) {
  switch (failure) {
    case HttpFailure::none: return Outcome::ok;
    case HttpFailure::connect:
    case HttpFailure::tls:
    case HttpFailure::proxy:
    case HttpFailure::closed:
    case HttpFailure::reset:
    case HttpFailure::malformed: return Outcome::connection;
    case HttpFailure::short_body: return Outcome::short_transfer;
    case HttpFailure::connect_timeout:
    case HttpFailure::timeout: return Outcome::timeout;
    case HttpFailure::cancelled: return Outcome::cancelled;
  }
  return Outcome::io_error;
}

Outcome of_exception(std::string_view exception, std::string_view message) {
  for (const NamedOutcome& known : k_exceptions) {
    if (exception == known.text) return known.outcome;
  }
  for (const NamedOutcome& known : k_messages) {
    if (message.find(known.text) != std::string_view::npos) return known.outcome;
  }
  return Outcome::io_error;
}

Outcome of_status(std::uint16_t status) {
  if (status >= 200 && status < 300) return Outcome::ok;
  switch (status) {
    case 401:
    case 403: return Outcome::denied;
    case 404: return Outcome::not_found;
    case 408: return Outcome::timeout;
    case 429: return Outcome::throttled;
    case 501: return Outcome::unsupported;
    case 507: return Outcome::no_space;
    default: return status >= 500 ? Outcome::server_error : Outcome::invalid;
  }
}

}  // namespace

Outcome outcome_of(const Answer& answer) {
  if (answer.failure != HttpFailure::none) return of_failure(answer.failure);
  if (!answer.exception.empty()) return of_exception(answer.exception, answer.message);
  return of_status(answer.status);
}

bool worth_retrying(Outcome outcome) {
  switch (outcome) {
    case Outcome::throttled:
    case Outcome::timeout:
    case Outcome::connection:
    case Outcome::short_transfer:
    case Outcome::server_error: return true;
    default: return false;
  }
}

bool is_standby(std::string_view exception) { return exception == k_standby; }

std::string describe_answer(std::uint16_t status, const RemoteException& error) {
  std::string text = fmt::format("HTTP {}", status);
  if (!error.name.empty()) text += " " + error.name;
  if (!error.message.empty()) text += ": " + error.message;
  if (status == 401) text += " (a cluster with Kerberos: give token=)";
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  if (text.size() > k_detail_max) text.resize(k_detail_max);
  return text;
}

Error error_of(Outcome outcome, std::string what, std::string context) {
  Error error{.code = ErrorCode::io, .what = std::move(what), .context = std::move(context)};
  switch (outcome) {
    case Outcome::not_found:
      error.code = ErrorCode::not_found;
      error.os_error = ENOENT;
      break;
    case Outcome::denied:
      error.code = ErrorCode::denied;
      error.os_error = EACCES;
      break;
    case Outcome::exists: error.os_error = EEXIST; break;
    case Outcome::not_empty: error.os_error = ENOTEMPTY; break;
    case Outcome::no_space: error.os_error = ENOSPC; break;
    case Outcome::throttled: error.os_error = EBUSY; break;
    case Outcome::invalid: error.os_error = EINVAL; break;
    case Outcome::timeout:
    case Outcome::connection:
      error.code = ErrorCode::unavailable;
      error.os_error = outcome == Outcome::timeout ? ETIMEDOUT : ECONNRESET;
      break;
    case Outcome::unsupported:
      error.code = ErrorCode::unsupported;
      error.os_error = EOPNOTSUPP;
      break;
    case Outcome::cancelled:
      error.code = ErrorCode::cancelled;
      error.os_error = ECANCELED;
      break;
    default: error.os_error = EIO; break;
  }
  return error;
}

}  // namespace loadline::targets::webhdfs
