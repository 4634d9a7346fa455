// The file that results are appended to (-resFile). It is opened before anything is touched, so
// that a run of an hour does not end in "permission denied".
//
// Ownership: a file that open() had to make and that nothing was written to goes away with it.
// Threads: belongs to one thread.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"

namespace loadline::dialects::testdfsio {

class ResultFile {
 public:
  // Error: io; the context is the option that named the file.
  static Result<ResultFile> open(std::string option, std::string path);
  ~ResultFile();
  ResultFile(ResultFile&&) noexcept = default;
  ResultFile& operator=(ResultFile&&) = delete;

  Result<void> append(std::string_view text);
  // In place of all that is there.
  Result<void> replace(std::string_view text);

 private:
  ResultFile() = default;

  std::string option_;
  std::string path_;
  UniqueFd fd_;
  bool remove_ = false;  // made by open(), still empty
};

}  // namespace loadline::dialects::testdfsio
