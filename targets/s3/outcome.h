// What a store answered, and the one place where that becomes an Outcome.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "target/outcome.h"

namespace loadline::targets::s3 {

struct Answer {
  net::HttpFailure failure = net::HttpFailure::none;
  std::uint16_t status = 0;
  std::string_view code = {};  // S3's error code, e.g. "NoSuchKey"; empty where there is none
};

// Maps an answer, whatever the operation; that a missing object is fine for a delete is the
// operation's business.
target::Outcome outcome_of(const Answer& answer);

// Whether another attempt may help.
bool worth_retrying(target::Outcome outcome);

// The <Error> document of a response: code and message as the store wrote them.
struct ErrorDocument {
  std::string code;
  std::string message;
  std::string region;  // where the store says that the bucket lives, or ""
};
ErrorDocument parse_error(std::string_view xml);

// "HTTP 403 AccessDenied: message", one line, cut at 300 characters.
std::string describe_answer(std::uint16_t status, const ErrorDocument& error);

}  // namespace loadline::targets::s3
