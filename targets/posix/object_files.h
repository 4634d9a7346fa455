// Objects as files: a container is a folder below the root, an object a file in it, and a "/" in an
// object's name makes folders. Every operation is done when perform() returns.
//
// A write goes to a temporary name in the object's own folder and is renamed: as on an object
// store, a reader never sees half an object, and an interrupted run leaves the old one. What such a
// run leaves behind begins with k_temporary; it is no object, and goes with its container. Not so a
// create and an append, which are there to be measured as the file system does them.
//
// Threads: one, the session's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "target/target.h"
#include "targets/posix/config.h"

namespace loadline::targets::posix {

inline constexpr std::string_view k_temporary = ".loadline-";

// True for a relative path that stays below where it starts: no empty part, no "." or "..", no NUL.
bool is_safe_name(std::string_view name);

// The path of a file or a folder of streams: below the root, where there is one. Error: it is no
// name below it.
Result<std::string> stream_path(const Config& config, std::string_view name);

class ObjectFiles {
 public:
  // The config outlives it.
  ObjectFiles(const Config& config, const target::WorkerContext& context);

  // Operations that name a container.
  void perform(const target::Op& op, target::Completion& completion);
  // Session::list_names().
  Result<std::vector<std::string>> names(std::string_view container, std::string_view prefix) const;

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };

  int read(const target::Op& op, target::Completion& completion);
  int write(const target::Op& op, target::Completion& completion);
  int create(const target::Op& op, target::Completion& completion);
  int append(const target::Op& op, target::Completion& completion);
  int open(const target::Op& op);
  int rename(const target::Op& op);
  int truncate(const target::Op& op);
  int make_folder(const target::Op& op);
  int write_body(int fd, const target::Payload& payload, std::uint64_t& written);
  int write_direct(int fd, const target::Payload& payload, std::uint64_t& written);
  int remove_many(const target::Op& op, target::Completion& completion);
  int remove_one(std::string_view container, std::string_view object);
  int list(const target::Op& op, target::Completion& completion);
  int head(const target::Op& op);
  int head_container(std::string_view container);
  int remove_container(std::string_view container);
  UniqueFd create_temporary(std::string_view container, std::string_view object, int& error);
  int make_folders(std::string_view container, std::string_view object);
  const std::string& path_of(std::string_view container, std::string_view object = {});
  std::byte* buffer();

  const Config& config_;
  const Clock& clock_;
  std::uint64_t tag_;  // tells temporary names of different sessions apart
  std::uint64_t next_temporary_ = 0;
  std::string path_;
  std::string temporary_;
  std::string new_path_;
  std::unique_ptr<std::byte[], Free> buffer_;
};

}  // namespace loadline::targets::posix
