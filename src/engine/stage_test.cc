#include "engine/stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/fake_target.h"

namespace loadline::engine {
namespace {

using plan::Action;
using plan::Division;
using plan::Selector;
using target::OpKind;
using target::Outcome;
using ::testing::ElementsAre;
using testing::FakeTarget;
using testing::LoggedOp;

// Keeps what the ticks say.
class TickLog final : public record::TickSink {
 public:
  void consume(const record::Tick& tick) override {
    ++ticks;
    EXPECT_EQ(tick.start, until);
    until = tick.start + tick.length;
    for (const auto& job : tick.jobs) {
      for (const record::OpStats& op : job) {
        successes.push_back(op.successes());
        total += op.samples();
      }
    }
  }
  std::uint64_t ticks = 0;
  std::uint64_t total = 0;
  Duration until;
  std::vector<std::uint64_t> successes;
};

plan::OpSpec read_op() {
  plan::OpSpec op{.name = "read", .label = "read"};
  op.container = {.prefix = "c", .index = Selector::constant(1)};
  op.object = {.prefix = "o", .index = Selector::uniform(1, 100)};
  return op;
}

plan::OpSpec write_op(std::uint64_t size) {
  plan::OpSpec op = read_op();
  op.name = op.label = "write";
  op.action = Action::write;
  op.size = plan::SizeSpec{.value = Selector::constant(static_cast<std::int64_t>(size))};
  return op;
}

class StageTest : public ::testing::Test {
 protected:
  StageOutcome run(const plan::Job& job) {
    plan::Stage stage{.id = "s1-main", .name = "main", .jobs = {job}};
    stage_ = stage;
    StageOptions options{.stage = &stage_,
                         .content = &content_,
                         .clock = &clock_,
                         .seed = 7,
                         .threads = threads_,
                         .stop = stop_.get_token(),
                         .ticks = &ticks_};
    options.targets.push_back(&target_);
    auto outcome = run_stage(options);
    EXPECT_TRUE(outcome.has_value());
    return *outcome;
  }

  plan::Job job(std::vector<plan::OpSpec> ops, std::uint32_t workers) {
    return {.name = "main", .label = "normal", .workers = workers, .ops = std::move(ops)};
  }

  std::vector<std::string> objects() const {
    std::vector<std::string> names;
    for (const LoggedOp& op : target_.log()) names.push_back(op.object);
    return names;
  }

  SimClock clock_;
  FakeTarget target_;
  ContentPool content_{1};
  TickLog ticks_;
  std::stop_source stop_;
  std::uint32_t threads_ = 2;
  plan::Stage stage_;
};

TEST_F(StageTest, issues_exactly_the_total_for_any_number_of_workers) {
  for (const std::uint32_t workers : {1U, 3U, 7U, 64U, 150U}) {
    FakeTarget fresh;
    const std::size_t before = target_.log().size();
    plan::Job j = job({read_op()}, workers);
    j.stop.total_operations = OpCount(100);
    const StageOutcome outcome = run(j);
    EXPECT_EQ(target_.log().size() - before, 100U) << workers;
    EXPECT_EQ(outcome.jobs[0].ops[0].stats.samples(), 100U) << workers;
    ticks_ = TickLog();
  }
}

TEST_F(StageTest, issues_the_total_although_workers_have_no_slice) {
  for (const Division division : {Division::object, Division::container}) {
    const std::size_t before = target_.log().size();
    plan::OpSpec op = read_op();
    op.division = division;
    op.object.index = Selector::range(1, 5);
    op.container.index = Selector::range(1, 3);
    plan::Job j = job({op}, 64);
    j.stop.total_operations = OpCount(1000);
    EXPECT_EQ(run(j).jobs[0].ops[0].stats.samples(), 1000U);
    EXPECT_EQ(target_.log().size() - before, 1000U);
    ticks_ = TickLog();
  }
}

TEST_F(StageTest, gives_up_on_a_storage_that_nothing_comes_from_any_more) {
  int n = 0;
  target_.script = [&](const LoggedOp&) { return ++n > 10 ? Outcome::timeout : Outcome::ok; };
  target_.latency = [](const LoggedOp&) { return Duration::seconds(30); };
  plan::Job j = job({read_op()}, 1);
  j.stop.total_operations = OpCount(1000);
  const StageOutcome outcome = run(j);
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.successes(), 10U);
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.samples(), 14U);
  EXPECT_EQ(outcome.given_up, "nothing has answered for 120 s: the storage seems to be gone");
}

