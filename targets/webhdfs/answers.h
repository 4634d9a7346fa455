// The JSON that WebHDFS answers with, taken apart.
// https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-hdfs/WebHDFS.html
//
// Errors: nothing, or empty fields, where the text is not what was asked for. Nothing throws.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "target/objects.h"

namespace loadline::targets::webhdfs {

struct RemoteException {
  std::string name;  // "FileNotFoundException"; empty: the text was no exception
  std::string message;
};
RemoteException parse_remote_exception(std::string_view json);

// {"boolean": true}
std::optional<bool> parse_boolean_answer(std::string_view json);

// {"Location": "http://..."}, of noredirect=true.
std::optional<std::string> parse_location_answer(std::string_view json);

struct FileStatus {
  bool is_folder = false;
  Bytes length;
  std::string name;  // in a listing: within the folder listed; empty where that is a file itself
};
std::optional<FileStatus> parse_file_status(std::string_view json);

// A page of LISTSTATUS_BATCH, or the whole of LISTSTATUS.
struct Listing {
  std::vector<FileStatus> entries;
  std::uint64_t remaining = 0;  // there are so many more, behind the last of these
};
std::optional<Listing> parse_listing(std::string_view json);

std::optional<target::ContentSummary> parse_content_summary(std::string_view json);

}  // namespace loadline::targets::webhdfs
