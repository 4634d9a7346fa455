// Every operation of one job in a file: what was issued, and how it ended. Written while the job
// runs and read for replays and for the logs of dialects, both in constant memory.
//
// The form is docs/format/trace.md: a head of 16 bytes, then rows of 56 bytes, little-endian.
//
// Ownership: each side owns its descriptor. Threads: each belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "base/units.h"

namespace loadline::record {

enum class TraceKind : std::uint8_t {
  read,
  write,
  trim,
  sync,
  sync_data,
  sync_range,
  file,   // names the next file: the first has index 0
  open,   // from here on the job uses the file
  close,  // and here it has done
};

struct TraceRow {
  Duration at;  // of issue, since the job began; not negative
  TraceKind kind = TraceKind::read;
  // Finished: how an operation that was issued before has ended. Rows of issue are in the order of
  // issue, finished ones in the order of ends.
  bool finished = false;
  bool measured = false;    // in the measured window
  bool verifying = false;   // a read of what was written
  bool split = false;       // `submission` and `completion` are known apart
  std::uint16_t error = 0;  // errno; zero: it went well
  std::uint32_t file = 0;
  Bytes offset;
  Bytes length;
  Duration submission;  // until the target had taken it; also in rows of issue
  Duration completion;  // from then to its end
  Duration total;
  bool operator==(const TraceRow&) const = default;
};

class TraceWriter {
 public:
  static constexpr std::size_t k_buffer_bytes = 256 * 1024;

  // Makes the file, or empties one that a TraceWriter has made. Error: io, or bad_input where the
  // file is something else, which is then left alone.
  static Result<TraceWriter> create(const std::string& path);
  // On an open, empty file; `name` is for messages.
  static Result<TraceWriter> on(UniqueFd fd, std::string name);

  void add_file(std::string_view name, Duration at);
  // Room for a few rows, so that append() does not write at a bad time. True where it wrote.
  bool make_room();
  // True where the buffer was full and went to the file, which takes its time.
  bool append(const TraceRow& row);
  // What became of the file so far; after a failure nothing more is written.
  bool failed() const { return failure_ != nullptr; }
  // Writes what is left. Error: the first that happened, with the file's name.
  Result<void> close();

 private:
  TraceWriter(UniqueFd fd, std::string name);
  std::byte* room(std::size_t bytes);
  void flush();

  UniqueFd fd_;
  std::string name_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t used_ = 0;
  bool flushed_ = false;
  std::unique_ptr<Error> failure_;  // null: none
};

class TraceReader {
 public:
  // Error: io, or bad_input where it is no trace or one of another version.
  static Result<TraceReader> open(const std::string& path);

  // The next row; false: there is none. Error: io, or bad_input with the place in the file.
  Result<bool> next(TraceRow& row);
  // Named so far.
  const std::vector<std::string>& files() const { return files_; }

 private:
  TraceReader(UniqueFd fd, std::string path);
  // So many bytes, valid until the next call; null at the end of the file.
  Result<const std::byte*> take(std::size_t bytes);
  Result<void> read_name(std::uint64_t bytes);
  std::unexpected<Error> broken(const char* what) const;

  UniqueFd fd_;
  std::string path_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t taken_ = 0;
  std::vector<std::string> files_;
};

}  // namespace loadline::record
