// The exchanges of each operation: what is asked, and what follows from the answer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <string>
#include <utility>

#include "aws/uri.h"
#include "base/check.h"
#include "targets/s3/session.h"

namespace loadline::targets::s3 {
namespace {

using target::Completion;
using target::Op;
using target::OpKind;
using target::Outcome;

constexpr std::uint64_t k_parts_max = 10'000;     // of an upload, by S3's rules
constexpr std::size_t k_remove_batch_max = 1000;  // keys in one request
constexpr std::string_view k_xml_head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
constexpr std::string_view k_region_without_constraint = "us-east-1";

void append_xml_text(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&': out.append("&amp;"); break;
      case '<': out.append("&lt;"); break;
      case '>': out.append("&gt;"); break;
      case '\r': out.append("&#13;"); break;
      case '\n': out.append("&#10;"); break;
      default: out.push_back(c); break;
    }
  }
}

std::uint64_t parts_of(Bytes size, Bytes part_size) {
  const std::uint64_t parts = (size.count() + part_size.count() - 1) / part_size.count();
  return std::max<std::uint64_t>(parts, 1);
}

std::string_view method_of(OpKind kind) {
  switch (kind) {
    case OpKind::head:
    case OpKind::open:  // the nearest that there is
    case OpKind::head_container: return "HEAD";
    case OpKind::remove:
    case OpKind::remove_container: return "DELETE";
    default: return "GET";
  }
}

}  // namespace

void S3Session::begin(std::uint32_t slot) {
  Slot& s = slots_[slot];
  s.token.clear();
  switch (s.op.kind) {
    case OpKind::multipart_write:
      if (s.op.part_size == Bytes()) s.op.part_size = config_.part_size;
      if (parts_of(s.op.payload.size(), s.op.part_size) > k_parts_max) {
        return refuse(slot, Outcome::invalid, "more than 10000 parts: part_size is too small");
      }
      s.step = Step::create_upload;
      break;
    case OpKind::list: s.step = Step::list_page; break;
    case OpKind::remove_many:
      if (s.op.objects.empty()) return complete(slot, {.done = clock_.now()});
      s.step = Step::remove_batch;
      break;
    case OpKind::read:
      if (s.op.range && s.op.range->length == Bytes()) {
        return refuse(slot, Outcome::invalid, "a byte range without bytes");
      }
      s.step = Step::single;
      break;
    default: s.step = Step::single; break;
  }
  start_step(slot);
}

// Starts, or starts again, the exchange of the step that the slot is at.
void S3Session::start_step(std::uint32_t slot) {
  Slot& s = slots_[slot];
  s.collects = false;
  s.ignores_range = false;
  s.response.clear();
  s.text.clear();
  switch (s.step) {
    case Step::single: return start_single(slot);
    case Step::create_upload: return start_create_upload(slot);
    case Step::upload_part: return start_part(slot);
    case Step::complete_upload: return start_complete_upload(slot);
    case Step::abort_upload: return start_abort_upload(slot);
    case Step::list_page: return start_list_page(slot);
    case Step::remove_batch: return start_remove_batch(slot);
  }
}

void S3Session::send(std::uint32_t slot, const Request& request, bool expects_data) {
  const std::uint32_t endpoint = peers_.endpoint[client_->choose_peer(slot)];
  writer_.write(request, config_.endpoints[endpoint], signing_time_, client_->request_head(slot));
  Slot& s = slots_[slot];
  s.streams = request.decoded.has_value();
  if (s.streams) {
    ChunkedBody body(writer_.signer(), s.op.payload, Bytes(s.body_from), *request.decoded);
    if (s.chunked) {
      *s.chunked = std::move(body);
    } else {
      s.chunked = std::make_unique<ChunkedBody>(std::move(body));
    }
  }
  client_->start(slot, {.body_bytes = request.body ? request.body->count() : 0,
                        .to_head = request.method == "HEAD",
                        .expects_data = expects_data});
}

