// Writes a file from its first byte to its last, or behind what it has: one request whose body
// grows with each piece (chunked), and whose answer is waited for at the end.
//
// A piece counts as written once the kernel has taken it; whether HDFS has, finish() tells. There
// is no hflush over HTTP.
//
// Ownership: borrows the caller. Threads: belongs to one. Blocks.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/units.h"
#include "targets/webhdfs/calls.h"
#include "targets/webhdfs/exchange.h"
#include "targets/webhdfs/location.h"

namespace loadline::targets::webhdfs {

enum class WriteMode : std::uint8_t { create, append };

class FileWriter {
 public:
  FileWriter(Caller& caller, std::string path, WriteMode mode, bool overwrite);

  // Both steps, up to the head of the second. Where attempts are allowed, an append begins with one
  // of nothing: whether the file's lease is free shows before data is under way.
  Reply begin();
  Reply write(std::span<const std::byte> piece);
  // The end of the data, and HDFS's answer to all of it.
  Reply finish();

  Bytes position() const { return position_; }  // bytes written by this writer

 private:
  Reply begin_once(BodyForm form);
  Reply append_nothing();
  Reply judge_answer(net::HttpFailure failure);

  Caller& caller_;
  std::string path_;
  WriteMode mode_;
  bool overwrite_;
  Exchange exchange_;
  std::string head_;
  Bytes position_;
  Reply failed_;  // the first failure: nothing goes out after it
};

}  // namespace loadline::targets::webhdfs
