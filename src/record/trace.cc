#include "record/trace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace loadline::record {
namespace {

constexpr std::string_view k_magic{"LLTRACE\0", 8};
constexpr std::uint32_t k_version = 1;
constexpr std::size_t k_head_bytes = 16;
constexpr std::size_t k_row_bytes = 56;
constexpr std::size_t k_read_bytes = 64 * 1024;
constexpr std::size_t k_name_max = 16 * 1024;
constexpr std::size_t k_files_max = 10'000'000;
constexpr unsigned k_last_kind = static_cast<unsigned>(TraceKind::close);

constexpr unsigned k_finished = 1;
constexpr unsigned k_measured = 2;
constexpr unsigned k_verifying = 4;
constexpr unsigned k_split = 8;

template <typename T>
void put(std::byte* to, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    to[i] = static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i));
  }
}

template <typename T>
T get(const std::byte* from) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<std::uint64_t>(from[i]) << (8 * i);
  }
  return static_cast<T>(value);
}

std::uint64_t ns_of(Duration d) {
  return d.ns() > 0 ? static_cast<std::uint64_t>(d.ns()) : std::uint64_t{0};
}

Duration duration_of(const std::byte* from) {
  const auto ns = get<std::uint64_t>(from);
  return Duration::nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(ns, INT64_MAX)));
}

void encode(const TraceRow& row, std::byte* to) {
  put(to, ns_of(row.at));
  put(to + 8, row.offset.count());
  put(to + 16, row.length.count());
  put(to + 24, ns_of(row.submission));
  put(to + 32, ns_of(row.completion));
  put(to + 40, ns_of(row.total));
  put(to + 48, row.file);
  put(to + 52, row.error);
  put(to + 54, static_cast<std::uint8_t>(row.kind));
  const unsigned flags = (row.finished ? k_finished : 0) | (row.measured ? k_measured : 0) |
                         (row.verifying ? k_verifying : 0) | (row.split ? k_split : 0);
  put(to + 55, static_cast<std::uint8_t>(flags));
}

void decode(const std::byte* from, TraceRow& row) {
  const unsigned flags = get<std::uint8_t>(from + 55);
  row = {.at = duration_of(from),
         .kind = static_cast<TraceKind>(get<std::uint8_t>(from + 54)),
         .finished = (flags & k_finished) != 0,
         .measured = (flags & k_measured) != 0,
         .verifying = (flags & k_verifying) != 0,
         .split = (flags & k_split) != 0,
         .error = get<std::uint16_t>(from + 52),
         .file = get<std::uint32_t>(from + 48),
         .offset = Bytes(get<std::uint64_t>(from + 8)),
         .length = Bytes(get<std::uint64_t>(from + 16)),
         .submission = duration_of(from + 24),
         .completion = duration_of(from + 32),
         .total = duration_of(from + 40)};
}

// True where nothing is lost by emptying the file.
Result<bool> is_ours_or_empty(int fd, const std::string& path) {
  struct stat facts{};
  if (fstat(fd, &facts) != 0) return fail_errno(errno, "cannot look at the trace", path);
  if (!S_ISREG(facts.st_mode)) return false;
  if (facts.st_size == 0) return true;
  std::array<char, k_magic.size()> head{};
  const ssize_t n = pread(fd, head.data(), head.size(), 0);
  return n == static_cast<ssize_t>(head.size()) &&
         std::string_view(head.data(), head.size()) == k_magic;
}

}  // namespace

TraceWriter::TraceWriter(UniqueFd fd, std::string name)
    : fd_(std::move(fd)),
      name_(std::move(name)),
      buffer_(std::make_unique<std::byte[]>(k_buffer_bytes)) {
  std::byte* head = room(k_head_bytes);
  std::memcpy(head, k_magic.data(), k_magic.size());
  put(head + 8, k_version);
  put(head + 12, static_cast<std::uint32_t>(k_row_bytes));
}

Result<TraceWriter> TraceWriter::create(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd) return fail_errno(errno, "cannot write the trace", path);
  const Result<bool> free = is_ours_or_empty(fd.get(), path);
  if (!free) return std::unexpected(free.error());
  if (!*free) {
    return fail(ErrorCode::bad_input,
                "is there and no trace: it is not overwritten; move it, or record elsewhere", path);
  }
  if (ftruncate(fd.get(), 0) != 0) return fail_errno(errno, "cannot empty the trace", path);
  return TraceWriter(std::move(fd), path);
}

Result<TraceWriter> TraceWriter::on(UniqueFd fd, std::string name) {
  CHECK(fd);
  return TraceWriter(std::move(fd), std::move(name));
}

std::byte* TraceWriter::room(std::size_t bytes) {
  if (used_ + bytes > k_buffer_bytes) flush();
  std::byte* at = buffer_.get() + used_;
  used_ += bytes;
  return at;
}

