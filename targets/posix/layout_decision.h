// What has to be done before a job can use a file: a decision from facts, without touching
// anything. fio's rules of layout, but no data that this target did not make is ever lost.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "target/objects.h"

namespace loadline::targets::posix {

enum class FileKind : std::uint8_t {
  missing,
  regular,
  block_device,
  character_device,
  folder,
  broken_link,  // a symbolic link that leads to nothing
  other,        // a pipe, a socket
};

struct FileState {
  FileKind kind = FileKind::missing;
  std::uint64_t size = 0;
  bool made_here = false;  // by this target
  bool under_dev = false;  // lies in /dev
  std::string link_to{};   // of a broken link, as it says
};

enum class LayoutStep : std::uint8_t {
  use,       // as it is
  create,    // made, empty
  fill,      // bytes [from, to) are written
  allocate,  // grows to `to` without data
};

struct Layout {
  LayoutStep step = LayoutStep::use;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  bool create = false;  // the file is not there yet
};

// Error.os_error is what fio would have met.
Result<Layout> decide_layout(const FileState& state, const target::ObjectNeed& need);

// "8MiB (8388608 bytes)"
std::string size_words(std::uint64_t bytes);

}  // namespace loadline::targets::posix
