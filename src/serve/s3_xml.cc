#include "serve/s3_xml.h"

#include <fmt/format.h>

#include <iterator>
#include <pugixml.hpp>

#include "aws/uri.h"

namespace loadline::serve {

namespace {

constexpr std::string_view k_head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr std::string_view k_namespace = "http://s3.amazonaws.com/doc/2006-03-01/";
constexpr std::string_view k_owner =
    "<Owner><ID>loadline</ID><DisplayName>loadline</DisplayName></Owner>";
constexpr std::size_t k_delete_keys_most = 1000;  // S3's limit
constexpr std::size_t k_parts_most = 10'000;      // S3's limit

// Writes one document: open and close tags, and elements with text.
class Document {
 public:
  explicit Document(std::string_view root) : root_(root) {
    fmt::format_to(std::back_inserter(out_), "{}<{} xmlns=\"{}\">", k_head, root, k_namespace);
  }
  void element(std::string_view name, std::string_view text) {
    out_.append("<").append(name).append(">");
    append_xml_text(out_, text);
    out_.append("</").append(name).append(">");
  }
  void element(std::string_view name, std::uint64_t number) {
    fmt::format_to(std::back_inserter(out_), "<{0}>{1}</{0}>", name, number);
  }
  void element(std::string_view name, bool value) {
    element(name, std::string_view(value ? "true" : "false"));
  }
  void raw(std::string_view xml) { out_.append(xml); }
  void open(std::string_view name) { out_.append("<").append(name).append(">"); }
  void close(std::string_view name) { out_.append("</").append(name).append(">"); }
  std::string finish() {
    close(root_);
    return std::move(out_);
  }

 private:
  std::string_view root_;
  std::string out_;
};

std::string_view storage_class_of(const ObjectHeaders& headers) {
  return headers.storage_class.empty() ? std::string_view("STANDARD") : headers.storage_class;
}

// The root element, or bad_input.
Result<pugi::xml_node> load(pugi::xml_document& document, std::string_view xml,
                            std::string_view root) {
  const pugi::xml_parse_result parsed =
      document.load_buffer(xml.data(), xml.size(),
                           pugi::parse_default | pugi::parse_ws_pcdata_single, pugi::encoding_utf8);
  if (!parsed) return fail(ErrorCode::bad_input, parsed.description());
  const pugi::xml_node node = document.document_element();
  if (std::string_view(node.name()) != root) {
    return fail(ErrorCode::bad_input, fmt::format("the root is not {}", root));
  }
  return node;
}

}  // namespace

void append_xml_text(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&': out.append("&amp;"); break;
      case '<': out.append("&lt;"); break;
      case '>': out.append("&gt;"); break;
      case '"': out.append("&quot;"); break;
      default:
        if (c >= 0 && c < ' ') {
          fmt::format_to(std::back_inserter(out), "&#x{:x};", static_cast<unsigned>(c));
        } else {
          out.push_back(c);
        }
    }
  }
}

std::string error_xml(const S3Error& error, std::string_view resource,
                      std::string_view request_id) {
  std::string out(k_head);
  out.append("<Error><Code>").append(error.code).append("</Code><Message>");
  append_xml_text(out, error.message);
  out.append("</Message><Resource>");
  append_xml_text(out, resource);
  out.append("</Resource><RequestId>").append(request_id).append("</RequestId></Error>");
  return out;
}

std::string buckets_xml(std::span<const ListedBucket> buckets) {
  Document xml("ListAllMyBucketsResult");
  xml.raw(k_owner);
  xml.open("Buckets");
  for (const ListedBucket& bucket : buckets) {
    xml.open("Bucket");
    xml.element("Name", bucket.name);
    xml.element("CreationDate", bucket.created.iso8601());
    xml.close("Bucket");
  }
  xml.close("Buckets");
  return xml.finish();
}

std::string location_xml() { return Document("LocationConstraint").finish(); }

std::string list_xml(const S3Request& request, const ListPage& page, std::string_view next_token) {
  const ListParameters& list = request.list;
  const auto name = [&list](std::string_view text) {
    return list.encode_url ? aws::encode_path(text) : std::string(text);
  };
  Document xml("ListBucketResult");
  xml.element("Name", request.bucket);
  xml.element("Prefix", name(list.prefix));
  if (!list.delimiter.empty()) xml.element("Delimiter", name(list.delimiter));
  if (list.encode_url) xml.element("EncodingType", std::string_view("url"));
  xml.element("MaxKeys", list.max_keys);
  xml.element("IsTruncated", page.truncated);
  if (list.version_2) {
    xml.element("KeyCount", page.objects.size() + page.common_prefixes.size());
    if (!list.start.empty()) xml.element("StartAfter", name(list.start));
    if (!list.continuation_token.empty()) {
      xml.element("ContinuationToken", list.continuation_token);
    }
    if (page.truncated) xml.element("NextContinuationToken", next_token);
  } else {
    xml.element("Marker", name(list.start));
    if (page.truncated) xml.element("NextMarker", name(page.last));
  }
  for (const ListedObject& listed : page.objects) {
    xml.open("Contents");
    xml.element("Key", name(listed.key));
    xml.element("LastModified", listed.object->modified.iso8601());
    xml.element("ETag", listed.object->etag);
    xml.element("Size", listed.object->size().count());
    xml.element("StorageClass", storage_class_of(listed.object->headers));
    if (!list.version_2) xml.raw(k_owner);
    xml.close("Contents");
  }
  for (const std::string& prefix : page.common_prefixes) {
    xml.open("CommonPrefixes");
    xml.element("Prefix", name(prefix));
    xml.close("CommonPrefixes");
  }
  return xml.finish();
}

