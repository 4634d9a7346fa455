// Blocks as objects: every block of a "file" /BUCKET/NAME is an object NAME_OFFSET_LENGTH of its
// own, as fio's http engine has it. A write puts it, a read gets it, a trim removes it; a sync has
// nothing to do, since an object is kept once its write has ended.
//
// Ownership: owns the session that speaks S3; borrows the sizes. Threads: belongs to one worker.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "targets/s3/session.h"

namespace loadline::targets::s3 {

// Of the files of a target's jobs, by name.
using BlockSizes = std::map<std::string, Bytes, std::less<>>;

// "/BUCKET/NAME" in its parts; `name` is empty where the path has none.
struct BlockPath {
  std::string bucket;
  std::string name;
};
BlockPath split_block_path(std::string_view path);

class BlockSession final : public target::Session {
 public:
  BlockSession(std::unique_ptr<S3Session> session, BlockSizes sizes, std::uint32_t slots);

  target::Submitted submit(const target::Op& op) override;
  std::size_t reap(std::span<target::Completion> into, Instant deadline) override;
  void cancel() override;
  Result<target::OpenedObject> open_object(std::string_view name,
                                           const target::OpenMode& mode) override;
  Result<void> close_object(target::ObjectHandle handle) override;

 private:
  // What an operation under way needs to stay where it is.
  class Slot final : public target::BodySink {
   public:
    void consume(std::span<const std::byte> bytes) override;
    void restart() override { filled = 0; }

    std::string object;
    std::span<std::byte> memory;
    std::size_t filled = 0;
    std::uint64_t length = 0;
    target::OpKind kind = target::OpKind::read;
  };

  std::unique_ptr<S3Session> session_;
  BlockSizes sizes_;
  std::vector<BlockPath> open_;  // by handle
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> synced_;  // slots of syncs that wait to be reaped
};

}  // namespace loadline::targets::s3
