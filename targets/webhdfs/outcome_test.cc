#include "targets/webhdfs/outcome.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <initializer_list>
#include <vector>

namespace loadline::targets::webhdfs {
namespace {

using net::HttpFailure;
using target::Outcome;

TEST(WebhdfsOutcome, follows_from_the_exception_whatever_the_status) {
  struct Row {
    std::string_view exception;
    Outcome outcome;
  };
  const std::vector<Row> rows = {
      {"FileNotFoundException", Outcome::not_found},
      {"AccessControlException", Outcome::denied},
      {"SecurityException", Outcome::denied},
      {"AuthorizationException", Outcome::denied},
      {"InvalidToken", Outcome::denied},
      {"FileAlreadyExistsException", Outcome::exists},
      {"PathIsNotEmptyDirectoryException", Outcome::not_empty},
      {"AlreadyBeingCreatedException", Outcome::throttled},
      {"RecoveryInProgressException", Outcome::throttled},
      {"RetriableException", Outcome::throttled},
      {"StandbyException", Outcome::server_error},
      {"SafeModeException", Outcome::server_error},
      {"RuntimeException", Outcome::server_error},
      {"DSQuotaExceededException", Outcome::no_space},
      {"NSQuotaExceededException", Outcome::no_space},
      {"IllegalArgumentException", Outcome::invalid},
      {"UnsupportedOperationException", Outcome::unsupported},
      {"IOException", Outcome::io_error},
      {"SomethingNewException", Outcome::io_error},
  };
  for (const std::uint16_t status : std::initializer_list<std::uint16_t>{400, 403, 404, 500}) {
    for (const Row& row : rows) {
      EXPECT_EQ(outcome_of({.status = status, .exception = row.exception}), row.outcome)
          << row.exception << " " << status;
    }
  }
}

TEST(WebhdfsOutcome, reads_the_message_where_the_name_says_nothing) {
  EXPECT_EQ(outcome_of({.status = 403,
                        .exception = "IOException",
                        .message = "append: lastBlock=b is not sufficiently replicated yet."}),
            Outcome::throttled);
  EXPECT_EQ(outcome_of({.status = 403,
                        .exception = "IOException",
                        .message = "File /f could only be written to 0 of the 1 minReplication"}),
            Outcome::no_space);
  EXPECT_EQ(outcome_of({.status = 403,
                        .exception = "RemoteException",
                        .message = "`/d is non empty': Directory is not empty"}),
            Outcome::not_empty);
}

TEST(WebhdfsOutcome, follows_from_the_status_where_there_is_no_exception) {
  EXPECT_EQ(outcome_of({.status = 200}), Outcome::ok);
  EXPECT_EQ(outcome_of({.status = 201}), Outcome::ok);
  EXPECT_EQ(outcome_of({.status = 307}), Outcome::invalid);
  EXPECT_EQ(outcome_of({.status = 400}), Outcome::invalid);
  EXPECT_EQ(outcome_of({.status = 401}), Outcome::denied);
  EXPECT_EQ(outcome_of({.status = 403}), Outcome::denied);
  EXPECT_EQ(outcome_of({.status = 404}), Outcome::not_found);
  EXPECT_EQ(outcome_of({.status = 429}), Outcome::throttled);
  EXPECT_EQ(outcome_of({.status = 502}), Outcome::server_error);
  EXPECT_EQ(outcome_of({.status = 507}), Outcome::no_space);
}

TEST(WebhdfsOutcome, follows_from_what_broke) {
  EXPECT_EQ(outcome_of({.failure = HttpFailure::connect}), Outcome::connection);
  EXPECT_EQ(outcome_of({.failure = HttpFailure::closed}), Outcome::connection);
  EXPECT_EQ(outcome_of({.failure = HttpFailure::malformed}), Outcome::connection);
  EXPECT_EQ(outcome_of({.failure = HttpFailure::short_body, .status = 200}),
            Outcome::short_transfer);
  EXPECT_EQ(outcome_of({.failure = HttpFailure::timeout}), Outcome::timeout);
  EXPECT_EQ(outcome_of({.failure = HttpFailure::cancelled}), Outcome::cancelled);
}

TEST(WebhdfsOutcome, is_tried_again_where_time_may_help) {
  for (const Outcome outcome : target::all_outcomes()) {
    const bool worth = outcome == Outcome::throttled || outcome == Outcome::timeout ||
                       outcome == Outcome::connection || outcome == Outcome::short_transfer ||
                       outcome == Outcome::server_error;
    EXPECT_EQ(worth_retrying(outcome), worth) << target::to_string(outcome);
  }
}

TEST(WebhdfsOutcome, is_described_in_one_line_of_bounded_length) {
  EXPECT_EQ(describe_answer(403, {"AccessControlException", "Permission denied:\nuser=x"}),
            "HTTP 403 AccessControlException: Permission denied: user=x");
  EXPECT_EQ(describe_answer(502, {}), "HTTP 502");
  EXPECT_EQ(describe_answer(403, {"E", std::string(1000, 'm')}).size(), 300U);
}

TEST(WebhdfsOutcome, becomes_an_error_with_an_errno) {
  EXPECT_EQ(error_of(Outcome::not_found, "w", "/p").os_error, ENOENT);
  EXPECT_EQ(error_of(Outcome::not_found, "w", "/p").code, ErrorCode::not_found);
  EXPECT_EQ(error_of(Outcome::denied, "w", "/p").os_error, EACCES);
  EXPECT_EQ(error_of(Outcome::timeout, "w", "/p").code, ErrorCode::unavailable);
  EXPECT_EQ(error_of(Outcome::io_error, "w", "/p").message(), "/p: w");
}

}  // namespace
}  // namespace loadline::targets::webhdfs