std::string upload_begun_xml(const S3Request& request, std::string_view upload_id) {
  Document xml("InitiateMultipartUploadResult");
  xml.element("Bucket", request.bucket);
  xml.element("Key", request.key);
  xml.element("UploadId", upload_id);
  return xml.finish();
}

std::string upload_completed_xml(const S3Request& request, std::string_view etag) {
  Document xml("CompleteMultipartUploadResult");
  xml.element("Location", fmt::format("/{}/{}", request.bucket, request.key));
  xml.element("Bucket", request.bucket);
  xml.element("Key", request.key);
  xml.element("ETag", etag);
  return xml.finish();
}

std::string parts_xml(const S3Request& request, std::span<const ListedPart> parts) {
  Document xml("ListPartsResult");
  xml.element("Bucket", request.bucket);
  xml.element("Key", request.key);
  xml.element("UploadId", request.upload_id);
  xml.element("StorageClass", storage_class_of(request.object_headers));
  xml.element("PartNumberMarker", std::uint64_t{0});
  xml.element("MaxParts", k_parts_most);
  xml.element("IsTruncated", false);
  for (const ListedPart& part : parts) {
    xml.open("Part");
    xml.element("PartNumber", std::uint64_t{part.number});
    xml.element("LastModified", part.modified.iso8601());
    xml.element("ETag", part.etag);
    xml.element("Size", part.size.count());
    xml.close("Part");
  }
  return xml.finish();
}

std::string uploads_xml(const S3Request& request, std::span<const ListedUpload> uploads) {
  Document xml("ListMultipartUploadsResult");
  xml.element("Bucket", request.bucket);
  xml.element("KeyMarker", std::string_view());
  xml.element("UploadIdMarker", std::string_view());
  xml.element("MaxUploads", uploads.size());
  xml.element("IsTruncated", false);
  for (const ListedUpload& upload : uploads) {
    xml.open("Upload");
    xml.element("Key", upload.key);
    xml.element("UploadId", upload.id);
    xml.element("Initiated", upload.started.iso8601());
    xml.close("Upload");
  }
  return xml.finish();
}

std::string copied_xml(std::string_view etag, WallTime modified) {
  Document xml("CopyObjectResult");
  xml.element("LastModified", modified.iso8601());
  xml.element("ETag", etag);
  return xml.finish();
}

Result<DeleteRequest> parse_delete_request(std::string_view text) {
  pugi::xml_document document;
  auto root = load(document, text, "Delete");
  if (!root) return propagate(root);
  DeleteRequest request;
  request.quiet = std::string_view(root->child_value("Quiet")) == "true";
  for (const pugi::xml_node object : root->children("Object")) {
    request.keys.emplace_back(object.child_value("Key"));
    if (request.keys.back().empty()) return fail(ErrorCode::bad_input, "an Object without Key");
    if (request.keys.size() > k_delete_keys_most) {
      return fail(ErrorCode::bad_input, "more than 1000 keys");
    }
  }
  if (request.keys.empty()) return fail(ErrorCode::bad_input, "no Object");
  return request;
}

std::string deleted_xml(const DeleteRequest& request) {
  Document xml("DeleteResult");
  for (const std::string& key : request.keys) {
    if (request.quiet) break;
    xml.open("Deleted");
    xml.element("Key", key);
    xml.close("Deleted");
  }
  return xml.finish();
}

Result<std::vector<NamedPart>> parse_complete_upload(std::string_view text) {
  pugi::xml_document document;
  auto root = load(document, text, "CompleteMultipartUpload");
  if (!root) return propagate(root);
  std::vector<NamedPart> parts;
  for (const pugi::xml_node node : root->children("Part")) {
    const auto number = parse_decimal(node.child_value("PartNumber"));
    if (!number || *number == 0 || *number > k_parts_most || parts.size() == k_parts_most) {
      return fail(ErrorCode::bad_input, "a PartNumber that is not from 1 to 10000");
    }
    std::string etag = node.child_value("ETag");
    if (!etag.empty() && !etag.starts_with('"')) etag = fmt::format("\"{}\"", etag);
    parts.push_back({static_cast<std::uint32_t>(*number), std::move(etag)});
  }
  if (parts.empty()) return fail(ErrorCode::bad_input, "no Part");
  return parts;
}

}  // namespace loadline::serve
