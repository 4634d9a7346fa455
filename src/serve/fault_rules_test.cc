#include "serve/fault_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "serve/delay_model.h"

namespace loadline::serve {
namespace {

using testing::HasSubstr;

FaultRules rules_of(std::string_view lines, std::uint64_t seed = 1) {
  auto rules = parse_fault_rules(lines);
  EXPECT_TRUE(rules) << (rules ? "" : rules.error().message());
  return FaultRules(std::move(*rules), seed);
}

std::vector<int> hits(FaultRules& rules, RequestKind kind, int requests) {
  std::vector<int> numbers;
  for (int i = 1; i <= requests; ++i) {
    if (rules.decide(kind)) numbers.push_back(i);
  }
  return numbers;
}

TEST(FaultRules, strikes_every_nth_request_of_its_kind) {
  FaultRules rules = rules_of("kind=get_object;fault=reset;every=3;after=2;limit=2");
  EXPECT_FALSE(rules.decide(RequestKind::put_object));
  EXPECT_EQ(hits(rules, RequestKind::get_object, 20), (std::vector{5, 8}));
  EXPECT_EQ(rules.counts()[0].matched, 20U);
  EXPECT_EQ(rules.counts()[0].injected, 2U);
}

TEST(FaultRules, draws_the_same_requests_from_the_same_seed) {
  FaultRules a = rules_of("fault=error;probability=0.1", 7);
  FaultRules b = rules_of("fault=error;probability=0.1", 7);
  FaultRules c = rules_of("fault=error;probability=0.1", 8);
  const auto first = hits(a, RequestKind::get_object, 10'000);
  EXPECT_EQ(first, hits(b, RequestKind::put_object, 10'000));
  EXPECT_NE(first, hits(c, RequestKind::get_object, 10'000));
  EXPECT_NEAR(static_cast<double>(first.size()), 1000, 120);
}

TEST(FaultRules, lets_the_first_rule_win_and_counts_it_alone) {
  FaultRules rules = rules_of("fault=slowdown;every=2\nfault=error;every=3");
  const std::vector<FaultKind> wanted = {FaultKind::slowdown, FaultKind::error, FaultKind::slowdown,
                                         FaultKind::slowdown};
  std::vector<FaultKind> got;
  for (int i = 0; i < 6; ++i) {
    if (const auto fault = rules.decide(RequestKind::get_object)) got.push_back(fault->kind);
  }
  EXPECT_EQ(got, wanted);
  EXPECT_EQ(rules.counts()[0].injected, 3U);
  EXPECT_EQ(rules.counts()[1].injected, 1U);
}

TEST(FaultRules, takes_back_what_was_impossible) {
  FaultRules rules = rules_of("kind=get_object;fault=wrong_bytes");
  const auto fault = rules.decide(RequestKind::get_object);
  ASSERT_TRUE(fault);
  rules.withdraw(*fault);
  EXPECT_EQ(rules.counts()[0].injected, 0U);
  rules.replace({});
  rules.withdraw(*fault);  // of rules that are gone
}

TEST(FaultRules, pauses_once_from_the_first_request) {
  FaultRules rules = rules_of("fault=pause_all;from=1000;for=2000");
  const Instant start = Instant::from_ns(5'000'000'000);
  EXPECT_FALSE(rules.paused_until(start));
  rules.start_pauses(start);
  rules.start_pauses(start + Duration::seconds(9));
  EXPECT_FALSE(rules.paused_until(start + Duration::milliseconds(999)));
  EXPECT_EQ(rules.paused_until(start + Duration::milliseconds(1000)),
            start + Duration::milliseconds(3000));
  EXPECT_FALSE(rules.paused_until(start + Duration::milliseconds(3000)));
  EXPECT_EQ(rules.counts()[0].injected, 1U);
}

TEST(FaultRules, keeps_connections_and_requests_apart) {
  FaultRules rules = rules_of("fault=refuse;every=2;ms=30");
  EXPECT_FALSE(rules.decide(RequestKind::get_object));
  EXPECT_FALSE(rules.decide_connection());
  const auto fault = rules.decide_connection();
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->wait, Duration::milliseconds(30));
}

TEST(FaultRules, names_the_word_that_is_wrong) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"kidn=get_object;fault=reset",
       "unknown key \"kidn\"; there are kind, fault, every, probability"},
      {"kind=get;fault=reset", "unknown kind \"get\"; there are any, get_object, put_object"},
      {"kind=any;fault=explode", "unknown fault \"explode\"; there are error, slowdown, reset"},
      {"kind=any", "there is no fault="},
      {"", "there is no fault="},
      {"fault", "\"fault\" is not key=value"},
      {"fault=error;fault=cut", "fault is given twice"},
      {"fault=error;every=0", "every=\"0\" is not a number from 1"},
      {"fault=error;every=3;probability=0.1", "exclude each other"},
      {"fault=error;probability=1.5", "probability=\"1.5\" is not a number from 0 to 1"},
      {"fault=error;probability=nan", "is not a number"},
      {"fault=error;ms=4", "ms means nothing to fault=error, which takes fault, kind, every"},
      {"fault=reset;at=101", "at=\"101\" is not a number from 0 to 100"},
      {"fault=slow", "rate= is missing"},
      {"fault=slow_first_byte", "ms= is missing"},
      {"fault=pause_all", "for= is missing"},
      {"fault=pause_all;for=10;kind=any", "kind means nothing to fault=pause_all"},
      {"fault=refuse;kind=any", "kind means nothing to fault=refuse"},
      {"fault=wrong_bytes", "wrong_bytes needs kind=get_object"},
      {"fault=error;limit=-1", "limit=\"-1\" is not a number"},
      {"fault=error;after=99999999999999999999", "is not a number"},
  };
  for (const auto& [text, message] : cases) {
    const auto rule = parse_fault_rule(text);
    ASSERT_FALSE(rule) << text;
    EXPECT_EQ(rule.error().code, ErrorCode::bad_input);
    EXPECT_THAT(rule.error().message(), HasSubstr(message));
    EXPECT_THAT(rule.error().message(), HasSubstr(text));
  }
}

TEST(FaultRules, reads_lines_with_comments) {
  const auto rules = parse_fault_rules("# one\r\nfault=error\r\n\nfault=cut;at=0\n");
  ASSERT_TRUE(rules);
  ASSERT_EQ(rules->size(), 2U);
  EXPECT_EQ((*rules)[1].at_percent, 0U);
  EXPECT_FALSE(parse_fault_rules("fault=error\nnonsense\n"));
}

TEST(DelayModel, has_the_quantiles_it_promises) {
  const auto quantile = [](std::string_view text, double q) {
    const auto model = DelayModel::parse(text);
    EXPECT_TRUE(model);
    Rng rng(3);
    std::vector<double> samples(60'000);
    for (double& sample : samples) sample = model->sample(rng).as_milliseconds();
    std::ranges::sort(samples);
    return samples[static_cast<std::size_t>(q * static_cast<double>(samples.size()))];
  };
  EXPECT_DOUBLE_EQ(quantile("fixed:5", 0.5), 5);
  EXPECT_NEAR(quantile("uniform:1,9", 0.25), 3, 0.1);
  EXPECT_NEAR(quantile("exponential:2", 0.99), 2 * std::log(100), 0.4);
  EXPECT_NEAR(quantile("lognormal:5,0.5", 0.5), 5, 0.1);
  EXPECT_NEAR(quantile("lognormal:5,0.5", 0.99), 5 * std::exp(0.5 * 2.3263), 0.5);
}

TEST(DelayModel, refuses_what_it_does_not_know) {
  for (const std::string_view text :
       {"", "5", "fixed", "fixed:", "fixed:-1", "fixed:1,2", "uniform:3", "uniform:3,1",
        "lognormal:5,99", "normal:1,2", "fixed:1x", "fixed:nan", "fixed:1e99"}) {
    EXPECT_FALSE(DelayModel::parse(text)) << text;
  }
  EXPECT_TRUE(DelayModel::parse("fixed:0.25"));
}

}  // namespace
}  // namespace loadline::serve
