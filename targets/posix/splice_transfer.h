// Blocks through a pipe: splice(2) between file and pipe, vmsplice(2) and read(2) between pipe and
// memory. fio's `splice`. The pipe carries a piece at a time.
//
// Ownership: owns its pipe. Threads: one.
#pragma once

#include "base/unique_fd.h"
#include "targets/posix/transfers.h"

namespace loadline::targets::posix {

class SpliceTransfer {
 public:
  explicit SpliceTransfer(const Config&) {}
  std::int64_t read(OpenFile& file, const Block& block);
  std::int64_t write(OpenFile& file, const Block& block);

 private:
  // Zero, or errno. Also after an error, since what is left in a pipe belongs to nobody.
  int renew();
  std::int64_t read_piece(OpenFile& file, const Block& block);
  std::int64_t write_piece(OpenFile& file, const Block& block);
  template <typename Piece>
  std::int64_t in_pieces(const Block& block, const Piece& piece);

  UniqueFd out_of_;  // ends of the pipe
  UniqueFd into_;
  std::uint64_t capacity_ = 0;
};

}  // namespace loadline::targets::posix
