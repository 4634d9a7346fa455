// The closed sets and small values that fio's options are made of, after parsing. No text is left
// to interpret here, except patterns and names that are data in themselves.
//
// Threads: plain values. Units: types of base/units.h; a bare number says its unit in its name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"

namespace loadline::dialects::fio {

// What one transfer does. Options of the form R,W,T have a value for each.
enum class Direction : std::uint8_t { read, write, trim };
inline constexpr std::array k_directions = {Direction::read, Direction::write, Direction::trim};

template <typename T>
struct PerDirection {
  T read{};
  T write{};
  T trim{};

  T& operator[](Direction d) {
    return d == Direction::read ? read : d == Direction::write ? write : trim;
  }
  const T& operator[](Direction d) const {
    return d == Direction::read ? read : d == Direction::write ? write : trim;
  }
  static PerDirection all(const T& value) { return {value, value, value}; }
  bool operator==(const PerDirection&) const = default;
};

// A region's size or start: bytes, whole percent of the file or device, or zones.
struct Size {
  enum class Unit : std::uint8_t { bytes, percent, zones };
  Unit unit = Unit::bytes;
  std::uint64_t amount = 0;
  bool operator==(const Size&) const = default;
};

// Low and high end, both included; equal where one value was given.
struct ByteRange {
  Bytes low;
  Bytes high;
  bool operator==(const ByteRange&) const = default;
};

struct DurationRange {
  Duration low;
  Duration high;
  bool operator==(const DurationRange&) const = default;
};

// One part of bssplit, or of cmdprio_bssplit: a size and its share. Shares that were left out are
// filled in: what remains of 100, evenly, the first ones taking the rest.
struct SizeShare {
  Bytes size;
  std::uint32_t percent = 0;
  bool operator==(const SizeShare&) const = default;
};

enum class Rw : std::uint8_t {
  read,
  write,
  trim,
  randread,
  randwrite,
  randtrim,
  readwrite,
  randrw,
  trimwrite,
  randtrimwrite,
};
enum class RwSequencer : std::uint8_t { sequential, identical };
enum class RandomGenerator : std::uint8_t { tausworthe, lfsr, tausworthe64 };
// `sequence` is the list form of newer versions.
enum class DistributionKind : std::uint8_t {
  uniform,
  zipf,
  pareto,
  normal,
  zoned,
  zoned_abs,
  sequence,
};
// One zone: `access_percent` of the operations go to `span` of the file (percent for zoned, bytes
// for zoned_abs).
struct DistributionZone {
  double access_percent = 0;
  Size span;
  bool operator==(const DistributionZone&) const = default;
};
struct Distribution {
  DistributionKind kind = DistributionKind::uniform;
  double parameter = 0;          // theta of zipf, h of pareto, deviation in percent of normal
  std::optional<double> centre;  // 0..1 of the file; none: the hash of the value decides
  std::vector<DistributionZone> zones;
  std::vector<std::uint64_t> sequence;
  bool operator==(const Distribution&) const = default;
};

// `other` is an engine that fio has and this program has not; its name says which.
enum class Engine : std::uint8_t {
  psync,
  sync,
  vsync,
  pvsync,
  pvsync2,
  libaio,
  io_uring,
  posixaio,
  mmap,
  splice,
  null,
  filecreate,
  filestat,
  filedelete,
  dircreate,
  dirstat,
  dirdelete,
  falloc,
  ftruncate,
  http,
  cpuio,
  exec,
  other,
};
enum class FileKind : std::uint8_t { unspecified, file, block, character };
enum class LockFile : std::uint8_t { none, exclusive, readwrite };
enum class FileServiceKind : std::uint8_t { random, roundrobin, sequential, zipf, pareto, normal };
struct FileService {
  FileServiceKind kind = FileServiceKind::roundrobin;
  std::uint64_t switch_after = 1;  // operations on one file before the next
  double parameter = 0;            // of zipf, pareto and normal
  bool operator==(const FileService&) const = default;
};
enum class Fallocate : std::uint8_t { none, native, posix, keep, truncate };
enum class Fadvise : std::uint8_t { none, by_pattern, random, sequential, noreuse };
enum class WriteHint : std::uint8_t { none, short_life, medium, long_life, extreme };
enum class SyncMode : std::uint8_t { none, sync, dsync };
enum class IoSubmitMode : std::uint8_t { inline_, offload };
enum class ZoneMode : std::uint8_t { none, strided, zbd };
enum class RateProcess : std::uint8_t { linear, poisson };
enum class ThinktimeBlocks : std::uint8_t { complete, issue };
enum class ClockSource : std::uint8_t { gettimeofday, clock_gettime, cpu };
enum class CpusPolicy : std::uint8_t { shared, split };
enum class ExitWhat : std::uint8_t { group, stonewall, all };
enum class LogValue : std::uint8_t { average, max, both };
enum class UnifiedReporting : std::uint8_t { none, mixed, both };
enum class DedupeMode : std::uint8_t { repeat, working_set };
enum class StatType : std::uint8_t { stat, lstat, statx };

struct Memory {
  enum class Kind : std::uint8_t { malloc, shm, shmhuge, mmap, mmapshared, mmaphuge, cudamalloc };
  Kind kind = Kind::malloc;
  std::string file;  // of mmap, mmapshared and mmaphuge; may be empty
  bool operator==(const Memory&) const = default;
};

enum class Verify : std::uint8_t {
  none,
  md5,
  crc64,
  crc32,
  crc32c,
  crc16,
  crc7,
  sha1,
  sha256,
  sha512,
  sha3_224,
  sha3_256,
  sha3_384,
  sha3_512,
  xxhash,
  pattern,
  pattern_hdr,
  null,
};

// A data pattern in bytes. Where `offsets` says so, eight bytes at that place of the pattern are
// the block's offset in little endian (%o).
struct Pattern {
  std::string bytes;
  std::vector<std::size_t> offsets;
  bool operator==(const Pattern&) const = default;
};

// sync_file_range(2) after every so many writes.
struct SyncFileRange {
  bool wait_before = false;
  bool write = false;
  bool wait_after = false;
  std::uint64_t every = 0;  // 0: never
  bool operator==(const SyncFileRange&) const = default;
};

struct SteadyState {
  enum class Value : std::uint8_t { iops, bandwidth, latency };
  Value value = Value::iops;
  bool slope = false;    // the slope of the values rather than their deviation from the mean
  bool percent = false;  // the limit is in percent of the mean
  double limit = 0;      // else in IOPS, bytes a second, or nanoseconds
  bool operator==(const SteadyState&) const = default;
};

// Which errors do not stop the job.
struct ContinueOnError {
  bool read = false;
  bool write = false;
  bool verify = false;
  bool operator==(const ContinueOnError&) const = default;
};

struct NumaMemory {
  enum class Mode : std::uint8_t { default_, prefer, bind, interleave, local };
  Mode mode = Mode::default_;
  std::vector<std::uint32_t> nodes;
  bool all = false;  // nodes of the machine
  bool operator==(const NumaMemory&) const = default;
};

// A log that may be named; an empty name means the job's own name.
struct LogFile {
  bool on = false;
  std::string name;
  bool operator==(const LogFile&) const = default;
};

}  // namespace loadline::dialects::fio
