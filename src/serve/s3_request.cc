#include "serve/s3_request.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "aws/uri.h"

namespace loadline::serve {

namespace {

constexpr std::size_t k_key_most = 1024;             // bytes, S3's limit
constexpr std::size_t k_bucket_name_most = 255;      // S3: 63; its first regions let 255 pass
constexpr std::uint64_t k_object_most = 5ULL << 40;  // 5 TiB, S3's limit of an object
constexpr std::uint32_t k_part_number_most = 10'000;

// Queries that name a feature of S3 that this store has not; asking for one must not look like a
// plain GET or PUT.
constexpr std::array<std::string_view, 29> k_not_implemented = {"acl",
                                                                "accelerate",
                                                                "analytics",
                                                                "attributes",
                                                                "cors",
                                                                "encryption",
                                                                "intelligent-tiering",
                                                                "inventory",
                                                                "legal-hold",
                                                                "lifecycle",
                                                                "logging",
                                                                "metadataTable",
                                                                "metrics",
                                                                "notification",
                                                                "object-lock",
                                                                "ownershipControls",
                                                                "policy",
                                                                "policyStatus",
                                                                "publicAccessBlock",
                                                                "replication",
                                                                "requestPayment",
                                                                "retention",
                                                                "select",
                                                                "tagging",
                                                                "torrent",
                                                                "versionId",
                                                                "versioning",
                                                                "versions",
                                                                "website"};

class Query {
 public:
  // False where an escape is malformed.
  bool parse(std::string_view raw) {
    while (!raw.empty()) {
      const std::size_t end = std::min(raw.find('&'), raw.size());
      const std::string_view item = raw.substr(0, end);
      raw.remove_prefix(std::min(end + 1, raw.size()));
      if (item.empty()) continue;
      const std::size_t equals = std::min(item.find('='), item.size());
      auto key = aws::decode_query_component(item.substr(0, equals));
      auto value = aws::decode_query_component(item.substr(std::min(equals + 1, item.size())));
      if (!key || !value) return false;
      entries_.emplace_back(std::move(*key), std::move(*value));
    }
    return true;
  }

  bool has(std::string_view key) const { return find(key) != nullptr; }
  std::string value(std::string_view key) const {
    const std::string* const found = find(key);
    return found == nullptr ? std::string() : *found;
  }
  bool asks_for_what_is_missing() const {
    return std::ranges::any_of(entries_, [](const auto& entry) {
      return std::ranges::find(k_not_implemented, entry.first) != k_not_implemented.end();
    });
  }

 private:
  const std::string* find(std::string_view key) const {
    for (const auto& [name, value] : entries_) {
      if (name == key) return &value;
    }
    return nullptr;
  }
  std::vector<std::pair<std::string, std::string>> entries_;
};

// Well-formed UTF-8 without NUL: what S3 takes as a key (RFC 3629, section 4).
bool is_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i++]);
    if (byte == 0) return false;
    if (byte < 0x80) continue;
    const int more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    if (byte < 0xc2 || byte > 0xf4) return false;
    std::uint32_t code = byte & (0x3fU >> more);
    for (int k = 0; k < more; ++k) {
      if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return false;
      code = code << 6 | (static_cast<unsigned char>(text[i++]) & 0x3fU);
    }
    if ((more == 2 && code < 0x800) || (more == 3 && code < 0x10000)) return false;
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
  }
  return true;
}

bool is_bucket_name(std::string_view name) {
  if (name.empty() || name.size() > k_bucket_name_most) return false;
  if (name.front() == '.' || name.front() == '_') return false;  // /_loadline is ours
  return std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-' || c == '_';
  });
}

// The bucket that a Host names, or nothing.
std::string_view bucket_of_host(std::string_view host, std::string_view server_name) {
  for (const std::string_view name : {server_name, std::string_view("localhost")}) {
    if (name.empty() || !host.ends_with(name) || host.size() < name.size() + 2) continue;
    const std::string_view front = host.substr(0, host.size() - name.size());
    if (front.ends_with('.')) return front.substr(0, front.size() - 1);
  }
  return {};
}

RequestKind service_kind(std::string_view method) {
  return method == "GET" ? RequestKind::list_buckets : RequestKind::other;
}

RequestKind bucket_kind(std::string_view method, const Query& query) {
  if (method == "GET") {
    if (query.has("location")) return RequestKind::get_bucket_location;
    return query.has("uploads") ? RequestKind::list_uploads : RequestKind::list_objects;
  }
  if (method == "PUT") return RequestKind::create_bucket;
  if (method == "HEAD") return RequestKind::head_bucket;
  if (method == "DELETE") return RequestKind::delete_bucket;
  if (method == "POST" && query.has("delete")) return RequestKind::delete_objects;
  return RequestKind::other;
}

RequestKind object_kind(std::string_view method, const Query& query, bool copies) {
  const bool upload = query.has("uploadId");
  if (method == "GET") return upload ? RequestKind::list_parts : RequestKind::get_object;
  if (method == "HEAD") return RequestKind::head_object;
  if (method == "DELETE") return upload ? RequestKind::abort_upload : RequestKind::delete_object;
  if (method == "PUT") {
    if (upload) return RequestKind::upload_part;
    return copies ? RequestKind::copy_object : RequestKind::put_object;
  }
  if (method == "POST") {
    if (query.has("uploads")) return RequestKind::create_upload;
    if (upload) return RequestKind::complete_upload;
    if (query.has("restore")) return RequestKind::restore_object;
  }
  return RequestKind::other;
}

