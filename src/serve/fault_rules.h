// Faults on purpose, seeded and counted, so that a test can compare what a client saw with what was
// done to it. A rule is one line of `key=value` joined by `;`:
//
//     kind=get_object;fault=reset;every=100
//     kind=put_object;fault=slowdown;probability=0.01;after=1000;limit=50
//     fault=pause_all;from=5000;for=2000
//
// Which requests:
//   kind         a RequestKind, or any (default: every S3 request)
//   every=N      each N-th matching request (default 1)
//   probability  or each with this probability, decided by the seed and the request's number alone
//   after=N      leaves the first N matching requests alone; the numbering begins behind them
//   limit=N      at most N faults
// What:
//   error            500 InternalError
//   slowdown         503 SlowDown
//   reset[;at=P]     RST when P percent (default 50) of the body have moved: of a request's body
//                    where it has one, else of the answer's; without either, instead of an answer
//   cut[;at=P]       the same with an orderly close
//   stall[;ms=N]     no answer for N ms, then the usual one; without ms never one
//   slow_first_byte;ms=N   the head of the answer at once, its body N ms later
//   slow;rate=N      bodies either way at N bytes per second
//   wrong_bytes      one bit of the body differs, the ETag does not; kind=get_object only
//   refuse[;ms=N]    the accepted connection is reset at once; `kind` is left out. With ms, the
//                    port is closed as well and refuses connections for so long
//   pause_all;for=MS[;from=MS]   once: no connection is served from `from` ms after the first
//                    request until `for` ms later; where rules are set while the server runs,
//                    `from` counts from then. `kind` and the choice of requests are left out
// Every rule counts its matching requests; where several fire on one request the first one wins and
// only that is counted as injected.
//
// Threads: FaultRules may be used from any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "serve/request_kind.h"

namespace loadline::serve {

enum class FaultKind : std::uint8_t {
  error,
  slowdown,
  reset,
  cut,
  stall,
  slow_first_byte,
  slow,
  wrong_bytes,
  refuse,
  pause_all,
};

std::string_view to_string(FaultKind kind);

struct FaultRule {
  std::string text;  // as it was given
  FaultKind fault = FaultKind::error;
  std::optional<RequestKind> kind;    // nothing: any
  std::uint64_t every = 1;            // 1 or more; not used with a probability
  std::optional<double> probability;  // 0 to 1
  std::uint64_t after = 0;
  std::uint64_t limit = UINT64_MAX;
  unsigned at_percent = 50;            // reset, cut: 0 to 100
  std::optional<Duration> wait;        // stall, slow_first_byte, refuse
  std::uint64_t bytes_per_second = 0;  // slow; above zero
  Duration from;                       // pause_all
  Duration length;                     // pause_all
};

// bad_input names the word that is wrong and lists what would be right.
Result<FaultRule> parse_fault_rule(std::string_view text);
// One rule a line; empty lines and lines that begin with # are skipped.
Result<std::vector<FaultRule>> parse_fault_rules(std::string_view lines);

// What to do to one request.
struct Fault {
  FaultKind kind = FaultKind::error;
  unsigned at_percent = 50;
  std::optional<Duration> wait;
  std::uint64_t bytes_per_second = 0;
  std::uint64_t number = 0;  // of the request among those that match the rule, from 0
  std::size_t rule = 0;      // which rule, of which set of rules
  std::uint64_t generation = 0;

  // reset, cut: how much of a body of `length` bytes moves; never all of it. length > 0.
  std::uint64_t stop_in(std::uint64_t length) const {
    const unsigned __int128 share = static_cast<unsigned __int128>(length) * at_percent / 100;
    return std::min(static_cast<std::uint64_t>(share), length - 1);
  }
};

struct FaultCount {
  std::string rule;
  std::uint64_t matched = 0;
  std::uint64_t injected = 0;
};

class FaultRules {
 public:
  FaultRules(std::vector<FaultRule> rules, std::uint64_t seed);

  // The fault for the next request of this kind, counted as injected.
  std::optional<Fault> decide(RequestKind kind);
  // The fault (refuse) for the next accepted connection, counted as injected.
  std::optional<Fault> decide_connection();
  // Takes one back that turned out to be impossible, e.g. wrong bytes in an empty body.
  void withdraw(const Fault& fault);
  // The first call starts the clock of the pauses.
  void start_pauses(Instant now);
  // The end of the pause that covers `now`, if any.
  std::optional<Instant> paused_until(Instant now);

  // Replaces all rules and their counts.
  void replace(std::vector<FaultRule> rules);
  // All counts to zero; request numbers begin again.
  void reset();
  std::vector<FaultCount> counts() const;

 private:
  struct State {
    FaultRule rule;
    std::uint64_t matched = 0;
    std::uint64_t injected = 0;
  };
  bool fires(State& state, std::size_t index) const;

  const std::uint64_t seed_;
  std::atomic<bool> any_{false};     // of request rules: the way past the lock
  std::atomic<bool> pauses_{false};  // whether a pause is still to come or under way
  mutable std::mutex mutex_;
  std::vector<State> states_;
  std::uint64_t generation_ = 0;
  Instant pauses_start_;
};

}  // namespace loadline::serve
