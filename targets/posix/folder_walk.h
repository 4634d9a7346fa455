// Walks through a container's folder.
//
// Threads: one at a time for one folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loadline::targets::posix {

struct Listing {
  std::uint32_t names = 0;
  std::uint64_t bytes = 0;  // of those names
  int error = 0;            // errno of the folder itself
};

// Counts the files below `folder` whose name relative to it begins with `prefix`; temporary files
// are none.
Listing list_names(const std::string& folder, std::string_view prefix);

// Removes a folder that holds no files but temporary ones, with the folders in it; errno, ENOTEMPTY
// where a file is found. Nothing has been removed then but temporary files and empty folders.
int remove_empty_tree(const std::string& folder);

}  // namespace loadline::targets::posix
