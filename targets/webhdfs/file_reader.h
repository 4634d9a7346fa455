// Reads an open file: ranges by requests of their own, and from the second read in order on as one
// request to the file's end whose answer is taken as it is asked for. The DataNode that the first
// request was sent to serves them all, until it fails.
//
// Ownership: borrows the caller. Threads: belongs to one. Blocks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/units.h"
#include "targets/webhdfs/calls.h"
#include "targets/webhdfs/exchange.h"
#include "targets/webhdfs/location.h"

namespace loadline::targets::webhdfs {

class FileReader {
 public:
  FileReader(Caller& caller, std::string path, Bytes size);

  // Fills `into` from `offset` on; fewer only where the file ends. `got` counts what came.
  Reply read(Bytes offset, std::span<std::byte> into, std::size_t& got);
  // When the first bytes of the last read had come; unset where none came.
  Instant first_byte() const { return first_byte_; }

 private:
  Reply once(Bytes offset, std::span<std::byte> into, std::size_t& got);
  Reply open_at(Bytes offset, Bytes length);
  Reply locate();

  Caller& caller_;
  std::string path_;
  Bytes size_;
  std::optional<Location> location_;
  Exchange exchange_;
  std::string head_;
  bool streams_ = false;  // an answer is under way, `position_` being its next byte
  Bytes position_;
  Bytes answer_end_;
  Bytes next_;  // behind the last read
  Instant first_byte_;
};

}  // namespace loadline::targets::webhdfs
