#include "targets/hadoop/object_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace loadline::targets::hadoop {
namespace {

using target::OpKind;
using target::Outcome;

constexpr std::size_t k_chunk = 1 << 20;  // moved by one call

// Those that the operation goes by.
bool has_safe_names(const target::Op& op) {
  if (!is_safe_name(op.container)) return false;
  switch (op.kind) {
    case OpKind::list:
    case OpKind::remove_many:
    case OpKind::create_container:
    case OpKind::head_container:
    case OpKind::remove_container: return true;
    case OpKind::rename: return is_safe_name(op.object) && is_safe_name(op.new_object);
    default: return is_safe_name(op.object);
  }
}

std::unexpected<Failure> refuse(Outcome outcome, int error_number, std::string why) {
  return std::unexpected(failure_of(outcome, error_number, std::move(why)));
}

}  // namespace

bool is_safe_name(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) return false;
  while (true) {
    const std::string_view part = name.substr(0, name.find('/'));
    if (part.empty() || part == "." || part == "..") return false;
    if (part.size() == name.size()) return true;
    name.remove_prefix(part.size() + 1);
  }
}

std::string ObjectFiles::path_of(std::string_view container, std::string_view object) const {
  std::string path = config_.root + "/" + std::string(container);
  if (!object.empty()) path.append("/").append(object);
  return path;
}

Called<void> ObjectFiles::perform(Calls& calls, const target::Op& op,
                                  target::Completion& completion) {
  if (!has_safe_names(op)) {
    return refuse(Outcome::invalid, EINVAL, "the name would leave its folder, or is none");
  }
  switch (op.kind) {
    case OpKind::read: return read(calls, op, completion);
    case OpKind::write:
    case OpKind::multipart_write:
      return write(calls, op, FileSystem::Existing::replaced, completion);
    case OpKind::remove: return remove_one(calls, op.container, op.object);
    case OpKind::remove_many: return remove_many(calls, op, completion);
    case OpKind::list: return list(calls, path_of(op.container), "", op.object, completion);
    case OpKind::head: {
      auto status = files_.status(calls, path_of(op.container, op.object));
      if (!status) return pass_on(status);
      if (!status->is_folder) return {};
      return refuse(Outcome::not_found, ENOENT, "is a folder, no object");
    }
    case OpKind::create: return write(calls, op, FileSystem::Existing::refused, completion);
    case OpKind::open: return open(calls, op);
    case OpKind::rename: return rename(calls, op);
    case OpKind::append: return append(calls, op, completion);
    case OpKind::truncate: return truncate(calls, op);
    case OpKind::make_folder: return make_folder(calls, op);
    case OpKind::create_container: return create_container(calls, op.container);
    case OpKind::head_container: return head_container(calls, op.container);
    case OpKind::remove_container: {
      if (auto there = head_container(calls, op.container); !there) return there;
      return remove_tree(calls, path_of(op.container));
    }
    default: return refuse(Outcome::unsupported, EOPNOTSUPP, "no Hadoop file system can do that");
  }
}

Called<void> ObjectFiles::read(Calls& calls, const target::Op& op, target::Completion& completion) {
  auto stream = files_.open_stream(calls, path_of(op.container, op.object));
  if (!stream) return pass_on(stream);
  auto done = read_body(calls, stream->get(), op, completion);
  auto closed = calls.run(stream->get(), calls.hadoop().in_close);
  return done ? closed : done;
}

Called<void> ObjectFiles::read_body(Calls& calls, jobject stream, const target::Op& op,
                                    target::Completion& completion) {
  const std::uint64_t begin = op.range ? op.range->offset.count() : 0;
  const std::uint64_t length = op.range ? op.range->length.count() : UINT64_MAX;
  if (op.sink != nullptr && buffer_.empty()) {
    buffer_.resize(k_chunk);
    if (auto made = transfer_.expect(calls, buffer_); !made) return made;
  }
  std::uint64_t done = 0;
  while (done < length) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(length - done, k_chunk));
    // A range is read in place; the whole object as a stream, which fetches ahead.
    const std::optional<std::uint64_t> at =
        op.range ? std::optional<std::uint64_t>(begin + done) : std::nullopt;
    auto got = op.sink != nullptr
                   ? transfer_.read(calls, stream, std::span(buffer_).first(want), at)
                   : transfer_.skip_over(calls, stream, want, at);
    if (!got) return pass_on(got);
    if (*got == 0) break;
    if (done == 0) completion.first_byte = clock_.now();
    if (op.sink != nullptr) op.sink->consume(std::span(buffer_).first(*got));
    done += *got;
    completion.bytes = Bytes(done);
  }
  if (op.range && done < length) {
    completion.outcome = Outcome::short_transfer;
    completion.detail = "the object ends within the range";
  }
  return {};
}