TEST_F(StageTest, a_storage_that_answers_is_not_gone_whatever_it_says) {
  target_.script = [&](const LoggedOp&) { return Outcome::not_found; };
  target_.latency = [](const LoggedOp&) { return Duration::seconds(30); };
  plan::Job j = job({read_op()}, 1);
  j.stop.total_operations = OpCount(100);
  const StageOutcome outcome = run(j);
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.samples(), 100U);
  EXPECT_FALSE(outcome.given_up);
}

TEST_F(StageTest, counts_failures_towards_the_total) {
  int n = 0;
  target_.script = [&](const LoggedOp&) { return ++n % 4 ? Outcome::ok : Outcome::throttled; };
  plan::Job j = job({read_op()}, 5);
  j.stop.total_operations = OpCount(200);
  const StageOutcome outcome = run(j);
  const record::OpStats& stats = outcome.jobs[0].ops[0].stats;
  EXPECT_EQ(stats.successes(), 150U);
  EXPECT_EQ(stats.outcomes[static_cast<std::size_t>(Outcome::throttled)], 50U);
  EXPECT_EQ(stats.service.count(), 150U);
  EXPECT_EQ(stats.failed.count(), 50U);
}

TEST_F(StageTest, steps_undivided_ranges_together) {
  plan::OpSpec op = read_op();
  op.container.index = Selector::range(1, 2);
  op.object.index = Selector::range(1, 4);
  plan::Job j = job({op}, 3);
  j.stop.total_operations = OpCount(12);
  run(j);
  std::map<std::string, int> pairs;
  for (const LoggedOp& logged : target_.log()) ++pairs[logged.container + logged.object];
  const std::map<std::string, int> want{{"c1o1", 3}, {"c2o2", 3}, {"c1o3", 3}, {"c2o4", 3}};
  EXPECT_EQ(pairs, want);
}

TEST_F(StageTest, divides_a_range_among_the_workers) {
  plan::OpSpec op = read_op();
  op.division = Division::object;
  op.object.index = Selector::range(1, 10);
  plan::Job j = job({op}, 3);
  j.stop.total_operations = OpCount(12);  // four each: 1-4, 5-7 and 5 again, 8-10 and 8 again
  run(j);
  std::map<std::string, int> seen;
  for (const std::string& name : objects()) ++seen[name];
  const std::map<std::string, int> want{{"o1", 1}, {"o2", 1}, {"o3", 1}, {"o4", 1}, {"o5", 2},
                                        {"o6", 1}, {"o7", 1}, {"o8", 2}, {"o9", 1}, {"o10", 1}};
  EXPECT_EQ(seen, want);
}

TEST_F(StageTest, idles_workers_whose_slice_is_empty) {
  plan::OpSpec op = read_op();
  op.division = Division::object;
  op.object.index = Selector::range(1, 2);
  plan::Job j = job({op}, 5);
  j.stop.runtime = Duration::seconds(1);
  const StageOutcome outcome = run(j);
  EXPECT_FALSE(outcome.given_up);
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.samples(), 2000U);
}

TEST_F(StageTest, gives_a_rename_the_number_of_its_object) {
  plan::OpSpec op = read_op();
  op.action = Action::rename;
  op.object.index = Selector::range(1, 4);
  op.new_name = {.prefix = "new-", .suffix = ".x", .index = {}};
  plan::Job j = job({op}, 2);
  j.stop.total_operations = OpCount(4);
  const StageOutcome outcome = run(j);
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.successes(), 4U);
  std::set<std::string> names;
  for (const LoggedOp& logged : target_.log()) {
    EXPECT_EQ(logged.kind, OpKind::rename);
    names.insert(logged.object + " " + logged.new_object);
  }
  EXPECT_EQ(names, (std::set<std::string>{"o1 new-1.x", "o2 new-2.x", "o3 new-3.x", "o4 new-4.x"}));
}

