// Objects as files: a container is a folder below the root, an object a file in it, and a "/" in an
// object's name makes folders. A write goes to the object's own name: readers may see a part of it
// where the file system lets them, and one that fails leaves nothing.
//
// Threads: one at a time, within a Frame.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "target/target.h"
#include "targets/hadoop/file_system.h"
#include "targets/hadoop/transfer.h"

namespace loadline::targets::hadoop {

// True for a relative path that stays below where it starts: no empty part, no "." or "..", no NUL.
bool is_safe_name(std::string_view name);

class ObjectFiles {
 public:
  // All outlive it.
  ObjectFiles(const Config& config, const FileSystem& files, Transfer& transfer, const Clock& clock)
      : config_(config), files_(files), transfer_(transfer), clock_(clock) {}

  // Operations that name a container.
  Called<void> perform(Calls& calls, const target::Op& op, target::Completion& completion);
  // The names directly in a folder that begin with `prefix`.
  Called<std::vector<std::string>> names(Calls& calls, std::string_view folder,
                                         std::string_view prefix);

 private:
  Called<void> read(Calls& calls, const target::Op& op, target::Completion& completion);
  Called<void> read_body(Calls& calls, jobject stream, const target::Op& op,
                         target::Completion& completion);
  Called<void> write(Calls& calls, const target::Op& op, FileSystem::Existing existing,
                     target::Completion& completion);
  Called<void> append(Calls& calls, const target::Op& op, target::Completion& completion);
  Called<void> open(Calls& calls, const target::Op& op);
  Called<void> rename(Calls& calls, const target::Op& op);
  Called<void> truncate(Calls& calls, const target::Op& op);
  Called<void> make_folder(Calls& calls, const target::Op& op);
  Called<void> write_body(Calls& calls, jobject stream, const target::Payload& payload,
                          target::Completion& completion);
  Called<void> remove_one(Calls& calls, std::string_view container, std::string_view object);
  Called<void> remove_many(Calls& calls, const target::Op& op, target::Completion& completion);
  Called<void> list(Calls& calls, const std::string& folder, const std::string& below,
                    std::string_view prefix, target::Completion& completion);
  Called<void> head_container(Calls& calls, std::string_view container);
  Called<void> create_container(Calls& calls, std::string_view container);
  Called<void> remove_tree(Calls& calls, const std::string& folder);
  std::string path_of(std::string_view container, std::string_view object = {}) const;

  const Config& config_;
  const FileSystem& files_;
  Transfer& transfer_;
  const Clock& clock_;
  std::vector<std::byte> buffer_;  // of reads whose bytes somebody wants
};

}  // namespace loadline::targets::hadoop
