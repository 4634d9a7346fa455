// Files of an archive, written so that a full disk or a crash leaves a whole file or none.
//
// Threads: a value belongs to one thread. Errors name the file in Error.context.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"
#include "base/units.h"

namespace loadline::store {

// Beside the file first, then renamed over it; on disk when it returns.
Result<void> write_file(const std::filesystem::path& path, std::string_view text);
// not_found where it is missing; refuses what is larger than `most`.
Result<std::string> read_file(const std::filesystem::path& path, Bytes most);

// A text file that only grows.
class AppendFile {
 public:
  static Result<AppendFile> create(const std::filesystem::path& path);

  // All of `text`, or nothing: what a full disk let in is cut off again.
  Result<void> append(std::string_view text);
  // What was appended is on disk when it returns.
  Result<void> sync();
  // Marks the file as being written, for the life of this object: see is_being_written().
  Result<void> lock();

 private:
  AppendFile(std::filesystem::path path, UniqueFd fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}

  std::filesystem::path path_;
  UniqueFd fd_;
  std::size_t length_ = 0;
};

// Whether some process holds the lock of AppendFile::lock(). The kernel gives it back when that
// process ends, however it ends, so this needs no process number and also works between containers.
bool is_being_written(const std::filesystem::path& path);

// Waits for the lock of a whole file. The descriptor holds it.
Result<void> lock_exclusively(const UniqueFd& fd, const std::filesystem::path& path);

}  // namespace loadline::store
