#include "aws/signer.h"

#include <array>
#include <utility>

#include "base/check.h"

namespace loadline::aws {
namespace {

constexpr std::int64_t k_second_ns = 1'000'000'000;
constexpr std::int64_t k_day_seconds = 86'400;

// The headers that the signer writes itself, in ascending order.
constexpr std::array<std::string_view, 4> k_own_headers = {"host", "x-amz-content-sha256",
                                                           "x-amz-date", "x-amz-security-token"};

std::int64_t floor_second(WallTime when) {
  const std::int64_t second = when.ns() / k_second_ns;
  return when.ns() % k_second_ns < 0 ? second - 1 : second;
}

}  // namespace

HmacSha256 derive_signing_key(std::string_view secret_key, std::string_view date,
                              std::string_view region, std::string_view service) {
  const Sha256Digest date_key = HmacSha256(std::string("AWS4") + std::string(secret_key)).of(date);
  const Sha256Digest region_key = HmacSha256(date_key).of(region);
  const Sha256Digest service_key = HmacSha256(region_key).of(service);
  return HmacSha256(HmacSha256(service_key).of("aws4_request"));
}

Signer::Signer(Credentials credentials, std::string region, std::string service)
    : credentials_(std::move(credentials)),
      region_(std::move(region)),
      service_(std::move(service)) {
  CHECK(!credentials_.access_key.empty());
}

void Signer::enter_second(std::int64_t second) {
  second_ = second;
  constant_ = false;
  timestamp_ = basic_timestamp(WallTime::from_ns(second * k_second_ns));
  const std::int64_t day = second / k_day_seconds;
  if (day != day_ || !signing_key_) {
    day_ = day;
    const std::string_view date(timestamp_.data(), 8);
    scope_ = std::string(date) + "/" + region_ + "/" + service_ + "/aws4_request";
    credential_ =
        "AWS4-HMAC-SHA256 Credential=" + credentials_.access_key + "/" + scope_ + ",SignedHeaders=";
    signing_key_ = derive_signing_key(credentials_.secret_key.reveal(), date, region_, service_);
  }
  canonical_.assign("AWS4-HMAC-SHA256\n").append(timestamp()).append("\n");
  canonical_.append(scope_).append("\n");
  const std::size_t whole = canonical_.size() / 64 * 64;
  Sha256 begin = signing_key_->begin();
  begin.update(std::string_view(canonical_).substr(0, whole));
  to_sign_begin_ = begin.midstate();
  to_sign_rest_.assign(canonical_, whole);
  to_sign_rest_size_ = to_sign_rest_.size();
  to_sign_rest_.resize(to_sign_rest_size_ + 64 + k_sha256_padding);
}

void Signer::append_own_header(std::size_t which, const SignRequest& request) {
  const std::array<std::string_view, 4> values = {request.host, request.payload_hash, timestamp(),
                                                  credentials_.session_token.reveal()};
  if (!names_.empty()) names_.push_back(';');
  names_.append(k_own_headers[which]);
  canonical_tail_.append(k_own_headers[which]).append(":").append(values[which]).append("\n");
}

void Signer::write_constant_parts(const SignRequest& request) {
  const std::size_t own = credentials_.session_token.empty() ? 3 : 4;
  std::size_t next = 0;
  names_.clear();
  canonical_tail_.assign("\n");
  for (const Header& header : request.headers) {
    while (next < own && k_own_headers[next] < header.name) append_own_header(next++, request);
    if (!names_.empty()) names_.push_back(';');
    names_.append(header.name);
    canonical_tail_.append(header.name).append(":").append(header.value).append("\n");
  }
  while (next < own) append_own_header(next++, request);
  canonical_tail_.append("\n").append(names_).append("\n").append(request.payload_hash);

  lines_.assign("x-amz-content-sha256: ").append(request.payload_hash);
  lines_.append("\r\nx-amz-date: ").append(timestamp());
  if (own == 4) {
    lines_.append("\r\nx-amz-security-token: ").append(credentials_.session_token.reveal());
  }
  lines_.append("\r\nAuthorization: ").append(credential_).append(names_).append(",Signature=");
  constant_ = request.headers.empty();
  constant_host_.assign(request.host);
  constant_hash_.assign(request.payload_hash);
}

void Signer::sign(const SignRequest& request, WallTime now, std::string& out) {
  const std::int64_t second = floor_second(now);
  if (second != second_) enter_second(second);
  if (!constant_ || !request.headers.empty() || constant_host_ != request.host ||
      constant_hash_ != request.payload_hash) {
    write_constant_parts(request);
  }
  canonical_.assign(request.method).append("\n").append(request.path).append("\n");
  canonical_.append(request.query).append(canonical_tail_);

  const std::size_t size = canonical_.size();
  canonical_.append(k_sha256_padding, '\0');
  const Sha256Digest request_digest = digest_in_place(sha256_begin(), canonical_, size);
  write_hex(request_digest, to_sign_rest_.data() + to_sign_rest_size_);
  const Sha256Digest inner =
      digest_in_place(to_sign_begin_, to_sign_rest_, to_sign_rest_size_ + 64);
  write_hex(signing_key_->finish(inner), signature_.data());
  out.append(lines_).append(last_signature()).append("\r\n");
}

}  // namespace loadline::aws
