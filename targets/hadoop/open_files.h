// The files that one session has open, by handle: read at any place, written from the first byte to
// the last, as Hadoop's files are. Also the operations on plain paths.
//
// A read that goes on where the last one of its file ended is a read of the stream, which fetches
// ahead; any other is a positioned read, which does not. Both ask again until the block is full or
// the file ends, as a stream gives what it has at hand.
//
// Threads: one at a time, within a Frame.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "target/target.h"
#include "targets/hadoop/file_system.h"
#include "targets/hadoop/transfer.h"

namespace loadline::targets::hadoop {

class OpenFiles {
 public:
  // All outlive it.
  OpenFiles(const Config& config, const FileSystem& files, Transfer& transfer, const Clock& clock)
      : config_(config), files_(files), transfer_(transfer), clock_(clock) {}

  Result<target::OpenedObject> open(Calls& calls, std::string_view name,
                                    const target::OpenMode& mode);
  Result<void> close(Calls& calls, target::ObjectHandle handle);
  // What is still open; what was written is not asked about any more.
  void close_all(Calls& calls);

  // Operations by handle, and those by path, which name no container.
  Called<void> perform(Calls& calls, const target::Op& op, target::Completion& completion);

 private:
  struct File {
    std::string path;
    GlobalRef in;
    GlobalRef out;
    std::uint64_t size = 0;      // at its opening, and what this session has added since
    std::uint64_t position = 0;  // of the input stream
    std::uint64_t next = 0;      // where the last read ended
    bool any_order = false;      // written as a stream whatever the range says
    bool used = false;
  };

  Called<File> open_file(Calls& calls, std::string path, const target::OpenMode& mode);
  Called<void> open_for_writing(Calls& calls, const target::OpenMode& mode, File& file);
  Called<void> by_handle(Calls& calls, const target::Op& op, target::Completion& completion);
  Called<void> by_path(Calls& calls, const target::Op& op);
  Called<void> read(Calls& calls, File& file, const target::Op& op, target::Completion& completion);
  Called<void> write(Calls& calls, File& file, const target::Op& op,
                     target::Completion& completion);
  Called<void> sync(Calls& calls, File& file, bool to_disk);
  Called<void> truncate(Calls& calls, File& file, const target::Op& op);
  Called<void> remove_folder(Calls& calls, const std::string& path);

  const Config& config_;
  const FileSystem& files_;
  Transfer& transfer_;
  const Clock& clock_;
  std::vector<File> open_;
};

}  // namespace loadline::targets::hadoop
