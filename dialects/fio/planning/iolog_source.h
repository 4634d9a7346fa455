// The bytes of a recorded run, as lines or as they are, in constant memory.
//
// Ownership: owns its descriptor. Threads: belongs to one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"

namespace loadline::dialects::fio {

// Errors are io, or bad_input for a line without an end in sight.
class IologSource {
 public:
  // "-" is standard input.
  static Result<IologSource> open(const std::string& path);

  // What comes next, at most so many bytes; fewer at the end alone. Stays to be read.
  Result<std::string_view> peek(std::size_t bytes);
  // The next bytes, all of them, valid until the next call; empty at the end.
  Result<std::string_view> take(std::size_t bytes);
  // The next line without its end; false: there is none.
  Result<bool> next(std::string_view& line);

 private:
  IologSource(UniqueFd fd, std::string path);
  Result<void> fill();

  UniqueFd fd_;
  std::string path_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool over_ = false;
};

}  // namespace loadline::dialects::fio
