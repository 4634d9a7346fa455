#include "plan/stream_io.h"

namespace loadline::plan {

std::string_view to_string(StreamAction action) {
  switch (action) {
    case StreamAction::write: return "write";
    case StreamAction::append: return "append";
    case StreamAction::read: return "read";
    case StreamAction::read_random: return "read_random";
    case StreamAction::read_backward: return "read_backward";
    case StreamAction::read_skip: return "read_skip";
    case StreamAction::truncate: return "truncate";
    case StreamAction::put: return "put";
    case StreamAction::remove: return "remove";
  }
  return "unknown";
}

std::string_view to_string(StreamFill fill) {
  switch (fill) {
    case StreamFill::zero: return "zero";
    case StreamFill::pattern: return "pattern";
    case StreamFill::random: return "random";
  }
  return "unknown";
}

bool is_read(StreamAction action) {
  switch (action) {
    case StreamAction::read:
    case StreamAction::read_random:
    case StreamAction::read_backward:
    case StreamAction::read_skip: return true;
    default: return false;
  }
}

bool makes_files(StreamAction action) {
  return action == StreamAction::write || action == StreamAction::put;
}

bool moves_files(StreamAction action) {
  return action != StreamAction::put && action != StreamAction::remove;
}

std::string file_name(const StreamIo& stream, std::uint64_t number) {
  if (number < stream.puts.size()) return stream.puts[number].name;
  return stream.prefix + std::to_string(number);
}

}  // namespace loadline::plan