Called<void> ObjectFiles::write(Calls& calls, const target::Op& op, FileSystem::Existing existing,
                                target::Completion& completion) {
  const std::string path = path_of(op.container, op.object);
  auto stream = files_.create_stream(calls, path, existing);
  if (!stream) return pass_on(stream);
  auto done = write_body(calls, stream->get(), op.payload, completion);
  auto closed = calls.run(stream->get(), calls.hadoop().out_close);
  if (done) done = std::move(closed);
  if (done) return {};
  // Half an object must not pass for one; but where another has taken the name over meanwhile, what
  // is there is not ours. Where the removal fails too the first failure says enough.
  const Outcome outcome = done.error().meaning.outcome;
  const bool ours = outcome != Outcome::throttled && outcome != Outcome::not_found;
  if (ours) static_cast<void>(files_.remove(calls, path));
  return done;
}

Called<void> ObjectFiles::append(Calls& calls, const target::Op& op,
                                 target::Completion& completion) {
  auto stream = files_.append_stream(calls, path_of(op.container, op.object));
  if (!stream) return pass_on(stream);
  auto done = write_body(calls, stream->get(), op.payload, completion);
  auto closed = calls.run(stream->get(), calls.hadoop().out_close);
  return done ? closed : done;
}

Called<void> ObjectFiles::open(Calls& calls, const target::Op& op) {
  auto stream = files_.open_stream(calls, path_of(op.container, op.object));
  if (!stream) return pass_on(stream);
  return calls.run(stream->get(), calls.hadoop().in_close);
}

Called<void> ObjectFiles::rename(Calls& calls, const target::Op& op) {
  const std::string to = path_of(op.container, op.new_object);
  const std::string from = path_of(op.container, op.object);
  auto done = files_.rename(calls, from, to);
  if (!done) return pass_on(done);
  if (*done) return {};
  // Why not, a Hadoop file system does not say.
  if (auto source = files_.status(calls, from); !source) return pass_on(source);
  auto there = files_.status(calls, to);
  if (there) return refuse(Outcome::exists, EEXIST, "the new name is taken");
  if (there.error().meaning.outcome != Outcome::not_found) return pass_on(there);
  return refuse(Outcome::not_found, ENOENT, "there is no folder for the new name");
}

Called<void> ObjectFiles::truncate(Calls& calls, const target::Op& op) {
  const Bytes size = op.range ? op.range->offset : Bytes();
  return files_.truncate(calls, path_of(op.container, op.object), size, clock_);
}

Called<void> ObjectFiles::make_folder(Calls& calls, const target::Op& op) {
  auto made = files_.make_folder(calls, path_of(op.container, op.object));
  if (!made) return pass_on(made);
  if (*made) return {};
  return refuse(Outcome::exists, EEXIST, "a file is in the way of the folder");
}

Called<void> ObjectFiles::write_body(Calls& calls, jobject stream, const target::Payload& payload,
                                     target::Completion& completion) {
  const std::uint64_t size = payload.size().count();
  for (std::uint64_t written = 0; written < size;) {
    const auto chunk = static_cast<std::size_t>(std::min<std::uint64_t>(size - written, k_chunk));
    if (auto room = transfer_.make_room(calls, chunk); !room) return room;
    for (std::size_t at = 0; at < chunk;) {
      auto piece = payload.at(Bytes(written + at));
      piece = piece.first(std::min(piece.size(), chunk - at));
      if (auto filled = transfer_.fill(calls, at, piece); !filled) return filled;
      at += piece.size();
    }
    if (auto moved = transfer_.write_filled(calls, stream, chunk); !moved) return moved;
    written += chunk;
    completion.bytes = Bytes(written);
  }
  return {};
}

