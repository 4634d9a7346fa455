#include "targets/webhdfs/request.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "aws/uri.h"

namespace loadline::targets::webhdfs {
namespace {

constexpr std::string_view k_prefix = "/webhdfs/v1";
constexpr std::string_view k_agent = "\r\nUser-Agent: loadline/" LOADLINE_VERSION "\r\n";

void append_number(std::string& out, std::uint64_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

bool leads_elsewhere(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    if (part == "." || part == "..") return true;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return false;
}

}  // namespace

RequestWriter::RequestWriter(const Config& config) {
  const auto add = [&](std::string_view key, std::string_view value) {
    if (value.empty()) return;
    who_.append("&").append(key).append("=");
    aws::append_encoded_component(who_, value);
  };
  add("delegation", config.token.reveal());
  if (config.token.empty()) add("user.name", config.user);
  add("doas", config.doas);
}

void RequestWriter::append_target(const Call& call, std::string& out) const {
  out.append(k_prefix);
  aws::append_encoded_path(out, call.path);
  out.append("?op=").append(call.op).append(who_).append(call.query);
}

void RequestWriter::append_rest(std::string_view method, const Endpoint& endpoint, BodyForm form,
                                Bytes body, std::string& head) const {
  head.append(" HTTP/1.1\r\nHost: ").append(endpoint.authority).append(k_agent);
  if (form != BodyForm::none) head.append("Content-Type: application/octet-stream\r\n");
  if (form == BodyForm::chunked) {
    head.append("Transfer-Encoding: chunked\r\n");
  } else if (form == BodyForm::sized || method == "PUT" || method == "POST") {
    head.append("Content-Length: ");
    append_number(head, form == BodyForm::sized ? body.count() : 0);
    head.append("\r\n");
  }
  head.append("\r\n");
}

void RequestWriter::write_call(const Call& call, const Endpoint& endpoint,
                               std::string& head) const {
  write_data_call(call, endpoint, BodyForm::none, Bytes(), head);
}

void RequestWriter::write_data_call(const Call& call, const Endpoint& endpoint, BodyForm form,
                                    Bytes body, std::string& head) const {
  head.assign(call.method).append(" ");
  append_target(call, head);
  append_rest(call.method, endpoint, form, body, head);
}

void RequestWriter::write_data(std::string_view method, const Location& location, BodyForm form,
                               Bytes body, std::string& head) const {
  head.assign(method).append(" ").append(location.target);
  append_rest(method, location.endpoint, form, body, head);
}

std::string create_query(const Config& config, bool overwrite) {
  std::string query = overwrite ? "&overwrite=true" : "&overwrite=false";
  if (config.block_size) {
    query.append("&blocksize=");
    append_number(query, config.block_size->count());
  }
  if (config.replication) {
    query.append("&replication=");
    append_number(query, *config.replication);
  }
  if (!config.permission.empty()) query.append("&permission=").append(config.permission);
  return query;
}

std::string folder_query(const Config& config) {
  if (config.permission.empty()) return "";
  // Who may read a folder's files may enter it: 644 becomes 755.
  std::string digits = config.permission;
  const std::size_t first = digits.size() > 3 ? digits.size() - 3 : 0;
  for (std::size_t i = first; i < digits.size(); ++i) {
    if (((digits[i] - '0') & 4) != 0) digits[i] = static_cast<char>(digits[i] | 1);
  }
  return "&permission=" + digits;
}

std::string range_query(const target::ByteRange& range) {
  std::string query = "&offset=";
  append_number(query, range.offset.count());
  query.append("&length=");
  append_number(query, range.length.count());
  return query;
}

std::optional<std::string> path_of(const Config& config, std::string_view container,
                                   std::string_view object) {
  if (leads_elsewhere(container) || leads_elsewhere(object)) return std::nullopt;
  std::string path;
  const std::string_view first = container.empty() ? object : container;
  if (!first.starts_with('/')) path.append(config.root).append("/");
  path.append(container);
  if (!container.empty() && !object.empty() && !object.starts_with('/')) path.append("/");
  path.append(object);
  // One folder has one name.
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace loadline::targets::webhdfs