void TraceWriter::flush() {
  std::size_t done = 0;
  while (done < used_ && !failure_) {
    const ssize_t n = ::write(fd_.get(), buffer_.get() + done, used_ - done);
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (n == 0 || errno != EINTR) {
      failure_ = std::make_unique<Error>(
          fail_errno(n == 0 ? ENOSPC : errno, "the trace was not written whole", name_).error());
    }
  }
  used_ = 0;
  flushed_ = true;
}

void TraceWriter::add_file(std::string_view name, Duration at) {
  name = name.substr(0, k_name_max);
  append({.at = at, .kind = TraceKind::file, .length = Bytes(name.size())});
  // In whole rows, the rest of the last one zeros.
  while (!name.empty()) {
    const std::string_view part = name.substr(0, k_row_bytes);
    std::byte* to = room(k_row_bytes);
    std::memset(to, 0, k_row_bytes);
    std::memcpy(to, part.data(), part.size());
    name.remove_prefix(part.size());
  }
}

bool TraceWriter::make_room() {
  constexpr std::size_t k_rows = 4;
  if (used_ + k_rows * k_row_bytes <= k_buffer_bytes) return false;
  flush();
  return true;
}

bool TraceWriter::append(const TraceRow& row) {
  flushed_ = false;
  encode(row, room(k_row_bytes));
  return flushed_;
}

Result<void> TraceWriter::close() {
  flush();
  Result<void> closed = fd_.close();
  if (failure_) return std::unexpected(*failure_);
  if (!closed) closed.error().context = name_;
  return closed;
}

TraceReader::TraceReader(UniqueFd fd, std::string path)
    : fd_(std::move(fd)),
      path_(std::move(path)),
      buffer_(std::make_unique<std::byte[]>(k_read_bytes)) {}

Result<TraceReader> TraceReader::open(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return fail_errno(errno, "cannot read the trace", path);
  TraceReader reader(std::move(fd), path);
  const Result<const std::byte*> head = reader.take(k_head_bytes);
  if (!head) return std::unexpected(head.error());
  if (*head == nullptr || std::memcmp(*head, k_magic.data(), k_magic.size()) != 0) {
    return fail(ErrorCode::bad_input, "is no trace", path);
  }
  const auto version = get<std::uint32_t>(*head + 8);
  if (version != k_version || get<std::uint32_t>(*head + 12) != k_row_bytes) {
    return fail(ErrorCode::bad_input,
                "is a trace of version " + std::to_string(version) + "; this reads version " +
                    std::to_string(k_version),
                path);
  }
  return reader;
}

std::unexpected<Error> TraceReader::broken(const char* what) const {
  return fail(ErrorCode::bad_input, what, path_ + " at byte " + std::to_string(taken_));
}

Result<const std::byte*> TraceReader::take(std::size_t bytes) {
  if (end_ - begin_ < bytes) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    while (end_ < bytes) {
      const ssize_t n = ::read(fd_.get(), buffer_.get() + end_, k_read_bytes - end_);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return fail_errno(errno, "cannot read the trace", path_);
      if (n == 0) break;
      end_ += static_cast<std::size_t>(n);
    }
    if (end_ == 0) return nullptr;
    if (end_ < bytes) return broken("the trace ends in the middle of a row");
  }
  const std::byte* at = buffer_.get() + begin_;
  begin_ += bytes;
  taken_ += bytes;
  return at;
}

Result<void> TraceReader::read_name(std::uint64_t bytes) {
  if (bytes == 0 || bytes > k_name_max) return broken("a file's name has an impossible length");
  if (files_.size() >= k_files_max) return broken("there are too many files");
  std::string name;
  while (name.size() < bytes) {
    const Result<const std::byte*> part = take(k_row_bytes);
    if (!part) return std::unexpected(part.error());
    if (*part == nullptr) return broken("the trace ends in a file's name");
    const std::size_t n = std::min<std::size_t>(k_row_bytes, bytes - name.size());
    name.append(reinterpret_cast<const char*>(*part), n);
  }
  files_.push_back(std::move(name));
  return {};
}

Result<bool> TraceReader::next(TraceRow& row) {
  const Result<const std::byte*> at = take(k_row_bytes);
  if (!at) return std::unexpected(at.error());
  if (*at == nullptr) return false;
  if (get<std::uint8_t>(*at + 54) > k_last_kind) return broken("there is no such kind of row");
  decode(*at, row);
  if (row.kind == TraceKind::file) {
    if (auto named = read_name(row.length.count()); !named) return propagate(named);
    row.file = static_cast<std::uint32_t>(files_.size() - 1);
    return true;
  }
  if (row.file >= files_.size()) return broken("a row names a file that is not there");
  return true;
}

}  // namespace loadline::record
