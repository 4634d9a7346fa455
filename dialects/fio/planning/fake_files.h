// A file system of named entries for the tests of this folder.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "dialects/fio/planning/file_view.h"
#include "dialects/fio/planning/to_plan.h"
#include "dialects/fio/testing.h"

namespace loadline::dialects::fio {

struct FakeFiles {
  std::map<std::string, std::uint64_t> files;  // sizes
  std::vector<std::string> folders;
  std::vector<std::string> devices;

  FileView view() const {
    const auto in = [](const std::vector<std::string>& all, const std::string& path) {
      return std::find(all.begin(), all.end(), path) != all.end();
    };
    FileView view;
    view.kind_of = [this, in](const std::string& path) {
      if (files.contains(path)) return PathKind::file;
      if (in(folders, path)) return PathKind::folder;
      return in(devices, path) ? PathKind::device : PathKind::missing;
    };
    view.may_write = [this, in](const std::string& path) -> Result<void> {
      if (!in(devices, path)) return {};
      return fail(ErrorCode::denied, "refusing to write: it is a raw device", path);
    };
    view.may_be_output = [](const std::string& path) -> Result<void> {
      if (!path.starts_with("/dev/") || path == "/dev/null") return {};
      return fail(ErrorCode::denied, "would be a new file under /dev", path);
    };
    view.same_file = [](const std::filesystem::path& a, const std::filesystem::path& b) {
      return a.lexically_normal() == b.lexically_normal();
    };
    view.size_of = [this](const std::string& path) {
      const auto found = files.find(path);
      return found == files.end() ? 0 : found->second;
    };
    view.files_below = [this](const std::string& folder) {
      std::vector<std::string> below;
      for (const auto& [path, size] : files) {
        if (path.starts_with(folder + "/")) below.push_back(path);
      }
      return below;
    };
    view.cpus_of_node = [](std::uint32_t node) {
      return node == 0 ? std::vector<std::uint32_t>{0, 1} : std::vector<std::uint32_t>{};
    };
    return view;
  }
};

inline PlannedFio plan_of(const ParsedFio& parsed, const FakeFiles& files = {}) {
  return to_plan(parsed, files.view(), {.name = "test"});
}

}  // namespace loadline::dialects::fio
