#include "dialects/fio/planning/replay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>

#include "base/unique_fd.h"
#include "dialects/fio/iolog.h"
#include "record/trace.h"

namespace loadline::dialects::fio {
namespace {

constexpr std::size_t k_read_bytes = 64 * 1024;
// The first bytes of blktrace's binary files, of either byte order (linux/blktrace_api.h).
constexpr std::string_view k_blktrace{"\x07\x74\x61\x65", 4};
constexpr std::string_view k_blktrace_other{"\x65\x61\x74\x07", 4};

static_assert(k_read_bytes > IologParser::k_line_max);

// Lines of a file of any length.
class Lines {
 public:
  static Result<Lines> open(const std::string& path) {
    UniqueFd fd(path == "-" ? dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return fail_errno(errno, "read_iolog cannot be read", path);
    return Lines(std::move(fd), path);
  }

  // The next line; false: there is none.
  Result<bool> next(std::string_view& line) {
    while (true) {
      const char* begin = buffer_.get() + begin_;
      const auto* end = static_cast<const char*>(std::memchr(begin, '\n', end_ - begin_));
      if (end != nullptr || (over_ && begin_ < end_)) {
        const std::size_t length =
            end != nullptr ? static_cast<std::size_t>(end - begin) : end_ - begin_;
        line = {begin, length};
        begin_ += std::min(length + 1, end_ - begin_);
        return true;
      }
      if (over_) return false;
      if (end_ - begin_ > IologParser::k_line_max) {
        return fail(ErrorCode::bad_input, "holds a line that is no line of an iolog", path_);
      }
      if (auto more = fill(); !more) return propagate(more);
    }
  }
  // What the file begins with, before the first next().
  Result<std::string_view> first_bytes() {
    if (auto more = fill(); !more) return propagate(more);
    return std::string_view(buffer_.get(), end_);
  }

 private:
  Lines(UniqueFd fd, std::string path)
      : fd_(std::move(fd)),
        path_(std::move(path)),
        buffer_(std::make_unique<char[]>(k_read_bytes)) {}

  Result<void> fill() {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    ssize_t n = -1;
    do {
      n = ::read(fd_.get(), buffer_.get() + end_, k_read_bytes - end_);
    } while (n < 0 && errno == EINTR);
    if (n < 0) return fail_errno(errno, "read_iolog cannot be read", path_);
    over_ = n == 0;
    end_ += static_cast<std::size_t>(n);
    return {};
  }

  UniqueFd fd_;
  std::string path_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool over_ = false;
};

Result<UniqueFd> nameless_file() {
  std::error_code failed;
  std::string name = std::filesystem::temp_directory_path(failed) / "loadline-replay-XXXXXX";
  if (failed) return fail(ErrorCode::io, "there is no folder for temporary files", "TMPDIR");
  UniqueFd fd(mkostemp(name.data(), O_CLOEXEC));
  if (!fd) return fail_errno(errno, "a replay needs a temporary file (in TMPDIR)", name);
  if (unlink(name.c_str()) != 0) return fail_errno(errno, "cannot remove", name);
  return fd;
}

class Conversion {
 public:
  Conversion(const ReplayRequest& request, record::TraceWriter& trace)
      : request_(request), trace_(trace), parser_(request.iolog == "-" ? "stdin" : request.iolog) {
    if (request_.redirect.empty()) return;
    facts_.files.push_back(request_.redirect);
    trace_.add_file(request_.redirect, {});
  }

  Result<void> add(std::string_view line) {
    const auto entry = parser_.parse(line);
    if (!entry) return std::unexpected(entry.error());
    if (!*entry) return {};
    return put(**entry);
  }

  Result<ReplayFacts> finish() {
    if (!parser_.began()) return fail(ErrorCode::bad_input, "read_iolog is empty", request_.iolog);
    if (facts_.operations == 0) {
      return fail(ErrorCode::bad_input, "read_iolog holds no operation to repeat", request_.iolog);
    }
    return std::move(facts_);
  }