Called<void> ObjectFiles::remove_one(Calls& calls, std::string_view container,
                                     std::string_view object) {
  if (!is_safe_name(object)) {
    return refuse(Outcome::invalid, EINVAL, "the name would leave its folder, or is none");
  }
  auto removed = files_.remove(calls, path_of(container, object));
  if (removed && *removed) return {};
  if (removed || removed.error().meaning.outcome == Outcome::not_found) {
    return head_container(calls, container);
  }
  return pass_on(removed);
}

Called<void> ObjectFiles::remove_many(Calls& calls, const target::Op& op,
                                      target::Completion& completion) {
  Called<void> first;
  for (const std::string_view name : op.objects) {
    const Frame frame(calls.env());
    auto removed = remove_one(calls, op.container, name);
    if (removed) {
      ++completion.items;
    } else if (first) {
      first = std::move(removed);
    }
  }
  return first;
}

// `below` is the folder's own name relative to the container, with a slash at its end.
Called<void> ObjectFiles::list(Calls& calls, const std::string& folder, const std::string& below,
                               std::string_view prefix, target::Completion& completion) {
  std::vector<std::string> folders;
  auto listed = files_.list(calls, folder, [&](const std::string& name, bool is_folder) {
    const std::string whole = below + name;
    if (is_folder) {
      const std::string inside = whole + "/";
      if (inside.starts_with(prefix) || prefix.starts_with(inside)) folders.push_back(name);
    } else if (whole.starts_with(prefix)) {
      ++completion.items;
      completion.bytes += Bytes(whole.size());
    }
    return true;
  });
  if (!listed) return listed;
  for (const std::string& name : folders) {
    const Frame frame(calls.env());
    auto deeper = list(calls, fmt::format("{}/{}", folder, name), fmt::format("{}{}/", below, name),
                       prefix, completion);
    if (!deeper) return deeper;
  }
  return {};
}

Called<std::vector<std::string>> ObjectFiles::names(Calls& calls, std::string_view folder,
                                                    std::string_view prefix) {
  std::vector<std::string> found;
  auto listed = files_.list(calls, config_.path_of(folder), [&](const std::string& name, bool) {
    if (name.starts_with(prefix)) found.push_back(name);
    return true;
  });
  if (!listed) return pass_on(listed);
  return found;
}

Called<void> ObjectFiles::head_container(Calls& calls, std::string_view container) {
  auto status = files_.status(calls, path_of(container));
  if (!status) return pass_on(status);
  if (status->is_folder) return {};
  return refuse(Outcome::not_found, ENOTDIR, "is a file, no container");
}

// Hadoop makes folders as often as it is asked: whether this one was there is asked before.
Called<void> ObjectFiles::create_container(Calls& calls, std::string_view container) {
  const std::string path = path_of(container);
  auto status = files_.status(calls, path);
  if (status) return refuse(Outcome::exists, EEXIST, "is there already");
  if (status.error().meaning.outcome != Outcome::not_found) return pass_on(status);
  auto made = files_.make_folder(calls, path);
  if (!made) return pass_on(made);
  if (*made) return {};
  return refuse(Outcome::io_error, EIO, "the file system did not make the folder");
}

// A folder with the empty folders in it; nothing is ever removed that holds a file.
Called<void> ObjectFiles::remove_tree(Calls& calls, const std::string& folder) {
  std::vector<std::string> folders;
  bool holds_file = false;
  auto listed = files_.list(calls, folder, [&](const std::string& name, bool is_folder) {
    if (is_folder) folders.push_back(name);
    holds_file = !is_folder;
    return is_folder;
  });
  if (!listed) return listed;
  if (holds_file) return refuse(Outcome::not_empty, ENOTEMPTY, "the container holds objects");
  for (const std::string& name : folders) {
    const Frame frame(calls.env());
    if (auto removed = remove_tree(calls, fmt::format("{}/{}", folder, name)); !removed)
      return removed;
  }
  auto removed = files_.remove(calls, folder);
  if (!removed) return pass_on(removed);
  if (*removed) return {};
  return refuse(Outcome::not_found, ENOENT, "no such folder");
}

}  // namespace loadline::targets::hadoop
