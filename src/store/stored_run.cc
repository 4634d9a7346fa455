#include "store/stored_run.h"

#include <cerrno>
#include <fstream>
#include <utility>

#include "store/run_folder.h"
#include "store/tick_text.h"

namespace loadline::store {

StoredRun::StoredRun(std::filesystem::path archive, std::filesystem::path folder, std::string id,
                     plan::Plan plan, record::RunResult result)
    : archive_(std::move(archive)),
      folder_(std::move(folder)),
      id_(std::move(id)),
      plan_(std::move(plan)),
      result_(std::move(result)) {}

Result<void> StoredRun::for_each_tick(const std::function<void(const TickRow&)>& take) const {
  const std::filesystem::path path = folder_ / k_ticks_file;
  std::ifstream file(path);
  if (!file) return fail_errno(errno, "cannot open", path);
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    const Result<TickRow> row = from_line(line);
    if (row) {
      take(*row);
      continue;
    }
    // The last line without an end: its writer was killed over it, or is at it.
    if (file.eof()) return {};
    return fail(ErrorCode::io,
                "line " + std::to_string(number) + " is damaged: " + row.error().message(), path);
  }
  if (file.bad()) return fail_errno(errno, "cannot read", path);
  return {};
}

}  // namespace loadline::store
