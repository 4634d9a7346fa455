#include "targets/webhdfs/answers.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace loadline::targets::webhdfs {
namespace {

using Json = nlohmann::json;

Json parse(std::string_view text) { return Json::parse(text, nullptr, false); }

// The member of an object; null where there is none.
const Json& member(const Json& object, const char* key) {
  static const Json k_none;
  if (!object.is_object()) return k_none;
  const auto found = object.find(key);
  return found == object.end() ? k_none : *found;
}

std::string text_of(const Json& value) {
  const auto* text = value.get_ptr<const Json::string_t*>();
  return text == nullptr ? std::string() : *text;
}

std::int64_t number_of(const Json& value, std::int64_t otherwise) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    return number <= INT64_MAX ? static_cast<std::int64_t>(number) : otherwise;
  }
  return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
}

std::uint64_t count_of(const Json& value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(number_of(value, 0), 0));
}

std::optional<FileStatus> status_of(const Json& value) {
  const std::string type = text_of(member(value, "type"));
  if (type.empty()) return std::nullopt;
  return FileStatus{.is_folder = type == "DIRECTORY",
                    .length = Bytes(count_of(member(value, "length"))),
                    .name = text_of(member(value, "pathSuffix"))};
}

}  // namespace

RemoteException parse_remote_exception(std::string_view json) {
  const Json document = parse(json);
  const Json& exception = member(document, "RemoteException");
  RemoteException result{.name = text_of(member(exception, "exception")),
                         .message = text_of(member(exception, "message"))};
  // Some gateways write the class alone, and nested classes carry the name of their outer one.
  if (result.name.empty()) result.name = text_of(member(exception, "javaClassName"));
  const std::size_t prefix = result.name.find_last_of(".$");
  if (prefix != std::string::npos) result.name.erase(0, prefix + 1);
  return result;
}

std::optional<bool> parse_boolean_answer(std::string_view json) {
  const Json document = parse(json);
  const Json& value = member(document, "boolean");
  if (!value.is_boolean()) return std::nullopt;
  return value.get<bool>();
}

std::optional<std::string> parse_location_answer(std::string_view json) {
  const Json document = parse(json);
  std::string text = text_of(member(document, "Location"));
  if (text.empty()) return std::nullopt;
  return text;
}

std::optional<FileStatus> parse_file_status(std::string_view json) {
  const Json document = parse(json);
  return status_of(member(document, "FileStatus"));
}

std::optional<Listing> parse_listing(std::string_view json) {
  const Json document = parse(json);
  Listing listing;
  const Json* statuses = &member(document, "FileStatuses");
  const Json& batch = member(document, "DirectoryListing");
  if (batch.is_object()) {
    statuses = &member(member(batch, "partialListing"), "FileStatuses");
    listing.remaining = count_of(member(batch, "remainingEntries"));
  }
  const Json& entries = member(*statuses, "FileStatus");
  if (!entries.is_array()) return std::nullopt;
  listing.entries.reserve(entries.size());
  for (const Json& entry : entries) {
    auto status = status_of(entry);
    if (!status) return std::nullopt;
    listing.entries.push_back(std::move(*status));
  }
  return listing;
}

std::optional<target::ContentSummary> parse_content_summary(std::string_view json) {
  const Json document = parse(json);
  const Json& value = member(document, "ContentSummary");
  if (!member(value, "length").is_number()) return std::nullopt;
  target::ContentSummary summary{.folders = count_of(member(value, "directoryCount")),
                                 .files = count_of(member(value, "fileCount")),
                                 .bytes = Bytes(count_of(member(value, "length")))};
  const std::int64_t quota = number_of(member(value, "quota"), -1);
  if (quota > 0) {
    summary.quota = quota;
    summary.quota_left = quota - static_cast<std::int64_t>(summary.folders + summary.files);
  }
  const std::int64_t space = number_of(member(value, "spaceQuota"), -1);
  if (space >= 0) {
    summary.space_quota = space;
    summary.space_quota_left = space - number_of(member(value, "spaceConsumed"), 0);
  }
  return summary;
}

}  // namespace loadline::targets::webhdfs
