#include "record/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace loadline::record {
namespace {

using testing::HasSubstr;
using Level = Verdict::Level;

// A job nobody has a doubt about: 20 s, 10 000 reads of 5 ms, two threads a quarter busy.
JobResult clean_job() {
  JobResult job;
  job.name = "w1";
  job.workers = 8;
  job.window = Duration::seconds(20);
  job.client.threads = 2;
  job.client.wall = Duration::seconds(20);
  job.client.cpu_of_threads = Duration::seconds(10);
  job.client.cpu_of_busiest = Duration::seconds(6);
  OpResult op;
  op.name = "read";
  op.stats.outcomes[0] = 10'000;
  op.stats.service.add(Duration::milliseconds(5), 10'000);
  job.ops.push_back(op);
  return job;
}

RunResult run_of(JobResult job) {
  RunResult result;
  result.elapsed = Duration::seconds(30);
  StageResult stage;
  stage.id = "s1-main";
  stage.jobs.push_back(std::move(job));
  result.stages.push_back(std::move(stage));
  return result;
}

RunFacts clean_facts() { return {.build_type = "Release"}; }

std::vector<Verdict> judge_job(JobResult job) {
  return judge(run_of(std::move(job)), clean_facts());
}

// The one verdict with this id, or none.
std::optional<Verdict> find(const std::vector<Verdict>& verdicts, std::string_view id) {
  const auto it = std::ranges::find(verdicts, id, &Verdict::id);
  return it == verdicts.end() ? std::nullopt : std::optional(*it);
}

void set_count(JobResult& job, std::uint64_t n) {
  job.ops[0].stats = {};
  job.ops[0].stats.outcomes[0] = n;
  job.ops[0].stats.service.add(Duration::milliseconds(5), n);
}

TEST(Verdicts, say_nothing_of_a_clean_run) { EXPECT_TRUE(judge_job(clean_job()).empty()); }

TEST(Verdicts, say_nothing_of_an_empty_or_unstarted_run) {
  EXPECT_TRUE(judge(RunResult{}, clean_facts()).empty());
  JobResult job = clean_job();
  set_count(job, 0);
  job.window = Duration();
  EXPECT_TRUE(judge_job(job).empty());
}

TEST(ClientBound, turns_at_ninety_percent_of_the_busiest_thread) {
  JobResult job = clean_job();
  job.client.cpu_of_busiest = Duration::milliseconds(17'999);
  EXPECT_FALSE(find(judge_job(job), "client_bound"));
  job.client.cpu_of_busiest = Duration::milliseconds(18'000);
  const auto verdict = find(judge_job(job), "client_bound");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->level, Level::warning);
  EXPECT_EQ(verdict->where, "s1-main");
  EXPECT_EQ(
      verdict->text,
      "the worker threads spent 25 % of the time on the CPU, the busiest one 90 %: the storage "
      "may be faster than this; give it more --threads");
}

TEST(ClientBound, turns_at_eighty_five_percent_of_all_threads) {
  JobResult job = clean_job();
  job.client.cpu_of_busiest = Duration::milliseconds(17'500);
  job.client.cpu_of_threads = Duration::milliseconds(33'999);
  EXPECT_FALSE(find(judge_job(job), "client_bound"));
  job.client.cpu_of_threads = Duration::milliseconds(34'000);
  EXPECT_TRUE(find(judge_job(job), "client_bound"));
}

TEST(ClientBound, advises_another_machine_where_every_cpu_has_a_thread) {
  JobResult job = clean_job();
  job.client.cpu_of_busiest = Duration::seconds(20);
  RunFacts facts = clean_facts();
  facts.cpus = 2;
  EXPECT_THAT(find(judge(run_of(job), facts), "client_bound")->text,
              HasSubstr("all 2 CPUs carry a worker thread"));
  facts.cpus = 3;
  EXPECT_THAT(find(judge(run_of(job), facts), "client_bound")->text, HasSubstr("--threads"));
}

TEST(ClientBound, names_what_users_of_jobs_on_blocks_can_turn) {
  JobResult job = clean_job();
  job.block = BlockCounters{};
  job.client.threads = 1;
  job.client.cpu_of_busiest = job.client.cpu_of_threads = Duration::seconds(20);
  EXPECT_THAT(find(judge_job(job), "client_bound")->text, HasSubstr("give it more numjobs"));
  // Each of the stage's jobs has a thread.
  RunResult result = run_of(job);
  result.stages[0].jobs.push_back(job);
  RunFacts facts = clean_facts();
  facts.cpus = 2;
  EXPECT_THAT(find(judge(result, facts), "client_bound")->text,
              HasSubstr("all 2 CPUs carry a worker thread"));
}

TEST(ClientBound, leaves_cpu_of_jobs_below_a_second_alone) {
  JobResult job = clean_job();
  job.client.wall = job.client.cpu_of_busiest = Duration::milliseconds(999);
  EXPECT_FALSE(find(judge_job(job), "client_bound"));
  job.client.wall = job.client.cpu_of_busiest = Duration::milliseconds(1000);
  EXPECT_TRUE(find(judge_job(job), "client_bound"));
}

TEST(ClientBound, notes_a_lag_above_ten_milliseconds_and_p99) {
  JobResult job = clean_job();
  job.client.lag_max = Duration::microseconds(9'999);  // above the p99 of 5 ms, below the floor
  EXPECT_FALSE(find(judge_job(job), "client_bound"));
  job.client.lag_max = Duration::milliseconds(10);
  ASSERT_TRUE(find(judge_job(job), "client_bound"));
  EXPECT_EQ(find(judge_job(job), "client_bound")->level, Level::note);

  job.ops[0].stats.service.clear();
  job.ops[0].stats.service.add(Duration::milliseconds(40), 10'000);
  job.client.lag_max = Duration::milliseconds(40);
  EXPECT_FALSE(find(judge_job(job), "client_bound"));
  job.client.lag_max = Duration::milliseconds(41);
  EXPECT_TRUE(find(judge_job(job), "client_bound"));
}

TEST(ClientBound, turns_above_one_percent_of_late_issues) {
  JobResult job = clean_job();
  job.client.late_issues = 100;
  EXPECT_FALSE(find(judge_job(job), "client_bound"));
  job.client.late_issues = 101;
  const auto verdict = find(judge_job(job), "client_bound");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->level, Level::warning);
  EXPECT_THAT(verdict->text, HasSubstr("free its CPUs of other work"));
  job.client.cpu_of_threads = Duration::seconds(20);
  EXPECT_THAT(find(judge_job(job), "client_bound")->text, HasSubstr("--threads"));
  job.ops[0].stats.outside = 100;  // operations in the ramps are operations too
  EXPECT_FALSE(find(judge_job(job), "client_bound"));
}

TEST(TooShort, warns_below_one_second_and_notes_below_ten) {
  JobResult job = clean_job();
  job.window = Duration::seconds(10);
  EXPECT_FALSE(find(judge_job(job), "too_short"));
  job.window = Duration::milliseconds(9'999);
  EXPECT_EQ(find(judge_job(job), "too_short")->level, Level::note);
  job.window = Duration::seconds(1);
  EXPECT_EQ(find(judge_job(job), "too_short")->level, Level::note);
  job.window = Duration::milliseconds(999);
  EXPECT_EQ(find(judge_job(job), "too_short")->level, Level::warning);
  EXPECT_THAT(find(judge_job(job), "too_short")->text, HasSubstr("only 999 ms were measured"));
}

TEST(TooShort, notes_operations_with_too_few_samples) {
  JobResult job = clean_job();
  set_count(job, 1000);
  EXPECT_FALSE(find(judge_job(job), "too_short"));
  set_count(job, 999);
  EXPECT_EQ(find(judge_job(job), "too_short")->text,
            "read has 999 samples: its p99.9 is the maximum; run longer");
  set_count(job, 99);
  EXPECT_EQ(find(judge_job(job), "too_short")->text,
            "read has 99 samples: its p99.9 is the maximum, its p99 too; run longer");
}

TEST(TooShort, leaves_walks_alone) {
  JobResult job = clean_job();
  job.window = Duration::milliseconds(3);
  set_count(job, 1);
  job.ops[0].action = plan::Action::prepare;
  EXPECT_FALSE(find(judge_job(job), "too_short"));
  job.ops.push_back(clean_job().ops[0]);
  EXPECT_TRUE(find(judge_job(job), "too_short"));
}

TEST(RateNotReached, turns_below_ninety_nine_percent) {
  JobResult job = clean_job();
  job.window = Duration::seconds(200);
  job.offered = Rate::per_second(1000);
  set_count(job, 198'000);
  job.never_issued = 2'000;
  EXPECT_FALSE(find(judge_job(job), "rate_not_reached"));
  set_count(job, 197'999);
  job.never_issued = 2'001;
  const auto verdict = find(judge_job(job), "rate_not_reached");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->text,
            "99.0 % of the offered 1000 op/s were issued: 2001 operations were due while all 8 "
            "workers waited for answers; give the job more workers, or offer less");
}

TEST(RateNotReached, allows_for_chance_in_small_counts) {
  JobResult job = clean_job();
  job.window = Duration::seconds(100);
  job.offered = Rate::per_second(100);  // 10 000 due, standard deviation 100
  set_count(job, 9'700);
  job.never_issued = 300;
  EXPECT_FALSE(find(judge_job(job), "rate_not_reached"));
  set_count(job, 9'699);
  job.never_issued = 301;
  EXPECT_TRUE(find(judge_job(job), "rate_not_reached"));
  job.in_flight_at_end = 1;
  job.never_issued = 300;
  EXPECT_FALSE(find(judge_job(job), "rate_not_reached"));
}

TEST(RateNotReached, names_the_workers_where_none_was_free) {
  JobResult job = clean_job();
  job.window = Duration::seconds(100);
  job.offered = Rate::per_second(1000);
  set_count(job, 50'000);
  job.never_issued = 50'000;
  EXPECT_THAT(find(judge_job(job), "rate_not_reached")->text,
              HasSubstr("50000 operations were due while all 8 workers waited for answers"));
}

JobResult slow_block_job() {
  JobResult job = clean_job();
  job.block = BlockCounters{};
  job.block->observed = target::Observed{.depth = 1};
  job.workers = 1;
  job.client.threads = 1;
  job.client.cpu_of_threads = job.client.cpu_of_busiest = Duration::seconds(2);
  job.window = Duration::seconds(100);
  job.offered = Rate::per_second(1000);
  set_count(job, 19'800);  // of 5 ms each: 99 % of the window
  return job;
}

TEST(RateNotReached, does_not_blame_the_client_where_one_job_waits_for_the_storage) {
  JobResult job = slow_block_job();
  EXPECT_THAT(find(judge_job(job), "rate_not_reached")->text,
              HasSubstr("it waited for the storage 99 % of the time, for one operation after the "
                        "other; give it more numjobs, or iodepth with"));
  job.workers = 8;  // of a synchronous engine, all the same one by one
  EXPECT_THAT(find(judge_job(job), "rate_not_reached")->text,
              HasSubstr("give it more numjobs, or offer less"));
  job.block->observed->depth = 8;
  set_count(job, 80'000);
  EXPECT_THAT(find(judge_job(job), "rate_not_reached")->text,
              HasSubstr("4.0 of at most 8 operations under way on average; give it more iodepth"));
}

TEST(RateNotReached, blames_the_client_of_a_job_on_blocks_by_its_cpu_alone) {
  JobResult job = slow_block_job();
  set_count(job, 9'000);
  EXPECT_THAT(find(judge_job(job), "rate_not_reached")->text,
              HasSubstr("the client fell behind although it was not busy; free its CPUs"));
  job.client.cpu_of_threads = job.client.cpu_of_busiest = Duration::seconds(19);
  EXPECT_THAT(find(judge_job(job), "rate_not_reached")->text,
              HasSubstr("the client fell behind, its thread is always on the CPU; give it more "
                        "numjobs"));
}

TEST(Unfinished, turns_where_the_oldest_is_older_than_a_second_and_the_highest_p999) {
  JobResult job = clean_job();
  job.in_flight_at_end = 8;
  job.oldest_in_flight = Duration::seconds(1);
  EXPECT_FALSE(find(judge_job(job), "unfinished"));
  job.oldest_in_flight = Duration::milliseconds(9'800);
  const auto verdict = find(judge_job(job), "unfinished");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->level, Level::warning);
  EXPECT_EQ(verdict->text,
            "8 operations were still under way at the end, the oldest for 9.8 s, longer than a "
            "p99.9 of 5 ms: the storage may hang, and the time that these took is in no figure; "
            "run longer");
  job.ops[0].stats.service.add(Duration::seconds(30), 1'000);
  EXPECT_FALSE(find(judge_job(job), "unfinished"));
}

TEST(Unfinished, names_a_job_of_which_nothing_completed) {
  JobResult job = clean_job();
  set_count(job, 0);
  job.ops[0].stats.outside = 1;
  job.in_flight_at_end = 1;
  job.oldest_in_flight = Duration::seconds(12);
  EXPECT_THAT(find(judge_job(job), "unfinished")->text,
              HasSubstr("nothing completed; 1 operation was still under way at the end, for 12 s"));
}

TEST(Unfinished, is_silent_of_walks_and_of_what_the_user_stopped) {
  JobResult job = clean_job();
  job.in_flight_at_end = 8;
  job.oldest_in_flight = Duration::seconds(5);
  RunResult stopped = run_of(job);
  stopped.stages[0].state = StageState::cancelled;
  EXPECT_FALSE(find(judge(stopped, clean_facts()), "unfinished"));
  job.ops[0].action = plan::Action::prepare;
  EXPECT_FALSE(find(judge_job(job), "unfinished"));
}

TEST(Containers, that_could_not_be_removed_are_a_warning) {
  JobResult job = clean_job();
  set_count(job, 0);
  job.window = Duration();
  job.ops[0].name = "dispose-delete";
  job.ops[0].action = plan::Action::cleanup;
  job.ops[0].stats.container_failures = 40;
  job.ops[0].stats.count_failure(target::Outcome::not_empty, 409, "c1", "", "BucketNotEmpty");
  const auto verdict = find(judge_job(job), "containers_failed");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->level, Level::warning);
  EXPECT_THAT(verdict->text, HasSubstr("40 of 40 containers could not be removed by "
                                       "dispose-delete, mostly not_empty (409), e.g. at c1"));
}

TEST(Places, number_jobs_of_one_name) {
  RunResult result = run_of(clean_job());
  StageResult& stage = result.stages[0];
  stage.jobs.push_back(clean_job());
  stage.jobs.push_back(clean_job());
  stage.jobs[1].name = "w2";
  EXPECT_EQ(place_of(stage, stage.jobs[0]), "s1-main, job w1 #1");
  EXPECT_EQ(place_of(stage, stage.jobs[1]), "s1-main, job w2");
  EXPECT_EQ(place_of(stage, stage.jobs[2]), "s1-main, job w1 #2");
}

TEST(Verdicts, say_once_what_is_equal_in_several_jobs) {
  JobResult job = clean_job();
  job.window = Duration::seconds(5);
  RunResult result = run_of(job);
  for (int i = 0; i < 3; ++i) result.stages[0].jobs.push_back(job);
  const auto verdicts = judge(result, clean_facts());
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].where, "s1-main, in 4 jobs");
}

TEST(Failures, are_named_with_their_most_frequent_cause) {
  JobResult job = clean_job();
  OpStats& stats = job.ops[0].stats;
  stats.outcomes[static_cast<std::size_t>(target::Outcome::timeout)] = 1;
  stats.outcomes[static_cast<std::size_t>(target::Outcome::not_found)] = 3;
  stats.failures.push_back({target::Outcome::timeout, 0, 1, "c1/o1", ""});
  stats.failures.push_back({target::Outcome::not_found, 404, 3, "c1/o2", "NoSuchKey"});
  EXPECT_EQ(find(judge_job(job), "first_error")->text,
            "4 of 10004 read operations failed, mostly not_found (404), e.g. at c1/o2: NoSuchKey");
  EXPECT_EQ(find(judge_job(job), "first_error")->level, Level::note);
  EXPECT_FALSE(find(judge_job(job), "all_failed"));
}

TEST(Failures, of_every_operation_are_a_warning) {
  JobResult job = clean_job();
  set_count(job, 0);
  job.ops[0].stats.outcomes[static_cast<std::size_t>(target::Outcome::denied)] = 7;
  const auto verdict = find(judge_job(job), "all_failed");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->level, Level::warning);
  EXPECT_EQ(verdict->text, "every one of the 7 read operations failed");
  job.ops[0].stats.outcomes[static_cast<std::size_t>(target::Outcome::denied)] = 1;
  EXPECT_EQ(find(judge_job(job), "all_failed")->text, "the only read operation failed");
  EXPECT_FALSE(find(judge_job(job), "first_error"));
}

TEST(ClockStepped, turns_above_fifty_milliseconds_and_a_thousandth) {
  const RunResult result = run_of(clean_job());  // 30 s: 80 ms are allowed
  RunFacts facts = clean_facts();
  for (const std::int64_t sign : {1, -1}) {
    facts.clock_step = Duration::milliseconds(80 * sign);
    EXPECT_FALSE(find(judge(result, facts), "clock_stepped"));
    facts.clock_step = Duration::milliseconds(81 * sign);
    const auto verdict = find(judge(result, facts), "clock_stepped");
    ASSERT_TRUE(verdict);
    EXPECT_THAT(verdict->text, HasSubstr(sign > 0 ? "gained 0.081 s" : "lost 0.081 s"));
    EXPECT_EQ(verdict->where, "");
  }
}

TEST(DebugBuild, is_any_build_without_optimisation_or_with_a_sanitizer) {
  const RunResult result = run_of(clean_job());
  for (const char* type : {"Release", "RelWithDebInfo", "MinSizeRel"}) {
    EXPECT_FALSE(find(judge(result, {.build_type = type}), "debug_build")) << type;
    EXPECT_TRUE(find(judge(result, {.build_type = type, .sanitized = true}), "debug_build"));
  }
  EXPECT_THAT(find(judge(result, {.build_type = "Debug"}), "debug_build")->text,
              HasSubstr("a Debug build,"));
  EXPECT_THAT(find(judge(result, {.build_type = ""}), "debug_build")->text,
              HasSubstr("a plain build,"));
}

TEST(PlaceOf, names_the_job_only_beside_others) {
  RunResult result = run_of(clean_job());
  EXPECT_EQ(place_of(result.stages[0], result.stages[0].jobs[0]), "s1-main");
  result.stages[0].jobs.push_back(clean_job());
  result.stages[0].jobs[1].name = "w2";
  EXPECT_EQ(place_of(result.stages[0], result.stages[0].jobs[1]), "s1-main, job w2");
}

}  // namespace
}  // namespace loadline::record
