#include "aws/verifier.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <vector>

#include "aws/uri.h"

namespace loadline::aws {
namespace {

constexpr std::string_view k_v4 = "AWS4-HMAC-SHA256";
constexpr std::string_view k_v2 = "AWS ";

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view header_of(const ReceivedRequest& request, std::string_view name) {
  for (const Header& header : request.headers) {
    if (same_name(header.name, name)) return trim(header.value);
  }
  return {};
}

// The value trimmed, runs of spaces made one, repeated headers joined by commas.
void append_canonical_value(std::string& out, const ReceivedRequest& request,
                            std::string_view name) {
  bool first = true;
  for (const Header& header : request.headers) {
    if (!same_name(header.name, name)) continue;
    if (!first) out.push_back(',');
    first = false;
    bool space = false;
    for (const char c : trim(header.value)) {
      if (c == ' ' && space) continue;
      space = c == ' ';
      out.push_back(c);
    }
  }
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

struct AuthorizationV4 {
  std::string_view access_key, scope, signed_headers, signature;
};

std::optional<AuthorizationV4> parse_v4(std::string_view text) {
  AuthorizationV4 parsed;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view item = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view key = item.substr(0, equals);
    const std::string_view value = item.substr(equals + 1);
    if (key == "Credential") {
      // The access key may hold slashes, the scope has exactly four parts behind it.
      std::size_t slash = value.size();
      for (int parts = 0; parts < 4; ++parts) {
        if (slash == 0 || slash == std::string_view::npos) return std::nullopt;
        slash = value.rfind('/', slash - 1);
      }
      if (slash == std::string_view::npos) return std::nullopt;
      parsed.access_key = value.substr(0, slash);
      parsed.scope = value.substr(slash + 1);
    } else if (key == "SignedHeaders") {
      parsed.signed_headers = value;
    } else if (key == "Signature") {
      parsed.signature = value;
    }
  }
  const bool complete = !parsed.access_key.empty() && !parsed.scope.empty() &&
                        !parsed.signed_headers.empty() && parsed.signature.size() == 64;
  return complete ? std::optional(parsed) : std::nullopt;
}

// Amazon signs the path as it decodes it and encodes it again, so that a client that leaves, say, (
// or
// + alone on the wire agrees with one that does not.
void append_canonical_path(std::string& out, std::string_view raw_path) {
  if (raw_path.find('%') == std::string_view::npos) return append_encoded_path(out, raw_path);
  const auto decoded = decode_path(raw_path);
  append_encoded_path(out, decoded ? std::string_view(*decoded) : raw_path);
}

// Returns whether the host is among the signed headers.
bool write_canonical_request(std::string& out, const ReceivedRequest& request,
                             std::string_view signed_headers, std::string_view payload_hash) {
  out.assign(request.method).append("\n");
  append_canonical_path(out, request.raw_path);
  out.append("\n");
  if (!request.raw_query.empty()) out.append(canonical_query(request.raw_query));
  out.append("\n");
  bool host_is_signed = false;
  for (std::string_view names = signed_headers; !names.empty();) {
    const std::size_t end = std::min(names.find(';'), names.size());
    const std::string_view name = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    host_is_signed = host_is_signed || name == "host";
    out.append(name).append(":");
    append_canonical_value(out, request, name);
    out.append("\n");
  }
  out.append("\n").append(signed_headers).append("\n");
  out.append(payload_hash.empty() ? k_empty_payload_hash : payload_hash);
  return host_is_signed;
}

}  // namespace

std::string_view s3_error_code(VerifyStatus status) {
  switch (status) {
    case VerifyStatus::ok: return "";
    case VerifyStatus::anonymous: return "AccessDenied";
    case VerifyStatus::malformed: return "AuthorizationHeaderMalformed";
    case VerifyStatus::unknown_key: return "InvalidAccessKeyId";
    case VerifyStatus::mismatch: return "SignatureDoesNotMatch";
    case VerifyStatus::skewed: return "RequestTimeTooSkewed";
  }
  return "";
}

Verified Verifier::verify(const ReceivedRequest& request, WallTime now) {
  const std::string_view authorization = header_of(request, "authorization");
  if (authorization.empty()) return {.status = VerifyStatus::anonymous};
  if (authorization.starts_with(k_v4)) {
    return verify_v4(request, authorization.substr(k_v4.size()), now);
  }
  if (authorization.starts_with(k_v2)) {
    return verify_v2(request, authorization.substr(k_v2.size()), now);
  }
  return {.status = VerifyStatus::malformed};
}

bool Verifier::skewed(std::optional<WallTime> then, WallTime now) const {
  if (max_skew_ == Duration()) return false;
  if (!then) return true;
  const Duration apart = *then < now ? now - *then : *then - now;
  return apart > max_skew_;
}

const HmacSha256& Verifier::key_of(std::string_view access_key, std::string_view scope,
                                   const Secret& secret) {
  canonical_.assign(access_key).append("\n").append(scope).append("\n").append(secret.reveal());
  if (!signing_key_ || canonical_ != key_identity_) {
    key_identity_ = canonical_;
    const std::size_t first = scope.find('/');
    const std::size_t second = scope.find('/', first + 1);
    const std::size_t third = scope.find('/', second + 1);
    signing_key_ = derive_signing_key(secret.reveal(), scope.substr(0, first),
                                      scope.substr(first + 1, second - first - 1),
                                      scope.substr(second + 1, third - second - 1));
  }
  return *signing_key_;
}

Verified Verifier::verify_v4(const ReceivedRequest& request, std::string_view authorization,
                             WallTime now) {
  const auto parsed = parse_v4(authorization);
  Verified result;
  if (!parsed) return result;
  result.access_key = parsed->access_key;
  result.scope = parsed->scope;
  result.signature = parsed->signature;
  result.timestamp = header_of(request, "x-amz-date");
  result.payload_hash = header_of(request, "x-amz-content-sha256");
  const auto then = parse_basic_timestamp(result.timestamp);
  if (!then || !result.timestamp.starts_with(result.scope.substr(0, result.scope.find('/')))) {
    return result;
  }
  const Secret* secret = lookup_(result.access_key);
  if (!secret) {
    result.status = VerifyStatus::unknown_key;
    return result;
  }
  if (skewed(then, now)) {
    result.status = VerifyStatus::skewed;
    return result;
  }
  const HmacSha256& key = key_of(result.access_key, result.scope, *secret);

  const bool host_is_signed =
      write_canonical_request(canonical_, request, parsed->signed_headers, result.payload_hash);

  std::array<char, 64> hex;
  write_hex(sha256(canonical_), hex.data());
  Sha256 to_sign = key.begin();
  to_sign.update("AWS4-HMAC-SHA256\n");
  to_sign.update(result.timestamp);
  to_sign.update("\n");
  to_sign.update(result.scope);
  to_sign.update("\n");
  to_sign.update(std::string_view(hex.data(), hex.size()));
  write_hex(key.finish(to_sign), hex.data());
  const bool same =
      equal_in_constant_time(std::string_view(hex.data(), hex.size()), result.signature);
  result.status = same && host_is_signed ? VerifyStatus::ok : VerifyStatus::mismatch;
  return result;
}

Verified Verifier::verify_v2(const ReceivedRequest& request, std::string_view authorization,
                             WallTime now) {
  Verified result;
  const std::size_t colon = authorization.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return result;
  result.access_key = trim(authorization.substr(0, colon));
  result.signature = trim(authorization.substr(colon + 1));
  const Secret* secret = lookup_(result.access_key);
  if (!secret) {
    result.status = VerifyStatus::unknown_key;
    return result;
  }
  std::vector<std::string> names;
  for (const Header& header : request.headers) {
    std::string name(header.name);
    std::ranges::transform(name, name.begin(), lower);
    if (name.starts_with("x-amz-")) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::string> values(names.size());
  std::vector<Header> amz;
  for (std::size_t i = 0; i < names.size(); ++i) {
    append_canonical_value(values[i], request, names[i]);
    amz.push_back({.name = names[i], .value = values[i]});
  }
  const std::string_view amz_date = header_of(request, "x-amz-date");
  const std::string_view date = header_of(request, "date");
  const std::string_view stamp = amz_date.empty() ? date : amz_date;
  const auto http = parse_http_date(stamp);
  if (skewed(http ? http : parse_basic_timestamp(stamp), now)) {
    result.status = VerifyStatus::skewed;
    return result;
  }
  const std::string text = string_to_sign_v2({.method = request.method,
                                              .path = request.raw_path,
                                              .query = request.raw_query,
                                              .bucket = request.bucket,
                                              .content_md5 = header_of(request, "content-md5"),
                                              .content_type = header_of(request, "content-type"),
                                              .date = amz_date.empty() ? date : std::string_view(),
                                              .headers = amz});
  const std::string expected = signature_v2(secret->reveal(), text);
  result.status = equal_in_constant_time(expected, result.signature) ? VerifyStatus::ok
                                                                     : VerifyStatus::mismatch;
  return result;
}

}  // namespace loadline::aws
