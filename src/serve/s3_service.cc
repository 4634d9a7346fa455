#include "serve/s3_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "serve/byte_range.h"
#include "serve/etag.h"
#include "serve/list_token.h"
#include "serve/s3_xml.h"

namespace loadline::serve {

namespace {

constexpr std::string_view k_xml = "application/xml";
// The largest XML document that is taken: 10,000 parts, or 1000 keys of 1024 bytes, escaped.
constexpr std::uint64_t k_text_most = 8 * 1024 * 1024;
// S3: 15 minutes.
constexpr Duration k_skew_most = Duration::seconds(15 * 60);

aws::Verifier make_verifier(const ServeOptions& options) {
  const auto lookup = [&options](std::string_view access_key) -> const Secret* {
    const auto found = std::ranges::find(options.keys, access_key, &ServeKey::access_key);
    return found == options.keys.end() ? nullptr : &found->secret_key;
  };
  return aws::Verifier(lookup, k_skew_most);
}

const S3Error* error_of(aws::VerifyStatus status) {
  switch (status) {
    case aws::VerifyStatus::ok: return nullptr;
    case aws::VerifyStatus::anonymous: return &s3_errors::access_denied;
    case aws::VerifyStatus::malformed: return &s3_errors::authorization_malformed;
    case aws::VerifyStatus::unknown_key: return &s3_errors::invalid_access_key;
    case aws::VerifyStatus::mismatch: return &s3_errors::signature_mismatch;
    case aws::VerifyStatus::skewed: return &s3_errors::time_too_skewed;
  }
  return &s3_errors::access_denied;
}

Answer xml_answer(std::string text) {
  Answer answer;
  answer.content_type = k_xml;
  answer.text = std::move(text);
  return answer;
}

Answer empty_answer(int status) {
  Answer answer;
  answer.status = status;
  return answer;
}

// `"a", "b"` or `*` against one ETag.
bool etag_listed(std::string_view list, std::string_view etag) {
  if (list == "*") return true;
  std::string_view bare = etag;
  bare.remove_prefix(1);
  bare.remove_suffix(1);
  return list == bare || list.find(etag) != std::string_view::npos;
}

}  // namespace

S3Service::S3Service(ServerState& state)
    : state_(state), store_(state.store()), verifier_(make_verifier(state.options())) {}

void S3Service::begin(const HttpHead& head, Exchange& exchange) {
  exchange.request = parse_s3_request(head, state_.options().server_name);
  exchange.path = head.raw_path;
  exchange.request_id = fmt::format("{:016X}", state_.next_number());
  if (!state_.options().keys.empty()) authenticate(head, exchange);
  const S3Request& request = exchange.request;
  if (exchange.error == nullptr) exchange.error = request.refusal;
  if (exchange.error != nullptr) return;
  switch (request.kind) {
    case RequestKind::list_buckets:
    case RequestKind::create_bucket:
    case RequestKind::other: break;
    case RequestKind::upload_part:
    case RequestKind::complete_upload:
    case RequestKind::abort_upload:
    case RequestKind::list_parts:
      exchange.error =
          serve::error_of(store_.check_upload(request.bucket, request.key, request.upload_id));
      break;
    default: {
      const bool writes = request.kind == RequestKind::put_object ||
                          request.kind == RequestKind::copy_object ||
                          request.kind == RequestKind::create_upload;
      exchange.error =
          serve::error_of(store_.check_bucket(request.bucket, writes, WallTime::now()));
    }
  }
  if (exchange.error == nullptr) expect_body(head, exchange);
}

void S3Service::authenticate(const HttpHead& head, Exchange& exchange) {
  const aws::ReceivedRequest received{.method = head.method,
                                      .raw_path = head.raw_path,
                                      .raw_query = head.raw_query,
                                      .headers = head.headers(),
                                      .bucket = exchange.request.bucket_in_host
                                                    ? std::string_view(exchange.request.bucket)
                                                    : std::string_view()};
  const aws::Verified verified = verifier_.verify(received, WallTime::now());
  exchange.error = error_of(verified.status);
  if (exchange.error != nullptr) return;
  if (verified.payload_hash.size() == 64) {
    exchange.expected_sha256 = verified.payload_hash;
    if (exchange.expected_sha256 != aws::k_empty_payload_hash) exchange.sha256.emplace();
  }
  // The chunks after the one that opens with the request's signature are each signed.
  if (verified.payload_hash.starts_with(aws::k_streaming_payload) &&
      verifier_.signing_key() != nullptr) {
    exchange.chunk_signer.emplace(*verifier_.signing_key(), verified.timestamp, verified.scope,
                                  verified.signature);
    exchange.chunk_sha256.emplace();
  }
}

void S3Service::expect_body(const HttpHead& head, Exchange& exchange) {
  const S3Request& request = exchange.request;
  if (!request.content_md5.empty()) {
    if (request.content_md5.size() != 24) exchange.error = &s3_errors::invalid_digest;
    exchange.md5.emplace();
  }
  if (request.kind == RequestKind::put_object || request.kind == RequestKind::upload_part) {
    if (state_.options().etag == EtagKind::md5) exchange.md5.emplace();
    exchange.writer.emplace(store_.write(request.length));
  } else if (head.content_length.value_or(Bytes()).count() > k_text_most) {
    exchange.error = &s3_errors::entity_too_large;
  }
}

void S3Service::digest(Exchange& exchange, std::span<const std::byte> bytes) {
  if (exchange.md5) exchange.md5->update(bytes);
  if (exchange.sha256) exchange.sha256->update(bytes);
  if (exchange.chunk_sha256) exchange.chunk_sha256->update(bytes);
}

void S3Service::take(Exchange& exchange, std::span<const std::byte> bytes) {
  exchange.received += bytes.size();
  if (exchange.error != nullptr) return;
  if (exchange.request.length && exchange.received > exchange.request.length->count()) {
    exchange.error = &s3_errors::incomplete_body;
    return;
  }
  digest(exchange, bytes);
  if (exchange.writer) {
    exchange.writer->append(bytes);
    if (exchange.writer->full()) exchange.error = &s3_errors::out_of_memory;
  } else if (exchange.received > k_text_most) {
    exchange.error = &s3_errors::entity_too_large;
  } else {
    exchange.text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
}

void S3Service::take_in_place(Exchange& exchange, std::span<const std::byte> bytes) {
  exchange.received += bytes.size();
  digest(exchange, bytes);
  exchange.writer->commit(bytes.size());
  if (exchange.writer->full()) exchange.error = &s3_errors::out_of_memory;
}

void S3Service::end_chunk(Exchange& exchange, std::string_view signature) {
  if (!exchange.chunk_signer || exchange.error != nullptr) return;
  const std::string_view right = exchange.chunk_signer->next(exchange.chunk_sha256->finish());
  if (signature != right) exchange.error = &s3_errors::signature_mismatch;
  exchange.chunk_sha256.emplace();
}

const S3Error* S3Service::check_digests(Exchange& exchange) {
  md5_digest_.reset();
  if (exchange.request.length && exchange.received != exchange.request.length->count()) {
    return &s3_errors::incomplete_body;
  }
  if (exchange.md5) {
    md5_digest_ = exchange.md5->finish();
    const std::string& said = exchange.request.content_md5;
    if (!said.empty() && said != aws::to_base64(*md5_digest_)) return &s3_errors::bad_digest;
  }
  if (exchange.expected_sha256.empty()) return nullptr;
  const bool same = exchange.sha256
                        ? aws::to_hex(exchange.sha256->finish()) == exchange.expected_sha256
                        : exchange.received == 0;
  return same ? nullptr : &s3_errors::content_sha256_mismatch;
}

Answer S3Service::finish(Exchange& exchange) {
  if (exchange.error == nullptr) exchange.error = check_digests(exchange);
  if (exchange.error != nullptr) return refuse(exchange, *exchange.error);
  Answer answer = perform(exchange);
  answer.head_only = exchange.request.head_only;
  return answer;
}

Answer S3Service::refuse(const Exchange& exchange, const S3Error& error) {
  Answer answer = xml_answer(error_xml(error, exchange.path, exchange.request_id));
  answer.status = error.status;
  answer.head_only = exchange.request.head_only;
  return answer;
}

Answer S3Service::perform(Exchange& exchange) {
  const S3Request& request = exchange.request;
  switch (request.kind) {
    case RequestKind::get_object:
    case RequestKind::head_object: return get_object(exchange);
    case RequestKind::put_object: return put_object(exchange);
    case RequestKind::upload_part: return upload_part(exchange);
    case RequestKind::copy_object: return copy_object(exchange);
    case RequestKind::delete_objects: return delete_objects(exchange);
    case RequestKind::list_objects: return list_objects(exchange);
    case RequestKind::delete_object: {
      const StoreStatus status = store_.remove(request.bucket, request.key);
      // Deleting what is not there succeeds in S3.
      if (status == StoreStatus::no_bucket) return refuse(exchange, s3_errors::no_such_bucket);
      return empty_answer(204);
    }
    case RequestKind::restore_object: {
      StoreStatus status{};
      if (store_.find(request.bucket, request.key, status)) return empty_answer(202);
      return refuse(exchange, *serve::error_of(status));
    }
    case RequestKind::create_upload:
    case RequestKind::complete_upload:
    case RequestKind::abort_upload:
    case RequestKind::list_parts:
    case RequestKind::list_uploads: return multipart(exchange);
    case RequestKind::list_buckets:
    case RequestKind::create_bucket:
    case RequestKind::head_bucket:
    case RequestKind::delete_bucket:
    case RequestKind::get_bucket_location: return bucket_level(exchange);
    case RequestKind::other: break;
  }
  return refuse(exchange, s3_errors::method_not_allowed);
}

std::string S3Service::new_etag() {
  if (state_.options().etag == EtagKind::md5) return md5_etag(*md5_digest_);
  return fast_etag(state_.options().seed, state_.next_number());
}

Answer S3Service::put_object(Exchange& exchange) {
  S3Request& request = exchange.request;
  const std::string etag = new_etag();
  std::vector<std::unique_ptr<Body>> bodies;
  bodies.push_back(exchange.writer->finish());
  const StoreStatus status =
      store_.put(request.bucket, request.key,
                 std::make_unique<StoredObject>(std::move(request.object_headers), etag,
                                                WallTime::now(), std::move(bodies)),
                 request.if_none_match == "*");
  if (status != StoreStatus::ok) return refuse(exchange, *serve::error_of(status));
  Answer answer;
  answer.headers = fmt::format("ETag: {}\r\n", etag);
  return answer;
}

Answer S3Service::upload_part(Exchange& exchange) {
  const S3Request& request = exchange.request;
  const std::string etag = new_etag();
  const StoreStatus status =
      store_.put_part(request.bucket, request.key, request.upload_id, request.part_number, etag,
                      WallTime::now(), exchange.writer->finish());
  if (status != StoreStatus::ok) return refuse(exchange, *serve::error_of(status));
  Answer answer;
  answer.headers = fmt::format("ETag: {}\r\n", etag);
  return answer;
}

Answer S3Service::get_object(Exchange& exchange) {
  const S3Request& request = exchange.request;
  StoreStatus status{};
  Answer answer;
  answer.object = store_.find(request.bucket, request.key, status);
  if (!answer.object) return refuse(exchange, *serve::error_of(status));
  const StoredObject& object = *answer.object;
  if (!request.if_match.empty() && !etag_listed(request.if_match, object.etag)) {
    return refuse(exchange, s3_errors::precondition_failed);
  }
  if (!request.if_none_match.empty() && etag_listed(request.if_none_match, object.etag)) {
    answer = empty_answer(304);
    answer.headers = fmt::format("ETag: {}\r\n", object.etag);
    return answer;
  }
  const std::uint64_t size = object.size().count();
  answer.end = size;
  std::string range_line;
  if (!request.range.empty()) {
    const RangeResult range = parse_range(request.range, size);
    if (range.state == RangeState::unsatisfiable) {
      answer = refuse(exchange, s3_errors::invalid_range);
      answer.headers = fmt::format("Content-Range: bytes */{}\r\n", size);
      return answer;
    }
    if (range.state == RangeState::partial) {
      answer.status = 206;
      answer.begin = range.begin;
      answer.end = range.end;
      range_line =
          fmt::format("Content-Range: bytes {}-{}/{}\r\n", range.begin, range.end - 1, size);
    }
  }
  const ObjectHeaders& said = object.headers;
  answer.content_type = said.content_type.empty() ? std::string_view("binary/octet-stream")
                                                  : std::string_view(said.content_type);
  answer.headers.reserve(256);
  answer.headers.append("ETag: ").append(object.etag);
  answer.headers.append("\r\nLast-Modified: ").append(object.last_modified);
  answer.headers.append("\r\nAccept-Ranges: bytes\r\n").append(range_line).append(said.extra);
  if (!said.storage_class.empty() && said.storage_class != "STANDARD") {
    answer.headers += fmt::format("x-amz-storage-class: {}\r\n", said.storage_class);
  }
  return answer;
}

Answer S3Service::copy_object(Exchange& exchange) {
  S3Request& request = exchange.request;
  const std::size_t slash = request.copy_source.find('/');
  StoreStatus status{};
  const ObjectPin source = store_.find(request.copy_source.substr(0, slash),
                                       request.copy_source.substr(slash + 1), status);
  if (!source) return refuse(exchange, *serve::error_of(status));
  BodyWriter writer = store_.write(source->size());
  aws::Md5 md5;
  const bool wants_md5 = state_.options().etag == EtagKind::md5;
  for (std::uint64_t at = 0; at < source->size().count();) {
    const Slice slice = source->slice(at, Arena::k_chunk_most);
    writer.append({slice.data, slice.length});
    if (wants_md5) md5.update(std::span(slice.data, slice.length));
    at += slice.length;
  }
  if (writer.full()) return refuse(exchange, s3_errors::out_of_memory);
  if (wants_md5) md5_digest_ = md5.finish();
  const std::string etag = new_etag();
  const WallTime now = WallTime::now();
  std::vector<std::unique_ptr<Body>> bodies;
  bodies.push_back(writer.finish());
  status =
      store_.put(request.bucket, request.key,
                 std::make_unique<StoredObject>(source->headers, etag, now, std::move(bodies)));
  if (status != StoreStatus::ok) return refuse(exchange, *serve::error_of(status));
  return xml_answer(copied_xml(etag, now));
}

Answer S3Service::delete_objects(Exchange& exchange) {
  auto wanted = parse_delete_request(exchange.text);
  if (!wanted) return refuse(exchange, s3_errors::malformed_xml);
  for (const std::string& key : wanted->keys) {
    if (store_.remove(exchange.request.bucket, key) == StoreStatus::no_bucket) {
      return refuse(exchange, s3_errors::no_such_bucket);
    }
  }
  Answer answer = xml_answer(deleted_xml(*wanted));
  answer.items = wanted->keys.size();
  return answer;
}

Answer S3Service::list_objects(Exchange& exchange) {
  const S3Request& request = exchange.request;
  ListQuery query{.prefix = request.list.prefix,
                  .delimiter = request.list.delimiter,
                  .after = request.list.start,
                  .max_keys = request.list.max_keys};
  if (!request.list.continuation_token.empty()) {
    auto after = decode_list_token(request.list.continuation_token);
    if (!after) return refuse(exchange, s3_errors::invalid_argument);
    query.after = std::move(*after);
  }
  ListPage page;
  const StoreStatus status = store_.list(request.bucket, query, page);
  if (status != StoreStatus::ok) return refuse(exchange, *serve::error_of(status));
  Answer answer = xml_answer(list_xml(request, page, encode_list_token(page.last)));
  answer.items = page.objects.size();
  return answer;
}

Answer S3Service::multipart(Exchange& exchange) {
  S3Request& request = exchange.request;
  StoreStatus status = StoreStatus::ok;
  Answer answer;
  if (request.kind == RequestKind::create_upload) {
    std::string id;
    status = store_.begin_upload(request.bucket, request.key, std::move(request.object_headers),
                                 WallTime::now(), id);
    answer = xml_answer(upload_begun_xml(request, id));
  } else if (request.kind == RequestKind::complete_upload) {
    auto parts = parse_complete_upload(exchange.text);
    if (!parts) return refuse(exchange, s3_errors::malformed_xml);
    std::string etag;
    status = store_.complete_upload(request.bucket, request.key, request.upload_id, *parts,
                                    WallTime::now(), etag);
    answer = xml_answer(upload_completed_xml(request, etag));
  } else if (request.kind == RequestKind::abort_upload) {
    status = store_.abort_upload(request.bucket, request.key, request.upload_id);
    answer = empty_answer(204);
  } else if (request.kind == RequestKind::list_parts) {
    std::vector<ListedPart> parts;
    status = store_.list_parts(request.bucket, request.key, request.upload_id, parts);
    answer = xml_answer(parts_xml(request, parts));
  } else {
    std::vector<ListedUpload> uploads;
    status = store_.list_uploads(request.bucket, uploads);
    answer = xml_answer(uploads_xml(request, uploads));
  }
  if (status != StoreStatus::ok) return refuse(exchange, *serve::error_of(status));
  return answer;
}

Answer S3Service::bucket_level(Exchange& exchange) {
  const S3Request& request = exchange.request;
  StoreStatus status = StoreStatus::ok;
  Answer answer;
  if (request.kind == RequestKind::list_buckets) {
    answer = xml_answer(buckets_xml(store_.buckets()));
  } else if (request.kind == RequestKind::create_bucket) {
    status = store_.create_bucket(request.bucket, WallTime::now());
    answer.headers = fmt::format("Location: /{}\r\n", request.bucket);
  } else if (request.kind == RequestKind::delete_bucket) {
    status = store_.delete_bucket(request.bucket);
    answer = empty_answer(204);
  } else if (request.kind == RequestKind::get_bucket_location) {
    answer = xml_answer(location_xml());
  }
  if (status != StoreStatus::ok) return refuse(exchange, *serve::error_of(status));
  return answer;
}

}  // namespace loadline::serve
