#include "targets/webhdfs/location.h"

#include <algorithm>
#include <utility>

#include "aws/uri.h"

namespace loadline::targets::webhdfs {
namespace {

constexpr std::size_t k_location_max = 64 * 1024;

std::unexpected<Error> refuse(std::string what) {
  return fail(ErrorCode::bad_input, "the redirect's Location " + std::move(what));
}

// [begin, end) of the key's item in the query, its & or ? in front left out; end 0: not there.
std::pair<std::size_t, std::size_t> find_item(const std::string& target, std::string_view key) {
  std::size_t at = target.find('?');
  while (at != std::string::npos) {
    const std::size_t begin = at + 1;
    at = target.find('&', begin);
    const std::size_t end = std::min(at, target.size());
    const std::string_view item = std::string_view(target).substr(begin, end - begin);
    if (item.starts_with(key) && (item.size() == key.size() || item[key.size()] == '=')) {
      return {begin, end};
    }
  }
  return {0, 0};
}

}  // namespace

Result<Location> parse_location(std::string_view url) {
  if (url.empty()) return refuse("is missing");
  if (url.size() > k_location_max) return refuse("is too long");
  const bool tls = url.starts_with("https://");
  if (!tls && !url.starts_with("http://")) {
    return refuse("begins with neither http:// nor https://");
  }
  url.remove_prefix(tls ? 8 : 7);
  const std::size_t path = std::min(url.find_first_of("/?#"), url.size());
  const auto host_port = parse_host_port(url.substr(0, path));
  if (!host_port) return refuse("names no host and port");
  const std::string_view target = url.substr(path);
  if (!target.starts_with('/')) return refuse("has no path");
  Location location{.endpoint = make_endpoint(tls, *host_port, tls ? 443 : 80), .target = {}};
  for (const char c : target) {
    // What is not printable would end the request line early, or begin another request.
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte == 0x7f || c == '#') return refuse("holds characters that no URL has");
    if (byte < 0x80) {
      location.target.push_back(c);
    } else {
      aws::append_encoded_path(location.target, std::string_view(&c, 1));
    }
  }
  return location;
}

void set_query(std::string& target, std::string_view key, std::string_view value) {
  const auto [begin, end] = find_item(target, key);
  const std::string item = std::string(key).append("=").append(value);
  if (end != 0) {
    target.replace(begin, end - begin, item);
    return;
  }
  target.append(target.find('?') == std::string::npos ? "?" : "&").append(item);
}

}  // namespace loadline::targets::webhdfs
