#include "plan/block_io.h"

namespace loadline::plan {

std::string_view to_string(Direction direction) {
  switch (direction) {
    case Direction::read: return "read";
    case Direction::write: return "write";
    case Direction::trim: return "trim";
  }
  return "unknown";
}

std::string_view to_string(FileOrder order) {
  switch (order) {
    case FileOrder::round_robin: return "round_robin";
    case FileOrder::random: return "random";
    case FileOrder::sequential: return "sequential";
    case FileOrder::zipf: return "zipf";
    case FileOrder::pareto: return "pareto";
    case FileOrder::normal: return "normal";
  }
  return "unknown";
}

std::string_view to_string(Placement placement) {
  switch (placement) {
    case Placement::sequential: return "sequential";
    case Placement::random: return "random";
    case Placement::zipf: return "zipf";
    case Placement::pareto: return "pareto";
    case Placement::normal: return "normal";
    case Placement::zoned: return "zoned";
    case Placement::zoned_abs: return "zoned_abs";
    case Placement::listed: return "listed";
  }
  return "unknown";
}

std::string_view to_string(Sequencing sequencing) {
  switch (sequencing) {
    case Sequencing::none: return "none";
    case Sequencing::runs: return "runs";
    case Sequencing::identical: return "identical";
    case Sequencing::stride: return "stride";
  }
  return "unknown";
}

std::string_view to_string(SyncKind kind) {
  switch (kind) {
    case SyncKind::fsync: return "fsync";
    case SyncKind::fdatasync: return "fdatasync";
    case SyncKind::range: return "range";
  }
  return "unknown";
}

std::string_view to_string(BufferFill fill) {
  switch (fill) {
    case BufferFill::scrambled: return "scrambled";
    case BufferFill::same: return "same";
    case BufferFill::fresh: return "fresh";
    case BufferFill::zero: return "zero";
    case BufferFill::pattern: return "pattern";
  }
  return "unknown";
}

std::string_view to_string(Checksum checksum) {
  switch (checksum) {
    case Checksum::none: return "none";
    case Checksum::md5: return "md5";
    case Checksum::crc64: return "crc64";
    case Checksum::crc32c: return "crc32c";
    case Checksum::crc32: return "crc32";
    case Checksum::crc16: return "crc16";
    case Checksum::crc7: return "crc7";
    case Checksum::xxhash: return "xxhash";
    case Checksum::sha1: return "sha1";
    case Checksum::sha256: return "sha256";
    case Checksum::sha512: return "sha512";
    case Checksum::sha3_224: return "sha3_224";
    case Checksum::sha3_256: return "sha3_256";
    case Checksum::sha3_384: return "sha3_384";
    case Checksum::sha3_512: return "sha3_512";
    case Checksum::pattern: return "pattern";
    case Checksum::pattern_hdr: return "pattern_hdr";
    case Checksum::null: return "null";
  }
  return "unknown";
}

std::string_view to_string(SteadyRule::Of of) {
  switch (of) {
    case SteadyRule::Of::iops: return "iops";
    case SteadyRule::Of::bandwidth: return "bandwidth";
    case SteadyRule::Of::latency: return "latency";
  }
  return "unknown";
}

std::string_view to_string(MemoryKind value) {
  switch (value) {
    case MemoryKind::anonymous: return "anonymous";
    case MemoryKind::huge_pages: return "huge_pages";
    case MemoryKind::file: return "file";
  }
  return "unknown";
}

std::string_view to_string(MemoryPlace value) {
  switch (value) {
    case MemoryPlace::local: return "local";
    case MemoryPlace::prefer: return "prefer";
    case MemoryPlace::bind: return "bind";
    case MemoryPlace::interleave: return "interleave";
  }
  return "unknown";
}

std::string_view to_string(EndScope value) {
  switch (value) {
    case EndScope::self: return "self";
    case EndScope::group: return "group";
    case EndScope::stage: return "stage";
    case EndScope::run: return "run";
  }
  return "unknown";
}

std::string_view to_string(FileAction action) {
  switch (action) {
    case FileAction::data: return "data";
    case FileAction::create: return "create";
    case FileAction::stat: return "stat";
    case FileAction::remove: return "remove";
    case FileAction::make_directory: return "make_directory";
    case FileAction::stat_directory: return "stat_directory";
    case FileAction::remove_directory: return "remove_directory";
    case FileAction::allocate: return "allocate";
    case FileAction::truncate: return "truncate";
  }
  return "unknown";
}

}  // namespace loadline::plan
