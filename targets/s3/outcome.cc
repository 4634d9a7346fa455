#include "targets/s3/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pugixml.hpp>

namespace loadline::targets::s3 {
namespace {

using net::HttpFailure;
using target::Outcome;

constexpr std::size_t k_detail_max = 300;

struct CodeOutcome {
  std::string_view code;
  Outcome outcome;
};

// Codes that say more than their status.
constexpr std::array<CodeOutcome, 18> k_codes = {{
    {"SlowDown", Outcome::throttled},
    {"TooManyRequests", Outcome::throttled},
    {"RequestLimitExceeded", Outcome::throttled},
    {"Throttling", Outcome::throttled},
    {"ThrottlingException", Outcome::throttled},
    {"BucketAlreadyOwnedByYou", Outcome::exists},
    {"BucketAlreadyExists", Outcome::exists},
    {"PreconditionFailed", Outcome::exists},  // the only condition we make: that it is new
    {"BucketNotEmpty", Outcome::not_empty},
    {"QuotaExceeded", Outcome::no_space},
    {"XMinioStorageFull", Outcome::no_space},
    {"BadDigest", Outcome::corrupt},
    {"XAmzContentSHA256Mismatch", Outcome::corrupt},
    {"RequestTimeout", Outcome::timeout},
    {"SignatureDoesNotMatch", Outcome::denied},
    {"InternalError", Outcome::server_error},
    {"NotImplemented", Outcome::unsupported},
    {"IncompleteBody", Outcome::short_transfer},
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

}  // namespace

Outcome outcome_of(const Answer& answer) {
  if (answer.failure != HttpFailure::none) return of_failure(answer.failure);
  for (const CodeOutcome& known : k_codes) {
    if (answer.code == known.code) return known.outcome;
  }
  switch (answer.status) {
    case 401:
    case 403: return Outcome::denied;
    case 404: return Outcome::not_found;
    case 408: return Outcome::timeout;
    case 429: return Outcome::throttled;
    case 501: return Outcome::unsupported;
    case 507: return Outcome::no_space;
    default: break;
  }
  if (answer.status >= 500) return Outcome::server_error;
  // An error document under a good status is the store's way of failing late.
  if (answer.status >= 200 && answer.status < 300) {
    return answer.code.empty() ? Outcome::ok : Outcome::server_error;
  }
  return Outcome::invalid;
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

ErrorDocument parse_error(std::string_view xml) {
  ErrorDocument error;
  pugi::xml_document document;
  if (!document.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_utf8)) {
    return error;
  }
  const pugi::xml_node root = document.child("Error");
  error.code = root.child_value("Code");
  error.message = root.child_value("Message");
  error.region = root.child_value("Region");
  return error;
}

std::string describe_answer(std::uint16_t status, const ErrorDocument& error) {
  std::string text = fmt::format("HTTP {}", status);
  if (!error.code.empty()) text += " " + error.code;
  if (!error.message.empty()) text += ": " + error.message;
  if (status == 301 || status == 307 || !error.region.empty()) {
    text += error.region.empty() ? " (redirected: wrong endpoint or aws_region)"
                                 : " (set aws_region=" + error.region + ")";
  }
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  if (text.size() > k_detail_max) text.resize(k_detail_max);
  return text;
}

}  // namespace loadline::targets::s3
