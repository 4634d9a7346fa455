// A request as the test double of HDFS over HTTP sees it. Never part of the product.
//
// Threads: plain values.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "aws/uri.h"
#include "net/scripted_server.h"

namespace loadline::targets::webhdfs {

struct SeenRequest {
  std::string method;
  std::string path;        // below /webhdfs/v1, decoded
  std::string raw_target;  // as on the wire
  std::map<std::string, std::string> query;
  std::string head;
  std::string body;
  bool whole = true;  // the body came to its end
  bool at_data_node = false;
  int connection = 0;

  std::string op() const { return get("op"); }
  std::string get(const std::string& key) const {
    const auto found = query.find(key);
    return found == query.end() ? "" : found->second;
  }
  std::string header(std::string_view name) const {
    const std::size_t at = head.find("\r\n" + std::string(name) + ": ");
    if (at == std::string::npos) return "";
    const std::size_t from = at + 4 + name.size();
    return head.substr(from, head.find("\r\n", from) - from);
  }
};

// Takes request.head apart.
inline void parse_head(SeenRequest& request) {
  const std::size_t first = request.head.find(' ');
  const std::size_t second = request.head.find(' ', first + 1);
  request.method = request.head.substr(0, first);
  request.raw_target = request.head.substr(first + 1, second - first - 1);
  const std::size_t question = std::min(request.raw_target.find('?'), request.raw_target.size());
  constexpr std::string_view k_prefix = "/webhdfs/v1";
  const std::string path = request.raw_target.substr(0, question);
  if (!path.starts_with(k_prefix)) return;
  request.path = aws::decode_path(path.substr(k_prefix.size())).value_or("?");
  while (request.path.size() > 1 && request.path.ends_with('/')) request.path.pop_back();
  for (std::size_t at = question; at < request.raw_target.size();) {
    const std::size_t end =
        std::min(request.raw_target.find('&', at + 1), request.raw_target.size());
    const std::string item = request.raw_target.substr(at + 1, end - at - 1);
    const std::size_t equals = std::min(item.find('='), item.size());
    request.query[item.substr(0, equals)] =
        aws::decode_query_component(item.substr(std::min(equals + 1, item.size()))).value_or("?");
    at = end;
  }
}

// By Content-Length or chunked.
inline void read_body(net::ScriptedServer::Connection& c, SeenRequest& request) {
  if (request.header("Transfer-Encoding") == "chunked") {
    for (;;) {
      const std::string line = c.take_until("\r\n");
      const std::size_t size = std::strtoull(line.c_str(), nullptr, 16);
      const std::string piece = c.take(size + 2);
      request.whole = !line.empty() && !piece.empty();
      if (size == 0 || !request.whole) return;
      request.body.append(piece, 0, size);
    }
  }
  const std::string length = request.header("Content-Length");
  const std::size_t size = std::strtoull(length.c_str(), nullptr, 10);
  request.body = c.take(size);
  request.whole = request.body.size() == size;
}

}  // namespace loadline::targets::webhdfs
