// Which storage a command means, and how the targets of Loadline are told: the one place that knows
// their parameters and how a path becomes the name of a folder.
//
// Errors: bad_input; the context is the option. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dialects/testdfsio/configuration.h"
#include "dialects/testdfsio/options.h"
#include "dialects/testdfsio/surroundings.h"
#include "plan/plan.h"

namespace loadline::dialects::testdfsio {

// hdfs://namenode:8020/benchmarks taken apart.
struct Location {
  std::string uri;   // "hdfs://namenode:8020", "file://"; empty: the default file system
  std::string path;  // absolute, no slash at its end but for the root itself
};

// A path or a URI. Refuses paths that are not absolute, and "..".
Result<Location> location_of(std::string_view option, std::string_view text);

struct Storage {
  plan::TargetSpec target;
  TargetKind kind = TargetKind::hadoop;
  std::vector<std::string> warnings;  // of settings that this storage does not take
};

// How the options and the configuration say that this place is reached.
struct StorageChoice {
  const GenericOptions* generic = nullptr;
  const OwnOptions* own = nullptr;
  const Configuration* configuration = nullptr;
  const Surroundings* world = nullptr;
  std::string storage_policy{};
};
Result<Storage> storage_at(const Location& place, const StorageChoice& choice);

// The name by which the target knows a folder: `path` is absolute.
std::string folder_name(std::string_view path);

}  // namespace loadline::dialects::testdfsio
