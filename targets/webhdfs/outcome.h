// What HDFS answered, and the one place where that becomes an Outcome.
//
// HDFS answers 403 to nearly everything, so the exception's name decides and the status only where
// there is none.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http_client.h"
#include "target/outcome.h"
#include "targets/webhdfs/answers.h"

namespace loadline::targets::webhdfs {

struct Answer {
  net::HttpFailure failure = net::HttpFailure::none;
  std::uint16_t status = 0;
  std::string_view exception = {};  // its simple name; empty where there is none
  std::string_view message = {};    // the exception's
};

// Maps an answer, whatever the operation; that a missing file is fine for a delete is the
// operation's business.
target::Outcome outcome_of(const Answer& answer);

// Whether another attempt may help.
bool worth_retrying(target::Outcome outcome);

// The NameNode that answered is not the active one of its cluster.
bool is_standby(std::string_view exception);

// "HTTP 403 AccessControlException: message", one line, cut at 300 characters.
std::string describe_answer(std::uint16_t status, const RemoteException& error);

// A failed operation as an error of a call; `context` is the path.
Error error_of(target::Outcome outcome, std::string what, std::string context);

}  // namespace loadline::targets::webhdfs
