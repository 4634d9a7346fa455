#include "targets/webhdfs/block_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"

namespace loadline::targets::webhdfs {

using target::OpKind;
using target::Outcome;

namespace {

constexpr Duration k_poll_pause = Duration::milliseconds(100);

Reply unsupported(std::string why) {
  return {.outcome = Outcome::unsupported, .detail = std::move(why)};
}

}  // namespace

BlockSession::BlockSession(std::unique_ptr<ObjectSession> objects, const Config& config,
                           Hosts& hosts, const target::WorkerContext& context)
    : objects_(std::move(objects)),
      config_(config),
      clock_(*context.clock),
      waits_(context.reap_min > 0),
      caller_(config, hosts, *context.clock, context.seed + index_of(context.worker)) {}

target::Submitted BlockSession::submit(const target::Op& op) {
  if (op.handle == target::k_no_object) return objects_->submit(op);
  const auto index = static_cast<std::size_t>(op.handle);
  CHECK(index < open_.size() && open_[index] != nullptr);
  Bytes moved;
  OpenFile& file = *open_[index];
  Reply reply = perform(file, op, moved);
  // What blocks know of failures are values of errno, which the outcome says.
  ready_.push_back({.completion = {.slot = op.slot,
                                   .outcome = reply.outcome,
                                   .retries = reply.retries,
                                   .bytes = moved,
                                   .first_byte = op.kind == OpKind::read && file.reader
                                                     ? file.reader->first_byte()
                                                     : Instant()},
                    .detail = std::move(reply.detail)});
  return target::Submitted::accepted;
}

std::size_t BlockSession::reap(std::span<target::Completion> into, Instant deadline) {
  reaped_.clear();
  if (ready_.empty()) return waits_ ? objects_->reap(into, deadline) : objects_->reap(into, {});
  const std::size_t n = std::min(into.size(), ready_.size());
  std::move(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(n),
            std::back_inserter(reaped_));
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    into[i] = reaped_[i].completion;
    into[i].detail = reaped_[i].detail;
  }
  return n;
}

// Its size now; a file that may be made need not be there.
Result<void> BlockSession::find(OpenFile& file) {
  auto status = caller_.status(file.path);
  if (status && status->is_folder) {
    return std::unexpected(error_of(Outcome::invalid, "is a folder, not a file", file.path));
  }
  if (status) {
    file.size = status->length;
    return {};
  }
  const bool may_make = file.mode.write && file.mode.create;
  if (status.error().code != ErrorCode::not_found || !may_make) return propagate(status);
  file.missing = true;
  return {};
}

Result<void> BlockSession::begin_writing(OpenFile& file, WriteMode mode) {
  file.writer = std::make_unique<FileWriter>(caller_, file.path, mode, config_.overwrite);
  const Reply reply = file.writer->begin();
  if (!reply.good()) return std::unexpected(reply.error(file.path));
  return {};
}

Result<target::OpenedObject> BlockSession::open_object(std::string_view name,
                                                       const target::OpenMode& mode) {
  auto path = path_of(config_, {}, name);
  if (!path) return fail(ErrorCode::bad_input, "holds . or .. as a part", std::string(name));
  if (mode.read && mode.write) {
    return std::unexpected(error_of(Outcome::unsupported,
                                    "HDFS cannot read and write a file at once", std::move(*path)));
  }
  auto file = std::make_unique<OpenFile>();
  file->path = std::move(*path);
  file->mode = mode;
  const bool replaces = mode.write && mode.replace;
  if (!replaces) {
    if (auto found = find(*file); !found) return propagate(found);
  }
  if (replaces || (mode.write && mode.append)) {
    const WriteMode how = replaces || file->missing ? WriteMode::create : WriteMode::append;
    file->missing = false;
    if (auto begun = begin_writing(*file, how); !begun) return propagate(begun);
  }
  const Bytes size = file->size;
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(open_.size()));
    open_.emplace_back();
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  open_[index] = std::move(file);
  return target::OpenedObject{.handle = target::ObjectHandle{index}, .size = size};
}

