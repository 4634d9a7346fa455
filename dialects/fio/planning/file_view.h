// What making a plan may ask of the file system, as functions, so that tests give their own. Only
// looks; nothing that has a name is opened for writing or changed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/output_path.h"
#include "dialects/fio/planning/replay.h"

namespace loadline::dialects::fio {

enum class PathKind : std::uint8_t {
  missing,
  file,
  folder,
  device,
  broken_link,  // leads to nothing
  other,
};

Result<void> may_write_file(const std::string& path);
bool is_same_file(const std::string& a, const std::string& b);

struct FileView {
  // Follows links.
  std::function<PathKind(const std::string& path)> kind_of;
  // In bytes, of a file; 0 for everything else.
  std::function<std::uint64_t(const std::string& path)> size_of;
  // Every regular file below a folder, sorted by name.
  std::function<std::vector<std::string>(const std::string& folder)> files_below;
  // The processors of a NUMA node; empty where there is no such node.
  std::function<std::vector<std::uint32_t>(std::uint32_t node)> cpus_of_node;
  // Whether a path may be written without allow_mounted_write=1: everything but block devices.
  std::function<Result<void>(const std::string& path)> may_write = may_write_file;
  // Whether logs and the like may have this name.
  std::function<Result<void>(const std::string& path)> may_be_output = loadline::may_be_output;
  // Whether both names lead to one file, which need not be there yet.
  std::function<bool(const std::string& a, const std::string& b)> same_file = is_same_file;
  // Makes a trace of a recorded run: the one look that writes, a file without a name.
  std::function<Result<ReplayFacts>(const ReplayRequest& request)> replay = convert_iolog;
};

// The real ones.
FileView system_file_view();

}  // namespace loadline::dialects::fio
