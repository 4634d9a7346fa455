// Files of a job on blocks of which few are open at once.
#include <algorithm>
#include <cerrno>

#include "engine/block_worker.h"

namespace loadline::engine {

bool BlockWorker::few_open() const {
  return block_.open_files > 0 && block_.open_files < block_.files.size();
}

bool BlockWorker::in_flight_on(std::uint32_t file) const {
  return std::ranges::any_of(
      slots_, [&](const Slot& slot) { return slot.busy && slot.place.file == file; });
}

// Room for one more: of those that nothing is under way on, the first that is not in use. Where
// something is under way on each of them there is one more for a while.
bool BlockWorker::close_one() {
  const auto idle = [&](std::uint32_t file) { return !in_flight_on(file); };
  const auto over = [&](std::uint32_t file) { return idle(file) && !offsets_->in_use(file); };
  auto last = std::ranges::find_if(opened_, over);
  if (last == opened_.end()) last = std::ranges::find_if(opened_, idle);
  if (last == opened_.end()) return true;
  const std::uint32_t file = *last;
  opened_.erase(last);
  const auto closed = session_->close_object(handles_[file]);
  handles_[file] = target::k_no_object;
  if (closed) return true;
  fail_job(closed.error().os_error != 0 ? closed.error().os_error : EIO, "close",
           block_.files[file].path, closed.error().what);
  return false;
}

// False: the job has failed.
bool BlockWorker::keep_open(std::uint32_t file) {
  if (handles_[file] != target::k_no_object) return true;
  if (opened_.size() >= block_.open_files && !close_one()) return false;
  auto opened = session_->open_object(block_.files[file].path, open_mode_);
  if (!opened) {
    fail_job(opened.error().os_error != 0 ? opened.error().os_error : EIO, "open",
             block_.files[file].path, opened.error().what);
    return false;
  }
  handles_[file] = opened->handle;
  opened_.push_back(file);
  return true;
}

}  // namespace loadline::engine