TEST_F(StageTest, truncates_to_a_size_and_sends_what_it_appends) {
  plan::OpSpec truncate = write_op(300);
  truncate.action = Action::truncate;
  truncate.share_percent = 50;
  plan::OpSpec append = write_op(70);
  append.action = Action::append;
  append.share_percent = 50;
  plan::Job j = job({truncate, append}, 1);
  j.stop.total_operations = OpCount(50);
  run(j);
  for (const LoggedOp& logged : target_.log()) {
    if (logged.kind == OpKind::truncate) {
      EXPECT_EQ(logged.cut_to, 300U);
    } else {
      ASSERT_EQ(logged.kind, OpKind::append);
      EXPECT_EQ(logged.size, 70U);
      EXPECT_EQ(logged.cut_to, 0U) << "no range is left of the operation before";
    }
  }
}

TEST_F(StageTest, prepares_every_object_of_every_container_once) {
  plan::OpSpec op = write_op(1000);
  op.action = Action::prepare;
  op.container.index = Selector::range(1, 3);
  op.object.index = Selector::range(1, 10);
  op.division = Division::object;
  plan::Job j = job({op}, 4);
  j.stop.one_pass = true;
  const StageOutcome outcome = run(j);
  std::set<std::string> names;
  for (const LoggedOp& logged : target_.log()) {
    EXPECT_EQ(logged.kind, OpKind::write);
    EXPECT_EQ(logged.size, 1000U);
    names.insert(logged.container + "/" + logged.object);
  }
  EXPECT_EQ(names.size(), 30U);
  EXPECT_EQ(target_.log().size(), 30U);
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.bytes, Bytes(30'000));
}

TEST_F(StageTest, creates_missing_containers_and_accepts_those_that_are_there) {
  target_.script = [](const LoggedOp& op) {
    const bool missing = op.kind == OpKind::head_container && op.container == "c2";
    return missing ? Outcome::not_found : Outcome::ok;
  };
  plan::OpSpec op{.name = "init", .label = "init", .action = Action::prepare};
  op.container = {.prefix = "c", .index = Selector::range(1, 2)};
  op.division = Division::container;
  op.create_containers = true;
  plan::Job j = job({op}, 1);
  j.stop.one_pass = true;
  const StageOutcome outcome = run(j);
  std::vector<OpKind> kinds;
  for (const LoggedOp& logged : target_.log()) kinds.push_back(logged.kind);
  EXPECT_THAT(
      kinds, ElementsAre(OpKind::head_container, OpKind::head_container, OpKind::create_container));
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.container_ops, 1U);
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.samples(), 0U);
}

TEST_F(StageTest, gives_up_where_a_container_cannot_be_made) {
  target_.script = [](const LoggedOp& op) {
    return op.kind == OpKind::head_container ? Outcome::not_found : Outcome::denied;
  };
  plan::OpSpec op{.name = "init", .label = "init", .action = Action::prepare};
  op.container = {.prefix = "c", .index = Selector::range(1, 100)};
  op.create_containers = true;
  plan::Job j = job({op}, 1);
  j.stop.one_pass = true;
  const StageOutcome outcome = run(j);
  ASSERT_TRUE(outcome.given_up);
  EXPECT_THAT(*outcome.given_up, ::testing::HasSubstr("cannot create container c1: denied"));
  EXPECT_EQ(target_.log().size(), 2U);
}

TEST_F(StageTest, cleans_up_in_batches) {
  plan::OpSpec op = read_op();
  op.action = Action::cleanup;
  op.container.index = Selector::range(1, 1);
  op.object.index = Selector::range(1, 25);
  op.remove_batch = 10;
  op.remove_containers = true;
  plan::Job j = job({op}, 1);
  j.stop.one_pass = true;
  run(j);
  std::vector<OpKind> kinds;
  for (const LoggedOp& logged : target_.log()) kinds.push_back(logged.kind);
  EXPECT_THAT(kinds, ElementsAre(OpKind::remove_many, OpKind::remove_many, OpKind::remove_many,
                                 OpKind::remove_container));
}

TEST_F(StageTest, lets_the_last_worker_remove_a_container) {
  plan::OpSpec op = read_op();
  op.action = Action::cleanup;
  op.division = Division::object;
  op.container.index = Selector::range(1, 2);
  op.object.index = Selector::range(1, 9);
  op.remove_containers = true;
  plan::Job j = job({op}, 4);
  j.stop.one_pass = true;
  run(j);
  std::map<std::string, int> objects_before;
  int removed = 0;
  for (const LoggedOp& logged : target_.log()) {
    if (logged.kind == OpKind::remove_container) {
      EXPECT_EQ(objects_before[logged.container], 9);
      ++removed;
    } else {
      ++objects_before[logged.container];
    }
  }
  EXPECT_EQ(removed, 2);
}

