// The plan decoder: whatever it accepts must come out of the encoder and go in again unchanged.
// links: plan
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "plan/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace plan = loadline::plan;
  const auto parsed = plan::from_text({reinterpret_cast<const char*>(data), size});
  if (!parsed) {
    CHECK(!parsed.error().what.empty());
    return 0;
  }
  const std::string text = plan::to_text(*parsed, plan::Secrets::revealed);
  const auto again = plan::from_text(text);
  CHECK(again);
  CHECK(*again == *parsed);
  CHECK(plan::to_text(*again, plan::Secrets::revealed) == text);
  return 0;
}
