// fio's iologs: whatever the lines, operations in range or a mistake with its line, and what is
// printed of an operation is read again as the same.

// links: fio_options

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dialects/fio/iolog.h"

namespace {

namespace fio = loadline::dialects::fio;

void require(bool condition) {
  if (!condition) std::abort();
}

void read_again(const fio::IologEntry& entry) {
  fio::IologParser parser("again");
  require(parser.parse("fio version 3 iolog").has_value());
  const std::string line = fmt::format("{} {} {} {} {}", entry.at.ns() / 1000, entry.file,
                                       fio::to_string(entry.action), entry.offset, entry.length);
  const auto again = parser.parse(line);
  require(again && *again && (*again)->file == entry.file && (*again)->at == entry.at &&
          (*again)->action == entry.action && (*again)->offset == entry.offset &&
          (*again)->length == entry.length);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  fio::IologParser parser("a.log");
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const auto entry = parser.parse(line);
    if (!entry) {
      require(entry.error().context.starts_with("a.log:"));
    } else if (*entry) {
      require(parser.began() && (*entry)->at >= loadline::Duration());
      read_again(**entry);
    }
  }
  return 0;
}
