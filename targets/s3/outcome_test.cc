#include "targets/s3/outcome.h"

#include <gtest/gtest.h>

#include <string>

namespace loadline::targets::s3 {
namespace {

using net::HttpFailure;
using target::Outcome;

struct Row {
  std::uint16_t status;
  std::string_view code;
  Outcome outcome;
};

class StatusTable : public testing::TestWithParam<Row> {};

TEST_P(StatusTable, maps_to_its_outcome) {
  const Row& row = GetParam();
  EXPECT_EQ(outcome_of({.status = row.status, .code = row.code}), row.outcome);
}

INSTANTIATE_TEST_SUITE_P(
    Outcome, StatusTable,
    testing::Values(
        Row{200, "", Outcome::ok}, Row{204, "", Outcome::ok}, Row{206, "", Outcome::ok},
        Row{200, "InternalError", Outcome::server_error},
        Row{200, "SomethingElse", Outcome::server_error},
        Row{301, "PermanentRedirect", Outcome::invalid},
        Row{307, "TemporaryRedirect", Outcome::invalid},
        Row{400, "InvalidArgument", Outcome::invalid}, Row{400, "BadDigest", Outcome::corrupt},
        Row{400, "XAmzContentSHA256Mismatch", Outcome::corrupt},
        Row{400, "RequestTimeout", Outcome::timeout},
        Row{400, "IncompleteBody", Outcome::short_transfer}, Row{401, "", Outcome::denied},
        Row{403, "AccessDenied", Outcome::denied},
        Row{403, "SignatureDoesNotMatch", Outcome::denied},
        Row{403, "InvalidAccessKeyId", Outcome::denied},
        Row{403, "QuotaExceeded", Outcome::no_space}, Row{404, "NoSuchKey", Outcome::not_found},
        Row{404, "NoSuchBucket", Outcome::not_found}, Row{404, "", Outcome::not_found},
        Row{405, "MethodNotAllowed", Outcome::invalid}, Row{408, "", Outcome::timeout},
        Row{409, "BucketAlreadyExists", Outcome::exists},
        Row{409, "BucketAlreadyOwnedByYou", Outcome::exists},
        Row{409, "BucketNotEmpty", Outcome::not_empty},
        Row{409, "OperationAborted", Outcome::invalid},
        Row{411, "MissingContentLength", Outcome::invalid},
        Row{412, "PreconditionFailed", Outcome::exists}, Row{416, "InvalidRange", Outcome::invalid},
        Row{429, "", Outcome::throttled}, Row{500, "InternalError", Outcome::server_error},
        Row{501, "NotImplemented", Outcome::unsupported}, Row{502, "", Outcome::server_error},
        Row{503, "SlowDown", Outcome::throttled},
        Row{503, "ServiceUnavailable", Outcome::server_error}, Row{503, "", Outcome::server_error},
        Row{507, "", Outcome::no_space}, Row{507, "XMinioStorageFull", Outcome::no_space}));

struct FailureRow {
  HttpFailure failure;
  Outcome outcome;
};

class FailureTable : public testing::TestWithParam<FailureRow> {};

TEST_P(FailureTable, maps_to_its_outcome) {
  // Whatever had come before.
  EXPECT_EQ(outcome_of({.failure = GetParam().failure, .status = 200}), GetParam().outcome);
}

INSTANTIATE_TEST_SUITE_P(Outcome, FailureTable,
                         testing::Values(FailureRow{HttpFailure::connect, Outcome::connection},
                                         FailureRow{HttpFailure::tls, Outcome::connection},
                                         FailureRow{HttpFailure::proxy, Outcome::connection},
                                         FailureRow{HttpFailure::closed, Outcome::connection},
                                         FailureRow{HttpFailure::reset, Outcome::connection},
                                         FailureRow{HttpFailure::malformed, Outcome::connection},
                                         FailureRow{HttpFailure::short_body,
                                                    Outcome::short_transfer},
                                         FailureRow{HttpFailure::timeout, Outcome::timeout},
                                         FailureRow{HttpFailure::connect_timeout, Outcome::timeout},
                                         FailureRow{HttpFailure::cancelled, Outcome::cancelled}));

TEST(Outcome, is_described_in_one_short_line) {
  const ErrorDocument error = parse_error(
      "<?xml version=\"1.0\"?><Error xmlns=\"x\"><Code>AccessDenied</Code><Message>No &amp;\nno"
      "</Message></Error>");
  EXPECT_EQ(describe_answer(403, error), "HTTP 403 AccessDenied: No & no");
  EXPECT_EQ(describe_answer(404, parse_error("")), "HTTP 404");
  EXPECT_EQ(describe_answer(404, parse_error("<html>not ours</html>")), "HTTP 404");
  EXPECT_EQ(describe_answer(500, {.code = "X", .message = std::string(1000, 'y')}).size(), 300U);
  EXPECT_EQ(describe_answer(400, {.code = "AuthorizationHeaderMalformed", .region = "eu-west-3"}),
            "HTTP 400 AuthorizationHeaderMalformed (set aws_region=eu-west-3)");
}

TEST(Outcome, is_worth_retrying_where_the_store_may_recover) {
  for (const Outcome outcome : target::all_outcomes()) {
    const bool expected = outcome == Outcome::throttled || outcome == Outcome::timeout ||
                          outcome == Outcome::connection || outcome == Outcome::short_transfer ||
                          outcome == Outcome::server_error;
    EXPECT_EQ(worth_retrying(outcome), expected) << to_string(outcome);
  }
}

}  // namespace
}  // namespace loadline::targets::s3
