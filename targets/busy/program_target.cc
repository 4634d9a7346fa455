// Runs a program, once an operation, to its end or to the end of its time.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>

#include "base/check.h"
#include "base/child_process.h"
#include "target/target.h"

namespace loadline::targets {
namespace {

constexpr std::int64_t k_seconds_most = 1'000'000'000;
constexpr std::int64_t k_wait_ms_most = 100;

struct Settings {
  ChildProcess::Options program;
  Duration time_limit;  // zero: none
  Duration grace;       // between asking it to go and killing it
};

class ProgramSession final : public target::Session {
 public:
  ProgramSession(const Settings& settings, const target::WorkerContext& context)
      : settings_(settings), clock_(*context.clock) {}

  target::Submitted submit(const target::Op& op) override {
    CHECK(!under_way_);
    under_way_ = true;
    asked_to_go_ = cancelled_ = false;
    ends_ = kills_ = Instant::max();
    done_ = {.slot = op.slot};
    auto started = ChildProcess::start(settings_.program);
    if (!started) {
      text_ = started.error().message();
      done_.outcome = target::Outcome::io_error;
      done_.status = static_cast<std::uint16_t>(started.error().os_error);
      done_.detail = text_;
      return target::Submitted::accepted;
    }
    child_.emplace(std::move(*started));
    if (settings_.time_limit > Duration()) ends_ = clock_.now() + settings_.time_limit;
    return target::Submitted::accepted;
  }

  std::size_t reap(std::span<target::Completion> into, Instant deadline) override {
    if (!under_way_) {
      clock_.sleep_until(deadline);
      return 0;
    }
    while (child_) {
      const Instant now = clock_.now();
      if (now >= ends_) ask_to_go(now);
      if (now >= kills_) child_->signal(SIGKILL);
      const std::optional<int> status = child_->wait(milliseconds_to(deadline, now));
      if (status) {
        child_.reset();
        judge(*status);
      } else if (clock_.now() >= deadline) {
        return 0;
      }
    }
    under_way_ = false;
    into[0] = done_;
    return 1;
  }

  void cancel() override {
    if (!child_) return;
    cancelled_ = true;
    if (!asked_to_go_) ask_to_go(clock_.now());
  }

 private:
  void ask_to_go(Instant now) {
    ends_ = Instant::max();
    asked_to_go_ = true;
    kills_ = now + settings_.grace;
    child_->signal(SIGTERM);
  }

  int milliseconds_to(Instant deadline, Instant now) const {
    const Instant next = std::min({deadline, ends_, kills_});
    const std::int64_t ms = next == Instant::max() ? k_wait_ms_most : (next - now).ns() / 1'000'000;
    return static_cast<int>(std::clamp<std::int64_t>(ms + 1, 1, k_wait_ms_most));
  }

  void judge(int status) {
    done_.done = clock_.now();
    if (cancelled_) {
      done_.outcome = target::Outcome::cancelled;
    } else if (status != 0 && !asked_to_go_) {
      text_ = "ended with status " + std::to_string(status);
      done_.outcome = target::Outcome::io_error;
      done_.status = EIO;
      done_.detail = text_;
    }
  }

  const Settings& settings_;
  const Clock& clock_;
  std::optional<ChildProcess> child_;
  Instant ends_;
  Instant kills_;
  bool under_way_ = false;
  bool asked_to_go_ = false;
  bool cancelled_ = false;
  target::Completion done_;
  std::string text_;
};

class ProgramTarget final : public target::Target {
 public:
  explicit ProgramTarget(Settings settings) : settings_(std::move(settings)) {}
  target::Capabilities capabilities() const override {
    return {.kinds = target::Capabilities::bit(target::OpKind::head),
            .blocking = true,
            .block_io = true,
            .remembers_data = false};
  }
  Result<void> preflight(std::span<const std::string>, std::span<const std::string>) override {
    return {};
  }
  Result<std::unique_ptr<target::Session>> open_session(
      const target::WorkerContext& context) override {
    return std::make_unique<ProgramSession>(settings_, context);
  }
  std::string describe() const override { return settings_.program.words.front(); }

 private:
  Settings settings_;
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

Result<std::unique_ptr<target::Target>> open(const target::Parameters& parameters) {
  Settings settings;
  settings.program = {.words = {parameters.text("program", "")},
                      .output = parameters.text("output", ""),
                      .errors = parameters.text("errors", "")};
  if (settings.program.words.front().empty()) {
    return fail(ErrorCode::bad_input, "names no program to run", "program");
  }
  for (std::string& word : words_of(parameters.text("arguments", ""))) {
    settings.program.words.push_back(std::move(word));
  }
  const auto limit = parameters.number("time_limit_s", 0, 0, k_seconds_most);
  if (!limit) return std::unexpected(limit.error());
  const auto grace = parameters.number("grace_s", 1, 0, k_seconds_most);
  if (!grace) return std::unexpected(grace.error());
  settings.time_limit = Duration::from_seconds(*limit);
  settings.grace = Duration::from_seconds(*grace);
  return std::make_unique<ProgramTarget>(std::move(settings));
}

}  // namespace

target::TargetType program_target() {
  return {.name = "program",
          .summary = "runs a program, once an operation",
          .parameters = {{"program", "", "the program, looked for in PATH"},
                         {"arguments", "", "its arguments, with spaces between them"},
                         {"output", "", "file for what it prints; empty: where the run prints"},
                         {"errors", "", "file for what it says of errors"},
                         {"time_limit_s", "0", "seconds until it is asked to go; 0: never"},
                         {"grace_s", "1", "seconds between asking and killing it"}},
          .open = open};
}

}  // namespace loadline::targets
