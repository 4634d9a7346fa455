// The files that one session has open for block I/O, by handle, and every operation on them that is
// not a read or a write of a block; also the operations on plain paths.
//
// Threads: one, the session's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "target/target.h"
#include "targets/posix/config.h"
#include "targets/posix/ledger.h"
#include "targets/posix/thread_reads.h"

namespace loadline::targets::posix {

// A file mapped into memory; unmapped at the end of its life.
class Mapping {
 public:
  Mapping() = default;
  Mapping(Mapping&& o) noexcept
      : begin_(std::exchange(o.begin_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  Mapping& operator=(Mapping&& o) noexcept {
    std::swap(begin_, o.begin_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~Mapping();
  static Result<Mapping> of(int fd, std::uint64_t size, bool writable, const std::string& path);

  std::byte* begin() const { return begin_; }
  std::uint64_t size() const { return size_; }

 private:
  std::byte* begin_ = nullptr;
  std::uint64_t size_ = 0;
};

struct OpenFile {
  UniqueFd fd;
  std::uint64_t size = 0;      // at its opening, and what this session has added since
  std::uint64_t position = 0;  // where read(2) and write(2) would go on
  bool is_device = false;
  bool writable = false;
  Mapping mapping;   // of the mmap engine
  std::string path;  // as it was named
};

class FileSet {
 public:
  // Both outlive it.
  FileSet(const Config& config, Ledger& ledger, std::uint32_t job)
      : config_(config), ledger_(ledger), job_(job) {}
  ~FileSet();
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;

  Result<target::OpenedObject> open(std::string_view name, const target::OpenMode& mode);
  Result<void> close(target::ObjectHandle handle);
  OpenFile& operator[](target::ObjectHandle handle) {
    return files_[static_cast<std::size_t>(handle)];
  }
  // Handles are below this.
  std::size_t capacity() const { return files_.size(); }

  // Everything but reads and writes by handle; blocks.
  void perform(const target::Op& op, target::Completion& completion);
  // The true end of a read or write by handle whose system call gave `moved` bytes or, below zero,
  // an errno: what is missing of a short one is asked for again, and what should be there and is
  // not makes it a short_transfer.
  void settle(const target::Op& op, std::int64_t moved, target::Completion& completion);

 private:
  Result<OpenFile> open_file(std::string path, const target::OpenMode& mode);
  Result<void> prepare(OpenFile& file) const;
  void perform_by_handle(const target::Op& op, target::Completion& completion);
  void perform_by_path(const target::Op& op, target::Completion& completion);
  int trim(const OpenFile& file, const target::ByteRange& range) const;

  const Config& config_;
  Ledger& ledger_;
  std::uint32_t job_;  // in whose account the reads are kept
  std::vector<OpenFile> files_;
  std::vector<std::uint32_t> free_;
  std::uint32_t open_ = 0;
  ThreadReads reads_;
};

}  // namespace loadline::targets::posix