void S3Session::start_single(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const Op& op = s.op;
  switch (op.kind) {
    case OpKind::write:
    case OpKind::create: return start_write(slot, {}, Bytes(), op.payload.size());
    case OpKind::restore:
      s.text = fmt::format(
          "{}<RestoreRequest xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
          "<Days>{}</Days></RestoreRequest>",
          k_xml_head, op.restore_days);
      return start_text(slot, "POST", "restore=");
    case OpKind::create_container:
      if (config_.region == k_region_without_constraint) {
        return send(slot, {.method = "PUT", .bucket = op.container, .body = Bytes()});
      }
      s.text = fmt::format(
          "{}<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
          "<LocationConstraint>{}</LocationConstraint></CreateBucketConfiguration>",
          k_xml_head, config_.region);
      return start_text(slot, "PUT", {});
    case OpKind::read: {
      const bool checks = config_.verify_etag && !op.range;
      if (checks) s.md5 = std::make_unique<Md5Check>();
      return send(slot,
                  {.method = "GET", .bucket = op.container, .key = op.object, .range = op.range},
                  checks || op.sink != nullptr);
    }
    default:
      return send(slot, {.method = method_of(op.kind), .bucket = op.container, .key = op.object});
  }
}

// PUT of bytes [from, from + size) of the payload.
void S3Session::start_write(std::uint32_t slot, std::string_view query, Bytes from, Bytes size) {
  Slot& s = slots_[slot];
  s.body_from = from.count();
  s.body_size = size.count();
  Request request{.method = "PUT",
                  .bucket = s.op.container,
                  .key = s.op.object,
                  .query = query,
                  .body = size,
                  .stores = s.step == Step::single,
                  .only_new = s.op.kind == OpKind::create};
  std::string hash;
  switch (config_.payload_signing) {
    case PayloadSigning::off: break;
    case PayloadSigning::whole:
      hash = payload_hash(s.op.payload, from, size);
      request.payload_hash = hash;
      break;
    case PayloadSigning::streaming:
      // Nothing is not sent in chunks: radosgw 16 takes the end alone for a wrong digest.
      if (size == Bytes()) {
        request.payload_hash = aws::k_empty_payload_hash;
        break;
      }
      request.payload_hash = aws::k_streaming_payload;
      request.decoded = size;
      request.body = aws::chunked_length(size);
      break;
  }
  if (config_.verify_etag && s.step == Step::single &&
      config_.payload_signing != PayloadSigning::streaming) {
    s.md5 = std::make_unique<Md5Check>();
  }
  send(slot, request);
}

std::string S3Session::payload_hash(const target::Payload& payload, Bytes from, Bytes size) {
  aws::Sha256 digest;
  for (Bytes done; done < size;) {
    std::span<const std::byte> run = payload.at(from + done);
    run = run.first(
        static_cast<std::size_t>(std::min<std::uint64_t>(run.size(), (size - done).count())));
    digest.update(run);
    done += Bytes(run.size());
  }
  return aws::to_hex(digest.finish());
}

// A request whose body is in the slot's `text`.
void S3Session::start_text(std::uint32_t slot, std::string_view method, std::string_view query) {
  Slot& s = slots_[slot];
  CHECK(!s.text.empty());
  s.md5.reset();
  std::string hash(aws::k_unsigned_payload);
  if (config_.payload_signing != PayloadSigning::off) hash = aws::to_hex(aws::sha256(s.text));
  aws::Md5 md5;
  md5.update(std::string_view(s.text));
  const std::string content_md5 = aws::to_base64(md5.finish());
  const bool to_object = s.op.kind == OpKind::restore || s.op.kind == OpKind::multipart_write;
  send(slot, {.method = method,
              .bucket = s.op.container,
              .key = to_object ? s.op.object : std::string_view(),
              .query = query,
              .body = Bytes(s.text.size()),
              .payload_hash = hash,
              .content_md5 = content_md5});
}

void S3Session::start_create_upload(std::uint32_t slot) {
  Slot& s = slots_[slot];
  s.collects = true;
  s.upload = std::make_unique<Upload>();
  send(slot, {.method = "POST",
              .bucket = s.op.container,
              .key = s.op.object,
              .query = "uploads=",
              .body = Bytes(),
              .stores = true});
}

