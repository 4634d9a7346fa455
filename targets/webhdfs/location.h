// Where a NameNode sends us for a file's data: the Location of a redirect.
//
// A location may hold a delegation token, so nothing here puts its path or query into a message.
//
// Threads: pure functions and plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "targets/webhdfs/config.h"

namespace loadline::targets::webhdfs {

struct Location {
  Endpoint endpoint;
  std::string target;  // path and query, to be sent exactly so
};

// "http://dn1.example.com:9864/webhdfs/v1/path?op=OPEN&..."
Result<Location> parse_location(std::string_view url);

// Sets a key of the target's query; `value` is encoded already.
void set_query(std::string& target, std::string_view key, std::string_view value);

}  // namespace loadline::targets::webhdfs
