// A text file being written: buffered, errors kept until close().
//
// Threads: one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"

namespace loadline::dialects::cosbench {

class OutFile {
 public:
  // Makes the file, or empties it.
  explicit OutFile(const std::filesystem::path& path);

  void write(std::string_view text);
  // Writes what is buffered. The first error of all, if there was one.
  [[nodiscard]] Result<void> close();

 private:
  void flush();

  std::filesystem::path path_;
  UniqueFd fd_;
  std::string buffer_;
  Result<void> state_;
};

Result<void> write_file(const std::filesystem::path& path, std::string_view text);

// Appends lines to a file that several processes append to, under its lock, and writes `header`
// first where the file is new. All of the lines or none: after a failure the file is as it was.
Result<void> append_shared(const std::filesystem::path& path, std::string_view header,
                           std::string_view lines);

}  // namespace loadline::dialects::cosbench
