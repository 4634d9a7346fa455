// The data of a job on blocks: what its buffers hold, where they lie, and how what was written is
// verified and trimmed.
//
// Plain values. Sizes are bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.h"

namespace loadline::plan {

enum class BufferFill : std::uint8_t {
  scrambled,  // one buffer, a few words changed each time
  same,       // one buffer of random bytes, unchanged
  fresh,      // new random bytes each time
  zero,
  pattern,
};

struct BufferSpec {
  BufferFill fill = BufferFill::scrambled;
  std::string pattern;  // raw bytes, written as hex digits
  std::uint32_t compress_percent = 0;
  Bytes compress_chunk{512};
  std::uint32_t dedupe_percent = 0;
  // Repeats are of a fixed set, this share of all blocks; zero: of the block before.
  std::uint32_t dedupe_set_percent = 0;
  bool dedupe_global = false;  // one set for all jobs of the stage
  bool operator==(const BufferSpec&) const = default;
};

enum class Checksum : std::uint8_t {
  none,
  md5,
  crc64,
  crc32c,
  crc32,
  crc16,
  crc7,
  xxhash,
  sha1,
  sha256,
  sha512,
  sha3_224,
  sha3_256,
  sha3_384,
  sha3_512,
  pattern,      // the data is the pattern, no header
  pattern_hdr,  // pattern behind a header
  null,         // nothing is checked
};

struct VerifySpec {
  Checksum checksum = Checksum::none;
  bool read_back = true;  // after the writes
  bool only = false;      // no writes: the data of an earlier run of the same job
  bool fatal = false;     // the first mismatch ends the job
  bool dump = false;
  Bytes interval;                   // a header every so many bytes; zero: every block
  std::uint64_t backlog = 0;        // verify after so many writes; zero: at the end
  std::uint64_t backlog_batch = 0;  // so many of them; zero: all
  bool check_sequence = true;
  bool check_seed = true;
  std::string pattern;        // raw bytes as hex digits; "%o" stands for the offset
  Bytes header_offset;        // of the header in its interval
  std::string state_load;     // a file that says how far an earlier run came; empty: all of it
  std::string state_save;     // the same of this run, for a later one; empty: not kept
  std::uint32_t threads = 0;  // that compare what was read; zero: the job's own
  bool operator==(const VerifySpec&) const = default;
};

// Blocks that were written are trimmed now and then.
struct TrimRule {
  std::uint32_t percent = 0;  // of the written blocks
  std::uint64_t backlog = 0;  // trim after so many writes
  std::uint64_t batch = 0;    // so many of them; zero: all
  bool expect_zero = true;    // what was trimmed reads back as zeros
  bool operator==(const TrimRule&) const = default;
};

// The memory that operations use.
enum class MemoryKind : std::uint8_t { anonymous, huge_pages, file };
enum class MemoryPlace : std::uint8_t { local, prefer, bind, interleave };

struct MemorySpec {
  MemoryKind kind = MemoryKind::anonymous;
  std::string file;  // of kind file: a file that is mapped, e.g. on a hugetlbfs
  bool shared = false;
  Bytes align;  // zero: the page
  Bytes huge_page{2U << 20U};
  Bytes locked;  // so much memory is kept from the system first
  MemoryPlace place = MemoryPlace::local;
  std::string nodes;  // "0,2-3", of NUMA
  bool operator==(const MemorySpec&) const = default;
};

std::string_view to_string(BufferFill fill);
std::string_view to_string(Checksum checksum);
std::string_view to_string(MemoryKind kind);
std::string_view to_string(MemoryPlace place);

}  // namespace loadline::plan