void S3Session::start_part(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const std::uint64_t part = s.upload->etags.size();
  const Bytes from = s.op.part_size * part;
  const Bytes size = std::min(s.op.part_size, s.op.payload.size() - from);
  const std::string query =
      fmt::format("partNumber={}&uploadId={}", part + 1, aws::encode_component(s.upload->id));
  start_write(slot, query, from, size);
}

void S3Session::start_complete_upload(std::uint32_t slot) {
  Slot& s = slots_[slot];
  s.collects = true;
  s.text.append(k_xml_head).append("<CompleteMultipartUpload>");
  for (std::size_t i = 0; i < s.upload->etags.size(); ++i) {
    s.text.append(fmt::format("<Part><PartNumber>{}</PartNumber><ETag>", i + 1));
    append_xml_text(s.text, s.upload->etags[i]);
    s.text.append("</ETag></Part>");
  }
  s.text.append("</CompleteMultipartUpload>");
  start_text(slot, "POST", "uploadId=" + aws::encode_component(s.upload->id));
}

void S3Session::start_abort_upload(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const std::string query = "uploadId=" + aws::encode_component(s.upload->id);
  send(slot, {.method = "DELETE", .bucket = s.op.container, .key = s.op.object, .query = query});
}

void S3Session::start_list_page(std::uint32_t slot) {
  Slot& s = slots_[slot];
  s.collects = true;
  std::string query;
  if (!s.token.empty()) {
    query.append("continuation-token=");
    aws::append_encoded_component(query, s.token);
    query.append("&");
  }
  query.append(fmt::format("list-type=2&max-keys={}", config_.list_page_size));
  if (!s.op.object.empty()) {
    query.append("&prefix=");
    aws::append_encoded_component(query, s.op.object);
  }
  send(slot, {.method = "GET", .bucket = s.op.container, .query = query}, true);
}

void S3Session::start_remove_batch(std::uint32_t slot) {
  Slot& s = slots_[slot];
  s.collects = true;
  const auto done = static_cast<std::size_t>(s.items) + s.failed_items;
  const std::size_t end = std::min(s.op.objects.size(), done + k_remove_batch_max);
  s.batch_end = static_cast<std::uint32_t>(end);
  s.text.append(k_xml_head).append("<Delete><Quiet>true</Quiet>");
  for (const std::string_view key : s.op.objects.subspan(done, end - done)) {
    s.text.append("<Object><Key>");
    append_xml_text(s.text, key);
    s.text.append("</Key></Object>");
  }
  s.text.append("</Delete>");
  start_text(slot, "POST", "delete=");
}

void S3Session::advance(const net::HttpResult& result) {
  Slot& s = slots_[result.slot];
  switch (s.step) {
    case Step::list_page: return advance_list(result.slot, result);
    case Step::remove_batch: return advance_remove(result.slot, result);
    case Step::create_upload:
    case Step::upload_part:
    case Step::complete_upload:
    case Step::abort_upload: return advance_upload(result.slot, result);
    case Step::single: break;
  }
  Completion completion = judge(result.slot, result);
  if (completion.outcome == Outcome::not_found && s.op.kind == OpKind::remove) {
    completion.outcome = Outcome::ok;
    completion.detail = {};
  }
  if (s.op.kind == OpKind::read) completion.bytes = Bytes(result.body_received);
  if (target::has_payload(s.op.kind)) {
    completion.bytes = completion.outcome == Outcome::ok
                           ? s.op.payload.size()
                           : Bytes(std::min(result.body_sent, s.op.payload.size().count()));
  }
  if (completion.outcome != Outcome::ok && try_again(result.slot, completion)) return;
  complete(result.slot, completion);
}

void S3Session::advance_upload(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  if (s.step == Step::abort_upload) return complete(slot, s.upload->failed);
  s.first_byte = {};
  const Completion completion = judge(slot, result);
  if (completion.outcome != Outcome::ok) {
    if (try_again(slot, completion)) return;
    return end_failed(slot, completion);
  }
  switch (s.step) {
    case Step::create_upload: {
      pugi::xml_document document;
      document.load_buffer(s.response.data(), s.response.size());
      s.upload->id = document.document_element().child_value("UploadId");
      if (s.upload->id.empty()) {
        Completion broken = completion;
        broken.outcome = Outcome::invalid;
        broken.detail = "the answer to a new upload holds no UploadId";
        return complete(slot, broken);
      }
      s.step = Step::upload_part;
      break;
    }
    case Step::upload_part: advance_part(slot, result); break;
    default: return complete(slot, completion);
  }
  start_step(slot);
}

