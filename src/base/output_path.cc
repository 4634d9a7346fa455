#include "base/output_path.h"

#include <sys/stat.h>

#include "base/mounts.h"

namespace loadline {

Result<void> may_be_output(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISBLK(status.st_mode)) return {};
    return fail(ErrorCode::denied,
                "is a block device, and output would destroy what is on it: name a file", path);
  }
  if (!lies_under_dev(path)) return {};
  return fail(ErrorCode::denied,
              "would be a new file under /dev, where none is made: name a folder for files, e.g. "
              "/tmp or /dev/shm",
              path);
}

}  // namespace loadline
