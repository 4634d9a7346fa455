// What a job does to whole files, each read or written once from end to end by one worker: the
// language of TestDFSIO and its sisters with nothing left to interpret. Workers take the next file
// of the list until it is empty, so files beyond the number of workers run in waves.
//
// A plain value. Sizes are bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace loadline::plan {

enum class StreamAction : std::uint8_t {
  write,          // made anew, whatever was there
  append,         // `size` more bytes
  read,           // from the start
  read_random,    // uniform offsets in the file, blocks as long as the buffer
  read_backward,  // the last block first; after the first block, that one again
  read_skip,      // from the start, `skip` bytes left out after each block
  truncate,       // to `size`
  put,            // a small file with the content given
  // The files of `folder` with this prefix and a number, with an empty prefix those that `puts`
  // names; then the folder, if it is empty. What is not there is no failure, what else is there
  // stays.
  remove,
};

// A small file, whole.
struct SmallFile {
  std::string name;
  std::string content;  // raw bytes, written as hex digits
  bool operator==(const SmallFile&) const = default;
};

enum class StreamFill : std::uint8_t { zero, pattern, random };

struct StreamIo {
  StreamAction action = StreamAction::write;
  std::string folder;       // path on the storage
  std::string prefix;       // a file is folder/prefix + number
  std::uint64_t files = 1;  // numbers 0 .. files - 1
  Bytes size;               // of each file
  Bytes buffer{1000000};    // moved by one call; above zero
  Bytes skip;
  StreamFill fill = StreamFill::zero;
  bool verify = false;            // reads: the data is what `fill` with this plan's seed wrote
  bool keep_going = false;        // a failed file does not end the job
  std::vector<SmallFile> puts{};  // put, remove: instead of prefix and number
  bool operator==(const StreamIo&) const = default;
};

std::string_view to_string(StreamAction action);
std::string_view to_string(StreamFill fill);

bool is_read(StreamAction action);
// Files that were not there before, if all goes well.
bool makes_files(StreamAction action);
// False for put and remove, which set the scene for the others.
bool moves_files(StreamAction action);

// The name in `folder` of the file with this number; where there are `puts`, of that one.
std::string file_name(const StreamIo& stream, std::uint64_t number);

}  // namespace loadline::plan