Result<void> BlockSession::close_object(target::ObjectHandle handle) {
  const auto index = static_cast<std::uint32_t>(handle);
  CHECK(index < open_.size() && open_[index] != nullptr);
  const std::unique_ptr<OpenFile> file = std::exchange(open_[index], nullptr);
  free_.push_back(index);
  if (file->missing) {
    if (auto begun = begin_writing(*file, WriteMode::create); !begun) return begun;
  }
  if (!file->writer) return {};
  const Reply reply = file->writer->finish();
  if (!reply.good()) return std::unexpected(reply.error(file->path));
  return {};
}

Reply BlockSession::perform(OpenFile& file, const target::Op& op, Bytes& moved) {
  switch (op.kind) {
    case OpKind::read: return read(file, op, moved);
    case OpKind::write: return write(file, op, moved);
    case OpKind::truncate: {
      // As ftruncate has it: the file ends where the range begins.
      const target::ByteRange range = op.range.value_or(target::ByteRange{});
      Reply reply = truncate(file, range.offset);
      if (reply.good()) moved = range.length;
      return reply;
    }
    case OpKind::sync:
    case OpKind::sync_data:
    case OpKind::sync_range: return unsupported("HDFS has no sync over HTTP");
    default: return unsupported("HDFS has no such operation over HTTP");
  }
}

Reply BlockSession::read(OpenFile& file, const target::Op& op, Bytes& moved) {
  if (!file.mode.read) return unsupported("the file is open for writing");
  if (!file.reader) file.reader = std::make_unique<FileReader>(caller_, file.path, file.size);
  std::size_t got = 0;
  Reply reply = file.reader->read(op.range->offset, op.memory, got);
  moved = Bytes(got);
  return reply;
}

Reply BlockSession::write(OpenFile& file, const target::Op& op, Bytes& moved) {
  if (!file.mode.write) return unsupported("the file is open for reading");
  if (!file.mode.replace && !file.mode.append) {
    const Bytes due = file.writer ? file.writer->position() : Bytes();
    if (op.range->offset != due) {
      return unsupported(fmt::format("HDFS files are written in order: byte {} is due, not {}",
                                     due.count(), op.range->offset.count()));
    }
  }
  if (!file.writer) {
    file.missing = false;
    file.writer =
        std::make_unique<FileWriter>(caller_, file.path, WriteMode::create, config_.overwrite);
    Reply begun = file.writer->begin();
    if (!begun.good()) return begun;
  }
  Reply reply = file.writer->write(op.memory);
  if (reply.good()) moved = Bytes(op.memory.size());
  return reply;
}

Reply BlockSession::truncate(OpenFile& file, Bytes size) {
  if (!file.mode.write || file.writer) {
    return unsupported("only a file that is open for writing, and not written yet, is truncated");
  }
  const std::string query = "&newlength=" + std::to_string(size.count());
  Reply reply =
      caller_.call({.method = "POST", .op = "TRUNCATE", .path = file.path, .query = query});
  if (!reply.good()) return reply;
  const std::optional<bool> done = parse_boolean_answer(reply.body);
  if (!done) {
    reply.outcome = Outcome::invalid;
    reply.detail = "the answer is not true or false";
    return reply;
  }
  // False: the last block is being cut by its DataNodes.
  if (!*done) reply = wait_for_size(file, size);
  if (reply.good()) file.size = size;
  return reply;
}

Reply BlockSession::wait_for_size(const OpenFile& file, Bytes size) {
  const Instant late = clock_.now() + config_.timeout;
  for (;;) {
    const Reply reply = caller_.call({.method = "GET", .op = "GETFILESTATUS", .path = file.path});
    if (!reply.good()) return reply;
    const auto status = parse_file_status(reply.body);
    if (status && status->length == size) return {};
    if (clock_.now() >= late) {
      return {.outcome = Outcome::timeout, .detail = "the file did not get its new length in time"};
    }
    clock_.sleep_until(clock_.now() + k_poll_pause);
  }
}

Result<std::vector<std::string>> BlockSession::list_names(std::string_view container,
                                                          std::string_view prefix) {
  const auto path = path_of(config_, container, {});
  if (!path) return fail(ErrorCode::bad_input, "holds . or .. as a part", std::string(container));
  auto entries = caller_.list(*path);
  if (!entries) return propagate(entries);
  std::vector<std::string> names;
  for (FileStatus& entry : *entries) {
    if (entry.is_folder || entry.name.empty() || !entry.name.starts_with(prefix)) continue;
    names.push_back(std::move(entry.name));
  }
  return names;
}

}  // namespace loadline::targets::webhdfs
