#include "record/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "record/block_verdict.h"
#include "record/stream_verdict.h"

namespace loadline::record {
namespace {

using Level = Verdict::Level;

std::string in_words(Duration d) {
  const double ns = static_cast<double>(d.ns());
  // Three digits: what would be rounded to 1000 is one of the next unit.
  if (d < Duration::nanoseconds(999'500)) return fmt::format("{:.3g} us", ns / 1e3);
  if (d < Duration::microseconds(999'500)) return fmt::format("{:.3g} ms", ns / 1e6);
  if (d < Duration::seconds(1000)) return fmt::format("{:.3g} s", ns / 1e9);
  return fmt::format("{:.0f} s", ns / 1e9);
}

double share_of(Duration part, Duration whole) {
  return whole.ns() > 0 ? static_cast<double>(part.ns()) / static_cast<double>(whole.ns()) : 0;
}

std::uint64_t samples_of(const JobResult& job) {
  std::uint64_t sum = 0;
  for (const OpResult& op : job.ops) sum += op.stats.samples();
  return sum;
}

std::uint64_t ended_of(const JobResult& job) {
  std::uint64_t sum = 0;
  for (const OpResult& op : job.ops) sum += op.stats.samples() + op.stats.outside;
  return sum;
}

// The lowest p99 of the job's operations: the figure that the client's own delays spoil first.
std::optional<Duration> lowest_p99(const JobResult& job) {
  std::optional<Duration> lowest;
  for (const OpResult& op : job.ops) {
    if (op.stats.latency().empty()) continue;
    const Duration p99 = op.stats.latency().quantile(9'900'000);
    if (!lowest || p99 < *lowest) lowest = p99;
  }
  return lowest;
}

// The highest p99.9 of the job's operations, zero where none succeeded.
Duration highest_p999(const JobResult& job) {
  Duration highest;
  for (const OpResult& op : job.ops) {
    if (op.stats.latency().empty()) continue;
    highest = std::max(highest, op.stats.latency().quantile(9'990'000));
  }
  return highest;
}

std::uint64_t threads_of(const StageResult& stage) {
  std::uint64_t sum = 0;
  for (const JobResult& job : stage.jobs) sum += job.client.threads;
  return sum;
}

// What gives a job more threads: each job on blocks has one, and jobs are what its users add.
const char* more_threads(const JobResult& job) {
  return job.block ? "give it more numjobs" : "give it more --threads";
}

std::string advice_for_cpu(const StageResult& stage, const JobResult& job, const RunFacts& facts) {
  if (facts.cpus != 0 && threads_of(stage) >= facts.cpus) {
    return fmt::format("all {} CPUs carry a worker thread, so use a machine with more", facts.cpus);
  }
  return more_threads(job);
}

bool is_on_cpu(const ClientLoad& load) {
  return share_of(load.cpu_of_busiest, load.wall) >= limits::k_busiest_thread ||
         (load.threads > 0 &&
          share_of(load.cpu_of_threads, load.wall) / load.threads >= limits::k_mean_thread);
}

// How many operations of a job on blocks were under way, on average, and how many could be.
struct UnderWay {
  double mean = 0;
  std::uint32_t most = 1;
};

UnderWay under_way_of(const JobResult& job) {
  UnderWay result{.most = std::max(job.workers, 1U)};
  if (job.block && job.block->observed && job.block->observed->depth) {
    result.most = std::clamp(*job.block->observed->depth, 1U, result.most);
  }
  std::uint64_t ns = 0;
  for (const OpResult& op : job.ops) ns += op.stats.service.sum_ns() + op.stats.failed.sum_ns();
  const auto window = static_cast<double>(job.window.ns());
  if (window > 0) result.mean = std::min<double>(static_cast<double>(ns) / window, result.most);
  return result;
}

void judge_client(const StageResult& stage, const JobResult& job, const std::string& where,
                  const RunFacts& facts, std::vector<Verdict>& out) {
  const ClientLoad& load = job.client;
  if (load.threads > 0 && load.wall >= limits::k_load_least) {
    const double busiest = share_of(load.cpu_of_busiest, load.wall);
    const double mean = share_of(load.cpu_of_threads, load.wall) / load.threads;
    if (is_on_cpu(load)) {
      out.push_back({"client_bound", Level::warning, where,
                     fmt::format("the worker threads spent {:.0f} % of the time on the CPU, the "
                                 "busiest one {:.0f} %: the storage may be faster than this; {}",
                                 mean * 100, busiest * 100, advice_for_cpu(stage, job, facts))});
    }
  }
  const std::optional<Duration> p99 = lowest_p99(job);
  if (p99 && load.lag_max >= limits::k_lag && load.lag_max > *p99) {
    out.push_back({"client_bound", Level::note, where,
                   fmt::format("a worker thread looked away from its completions for {}, longer "
                               "than a p99 of {}: the highest latencies may be the client's own; "
                               "free its CPUs of other work",
                               in_words(load.lag_max), in_words(*p99))});
  }
  const std::uint64_t ended = ended_of(job);
  const double late =
      ended == 0 ? 0 : static_cast<double>(load.late_issues) / static_cast<double>(ended);
  if (late > limits::k_late_share) {
    // Threads that are late without being busy wait for a CPU that somebody else holds.
    const bool idle =
        load.threads == 0 || share_of(load.cpu_of_threads, load.wall) / load.threads < 0.5;
    out.push_back(
        {"client_bound", Level::warning, where,
         fmt::format("{:.1f} % of the paced operations left more than 1 ms late although "
                     "a worker was free: the client could not keep its own schedule; {}",
                     late * 100,
                     idle ? "free its CPUs of other work" : advice_for_cpu(stage, job, facts))});
  }
}

void judge_length(const JobResult& job, const std::string& where, std::vector<Verdict>& out) {
  if (only_walks(job)) return;
  if (job.window < limits::k_window_least) {
    out.push_back({"too_short", Level::warning, where,
                   fmt::format("only {} were measured: start-up and chance weigh as much as the "
                               "storage; measure for 10 s or more",
                               in_words(job.window))});
  } else if (job.window < limits::k_window_good) {
    out.push_back({"too_short", Level::note, where,
                   fmt::format("{} were measured: caches, compaction and throttling of a storage "
                               "show later; measure for 10 s or more",
                               in_words(job.window))});
  }
  for (const OpResult& op : job.ops) {
    const std::uint64_t count = op.stats.successes();
    if (count == 0 || count >= limits::k_samples_least) continue;
    out.push_back({"too_short", Level::note, where,
                   fmt::format("{} has {} samples: its p99.9 is the maximum{}; run longer", op.name,
                               count, count < 100 ? ", its p99 too" : "")});
  }
}

// Paced operations that were due in the job's time. Where no list of them is kept, by the rate.
double due_of(const JobResult& job) {
  if (job.offered.per_second() <= 0) return 0;
  if (job.block || !job.files.empty()) return job.offered.per_second() * job.window.as_seconds();
  return static_cast<double>(samples_of(job) + job.in_flight_at_end + job.never_issued);
}

// Who did not keep up: the storage where the workers waited for it, else the client.
std::string why_behind(const StageResult& stage, const JobResult& job, const RunFacts& facts) {
  if (job.never_issued > 0) {
    return fmt::format(
        "{} operations were due while all {} workers waited for answers; give the "
        "job more workers, or offer less",
        job.never_issued, job.workers);
  }
  const ClientLoad& load = job.client;
  if (load.threads > 0 && is_on_cpu(load)) {
    return "the client fell behind, its thread is always on the CPU; " +
           advice_for_cpu(stage, job, facts);
  }
  if (!job.block) return fmt::format("the client fell behind; {}", more_threads(job));
  const UnderWay under_way = under_way_of(job);
  if (under_way.mean < limits::k_waiting * under_way.most) {
    return "the client fell behind although it was not busy; free its CPUs of other work";
  }
  if (under_way.most > 1) {
    return fmt::format(
        "it waited for the storage, with {:.1f} of at most {} operations under way on average; "
        "give it more iodepth or numjobs, or offer less",
        under_way.mean, under_way.most);
  }
  return fmt::format(
      "it waited for the storage {:.0f} % of the time, for one operation after the other; give it "
      "more numjobs{}, or offer less",
      under_way.mean * 100, job.workers > 1 ? "" : ", or iodepth with an asynchronous engine");
}

void judge_rate(const StageResult& stage, const JobResult& job, const std::string& where,
                const RunFacts& facts, std::vector<Verdict>& out) {
  const double due = due_of(job);
  if (due <= 0) return;
  // Operations still under way at the end of the window were issued: a slow storage is no missed
  // rate, its queue shows in the response time.
  const auto issued = static_cast<double>(samples_of(job) + job.in_flight_at_end);
  const double missing = due - issued;
  if (issued >= limits::k_rate_share * due) return;
  if (missing <= limits::k_rate_sigmas * std::sqrt(due)) return;
  out.push_back(
      {"rate_not_reached", Level::warning, where,
       fmt::format("{:.1f} % of the offered {:.6g} op/s were issued: {}", issued / due * 100,
                   job.offered.per_second(), why_behind(stage, job, facts))});
}

// The most frequent failure and one item that it happened to: not the first one in time.
std::string example_of(const OpStats& stats) {
  if (stats.failures.empty()) return {};
  const auto most =
      std::ranges::max_element(stats.failures, {}, [](const FailureExample& f) { return f.times; });
  std::string text = fmt::format(", mostly {}", target::to_string(most->outcome));
  if (most->status != 0) text += fmt::format(" ({})", most->status);
  if (!most->item.empty()) text += fmt::format(", e.g. at {}", most->item);
  if (!most->detail.empty()) text += fmt::format(": {}", most->detail);
  return text;
}

void judge_failures(const JobResult& job, const std::string& where, std::vector<Verdict>& out) {
  for (const OpResult& op : job.ops) {
    const std::uint64_t failed = op.stats.failure_count();
    if (failed == 0) continue;
    const std::string examples = example_of(op.stats);
    if (op.stats.successes() == 0) {
      out.push_back({"all_failed", Level::warning, where,
                     failed == 1 ? fmt::format("the only {} operation failed{}", op.name, examples)
                                 : fmt::format("every one of the {} {} operations failed{}", failed,
                                               op.name, examples)});
      continue;
    }
    out.push_back({"first_error", Level::note, where,
                   fmt::format("{} of {} {} operations failed{}", failed, op.stats.samples(),
                               op.name, examples)});
  }
}

// Containers are no samples, so no count of failures has them.
void judge_containers(const JobResult& job, const std::string& where, std::vector<Verdict>& out) {
  for (const OpResult& op : job.ops) {
    const std::uint64_t failed = op.stats.container_failures;
    if (failed == 0) continue;
    const bool removes = op.action == plan::Action::cleanup;
    out.push_back({"containers_failed", Level::warning, where,
                   fmt::format("{} of {} containers could not be {} by {}{}", failed,
                               failed + op.stats.container_ops, removes ? "removed" : "made",
                               op.name, example_of(op.stats))});
  }
}

// A storage that hangs ends no operation, so its latencies look clean.
void judge_unfinished(const StageResult& stage, const JobResult& job, const std::string& where,
                      std::vector<Verdict>& out) {
  if (job.in_flight_at_end == 0 || only_walks(job)) return;
  const bool stopped =
      stage.state == StageState::cancelled || stage.state == StageState::terminated;
  if (samples_of(job) == 0) {
    if (stopped && job.oldest_in_flight < limits::k_unfinished) return;
    out.push_back({"unfinished", Level::warning, where,
                   fmt::format("nothing completed; {}: the storage hangs, or its operations need "
                               "more time than the job has",
                               under_way_text(job))});
    return;
  }
  const Duration p999 = highest_p999(job);
  if (stopped || job.oldest_in_flight <= std::max(limits::k_unfinished, p999)) return;
  out.push_back({"unfinished", Level::warning, where,
                 fmt::format("{}, longer than a p99.9 of {}: the storage may hang, and the time "
                             "that these took is in no figure; run longer",
                             under_way_text(job), in_words(p999))});
}

void judge_run(const RunResult& result, const RunFacts& facts, std::vector<Verdict>& out) {
  const double step = std::abs(facts.clock_step.as_seconds());
  const double allowed =
      limits::k_step.as_seconds() + limits::k_step_share * result.elapsed.as_seconds();
  if (step > allowed) {
    out.push_back(
        {"clock_stepped", Level::warning, "",
         fmt::format("the wall clock {} {:.3g} s during the run: the times of day here are "
                     "off by that, latencies and rates are not; let a time service slew "
                     "the clock instead of setting it",
                     facts.clock_step.ns() > 0 ? "gained" : "lost", step)});
  }
  const std::string& type = facts.build_type;
  const bool optimised = type == "Release" || type == "RelWithDebInfo" || type == "MinSizeRel";
  if (facts.sanitized || !optimised) {
    out.push_back(
        {"debug_build", Level::warning, "",
         fmt::format("this loadline is a {} build{}, slower than the one to measure with; "
                     "use the release build",
                     type.empty() ? "plain" : type, facts.sanitized ? " with a sanitizer" : "")});
  }
}

}  // namespace

std::string name_of(const StageResult& stage, const JobResult& job) {
  std::size_t same = 0;
  std::size_t position = 0;
  for (const JobResult& other : stage.jobs) {
    if (other.name != job.name) continue;
    ++same;
    if (&other == &job) position = same;
  }
  return same < 2 || position == 0 ? job.name : fmt::format("{} #{}", job.name, position);
}

std::string place_of(const StageResult& stage, const JobResult& job) {
  const std::string& name = stage.id.empty() ? stage.name : stage.id;
  return stage.jobs.size() < 2 ? name : fmt::format("{}, job {}", name, name_of(stage, job));
}

std::string under_way_text(const JobResult& job) {
  const bool one = job.in_flight_at_end == 1;
  std::string text = fmt::format("{} operation{} still under way at the end", job.in_flight_at_end,
                                 one ? " was" : "s were");
  if (job.oldest_in_flight.ns() > 0) {
    text += fmt::format(", {}for {}", one ? "" : "the oldest ", in_words(job.oldest_in_flight));
  }
  return text;
}

bool only_walks(const JobResult& job) {
  return std::ranges::all_of(job.ops, [](const OpResult& op) { return plan::is_walk(op.action); });
}

namespace {

// What is said of several jobs of a stage in the same words is said once.
void merge_equal(const StageResult& stage, std::vector<Verdict>& verdicts) {
  std::vector<std::pair<Verdict, std::size_t>> merged;
  for (Verdict& verdict : verdicts) {
    const auto same = std::ranges::find_if(merged, [&](const auto& other) {
      return other.first.id == verdict.id && other.first.text == verdict.text;
    });
    if (same == merged.end()) {
      merged.emplace_back(std::move(verdict), 1);
    } else {
      ++same->second;
    }
  }
  verdicts.clear();
  for (auto& [verdict, times] : merged) {
    const std::string& name = stage.id.empty() ? stage.name : stage.id;
    if (times > 1) verdict.where = fmt::format("{}, in {} jobs", name, times);
    verdicts.push_back(std::move(verdict));
  }
}

}  // namespace

std::vector<Verdict> judge(const RunResult& result, const RunFacts& facts) {
  std::vector<Verdict> all;
  for (const StageResult& stage : result.stages) {
    std::vector<Verdict> out;
    for (const JobResult& job : stage.jobs) {
      const std::string where = place_of(stage, job);
      judge_containers(job, where, out);
      std::ranges::move(judge_stream(stage, job, where), std::back_inserter(out));
      if (ended_of(job) + job.in_flight_at_end == 0) continue;
      judge_failures(job, where, out);
      judge_unfinished(stage, job, where, out);
      judge_client(stage, job, where, facts, out);
      judge_length(job, where, out);
      judge_rate(stage, job, where, facts, out);
      std::ranges::move(judge_block(job, where), std::back_inserter(out));
    }
    merge_equal(stage, out);
    std::ranges::move(out, std::back_inserter(all));
  }
  judge_run(result, facts, all);
  return all;
}

}  // namespace loadline::record
