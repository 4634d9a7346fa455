// Writes the heads of WebHDFS requests, and says where a name lies in the file system.
//
// Ownership: borrows the configuration. Threads: belongs to one. Nothing is allocated once the
// buffers are warm.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "target/op.h"
#include "targets/webhdfs/config.h"
#include "targets/webhdfs/location.h"

namespace loadline::targets::webhdfs {

// What an operation asks of a NameNode.
struct Call {
  std::string_view method;      // "GET"
  std::string_view op;          // "GETFILESTATUS"
  std::string_view path;        // absolute, as named, not encoded
  std::string_view query = {};  // further "&key=value"s, encoded
};

// The body of a request.
enum class BodyForm : std::uint8_t { none, sized, chunked };

class RequestWriter {
 public:
  explicit RequestWriter(const Config& config);

  // Replaces `head` by the head of a call; a PUT or POST says that it has no body.
  void write_call(const Call& call, const Endpoint& endpoint, std::string& head) const;
  // The same with the data behind it: a gateway takes both at once.
  void write_data_call(const Call& call, const Endpoint& endpoint, BodyForm form, Bytes body,
                       std::string& head) const;
  // The second step of a call, to the place that the first one named.
  void write_data(std::string_view method, const Location& location, BodyForm form, Bytes body,
                  std::string& head) const;

  // Path and query of a call.
  void append_target(const Call& call, std::string& out) const;

 private:
  void append_rest(std::string_view method, const Endpoint& endpoint, BodyForm form, Bytes body,
                   std::string& head) const;

  std::string who_;  // "&user.name=..."; secret where there is a token
};

// The parameters of CREATE: "&overwrite=true...".
std::string create_query(const Config& config, bool overwrite);
// Of MKDIRS: "&permission=755", or "".
std::string folder_query(const Config& config);
// Of OPEN.
std::string range_query(const target::ByteRange& range);

// Where an object lies: root/container/object. A name that begins with / is a path of its own.
// Nothing for names that hold "." or ".." as a part, which would lead elsewhere.
std::optional<std::string> path_of(const Config& config, std::string_view container,
                                   std::string_view object);

}  // namespace loadline::targets::webhdfs
