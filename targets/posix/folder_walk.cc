#include "targets/posix/folder_walk.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "targets/posix/object_files.h"

namespace loadline::targets::posix {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

bool is_folder(const std::string& folder, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat status{};
  const std::string path = folder + "/" + entry.d_name;
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// Calls visit(name, is_folder) for everything in a folder; errno.
template <typename Visit>
int for_each_entry(const std::string& path, const Visit& visit) {
  const Folder folder(::opendir(path.c_str()));
  if (!folder) return errno;
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (const int error = visit(name, is_folder(path, *entry)); error != 0) return error;
  }
  return 0;
}

// Could a name below "relative/" begin with the prefix?
bool may_hold(std::string_view relative, std::string_view prefix) {
  const std::string below = std::string(relative) + "/";
  return below.starts_with(prefix) || prefix.starts_with(below);
}

}  // namespace

Listing list_names(const std::string& folder, std::string_view prefix) {
  Listing listing;
  std::vector<std::string> open{""};  // relative folders still to be looked at
  while (!open.empty()) {
    const std::string relative = std::move(open.back());
    open.pop_back();
    const std::string path = relative.empty() ? folder : fmt::format("{}/{}", folder, relative);
    const int error = for_each_entry(path, [&](std::string_view name, bool is_a_folder) {
      std::string full =
          relative.empty() ? std::string(name) : fmt::format("{}/{}", relative, name);
      if (is_a_folder) {
        if (may_hold(full, prefix)) open.push_back(std::move(full));
      } else if (full.starts_with(prefix) && !name.starts_with(k_temporary)) {
        ++listing.names;
        listing.bytes += full.size();
      }
      return 0;
    });
    // A folder below may vanish while others write and remove.
    if (error != 0 && relative.empty()) listing.error = error;
  }
  return listing;
}

Result<std::vector<std::string>> names_in(const std::string& folder, std::string_view prefix) {
  std::vector<std::string> names;
  const int error = for_each_entry(folder, [&](std::string_view name, bool) {
    if (name.starts_with(prefix)) names.emplace_back(name);
    return 0;
  });
  if (error != 0) return fail_errno(error, "cannot read the folder", folder);
  return names;
}

Result<target::ContentSummary> summary_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return fail_errno(errno, "cannot count", path);
  target::ContentSummary summary;
  const auto count_file = [&](const std::string& file) {
    if (::stat(file.c_str(), &status) != 0) return;
    ++summary.files;
    if (S_ISREG(status.st_mode)) summary.bytes += Bytes(static_cast<std::uint64_t>(status.st_size));
  };
  if (!S_ISDIR(status.st_mode)) {
    count_file(path);
    return summary;
  }
  std::vector<std::string> open{path};  // folders still to be looked at
  while (!open.empty()) {
    const std::string folder = std::move(open.back());
    open.pop_back();
    const int error = for_each_entry(folder, [&](std::string_view name, bool is_a_folder) {
      std::string full = fmt::format("{}/{}", folder, name);
      if (is_a_folder) {
        open.push_back(std::move(full));
      } else {
        count_file(full);
      }
      return 0;
    });
    if (error == ENOENT) continue;
    if (error != 0) return fail_errno(error, "cannot read the folder", folder);
    ++summary.folders;
  }
  return summary;
}

int remove_empty_tree(const std::string& folder) {
  const Listing listing = list_names(folder, "");
  if (listing.error != 0) return listing.error;
  if (listing.names > 0) return ENOTEMPTY;
  std::vector<std::string> folders{folder};  // parents before what they hold
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const std::string path = folders[i];
    const int error = for_each_entry(path, [&](std::string_view name, bool is_a_folder) {
      std::string full = path + "/" + std::string(name);
      if (is_a_folder) {
        folders.push_back(std::move(full));
        return 0;
      }
      if (!name.starts_with(k_temporary)) return ENOTEMPTY;
      return ::unlink(full.c_str()) == 0 ? 0 : errno;
    });
    if (error != 0) return error;
  }
  for (std::size_t i = folders.size(); i-- > 0;) {
    if (::rmdir(folders[i].c_str()) != 0 && errno != ENOENT) return errno;
  }
  return 0;
}

}  // namespace loadline::targets::posix
