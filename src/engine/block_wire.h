// What the process of a job tells the driver: counts of a tick, how far it is, its report, each a
// text of bytes. Both ends are the same binary on the same machine, so there is no version; what is
// zero in a histogram is not sent.
//
// Format: numbers as LEB128 (https://dwarfstd.org, "little endian base 128"), signed ones folded
// zigzag, doubles as the number of their bits; strings and lists by their length first; a message
// begins with its kind. On the way, a message has its length of four bytes in front.
//
// Threads: any; nothing is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/block_worker.h"
#include "record/recorder.h"

namespace loadline::engine {

enum class WireKind : std::uint8_t {
  prepared,  // all is ready
  tick,      // record::TickCounts
  passed,    // WirePassed
  report,    // BlockWorker::Report; the last one
};

// Every tick below this number is complete.
struct WirePassed {
  std::uint64_t tick = 0;
  record::WorkerLoad load;
};

std::string encode_prepared();
std::string encode_tick(const record::TickCounts& counts);
std::string encode_passed(const WirePassed& passed);
// Without `counters.observed`: storage is watched by the driver.
std::string encode_report(const BlockWorker::Report& report);

// Nothing where it is empty or of no known kind.
std::optional<WireKind> kind_of(std::string_view message);
// Nothing where the message is of another kind, cut short or longer than it says.
std::optional<record::TickCounts> decode_tick(std::string_view message);
std::optional<WirePassed> decode_passed(std::string_view message);
std::optional<BlockWorker::Report> decode_report(std::string_view message);

// Takes what came in apart. Messages past `k_message_max` cannot be right: then good() is false.
class WireFrames {
 public:
  static constexpr std::size_t k_message_max = 64U << 20U;

  static std::string frame(std::string_view message);

  void add(std::string_view bytes) { bytes_.append(bytes); }
  // The next whole message, or nothing yet.
  std::optional<std::string> next();
  bool good() const { return good_; }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

}  // namespace loadline::engine
