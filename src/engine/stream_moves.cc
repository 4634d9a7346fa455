// What a worker of a job on streams does to one file.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/rng.h"
#include "engine/stream_places.h"
#include "engine/stream_worker.h"

namespace loadline::engine {
namespace {

using plan::StreamAction;
using target::OpKind;
using target::Outcome;

// In the order of plan::result_operations().
constexpr std::uint32_t k_open = 0;
constexpr std::uint32_t k_move = 1;
constexpr std::uint32_t k_close = 2;
constexpr std::uint32_t k_only = 0;  // put, remove

// So that the offsets of a file are not those of its content.
constexpr std::uint64_t k_places_seed = 0x5be5c0ffee15dead;

target::OpenMode mode_of(StreamAction action) {
  switch (action) {
    case StreamAction::write:
    case StreamAction::put: return {.read = false, .write = true, .create = true, .replace = true};
    case StreamAction::append: return {.read = false, .write = true, .append = true};
    default: return {.read = true};
  }
}

std::string path_of(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

}  // namespace

void StreamWorker::move_file(std::uint64_t number) {
  record::StreamFile file{.number = number};
  name_ = plan::file_name(stream_, number);
  own_time_ = Duration();
  const Call opening = open(path_of(stream_.folder, name_), mode_of(stream_.action));
  count(k_open, opening);
  file.begin = opening.issued - stage_start_;
  file.open = opening.done - opening.issued;
  fail(file, opening);
  if (opening.outcome == Outcome::ok) {
    if (plan::is_read(stream_.action)) {
      read(file);
    } else if (stream_.action == StreamAction::truncate) {
      truncate(file);
    } else {
      write(file);
    }
    const Call closing = close();
    count(k_close, closing);
    fail(file, closing);
    file.transfer = closing.done - opening.done - own_time_;
  }
  end(std::move(file));
}

void StreamWorker::write(record::StreamFile& file) {
  const std::span<std::byte> memory = memory_->bytes();
  const std::uint64_t base =
      stream_.action == StreamAction::append ? opened_.size.count() : std::uint64_t{0};
  const std::uint64_t size = stream_.size.count();
  std::uint64_t done = 0;
  while (done < size && await_turn(file)) {
    const std::uint64_t length = std::min(stream_.buffer.count(), size - done);
    if (!job_.content().same_everywhere()) {
      const Instant begun = clock_.now();
      job_.content().fill(file.number, base + done, memory.first(length));
      own_time_ += clock_.now() - begun;
    }
    Call call = perform({.kind = OpKind::write,
                         .container = stream_.folder,
                         .object = name_,
                         .range = target::ByteRange{Bytes(base + done), Bytes(length)},
                         .handle = opened_.handle,
                         .memory = memory.first(length)});
    if (call.outcome == Outcome::ok && call.bytes == 0) {
      call.outcome = Outcome::short_transfer;
      call.detail = "the storage took none of the bytes";
    }
    count(k_move, call);
    fail(file, call);
    if (call.outcome == Outcome::ok) done += call.bytes;
  }
  file.bytes = Bytes(done);
}

void StreamWorker::read(record::StreamFile& file) {
  if (stream_.action == StreamAction::read_random && opened_.size == Bytes() &&
      stream_.size > Bytes()) {
    file.outcome = Outcome::invalid;
    file.detail = "the file is empty: it has no place to read at";
    return;
  }
  StreamPlaces places(stream_, opened_.size, Rng::split(job_.seed() ^ k_places_seed, file.number));
  const std::span<std::byte> memory = memory_->bytes().first(stream_.buffer.count());
  std::uint64_t done = 0;
  while (done < stream_.size.count() && await_turn(file)) {
    const auto offset = places.next(done);
    if (!offset) break;
    Call call = perform({.kind = OpKind::read,
                         .container = stream_.folder,
                         .object = name_,
                         .range = target::ByteRange{Bytes(*offset), stream_.buffer},
                         .handle = opened_.handle,
                         .memory = memory});
    if (stream_.verify && call.outcome == Outcome::ok) compare(file, *offset, call);
    count(k_move, call);
    fail(file, call);
    if (call.outcome != Outcome::ok) break;
    if (call.bytes == 0) {
      file.short_of_size = true;
      break;
    }
    done += call.bytes;
  }
  file.bytes = Bytes(done);
}

void StreamWorker::compare(const record::StreamFile& file, std::uint64_t offset, Call& call) {
  const Instant begun = clock_.now();
  const auto wrong =
      job_.content().first_wrong(file.number, offset, memory_->bytes().first(call.bytes));
  own_time_ += clock_.now() - begun;
  if (!wrong) return;
  call.outcome = Outcome::corrupt;
  call.detail = fmt::format("the byte at offset {} is not the one that was to be written", *wrong);
}

void StreamWorker::truncate(record::StreamFile& file) {
  if (!await_turn(file)) return;
  if (opened_.size < stream_.size) {
    file.outcome = Outcome::invalid;
    file.detail = fmt::format("it has {} bytes and cannot be cut to {}", opened_.size.count(),
                              stream_.size.count());
    return;
  }
  Call call = perform({.kind = OpKind::truncate,
                       .container = stream_.folder,
                       .object = name_,
                       .range = target::ByteRange{stream_.size, Bytes()},
                       .handle = opened_.handle});
  if (call.outcome == Outcome::ok) {
    file.bytes = opened_.size - stream_.size;
    call.bytes = file.bytes.count();
  }
  count(k_move, call);
  fail(file, call);
}

void StreamWorker::put(std::uint64_t index) {
  const plan::SmallFile& small = stream_.puts[index];
  record::StreamFile file{.number = index};
  name_ = small.name;
  const std::span<std::byte> memory = memory_->bytes().first(small.content.size());
  std::memcpy(memory.data(), small.content.data(), memory.size());
  Call whole = open(path_of(stream_.folder, name_), mode_of(stream_.action));
  file.begin = whole.issued - stage_start_;
  file.open = whole.done - whole.issued;
  fail(file, whole);
  if (whole.outcome == Outcome::ok) {
    while (whole.bytes < memory.size() && file.outcome == Outcome::ok) {
      const std::span<std::byte> rest = memory.subspan(whole.bytes);
      Call call = perform({.kind = OpKind::write,
                           .container = stream_.folder,
                           .object = name_,
                           .range = target::ByteRange{Bytes(whole.bytes), Bytes(rest.size())},
                           .handle = opened_.handle,
                           .memory = rest});
      if (call.bytes == 0 && call.outcome == Outcome::ok) call.outcome = Outcome::short_transfer;
      fail(file, call);
      whole.bytes += call.bytes;
    }
    const Call closing = close();
    fail(file, closing);
    file.transfer = closing.done - whole.done;
    whole.done = closing.done;
  }
  file.bytes = Bytes(whole.bytes);
  whole.outcome = file.outcome;
  whole.detail = file.detail;
  count(k_only, whole);
  end(std::move(file));
}

void StreamWorker::remove_files() {
  if (auto looked = job_.look_into_folder(session_); !looked) {
    end({.number = record::k_no_file,
         .outcome = Outcome::io_error,
         .detail = fmt::format("cannot list the folder: {}", looked.error().message())});
    job_.fail();
  }
  while (const auto index = job_.next_file()) remove(job_.doomed(*index));
  if (job_.last_to_leave() && job_.folder_may_go() && !job_.over()) remove_folder();
}

void StreamWorker::remove(const StreamJob::Doomed& doomed) {
  record::StreamFile file{.number = doomed.number};
  name_ = doomed.name;
  if (!await_turn(file)) return end(std::move(file));
  Call call = perform({.kind = OpKind::remove, .container = stream_.folder, .object = name_});
  // Somebody else was faster.
  if (call.outcome == Outcome::not_found) call.outcome = Outcome::ok;
  count(k_only, call);
  file.begin = call.issued - stage_start_;
  file.transfer = call.done - call.issued;
  fail(file, call);
  end(std::move(file));
}

void StreamWorker::remove_folder() {
  const Call call = perform({.kind = OpKind::remove_container, .container = stream_.folder});
  switch (call.outcome) {
    case Outcome::ok: recorder_->count_container_op(k_only); return;
    case Outcome::not_found: return;
    // Others use it, or it is not ours to remove.
    case Outcome::not_empty:
    case Outcome::denied:
    case Outcome::throttled:
      job_.remark(fmt::format("the folder {} stays: {}", stream_.folder,
                              call.detail.empty() ? to_string(call.outcome) : call.detail));
      return;
    default: break;
  }
  recorder_->count_container_failure(k_only, call.outcome, call.status, stream_.folder,
                                     call.detail);
  end({.number = record::k_no_file,
       .outcome = call.outcome,
       .detail = fmt::format("cannot remove the folder: {}", call.detail)});
}

}  // namespace loadline::engine
