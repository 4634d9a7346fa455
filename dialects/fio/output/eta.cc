#include "dialects/fio/output/eta.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dialects/fio/output/figures.h"

namespace loadline::dialects::fio::output {
namespace {

constexpr std::array<char, plan::k_directions> k_letters = {'r', 'w', 't'};

char letter_of(const plan::BlockIo& io) {
  const bool random = std::any_of(io.order.begin(), io.order.end(), [](const auto& order) {
    return order.placement != plan::Placement::sequential;
  });
  char letter = 'R';
  if (io.uses[0] && io.uses[1]) {
    letter = 'M';
  } else if (io.uses[1]) {
    letter = 'W';
  } else if (io.uses[2]) {
    letter = 'D';
  }
  return random ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// "01h:02m:03s", as short as it can be but with minutes.
std::string left_text(double seconds) {
  const auto all = static_cast<std::uint64_t>(std::lround(seconds));
  const std::uint64_t days = all / 86400;
  const std::uint64_t hours = all / 3600 % 24;
  std::string text;
  if (days > 0) text += fmt::format("{:02}d:", days);
  if (days > 0 || hours > 0) text += fmt::format("{:02}h:", hours);
  return text + fmt::format("{:02}m:{:02}s", all / 60 % 60, all % 60);
}

}  // namespace

EtaLine::EtaLine(const plan::Plan& plan) {
  for (const plan::Stage& stage : plan.stages) {
    std::vector<JobState>& jobs = stages_.emplace_back();
    for (const plan::Job& job : stage.jobs) {
      JobState state{.begin = job.start_delay};
      if (job.block) {
        const plan::BlockIo& io = *job.block;
        state.letter = letter_of(io);
        state.files = io.files.size();
        if (job.stop.runtime > Duration()) state.length = job.stop.ramp_up + job.stop.runtime;
        const Bytes planned = io.amount.bytes.count() > 0 ? io.amount.bytes : io.size.bytes;
        if (!io.time_based) state.bytes_planned = planned.count() * std::max(1U, io.loops);
      }
      jobs.push_back(state);
    }
  }
}

void EtaLine::add(const TickCounts& tick) {
  if (tick.stage != stage_) {
    stage_ = tick.stage;
    since_ = Duration();
    counts_ = {};
  }
  now_ = tick.start + tick.length;
  since_ += tick.length;
  for (std::size_t job = 0; job < tick.jobs.size(); ++job) {
    for (std::size_t i = 0; i < plan::k_directions; ++i) {
      counts_[i] += tick.jobs[job][i];
      if (stage_ < stages_.size() && job < stages_[stage_].size()) {
        stages_[stage_][job].bytes_done += tick.jobs[job][i].bytes;
      }
    }
  }
}

bool EtaLine::over(const JobState& job) const {
  if (job.length > Duration() && now_ >= job.begin + job.length) return true;
  return job.bytes_planned > 0 && job.bytes_done >= job.bytes_planned;
}

EtaLine::Progress EtaLine::progress() const {
  Progress all{.percent = 100, .seconds_left = 0};
  for (const JobState& job : stages_[stage_]) {
    if (over(job)) continue;
    Progress one;
    const double elapsed = std::max(0.0, (now_ - job.begin).as_seconds());
    if (job.length > Duration()) {
      one.percent = 100 * elapsed / job.length.as_seconds();
      one.seconds_left = (job.begin + job.length - now_).as_seconds();
    }
    if (job.bytes_planned > 0 && job.bytes_done > 0) {
      const double share =
          static_cast<double>(job.bytes_done) / static_cast<double>(job.bytes_planned);
      const double left = elapsed / share - elapsed;
      // Whichever comes first ends the job.
      if (one.seconds_left < 0 || left < one.seconds_left) one = {100 * share, left};
    }
    if (one.percent < 0) return {};
    all.percent = std::min(all.percent, one.percent);
    all.seconds_left = std::max(all.seconds_left, one.seconds_left);
  }
  return all;
}

std::string EtaLine::letters() const {
  std::string all;
  char open = 0;
  std::size_t run = 0;
  const auto flush = [&] {
    if (run > 0) all += fmt::format("{}{}({})", all.empty() ? "" : ",", open, run);
  };
  for (const JobState& job : stages_[stage_]) {
    const char letter = over(job) ? '_' : now_ <= job.begin ? 'P' : job.letter;
    if (letter != open) {
      flush();
      open = letter;
      run = 0;
    }
    ++run;
  }
  flush();
  return all;
}

std::string EtaLine::text() {
  if (stage_ >= stages_.size()) return "";
  std::size_t running = 0;
  std::size_t files = 0;
  for (const JobState& job : stages_[stage_]) {
    if (over(job)) continue;
    ++running;
    files += job.files;
  }
  const Progress done = progress();
  std::string line = fmt::format("Jobs: {} (f={}): [{}]", running, files, letters());
  line += done.percent < 0 ? std::string("[-.-%]")
                           : fmt::format("[{:3.1f}%]", std::clamp(done.percent, 0.0, 100.0));
  std::string rates;
  std::string operations;
  const double seconds = since_.as_seconds();
  for (std::size_t i = 0; i < plan::k_directions && seconds > 0; ++i) {
    if (counts_[i].operations == 0) continue;
    const auto rate = [&](std::uint64_t n) {
      return static_cast<std::uint64_t>(static_cast<double>(n) / seconds);
    };
    const char* comma = rates.empty() ? "" : ",";
    rates += fmt::format(
        "{}{}={}", comma, k_letters[i],
        short_number(rate(counts_[i].bytes), {.binary = true, .unit = Unit::byte_per_second}));
    operations +=
        fmt::format("{}{}={}", comma, k_letters[i], short_number(rate(counts_[i].operations), {}));
  }
  if (!rates.empty()) line += fmt::format("[{}][{} IOPS]", rates, operations);
  line += done.seconds_left < 0 ? std::string("[eta --]")
                                : fmt::format("[eta {}]", left_text(done.seconds_left));
  counts_ = {};
  since_ = Duration();
  return line;
}

}  // namespace loadline::dialects::fio::output