 private:
  Result<void> put(const IologEntry& entry) {
    if (entry.action == IologAction::add) {
      add_file(entry);
      return {};
    }
    const auto known = numbers_.find(entry.file);
    if (known == numbers_.end()) {
      return parser_.wrong(fmt::format("{} was not added before", entry.file));
    }
    if (entry.action == IologAction::open || entry.action == IologAction::close) return {};
    record::TraceRow row{.at = entry.at, .file = known->second};
    if (entry.action >= IologAction::sync) {
      if (request_.skip_sync) return {};
      row.kind = entry.action == IologAction::sync ? record::TraceKind::sync
                                                   : record::TraceKind::sync_data;
    } else {
      const auto direction =
          static_cast<std::size_t>(entry.action) - static_cast<std::size_t>(IologAction::read);
      if (request_.skip[direction]) return {};
      row.kind = static_cast<record::TraceKind>(direction);
      row.offset = Bytes(place_of(entry.offset));
      row.length = Bytes(entry.length);
      note(direction, entry.length);
    }
    ++facts_.operations;
    trace_.append(row);
    return {};
  }

  void add_file(const IologEntry& entry) {
    if (numbers_.contains(entry.file)) return;
    std::uint32_t number = 0;
    if (request_.redirect.empty()) {
      number = static_cast<std::uint32_t>(facts_.files.size());
      std::string path(entry.file);
      if (!request_.directory.empty() && path.front() != '/') {
        path = request_.directory + "/" + path;
      }
      trace_.add_file(path, entry.at);
      facts_.files.push_back(std::move(path));
    }
    numbers_.emplace(entry.file, number);
  }

  std::uint64_t place_of(std::uint64_t offset) const {
    offset /= std::max<std::uint64_t>(request_.scale, 1);
    return request_.align > 0 ? offset / request_.align * request_.align : offset;
  }

  void note(std::size_t direction, std::uint64_t length) {
    auto& least = facts_.smallest[direction];
    least = facts_.uses[direction] ? std::min(least, length) : length;
    facts_.largest[direction] = std::max(facts_.largest[direction], length);
    facts_.uses[direction] = true;
  }

  const ReplayRequest& request_;
  record::TraceWriter& trace_;
  IologParser parser_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  ReplayFacts facts_;
};

Result<ReplayFacts> convert(const ReplayRequest& request, record::TraceWriter& trace) {
  auto lines = Lines::open(request.iolog);
  if (!lines) return propagate(lines);
  const auto first = lines->first_bytes();
  if (!first) return std::unexpected(first.error());
  if (first->starts_with(k_blktrace) || first->starts_with(k_blktrace_other)) {
    return fail(ErrorCode::unsupported,
                "is a binary file of blktrace, which is not supported: the devices it names are "
                "not those of this machine; write an iolog of it",
                request.iolog);
  }
  Conversion conversion(request, trace);
  std::string_view line;
  while (true) {
    const Result<bool> more = lines->next(line);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    if (auto added = conversion.add(line); !added) return propagate(added);
  }
  return conversion.finish();
}

}  // namespace

Result<ReplayFacts> convert_iolog(const ReplayRequest& request) {
  auto file = nameless_file();
  if (!file) return propagate(file);
  auto trace = record::TraceWriter::on(UniqueFd(fcntl(file->get(), F_DUPFD_CLOEXEC, 0)),
                                       "the temporary file of a replay");
  if (!trace) return propagate(trace);
  auto facts = convert(request, *trace);
  const auto closed = trace->close();
  if (!facts) return facts;
  if (!closed) return std::unexpected(closed.error());
  // Its name from now on; the descriptor stays open for as long as the process lives.
  facts->trace = fmt::format("/proc/{}/fd/{}", getpid(), file->release());
  return facts;
}

}  // namespace loadline::dialects::fio