TEST_F(StageTest, measures_only_the_window_between_the_ramps) {
  plan::Job j = job({read_op()}, 1);
  j.stop = {.ramp_up = Duration::seconds(2),
            .runtime = Duration::seconds(5),
            .ramp_down = Duration::seconds(1)};
  const StageOutcome outcome = run(j);
  const record::OpStats& stats = outcome.jobs[0].ops[0].stats;
  EXPECT_EQ(stats.samples(), 5000U);
  EXPECT_EQ(stats.outside, 3000U);
  EXPECT_EQ(outcome.jobs[0].window, Duration::seconds(5));
  EXPECT_EQ(outcome.elapsed, Duration::seconds(8));
}

TEST_F(StageTest, makes_ticks_that_add_up_to_the_totals) {
  plan::Job j = job({read_op(), write_op(10)}, 3);
  j.ops[0].share_percent = 70;
  j.ops[1].share_percent = 30;
  j.stop.runtime = Duration::seconds(7);
  target_.latency = [](const LoggedOp& op) {
    return Duration::milliseconds(op.kind == OpKind::read ? 3 : 1700);
  };
  const StageOutcome outcome = run(j);
  std::uint64_t total = 0;
  for (const record::OpResult& op : outcome.jobs[0].ops) total += op.stats.samples();
  EXPECT_EQ(ticks_.total, total);
  EXPECT_EQ(ticks_.until, outcome.elapsed);
}

TEST_F(StageTest, mixes_by_ratio) {
  plan::Job j = job({read_op(), write_op(10)}, 8);
  j.ops[0].share_percent = 80;
  j.ops[1].share_percent = 20;
  j.stop.total_operations = OpCount(20'000);
  const StageOutcome outcome = run(j);
  const auto reads = static_cast<double>(outcome.jobs[0].ops[0].stats.samples());
  EXPECT_NEAR(reads / 20'000, 0.8, 0.01);
}

TEST_F(StageTest, stops_when_told_and_cancels_what_drags_on) {
  target_.latency = [](const LoggedOp&) { return Duration::seconds(3600); };
  plan::Job j = job({read_op()}, 2);
  j.stop.runtime = Duration::seconds(60);
  stop_.request_stop();
  const StageOutcome outcome = run(j);
  EXPECT_TRUE(outcome.stopped);
  EXPECT_LE(outcome.elapsed, Duration::seconds(1));
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.failure_count(), 0U);
}

TEST_F(StageTest, ends_in_bounded_time_although_the_storage_does_not_answer) {
  target_.latency = [](const LoggedOp&) { return Duration::seconds(3600); };
  plan::Job j = job({read_op()}, 2);
  j.stop.runtime = Duration::seconds(5);
  const StageOutcome outcome = run(j);
  EXPECT_LE(outcome.elapsed, Duration::seconds(16));
  EXPECT_EQ(outcome.jobs[0].in_flight_at_end, 2U);
  EXPECT_GE(outcome.jobs[0].oldest_in_flight, Duration::seconds(15));
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.samples(), 0U);
}

TEST_F(StageTest, stops_at_whichever_limit_comes_first) {
  plan::Job j = job({write_op(100)}, 4);
  j.stop.runtime = Duration::seconds(100);
  j.stop.total_bytes = Bytes(4000);
  EXPECT_EQ(run(j).jobs[0].ops[0].stats.samples(), 40U);
}

TEST_F(StageTest, keeps_a_constant_rate) {
  plan::Job j = job({read_op()}, 16);
  j.stop.runtime = Duration::seconds(10);
  j.pace = {.arrival = plan::Arrival::constant, .rate = Rate::per_second(250)};
  const StageOutcome outcome = run(j);
  EXPECT_EQ(outcome.jobs[0].ops[0].stats.samples(), 2500U);
  const auto log = target_.log();
  EXPECT_EQ(log[1].at - log[0].at, Duration::milliseconds(4));
}