void S3Session::advance_part(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  (void)result;
  s.bytes += s.body_size;
  s.upload->etags.push_back(std::exchange(s.token, {}));
  if (s.upload->etags.size() == parts_of(s.op.payload.size(), s.op.part_size)) {
    s.step = Step::complete_upload;
  }
}

// An operation that failed; of an upload, no parts may stay behind.
void S3Session::end_failed(std::uint32_t slot, const Completion& completion) {
  Slot& s = slots_[slot];
  if (!s.upload || s.upload->id.empty()) return complete(slot, completion);
  s.upload->failed = completion;
  s.step = Step::abort_upload;
  start_step(slot);
}

void S3Session::advance_list(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  Completion completion = judge(slot, result);
  if (completion.outcome != Outcome::ok) {
    if (!try_again(slot, completion)) complete(slot, completion);
    return;
  }
  pugi::xml_document document;
  const auto parsed = document.load_buffer_inplace(s.response.data(), s.response.size());
  const pugi::xml_node root = document.document_element();
  if (!parsed || std::string_view(root.name()) != "ListBucketResult") {
    completion.outcome = Outcome::invalid;
    completion.detail = "the answer is no listing";
    return complete(slot, completion);
  }
  for (pugi::xml_node child : root.children("Contents")) {
    (void)child;
    ++s.items;
  }
  s.bytes += result.body_received;
  completion.items = s.items;
  completion.bytes = Bytes(s.bytes);
  const bool more = std::string_view(root.child_value("IsTruncated")) == "true";
  s.token = root.child_value("NextContinuationToken");
  if (!more) return complete(slot, completion);
  if (s.token.empty()) {
    completion.outcome = Outcome::invalid;
    completion.detail = "the listing is cut but does not say how to go on";
    return complete(slot, completion);
  }
  start_step(slot);
}

void S3Session::advance_remove(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  // A batch's own list of errors is not the failure of the request.
  const bool refused = result.failure != net::HttpFailure::none || result.status >= 300;
  Completion completion;
  pugi::xml_document document;
  pugi::xml_node root;
  if (!refused) {
    document.load_buffer(s.response.data(), s.response.size());
    root = document.document_element();
  }
  if (refused || std::string_view(root.name()) != "DeleteResult") {
    completion = judge(slot, result);
    if (completion.outcome == Outcome::ok) {
      completion.outcome = Outcome::invalid;
      completion.detail = "the answer is no result of a deletion";
    }
    if (!try_again(slot, completion)) complete(slot, completion);
    return;
  }
  const std::uint32_t asked = s.batch_end - s.items - s.failed_items;
  std::uint32_t failed = 0;
  for (const pugi::xml_node child : root.children("Error")) {
    if (std::string_view(child.child_value("Code")) == "NoSuchKey") continue;
    ++failed;
    if (s.token.empty()) {
      s.token = child.child_value("Code");
      s.detail = masked(fmt::format("{}: {}", s.token, child.child_value("Message")));
    }
  }
  s.failed_items += std::min(failed, asked);
  s.items += asked - std::min(failed, asked);
  if (s.batch_end < s.op.objects.size()) return start_step(slot);
  s.first_byte = {};
  s.response.clear();
  completion = judge(slot, result);
  if (s.failed_items > 0) {
    completion.outcome = outcome_of({.status = result.status, .code = s.token});
    if (s.token == "AccessDenied") completion.outcome = Outcome::denied;
    s.detail = fmt::format("{} of {} keys not removed, first {}", s.failed_items,
                           s.op.objects.size(), s.detail);
    completion.detail = s.detail;
  }
  complete(slot, completion);
}

}  // namespace loadline::targets::s3
