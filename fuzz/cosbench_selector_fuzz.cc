// COSBench selectors, ranges, sizes and config strings: what is accepted lies within the bounds
// that the plan asks for.

// links: dialect_cosbench

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dialects/cosbench/config_text.h"
#include "dialects/cosbench/selector_text.h"

namespace {

namespace cosbench = loadline::dialects::cosbench;
using loadline::plan::Selector;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const Selector& selector) {
  require(selector.lower >= 0 && selector.lower <= selector.upper);
  require(selector.upper <= cosbench::k_number_max);
  const bool histogram = selector.kind == Selector::Kind::histogram;
  require(histogram == !selector.buckets.empty());
  for (const auto& bucket : selector.buckets) {
    require(bucket.lower >= 1 && bucket.lower <= bucket.upper && bucket.weight > 0);
    require(bucket.upper <= cosbench::k_number_max);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto parsed = cosbench::parse_selector(text)) check(parsed->selector);
  if (const auto parsed = cosbench::parse_range(text); parsed && parsed->range) {
    check(*parsed->range);
  }
  if (const auto parsed = cosbench::parse_size(text)) {
    check(parsed->value);
    std::int64_t largest = parsed->value.upper;
    for (const auto& bucket : parsed->value.buckets) largest = std::max(largest, bucket.upper);
    require(static_cast<std::uint64_t>(largest) <= INT64_MAX / parsed->unit.count());
  }
  const auto config = cosbench::ConfigText::parse(text);
  require(cosbench::ConfigText::parse(config.text()).text() == config.text());
  return 0;
}