TEST_F(StageTest, arrives_as_a_poisson_process) {
  plan::Job j = job({read_op()}, 64);
  j.stop.runtime = Duration::seconds(100);
  j.pace = {.arrival = plan::Arrival::poisson, .rate = Rate::per_second(200)};
  const StageOutcome outcome = run(j);
  EXPECT_NEAR(static_cast<double>(outcome.jobs[0].ops[0].stats.samples()), 20'000, 500);
  // The gaps of a Poisson process have a standard deviation equal to their mean.
  const auto log = target_.log();
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 1; i < log.size(); ++i) {
    const double gap = (log[i].at - log[i - 1].at).as_seconds();
    sum += gap;
    squares += gap * gap;
  }
  const double n = static_cast<double>(log.size() - 1);
  const double mean = sum / n;
  EXPECT_NEAR(std::sqrt(squares / n - mean * mean) / mean, 1.0, 0.03);
}

// One worker, 100 operations a second, 1 ms each, and a stall of 2 s: an open loop sees the wait of
// every operation that was due, a closed loop sees one slow operation.
TEST_F(StageTest, charges_a_stall_to_every_operation_that_was_due) {
  const Instant stall = clock_.now() + Duration::seconds(5);
  const Instant over = stall + Duration::seconds(2);
  target_.latency = [=](const LoggedOp& op) {
    const Instant due = op.at + Duration::milliseconds(1);
    return due > stall && due < over ? over - op.at : Duration::milliseconds(1);
  };
  plan::Job j = job({read_op()}, 1);
  j.stop.runtime = Duration::seconds(20);
  j.pace = {.arrival = plan::Arrival::constant, .rate = Rate::per_second(100)};
  const record::JobResult result = run(j).jobs[0];
  const record::OpStats& stats = result.ops[0].stats;
  EXPECT_EQ(stats.samples(), 2000U);
  EXPECT_EQ(result.client.late_issues, 0U);  // they waited for the storage, not for the client
  // 200 operations were due in the stall; the k-th waits 2 s - 10 ms * k and for those before it.
  EXPECT_NEAR(stats.response.quantile(9'900'000).as_milliseconds(), 1820, 30);
  EXPECT_LT(stats.service.quantile(9'900'000).as_milliseconds(), 1.02);
  EXPECT_NEAR(stats.service.max().as_milliseconds(), 2000, 12);
}

TEST_F(StageTest, counts_what_was_due_but_never_issued) {
  target_.latency = [](const LoggedOp&) { return Duration::seconds(1); };
  plan::Job j = job({read_op()}, 1);
  j.stop.runtime = Duration::seconds(10);
  j.pace = {.arrival = plan::Arrival::constant, .rate = Rate::per_second(10)};
  const record::JobResult result = run(j).jobs[0];
  // One in a second, the last of them sent in the tenth.
  EXPECT_EQ(result.ops[0].stats.samples(), 10U);
  EXPECT_EQ(result.never_issued, 90U);
}

TEST_F(StageTest, takes_rates_over_the_time_that_paced_operations_took) {
  target_.latency = [](const LoggedOp& op) { return Duration::seconds(op.object == "o1" ? 1 : 5); };
  plan::OpSpec op = read_op();
  op.object.index = Selector::range(1, 2);
  plan::Job j = job({op}, 100);
  j.stop.runtime = Duration::seconds(10);
  j.pace = {.arrival = plan::Arrival::constant, .rate = Rate::per_second(1)};
  threads_ = 1;
  const record::JobResult result = run(j).jobs[0];
  EXPECT_EQ(result.ops[0].stats.samples(), 10U);
  EXPECT_NEAR(result.window.as_seconds(), 14, 0.01);  // the one due at 9 s took 5 s
}

TEST_F(StageTest, repeats_itself_with_the_same_seed) {
  plan::Job j = job({read_op(), write_op(5)}, 5);
  j.ops[0].share_percent = j.ops[1].share_percent = 50;
  j.stop.total_operations = OpCount(500);
  run(j);
  const std::vector<std::string> first = objects();
  FakeTarget again;
  const std::size_t n = first.size();
  ticks_ = TickLog();
  run(j);
  const std::vector<std::string> both = objects();
  EXPECT_EQ(first,
            std::vector<std::string>(both.begin() + static_cast<std::ptrdiff_t>(n), both.end()));
}

}  // namespace
}  // namespace loadline::engine
