// The result decoder: whatever it accepts, histograms included, must come out of the encoder and go
// in again unchanged.
// links: store
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "store/result_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace store = loadline::store;
  const auto parsed = store::from_text({reinterpret_cast<const char*>(data), size});
  if (!parsed) {
    CHECK(!parsed.error().what.empty());
    return 0;
  }
  const std::string text = store::to_text(*parsed, store::Histograms::included);
  const auto again = store::from_text(text);
  CHECK(again);
  CHECK(store::to_text(*again, store::Histograms::included) == text);
  return 0;
}
