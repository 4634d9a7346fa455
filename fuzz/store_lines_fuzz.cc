// The lines of a run's logs: ticks, and latencies in HdrHistogram's format. The first byte chooses.
// links: store
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "record/hdr_log.h"
#include "store/tick_text.h"

namespace {

void read_tick(std::string_view line) {
  const auto row = loadline::store::from_line(line);
  if (!row) return;
  const std::string text = loadline::store::to_line(*row);
  const auto again = loadline::store::from_line(text);
  CHECK(again);
  CHECK(again->jobs.size() == row->jobs.size());
}

void read_latencies(std::string_view line) {
  namespace record = loadline::record;
  const auto interval = record::parse_hdr_log_line(line);
  if (!interval) return;
  const auto again = record::decode_hdr(record::encode_hdr(interval->histogram));
  CHECK(again && *again == interval->histogram);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.empty()) return 0;
  text[0] == '{' ? read_tick(text) : read_latencies(text);
  return 0;
}
