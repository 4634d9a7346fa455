// Block I/O on files of HDFS, in order and waited for, beside the session for whole objects: a file
// that is written is one request, so blocks go out from the first byte to the last; reads may be
// anywhere. Operations by handle end inside submit().
//
// Ownership: owns the session for objects; borrows what the target keeps. Threads: belongs to one
// worker. Blocks, each wait for a server no longer than the target's time-outs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "target/target.h"
#include "targets/webhdfs/calls.h"
#include "targets/webhdfs/file_reader.h"
#include "targets/webhdfs/file_writer.h"
#include "targets/webhdfs/object_session.h"

namespace loadline::targets::webhdfs {

class BlockSession final : public target::Session {
 public:
  BlockSession(std::unique_ptr<ObjectSession> objects, const Config& config, Hosts& hosts,
               const target::WorkerContext& context);

  target::Submitted submit(const target::Op& op) override;
  std::size_t reap(std::span<target::Completion> into, Instant deadline) override;
  void cancel() override { objects_->cancel(); }

  Result<target::OpenedObject> open_object(std::string_view name,
                                           const target::OpenMode& mode) override;
  Result<void> close_object(target::ObjectHandle handle) override;
  Result<std::vector<std::string>> list_names(std::string_view container,
                                              std::string_view prefix) override;

 private:
  struct OpenFile {
    std::string path;
    target::OpenMode mode;
    Bytes size;
    bool missing = false;  // to be made by the first write, or by closing
    std::unique_ptr<FileReader> reader;
    std::unique_ptr<FileWriter> writer;
  };
  struct Ready {
    target::Completion completion;
    std::string detail;
  };

  Result<void> find(OpenFile& file);
  Result<void> begin_writing(OpenFile& file, WriteMode mode);
  Reply perform(OpenFile& file, const target::Op& op, Bytes& moved);
  Reply read(OpenFile& file, const target::Op& op, Bytes& moved);
  Reply write(OpenFile& file, const target::Op& op, Bytes& moved);
  Reply truncate(OpenFile& file, Bytes size);
  Reply wait_for_size(const OpenFile& file, Bytes size);

  std::unique_ptr<ObjectSession> objects_;
  const Config& config_;
  const Clock& clock_;
  bool waits_;
  Caller caller_;
  std::vector<std::unique_ptr<OpenFile>> open_;  // by handle
  std::vector<std::uint32_t> free_;
  std::vector<Ready> ready_;
  std::vector<Ready> reaped_;  // whose details are still looked at
};

}  // namespace loadline::targets::webhdfs
