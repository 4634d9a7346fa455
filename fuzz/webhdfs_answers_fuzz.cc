// Feeds text to the readers of WebHDFS answers and redirects, and checks what must hold whatever
// comes: nothing that could end a request line early gets into a target, and ranges stay settable.
// links: target_webhdfs
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "targets/webhdfs/answers.h"
#include "targets/webhdfs/location.h"
#include "targets/webhdfs/outcome.h"

namespace webhdfs = loadline::targets::webhdfs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const webhdfs::RemoteException error = webhdfs::parse_remote_exception(text);
  (void)webhdfs::outcome_of({.status = 403, .exception = error.name, .message = error.message});
  const std::string line = webhdfs::describe_answer(403, error);
  CHECK(line.size() <= 300 && line.find('\n') == std::string::npos);
  (void)webhdfs::parse_boolean_answer(text);
  (void)webhdfs::parse_location_answer(text);
  (void)webhdfs::parse_file_status(text);
  (void)webhdfs::parse_listing(text);
  (void)webhdfs::parse_content_summary(text);
  auto location = webhdfs::parse_location(text);
  if (!location) return 0;
  CHECK(location->target.starts_with('/') && !location->endpoint.host.empty());
  webhdfs::set_query(location->target, "offset", "7");
  for (const char c : location->target) CHECK(c > ' ' && c != 0x7f);
  const std::string once = location->target;
  CHECK(once.find("offset=7") != std::string::npos);
  webhdfs::set_query(location->target, "offset", "7");
  CHECK(location->target == once);
  return 0;
}