const S3Error* read_list(const Query& query, ListParameters& list) {
  list.version_2 = query.value("list-type") == "2";
  list.prefix = query.value("prefix");
  list.delimiter = query.value("delimiter");
  list.start = query.value(list.version_2 ? "start-after" : "marker");
  list.continuation_token = query.value("continuation-token");
  list.encode_url = query.value("encoding-type") == "url";
  if (query.has("encoding-type") && !list.encode_url) return &s3_errors::invalid_argument;
  if (const std::string most = query.value("max-keys"); !most.empty()) {
    const auto parsed = parse_decimal(most);
    if (!parsed || *parsed > INT32_MAX) return &s3_errors::invalid_argument;
    list.max_keys = std::min<std::uint64_t>(*parsed, 1000);
  }
  return nullptr;
}

void read_object_headers(const HttpHead& head, ObjectHeaders& headers) {
  headers.content_type = head.header("content-type");
  headers.storage_class = head.header("x-amz-storage-class");
  for (const aws::Header& field : head.headers()) {
    const bool keep =
        (field.name.size() > 11 && equal_ignoring_case(field.name.substr(0, 11), "x-amz-meta-")) ||
        equal_ignoring_case(field.name, "cache-control") ||
        equal_ignoring_case(field.name, "content-disposition") ||
        equal_ignoring_case(field.name, "content-language");
    if (!keep) continue;
    headers.extra.append(field.name).append(": ").append(field.value).append("\r\n");
  }
}

bool takes_object_bytes(RequestKind kind) {
  return kind == RequestKind::put_object || kind == RequestKind::upload_part;
}

// How long the object's bytes are, and whether they are wrapped.
const S3Error* read_body_headers(const HttpHead& head, S3Request& request) {
  const std::string_view hash = head.header("x-amz-content-sha256");
  request.aws_chunked = hash.starts_with("STREAMING-");
  request.length = head.content_length;
  if (request.aws_chunked) {
    request.length.reset();
    if (head.has("x-amz-decoded-content-length")) {
      const auto decoded = parse_decimal(head.header("x-amz-decoded-content-length"));
      if (!decoded) return &s3_errors::invalid_argument;
      request.length = Bytes(*decoded);
    }
  }
  if (!takes_object_bytes(request.kind)) return nullptr;
  if (!head.content_length && !head.chunked) return &s3_errors::missing_length;
  if (request.length && request.length->count() > k_object_most) {
    return &s3_errors::entity_too_large;
  }
  return nullptr;
}

const S3Error* read_upload(const Query& query, S3Request& request) {
  request.upload_id = query.value("uploadId");
  if (request.kind != RequestKind::upload_part) return nullptr;
  const auto number = parse_decimal(query.value("partNumber"));
  if (!number || *number == 0 || *number > k_part_number_most) return &s3_errors::invalid_argument;
  request.part_number = static_cast<std::uint32_t>(*number);
  return nullptr;
}

// Splits the path into bucket and key.
const S3Error* read_place(const HttpHead& head, std::string_view server_name, S3Request& request) {
  auto path = aws::decode_path(head.raw_path);
  if (!path) return &s3_errors::invalid_uri;
  std::string_view rest = std::string_view(*path).substr(1);
  if (const auto bucket = bucket_of_host(head.host, server_name); !bucket.empty()) {
    request.bucket = bucket;
    request.bucket_in_host = true;
  } else {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    request.bucket = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
  }
  request.key = rest;
  if (request.bucket.empty() && !request.key.empty()) return &s3_errors::invalid_bucket_name;
  if (!request.bucket.empty() && !is_bucket_name(request.bucket)) {
    return &s3_errors::invalid_bucket_name;
  }
  if (request.key.size() > k_key_most) return &s3_errors::key_too_long;
  if (!is_utf8(request.key)) return &s3_errors::invalid_uri;
  return nullptr;
}

const S3Error* read_copy_source(const HttpHead& head, S3Request& request) {
  auto source = aws::decode_path(head.header("x-amz-copy-source"));
  if (!source) return &s3_errors::invalid_argument;
  request.copy_source = source->starts_with('/') ? source->substr(1) : *source;
  if (request.copy_source.find('/') == std::string::npos) return &s3_errors::invalid_argument;
  return nullptr;
}

}  // namespace

S3Request parse_s3_request(const HttpHead& head, std::string_view server_name) {
  S3Request request;
  request.head_only = head.method == "HEAD";
  Query query;
  const bool query_good = query.parse(head.raw_query);
  const S3Error* const misplaced = read_place(head, server_name, request);
  const bool copies = head.has("x-amz-copy-source");
  if (request.bucket.empty()) {
    request.kind = service_kind(head.method);
  } else if (request.key.empty()) {
    request.kind = bucket_kind(head.method, query);
  } else {
    request.kind = object_kind(head.method, query, copies);
  }
  request.range = head.header("range");
  request.if_match = head.header("if-match");
  request.if_none_match = head.header("if-none-match");
  request.content_md5 = head.header("content-md5");
  if (request.kind == RequestKind::put_object || request.kind == RequestKind::create_upload ||
      request.kind == RequestKind::copy_object) {
    read_object_headers(head, request.object_headers);
  }
  const auto refuse = [&request](const S3Error* error) {
    if (request.refusal == nullptr) request.refusal = error;
  };
  refuse(read_body_headers(head, request));
  if (!query_good) refuse(&s3_errors::invalid_uri);
  refuse(misplaced);
  if (query.asks_for_what_is_missing()) refuse(&s3_errors::not_implemented);
  if (request.kind == RequestKind::other) refuse(&s3_errors::method_not_allowed);
  if (request.kind == RequestKind::list_objects) refuse(read_list(query, request.list));
  refuse(read_upload(query, request));
  if (copies) refuse(read_copy_source(head, request));
  if (copies && request.kind == RequestKind::upload_part) refuse(&s3_errors::not_implemented);
  return request;
}

}  // namespace loadline::serve
