// Walks through a container's folder.
//
// Threads: one at a time for one folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "target/objects.h"

namespace loadline::targets::posix {

struct Listing {
  std::uint32_t names = 0;
  std::uint64_t bytes = 0;  // of those names
  int error = 0;            // errno of the folder itself
};

// Counts the files below `folder` whose name relative to it begins with `prefix`; temporary files
// are none.
Listing list_names(const std::string& folder, std::string_view prefix);

// The names directly in a folder that begin with `prefix`, folders too.
Result<std::vector<std::string>> names_in(const std::string& folder, std::string_view prefix);

// What lies at and below a path, links to folders not followed. What vanishes meanwhile is not
// counted. Error: there is nothing of that name, or a folder cannot be read.
Result<target::ContentSummary> summary_of(const std::string& path);

// Removes a folder that holds no files but temporary ones, with the folders in it; errno, ENOTEMPTY
// where a file is found. Nothing has been removed then but temporary files and empty folders.
int remove_empty_tree(const std::string& folder);

}  // namespace loadline::targets::posix
