#include "dialects/fio/planning/replay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include "base/unique_fd.h"
#include "dialects/fio/iolog.h"
#include "dialects/fio/planning/blktrace.h"
#include "dialects/fio/planning/iolog_source.h"
#include "record/trace.h"

namespace loadline::dialects::fio {
namespace {

Result<UniqueFd> nameless_file() {
  std::error_code failed;
  std::string name = std::filesystem::temp_directory_path(failed) / "loadline-replay-XXXXXX";
  if (failed) return fail(ErrorCode::io, "there is no folder for temporary files", "TMPDIR");
  UniqueFd fd(mkostemp(name.data(), O_CLOEXEC));
  if (!fd) return fail_errno(errno, "a replay needs a temporary file (in TMPDIR)", name);
  if (unlink(name.c_str()) != 0) return fail_errno(errno, "cannot remove", name);
  return fd;
}

using record::TraceKind;
static_assert(static_cast<int>(BlktraceEvent::Kind::sync) == static_cast<int>(TraceKind::sync));

// What both forms of recorded runs have in common: files, offsets, what is left out.
class Conversion {
 public:
  Conversion(const ReplayRequest& request, record::TraceWriter& trace)
      : request_(request), trace_(trace) {
    if (request_.redirect.empty()) return;
    facts_.files.push_back(request_.redirect);
    trace_.add_file(request_.redirect, {});
  }

  bool knows(std::string_view file) const { return numbers_.contains(file); }
  void add_file(std::string_view file, Duration at) {
    if (knows(file)) return;
    std::uint32_t number = 0;
    if (request_.redirect.empty()) {
      number = static_cast<std::uint32_t>(facts_.files.size());
      std::string path(file);
      if (!request_.directory.empty() && path.front() != '/') {
        path = request_.directory + "/" + path;
      }
      trace_.add_file(path, at);
      facts_.files.push_back(std::move(path));
    }
    numbers_.emplace(file, number);
  }

  // Of a file that was added.
  void add(record::TraceRow row, std::string_view file) {
    const auto direction = static_cast<std::size_t>(row.kind);
    const bool moves = direction < plan::k_directions;
    if (moves ? request_.skip[direction] : request_.skip_sync) return;
    row.file = numbers_.find(file)->second;
    if (moves) {
      row.offset = Bytes(place_of(row.offset.count()));
      note(direction, row.length.count());
    }
    ++facts_.operations;
    trace_.append(row);
  }

  Result<ReplayFacts> finish() {
    if (facts_.operations == 0) {
      return fail(ErrorCode::bad_input, "read_iolog holds no operation to repeat", request_.iolog);
    }
    return std::move(facts_);
  }

 private:
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
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  ReplayFacts facts_;
};

record::TraceRow row_of(const IologEntry& entry) {
  if (entry.action >= IologAction::sync) {
    return {.at = entry.at,
            .kind = entry.action == IologAction::sync ? TraceKind::sync : TraceKind::sync_data};
  }
  const auto direction =
      static_cast<std::size_t>(entry.action) - static_cast<std::size_t>(IologAction::read);
  return {.at = entry.at,
          .kind = static_cast<TraceKind>(direction),
          .offset = Bytes(entry.offset),
          .length = Bytes(entry.length)};
}

Result<void> convert_text(const ReplayRequest& request, IologSource& source,
                          Conversion& conversion) {
  IologParser parser(request.iolog == "-" ? "stdin" : request.iolog);
  std::string_view line;
  while (true) {
    const Result<bool> more = source.next(line);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    const auto parsed = parser.parse(line);
    if (!parsed) return std::unexpected(parsed.error());
    if (!*parsed) continue;
    const IologEntry& entry = **parsed;
    if (entry.action == IologAction::add) {
      conversion.add_file(entry.file, entry.at);
    } else if (!conversion.knows(entry.file)) {
      return parser.wrong(fmt::format("{} was not added before", entry.file));
    } else if (entry.action >= IologAction::read) {
      conversion.add(row_of(entry), entry.file);
    }
  }
  if (parser.began()) return {};
  return fail(ErrorCode::bad_input, "read_iolog is empty", request.iolog);
}

Result<void> convert_events(const ReplayRequest& request, IologSource& source,
                            Conversion& conversion) {
  std::map<std::uint32_t, std::string> devices;
  std::optional<Duration> first;
  while (true) {
    const auto bytes = source.take(k_blktrace_bytes);
    if (!bytes) return std::unexpected(bytes.error());
    if (bytes->empty()) return {};
    auto event = blktrace_event(*bytes);
    if (!event) {
      event.error().context = request.iolog;
      return propagate(event);
    }
    if (event->data_size > 0) {
      if (const auto data = source.take(event->data_size); !data) {
        return std::unexpected(data.error());
      }
    }
    if (event->kind == BlktraceEvent::Kind::other) continue;
    if (!first) first = event->at;
    std::string& device = devices[event->device];
    if (device.empty()) {
      const auto path = device_path(event->device);
      if (!path && request.redirect.empty()) {
        return fail(ErrorCode::bad_input,
                    fmt::format("is of a device {}:{} that is not there; name one by "
                                "replay_redirect=",
                                event->device >> 20U, event->device & 0xfffffU),
                    request.iolog);
      }
      device = path.value_or(request.redirect);
      conversion.add_file(device, {});
    }
    conversion.add({.at = event->at - *first,
                    .kind = static_cast<TraceKind>(event->kind),
                    .offset = Bytes(event->offset),
                    .length = Bytes(event->length)},
                   device);
  }
}

Result<ReplayFacts> convert(const ReplayRequest& request, record::TraceWriter& trace) {
  auto source = IologSource::open(request.iolog);
  if (!source) return propagate(source);
  const auto head = source->peek(sizeof(std::uint32_t));
  if (!head) return std::unexpected(head.error());
  Conversion conversion(request, trace);
  auto converted = is_blktrace(*head) ? convert_events(request, *source, conversion)
                                      : convert_text(request, *source, conversion);
  if (!converted) return propagate(converted);
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
