#include "targets/s3/request.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "aws/uri.h"

namespace loadline::targets::s3 {
namespace {

constexpr std::string_view k_agent = "\r\nUser-Agent: loadline/" LOADLINE_VERSION "\r\n";

void append_number(std::string& out, std::uint64_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

}  // namespace

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
bool fits_host_name(std::string_view bucket) {
  if (bucket.size() < 3 || bucket.size() > 63) return false;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return std::ranges::all_of(bucket, fits) && bucket.front() != '.' && bucket.front() != '-' &&
         bucket.back() != '.' && bucket.back() != '-' &&
         bucket.find("..") == std::string_view::npos;
}

RequestWriter::RequestWriter(const Config& config) : config_(config) {
  if (config.signature == Signature::v4) signer_.emplace(config.credentials, config.region);
  if (config.signature == Signature::v2) signer_v2_.emplace(config.credentials);
}

std::string_view RequestWriter::append_target(const Request& request, const Endpoint& endpoint,
                                              bool in_path, std::string& head) {
  path_.assign(endpoint.base_path);
  if (in_path && !request.bucket.empty()) {
    path_.push_back('/');
    aws::append_encoded_path(path_, request.bucket);
  }
  if (!request.key.empty() || path_.empty()) {
    path_.push_back('/');
    aws::append_encoded_path(path_, request.key);
  }
  std::string_view host = endpoint.authority;
  if (!in_path) {
    host_.assign(request.bucket).append(".").append(endpoint.authority);
    host = host_;
  }
  // RFC 9112, section 3.2.2: a proxy is told the whole URL.
  if (!config_.proxy_host.empty() && !endpoint.https) head.append("http://").append(host);
  head.append(path_);
  if (!request.query.empty()) head.append("?").append(request.query);
  return host;
}

void RequestWriter::write(const Request& request, const Endpoint& endpoint, WallTime now,
                          std::string& head) {
  const bool in_path =
      endpoint.path_style || request.bucket.empty() || !fits_host_name(request.bucket);
  head.clear();
  head.append(request.method).append(" ");
  const std::string_view host = append_target(request, endpoint, in_path, head);
  head.append(" HTTP/1.1\r\nHost: ").append(host).append(k_agent);
  if (request.body) {
    head.append("Content-Length: ");
    append_number(head, request.body->count());
    head.append("\r\n");
  }
  if (request.range) {
    head.append("Range: bytes=");
    append_number(head, request.range->offset.count());
    head.append("-");
    append_number(head, (request.range->offset + request.range->length).count() - 1);
    head.append("\r\n");
  }
  if (!request.content_md5.empty()) {
    head.append("Content-MD5: ").append(request.content_md5).append("\r\n");
  }
  if (request.only_new) head.append("If-None-Match: *\r\n");
  sign(request, host, in_path, now, head);
  head.append("\r\n");
}

void RequestWriter::sign(const Request& request, std::string_view host, bool in_path, WallTime now,
                         std::string& head) {
  std::array<aws::Header, 3> headers;
  std::size_t n = 0;
  std::array<char, 20> digits;
  if (request.decoded) {
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), request.decoded->count());
    const std::string_view length(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
    headers[n++] = {.name = "content-encoding", .value = "aws-chunked"};
    headers[n++] = {.name = "x-amz-decoded-content-length", .value = length};
  }
  if (request.stores && !config_.storage_class.empty()) {
    headers[n++] = {.name = "x-amz-storage-class", .value = config_.storage_class};
  }
  const std::span<const aws::Header> signed_headers(headers.data(), n);
  for (const aws::Header& header : signed_headers) {
    head.append(header.name).append(": ").append(header.value).append("\r\n");
  }
  if (signer_) {
    signer_->sign({.method = request.method,
                   .path = path_,
                   .query = request.query,
                   .host = host,
                   .headers = signed_headers,
                   .payload_hash = request.payload_hash},
                  now, head);
  } else if (signer_v2_) {
    signer_v2_->sign({.method = request.method,
                      .path = path_,
                      .query = request.query,
                      .bucket = in_path ? std::string_view() : request.bucket,
                      .content_md5 = request.content_md5,
                      .headers = signed_headers},
                     now, head);
  }
}

}  // namespace loadline::targets::s3
