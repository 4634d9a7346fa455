#include "targets/hadoop/open_files.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/check.h"

namespace loadline::targets::hadoop {
namespace {

using target::OpKind;
using target::Outcome;

std::unexpected<Failure> refuse(Outcome outcome, int error_number, std::string why) {
  return std::unexpected(failure_of(outcome, error_number, std::move(why)));
}

}  // namespace

Result<target::OpenedObject> OpenFiles::open(Calls& calls, std::string_view name,
                                             const target::OpenMode& mode) {
  auto file = open_file(calls, config_.path_of(name), mode);
  if (!file) {
    return std::unexpected(error_of(file.error(), "cannot open the file", std::string(name)));
  }
  file->used = true;
  const Bytes size(file->size);
  const auto free = std::ranges::find(open_, false, &File::used);
  const auto index = static_cast<std::uint32_t>(free - open_.begin());
  if (free == open_.end()) {
    open_.push_back(std::move(*file));
  } else {
    *free = std::move(*file);
  }
  return target::OpenedObject{.handle = target::ObjectHandle{index}, .size = size};
}

Called<OpenFiles::File> OpenFiles::open_file(Calls& calls, std::string path,
                                             const target::OpenMode& mode) {
  File file{.path = std::move(path)};
  if (mode.write) {
    if (auto opened = open_for_writing(calls, mode, file); !opened) return pass_on(opened);
    if (file.out || !mode.read) return file;
  }
  auto status = files_.status(calls, file.path);
  if (!status) return pass_on(status);
  if (status->is_folder) return refuse(Outcome::invalid, EISDIR, "is a folder");
  auto stream = files_.open_stream(calls, file.path);
  if (!stream) return pass_on(stream);
  file.size = status->size.count();
  file.in = std::move(*stream);
  return file;
}

// A file that is there and neither replaced nor appended to gets no stream: it can be truncated.
Called<void> OpenFiles::open_for_writing(Calls& calls, const target::OpenMode& mode, File& file) {
  if (mode.create && mode.replace) {
    auto stream = files_.create_stream(calls, file.path, FileSystem::Existing::replaced);
    if (!stream) return pass_on(stream);
    file.out = std::move(*stream);
    file.any_order = true;
    return {};
  }
  auto status = files_.status(calls, file.path);
  if (status && status->is_folder) return refuse(Outcome::invalid, EISDIR, "is a folder");
  if (status) {
    file.size = status->size.count();
    if (!mode.append) return {};
    auto stream = files_.append_stream(calls, file.path);
    if (!stream) return pass_on(stream);
    file.out = std::move(*stream);
    file.any_order = true;
    return {};
  }
  if (status.error().meaning.outcome != Outcome::not_found || !mode.create) return pass_on(status);
  auto stream = files_.create_stream(calls, file.path, FileSystem::Existing::refused);
  if (!stream) return pass_on(stream);
  file.out = std::move(*stream);
  file.any_order = mode.append;
  return {};
}

Result<void> OpenFiles::close(Calls& calls, target::ObjectHandle handle) {
  const auto index = static_cast<std::size_t>(handle);
  CHECK(index < open_.size() && open_[index].used);
  const File file = std::exchange(open_[index], File());
  Called<void> closed;
  if (file.in) closed = calls.run(file.in.get(), calls.hadoop().in_close);
  // What was written is on the storage only now.
  if (file.out) closed = calls.run(file.out.get(), calls.hadoop().out_close);
  if (closed) return {};
  return std::unexpected(error_of(closed.error(), "cannot close the file", file.path));
}

void OpenFiles::close_all(Calls& calls) {
  for (std::uint32_t i = 0; i < open_.size(); ++i) {
    if (open_[i].used) static_cast<void>(close(calls, target::ObjectHandle{i}));
  }
}

Called<void> OpenFiles::perform(Calls& calls, const target::Op& op,
                                target::Completion& completion) {
  return op.handle != target::k_no_object ? by_handle(calls, op, completion) : by_path(calls, op);
}

Called<void> OpenFiles::by_handle(Calls& calls, const target::Op& op,
                                  target::Completion& completion) {
  const auto index = static_cast<std::size_t>(op.handle);
  CHECK(index < open_.size() && open_[index].used);
  File& file = open_[index];
  switch (op.kind) {
    case OpKind::read: return read(calls, file, op, completion);
    case OpKind::write: return write(calls, file, op, completion);
    case OpKind::sync: return sync(calls, file, true);
    case OpKind::sync_data: return sync(calls, file, false);
    case OpKind::truncate: return truncate(calls, file, op);
    default: return refuse(Outcome::unsupported, EOPNOTSUPP, "no Hadoop file system can do that");
  }
}

Called<void> OpenFiles::read(Calls& calls, File& file, const target::Op& op,
                             target::Completion& completion) {
  if (!file.in) return refuse(Outcome::invalid, EBADF, "the file is open for writing alone");
  const std::uint64_t offset = op.range->offset.count();
  const std::uint64_t length = op.range->length.count();
  const bool streamed = offset == file.next;
  if (streamed && file.position != offset) {
    auto sought = calls.run(file.in.get(), calls.hadoop().in_seek, static_cast<jlong>(offset));
    if (!sought) return sought;
    file.position = offset;
  }
  std::uint64_t done = 0;
  while (done < length) {
    const std::optional<std::uint64_t> at =
        streamed ? std::nullopt : std::optional<std::uint64_t>(offset + done);
    auto got = transfer_.read(calls, file.in.get(), op.memory.subspan(done, length - done), at);
    if (!got) {
      // Where the stream is now, nobody knows.
      if (streamed) file.position = UINT64_MAX;
      completion.bytes = Bytes(done);
      return pass_on(got);
    }
    if (*got == 0) break;
    if (done == 0) completion.first_byte = clock_.now();
    done += *got;
  }
  file.next = offset + done;
  if (streamed) file.position = file.next;
  completion.bytes = Bytes(done);
  const std::uint64_t there = offset < file.size ? file.size - offset : 0;
  if (done < std::min(length, there)) {
    completion.outcome = Outcome::short_transfer;
    completion.detail = "fewer bytes than the file has there";
  }
  return {};
}

Called<void> OpenFiles::write(Calls& calls, File& file, const target::Op& op,
                              target::Completion& completion) {
  if (!file.out) {
    return refuse(Outcome::unsupported, EOPNOTSUPP,
                  "a file of Hadoop is replaced or appended to, never changed in place");
  }
  if (!file.any_order && op.range && op.range->offset.count() != file.size) {
    return refuse(Outcome::unsupported, ESPIPE,
                  "a file of Hadoop is written in order, from its first byte to its last");
  }
  const std::uint64_t length = op.range ? op.range->length.count() : op.memory.size();
  auto written = transfer_.write(calls, file.out.get(), op.memory.first(length));
  if (!written) return written;
  file.size += length;
  completion.bytes = Bytes(length);
  return {};
}

Called<void> OpenFiles::sync(Calls& calls, File& file, bool to_disk) {
  if (!file.out) return {};
  const HadoopClasses& hadoop = calls.hadoop();
  return calls.run(file.out.get(), to_disk ? hadoop.out_sync : hadoop.out_flush);
}

Called<void> OpenFiles::truncate(Calls& calls, File& file, const target::Op& op) {
  if (file.out) {
    return refuse(Outcome::unsupported, EOPNOTSUPP,
                  "a file of Hadoop that is being written cannot be truncated");
  }
  const Bytes size = op.range ? op.range->offset : Bytes();
  if (auto done = files_.truncate(calls, file.path, size, clock_); !done) return done;
  file.size = size.count();
  return {};
}

Called<void> OpenFiles::by_path(Calls& calls, const target::Op& op) {
  const std::string path = config_.path_of(op.object.empty() ? op.container : op.object);
  switch (op.kind) {
    case OpKind::create: {
      auto stream = files_.create_stream(calls, path, FileSystem::Existing::refused);
      if (!stream) return pass_on(stream);
      return calls.run(stream->get(), calls.hadoop().out_close);
    }
    case OpKind::head:
    case OpKind::head_container: {
      auto status = files_.status(calls, path);
      if (!status) return pass_on(status);
      if (op.kind == OpKind::head || status->is_folder) return {};
      return refuse(Outcome::not_found, ENOTDIR, "is no folder");
    }
    case OpKind::remove: {
      auto removed = files_.remove(calls, path);
      if (!removed) return pass_on(removed);
      if (*removed) return {};
      return refuse(Outcome::not_found, ENOENT, "no such file");
    }
    case OpKind::create_container: {
      if (files_.status(calls, path)) return refuse(Outcome::exists, EEXIST, "is there already");
      auto made = files_.make_folder(calls, path);
      if (!made) return pass_on(made);
      if (*made) return {};
      return refuse(Outcome::io_error, EIO, "the file system did not make the folder");
    }
    case OpKind::remove_container: return remove_folder(calls, path);
    default: return refuse(Outcome::unsupported, EOPNOTSUPP, "no Hadoop file system can do that");
  }
}

// One folder, never what is in it.
Called<void> OpenFiles::remove_folder(Calls& calls, const std::string& path) {
  auto status = files_.status(calls, path);
  if (!status) return pass_on(status);
  if (!status->is_folder) return refuse(Outcome::not_found, ENOTDIR, "is no folder");
  bool empty = true;
  auto listed = files_.list(calls, path, [&](const std::string&, bool) {
    empty = false;
    return false;
  });
  if (!listed) return listed;
  if (!empty) return refuse(Outcome::not_empty, ENOTEMPTY, "the folder is not empty");
  auto removed = files_.remove(calls, path);
  if (!removed) return pass_on(removed);
  if (*removed) return {};
  return refuse(Outcome::not_found, ENOENT, "no such folder");
}

}  // namespace loadline::targets::hadoop
