#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "aws/signer.h"
#include "aws/uri.h"
#include "base/check.h"

namespace loadline::aws {
namespace {

// The query keys that are part of the resource.
constexpr std::array<std::string_view, 35> k_subresources = {"accelerate",
                                                             "acl",
                                                             "analytics",
                                                             "cors",
                                                             "defaultObjectAcl",
                                                             "delete",
                                                             "encryption",
                                                             "inventory",
                                                             "lifecycle",
                                                             "location",
                                                             "logging",
                                                             "metrics",
                                                             "notification",
                                                             "object-lock",
                                                             "partNumber",
                                                             "policy",
                                                             "policyStatus",
                                                             "publicAccessBlock",
                                                             "replication",
                                                             "requestPayment",
                                                             "response-cache-control",
                                                             "response-content-disposition",
                                                             "response-content-encoding",
                                                             "response-content-language",
                                                             "response-content-type",
                                                             "response-expires",
                                                             "restore",
                                                             "tagging",
                                                             "torrent",
                                                             "uploadId",
                                                             "uploads",
                                                             "versionId",
                                                             "versioning",
                                                             "versions",
                                                             "website"};

struct QueryItem {
  std::string_view key;
  std::string_view value = {};
  bool has_value = false;
};

bool is_subresource(std::string_view key) {
  return std::ranges::find(k_subresources, key) != k_subresources.end();
}

std::vector<QueryItem> subresources(std::string_view query) {
  std::vector<QueryItem> items;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view item = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    if (!is_subresource(key)) continue;
    if (equals == std::string_view::npos) {
      items.push_back({.key = key});
    } else {
      items.push_back({.key = key, .value = item.substr(equals + 1), .has_value = true});
    }
  }
  std::ranges::sort(items, {}, &QueryItem::key);
  return items;
}

}  // namespace

std::string string_to_sign_v2(const SignRequestV2& request) {
  std::string text;
  text.append(request.method).append("\n");
  text.append(request.content_md5).append("\n");
  text.append(request.content_type).append("\n");
  text.append(request.date).append("\n");
  for (const Header& header : request.headers) {
    text.append(header.name).append(":").append(header.value).append("\n");
  }
  if (!request.bucket.empty()) text.append("/").append(request.bucket);
  text.append(request.path);
  char separator = '?';
  for (const QueryItem& item : subresources(request.query)) {
    text.push_back(separator);
    separator = '&';
    text.append(item.key);
    // "key=" and "key" are the same empty subresource; a value is signed decoded.
    if (!item.has_value || item.value.empty()) continue;
    const auto value = decode_query_component(item.value);
    text.append("=").append(value ? std::string_view(*value) : item.value);
  }
  return text;
}

std::string signature_v2(std::string_view secret_key, std::string_view string_to_sign) {
  return to_base64(hmac_sha1(secret_key, string_to_sign));
}

void SignerV2::sign(SignRequestV2 request, WallTime now, std::string& out) {
  const std::string date = http_date(now);
  request.date = date;
  constexpr std::string_view k_token = "x-amz-security-token";
  std::vector<Header> headers(request.headers.begin(), request.headers.end());
  out.append("Date: ").append(date).append("\r\n");
  if (!credentials_.session_token.empty()) {
    const std::string_view token = credentials_.session_token.reveal();
    const auto place = std::ranges::lower_bound(headers, k_token, {}, &Header::name);
    headers.insert(place, Header{.name = k_token, .value = token});
    out.append(k_token).append(": ").append(token).append("\r\n");
  }
  request.headers = headers;
  const std::string signature =
      signature_v2(credentials_.secret_key.reveal(), string_to_sign_v2(request));
  out.append("Authorization: AWS ").append(credentials_.access_key).append(":");
  out.append(signature).append("\r\n");
}

}  // namespace loadline::aws
