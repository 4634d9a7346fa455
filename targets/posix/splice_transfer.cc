#include "targets/posix/splice_transfer.h"

#include <fcntl.h>

#include <array>

namespace loadline::targets::posix {
namespace {

constexpr int k_capacity_wanted = 1 << 20;  // what a user may ask for without privileges
constexpr std::uint64_t k_capacity_usual = 65536;

}  // namespace

int SpliceTransfer::renew() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  out_of_ = UniqueFd(ends[0]);
  into_ = UniqueFd(ends[1]);
  const int capacity = ::fcntl(into_.get(), F_SETPIPE_SZ, k_capacity_wanted);
  capacity_ = capacity > 0 ? static_cast<std::uint64_t>(capacity) : k_capacity_usual;
  return 0;
}

template <typename Piece>
std::int64_t SpliceTransfer::in_pieces(const Block& block, const Piece& piece) {
  std::uint64_t done = 0;
  while (done < block.length) {
    if (!into_) {
      if (const int error = renew(); error != 0) return -error;
    }
    const std::int64_t n = piece(
        Block{block.memory + done, block.offset + done, std::min(block.length - done, capacity_)});
    if (n < 0) {
      into_.reset();
      return done > 0 ? static_cast<std::int64_t>(done) : n;
    }
    if (n == 0) break;
    done += static_cast<std::uint64_t>(n);
  }
  return static_cast<std::int64_t>(done);
}

std::int64_t SpliceTransfer::read(OpenFile& file, const Block& block) {
  return in_pieces(block, [&](const Block& piece) { return read_piece(file, piece); });
}

std::int64_t SpliceTransfer::write(OpenFile& file, const Block& block) {
  return in_pieces(block, [&](const Block& piece) { return write_piece(file, piece); });
}

std::int64_t SpliceTransfer::read_piece(OpenFile& file, const Block& block) {
  auto offset = static_cast<off_t>(block.offset);
  const std::int64_t spliced =
      or_errno(::splice(file.fd.get(), &offset, into_.get(), nullptr, block.length, 0));
  std::int64_t taken = 0;
  while (taken < spliced) {
    const std::int64_t n = or_errno(
        ::read(out_of_.get(), block.memory + taken, static_cast<std::size_t>(spliced - taken)));
    if (n <= 0) return n < 0 ? n : -EIO;
    taken += n;
  }
  return spliced;
}

std::int64_t SpliceTransfer::write_piece(OpenFile& file, const Block& block) {
  const iovec memory{block.memory, block.length};
  const std::int64_t lent = or_errno(::vmsplice(into_.get(), &memory, 1, 0));
  auto offset = static_cast<off_t>(block.offset);
  std::int64_t taken = 0;
  while (taken < lent) {
    const std::int64_t n = or_errno(::splice(out_of_.get(), nullptr, file.fd.get(), &offset,
                                             static_cast<std::size_t>(lent - taken), 0));
    if (n <= 0) return n < 0 ? n : -EIO;
    taken += n;
  }
  return lent;
}

}  // namespace loadline::targets::posix
