#include "targets/posix/object_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/rng.h"
#include "targets/posix/folder_walk.h"
#include "targets/posix/outcome.h"

namespace loadline::targets::posix {
namespace {

using target::OpKind;

constexpr std::size_t k_buffer = 1 << 20;
constexpr std::size_t k_alignment = 4096;  // of direct I/O: what every device takes
constexpr std::size_t k_pieces = 64;       // of one pwritev
constexpr int k_name_attempts = 16;
constexpr mode_t k_file_mode = 0644;
constexpr mode_t k_folder_mode = 0755;

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

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
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

Result<std::string> stream_path(const Config& config, std::string_view name) {
  if (config.root.empty()) return std::string(name);
  if (!is_safe_name(name)) {
    return fail(ErrorCode::bad_input, "is no name below the root; folder/file would be one",
                std::string(name));
  }
  return fmt::format("{}/{}", config.root == "/" ? "" : config.root, name);
}

void ObjectFiles::Free::operator()(std::byte* memory) const {
  ::operator delete[](memory, std::align_val_t(k_alignment));
}

ObjectFiles::ObjectFiles(const Config& config, const target::WorkerContext& context)
    : config_(config),
      clock_(*context.clock),
      tag_(Rng::split(context.seed ^ (static_cast<std::uint64_t>(::getpid()) << 32),
                      index_of(context.worker))
               .next()) {}

std::byte* ObjectFiles::buffer() {
  if (!buffer_) {
    buffer_.reset(
        static_cast<std::byte*>(::operator new[](k_buffer, std::align_val_t(k_alignment))));
  }
  return buffer_.get();
}

const std::string& ObjectFiles::path_of(std::string_view container, std::string_view object) {
  path_.assign(config_.root).append("/").append(container);
  if (!object.empty()) path_.append("/").append(object);
  return path_;
}

void ObjectFiles::perform(const target::Op& op, target::Completion& completion) {
  int error = 0;
  if (!has_safe_names(op)) {
    note_errno(completion, EINVAL);
    completion.detail = "the name would leave its folder, or is none";
    return;
  }
  switch (op.kind) {
    case OpKind::read: error = read(op, completion); break;
    case OpKind::write:
    case OpKind::multipart_write: error = write(op, completion); break;
    case OpKind::remove: error = remove_one(op.container, op.object); break;
    case OpKind::remove_many: error = remove_many(op, completion); break;
    case OpKind::list: error = list(op, completion); break;
    case OpKind::head: error = head(op); break;
    case OpKind::create: error = create(op, completion); break;
    case OpKind::open: error = open(op); break;
    case OpKind::rename: error = rename(op); break;
    case OpKind::append: error = append(op, completion); break;
    case OpKind::truncate: error = truncate(op); break;
    case OpKind::make_folder: error = make_folder(op); break;
    case OpKind::create_container:
      error = ::mkdir(path_of(op.container).c_str(), k_folder_mode) == 0 ? 0 : errno;
      break;
    case OpKind::head_container: error = head_container(op.container); break;
    case OpKind::remove_container: error = remove_container(op.container); break;
    default: error = EOPNOTSUPP; break;
  }
  if (error != 0) note_errno(completion, error);
}

Result<std::vector<std::string>> ObjectFiles::names(std::string_view container,
                                                    std::string_view prefix) const {
  auto path = stream_path(config_, container);
  if (!path) return propagate(path);
  return names_in(*path, prefix);
}

int ObjectFiles::read(const target::Op& op, target::Completion& completion) {
  const int direct = config_.direct ? O_DIRECT : 0;
  const UniqueFd fd(
      ::open(path_of(op.container, op.object).c_str(), O_RDONLY | O_CLOEXEC | direct));
  if (!fd) return errno;
  std::uint64_t at = op.range ? op.range->offset.count() : 0;
  std::uint64_t left = op.range ? op.range->length.count() : UINT64_MAX;
  std::uint64_t got = 0;
  while (left > 0) {
    // Direct reads begin and end on the alignment; what is around the range is thrown away.
    const std::size_t before = config_.direct ? at % k_alignment : 0;
    std::size_t want = static_cast<std::size_t>(std::min<std::uint64_t>(left, k_buffer - before));
    if (config_.direct) {
      want = (want + before + k_alignment - 1) / k_alignment * k_alignment - before;
      want = std::min(want, k_buffer - before);
    }
    const ssize_t n = ::pread(fd.get(), buffer(), want + before, static_cast<off_t>(at - before));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      completion.bytes = Bytes(got);
      return errno;
    }
    if (static_cast<std::size_t>(n) <= before) break;
    const std::size_t useful = std::min<std::uint64_t>(static_cast<std::size_t>(n) - before, left);
    if (got == 0) completion.first_byte = clock_.now();
    if (op.sink != nullptr) op.sink->consume({buffer() + before, useful});
    got += useful;
    at += useful;
    left -= useful;
    // A direct read goes on at an unaligned place only at the file's end.
    if (config_.direct && static_cast<std::size_t>(n) < want + before) break;
  }
  completion.bytes = Bytes(got);
  if (op.range && left > 0) {
    completion.outcome = target::Outcome::short_transfer;
    completion.detail = "the object ends within the range";
  }
  return 0;
}

int ObjectFiles::make_folders(std::string_view container, std::string_view object) {
  if (const int error = head_container(container); error != 0) return error;
  std::size_t slash = object.find('/');
  for (; slash != std::string_view::npos; slash = object.find('/', slash + 1)) {
    const std::string& path = path_of(container, object.substr(0, slash));
    if (::mkdir(path.c_str(), k_folder_mode) != 0 && errno != EEXIST) return errno;
  }
  return 0;
}

UniqueFd ObjectFiles::create_temporary(std::string_view container, std::string_view object,
                                       int& error) {
  const int flags =
      O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | config_.sync_flag | (config_.direct ? O_DIRECT : 0);
  bool folders_made = false;
  for (int attempt = 0; attempt < k_name_attempts; ++attempt) {
    temporary_.assign(path_of(container, folder_of(object))).append("/");
    fmt::format_to(std::back_inserter(temporary_), "{}{:016x}-{}", k_temporary, tag_,
                   next_temporary_++);
    UniqueFd fd(::open(temporary_.c_str(), flags, k_file_mode));
    error = fd ? 0 : errno;
    if (fd) return fd;
    if (error == ENOENT && !folders_made) {
      folders_made = true;
      error = make_folders(container, object);
      if (error == 0) continue;
    }
    if (error != EEXIST) return {};
  }
  return {};
}

int ObjectFiles::write(const target::Op& op, target::Completion& completion) {
  int error = 0;
  UniqueFd fd = create_temporary(op.container, op.object, error);
  if (!fd) return error;
  std::uint64_t written = 0;
  error = config_.direct ? write_direct(fd.get(), op.payload, written)
                         : write_body(fd.get(), op.payload, written);
  // A network file system may say only now that there is no space.
  if (::close(fd.release()) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary_.c_str(), path_of(op.container, op.object).c_str()) != 0) {
    error = errno;
  }
  if (error != 0) ::unlink(temporary_.c_str());
  completion.bytes = Bytes(written);
  return error;
}

int ObjectFiles::create(const target::Op& op, target::Completion& completion) {
  const int flags =
      O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | config_.sync_flag | (config_.direct ? O_DIRECT : 0);
  UniqueFd fd(::open(path_of(op.container, op.object).c_str(), flags, k_file_mode));
  if (!fd && errno == ENOENT) {
    if (const int error = make_folders(op.container, op.object); error != 0) return error;
    fd = UniqueFd(::open(path_of(op.container, op.object).c_str(), flags, k_file_mode));
  }
  if (!fd) return errno;
  std::uint64_t written = 0;
  int error = config_.direct ? write_direct(fd.get(), op.payload, written)
                             : write_body(fd.get(), op.payload, written);
  if (::close(fd.release()) != 0 && error == 0) error = errno;
  // Half an object must not pass for one.
  if (error != 0) ::unlink(path_of(op.container, op.object).c_str());
  completion.bytes = Bytes(written);
  return error;
}

// With direct I/O through the cache all the same, and synced: a file's end is seldom aligned.
int ObjectFiles::append(const target::Op& op, target::Completion& completion) {
  const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | config_.sync_flag;
  UniqueFd fd(::open(path_of(op.container, op.object).c_str(), flags));
  if (!fd) return errno;
  std::uint64_t written = 0;
  // Linux writes behind the end of such a file, whatever offset it is told.
  int error = write_body(fd.get(), op.payload, written);
  if (error == 0 && config_.direct && ::fdatasync(fd.get()) != 0) error = errno;
  if (::close(fd.release()) != 0 && error == 0) error = errno;
  completion.bytes = Bytes(written);
  return error;
}

int ObjectFiles::open(const target::Op& op) {
  const int direct = config_.direct ? O_DIRECT : 0;
  const UniqueFd fd(
      ::open(path_of(op.container, op.object).c_str(), O_RDONLY | O_CLOEXEC | direct));
  return fd ? 0 : errno;
}

int ObjectFiles::rename(const target::Op& op) {
  new_path_ = path_of(op.container, op.new_object);
  const char* from = path_of(op.container, op.object).c_str();
  const char* to = new_path_.c_str();
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system that cannot refuse: what would be replaced is looked for before.
  struct stat status{};
  if (::stat(to, &status) == 0) return EEXIST;
  return ::rename(from, to) == 0 ? 0 : errno;
}

int ObjectFiles::truncate(const target::Op& op) {
  const auto size = static_cast<off_t>(op.range ? op.range->offset.count() : 0);
  return ::truncate(path_of(op.container, op.object).c_str(), size) == 0 ? 0 : errno;
}

int ObjectFiles::make_folder(const target::Op& op) {
  const auto make = [&] {
    return ::mkdir(path_of(op.container, op.object).c_str(), k_folder_mode) == 0 ? 0 : errno;
  };
  int error = make();
  if (error == ENOENT) {
    error = make_folders(op.container, op.object);
    if (error == 0) error = make();
  }
  if (error != EEXIST) return error;
  struct stat status{};
  return ::stat(path_.c_str(), &status) == 0 && S_ISDIR(status.st_mode) ? 0 : EEXIST;
}

int ObjectFiles::write_body(int fd, const target::Payload& payload, std::uint64_t& written) {
  while (written < payload.size().count()) {
    std::array<iovec, k_pieces> pieces;
    int used = 0;
    for (std::uint64_t at = written; used < static_cast<int>(k_pieces); ++used) {
      const auto piece = payload.at(Bytes(at));
      if (piece.empty()) break;
      // pwritev never writes to its source.
      pieces[used] = {const_cast<std::byte*>(piece.data()), piece.size()};
      at += piece.size();
    }
    const ssize_t n = ::pwritev(fd, pieces.data(), used, static_cast<off_t>(written));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return EIO;
    written += static_cast<std::uint64_t>(n);
  }
  return 0;
}

// Aligned blocks directly; what is left at the end through the cache, and synced.
int ObjectFiles::write_direct(int fd, const target::Payload& payload, std::uint64_t& written) {
  while (written < payload.size().count()) {
    std::size_t filled = 0;
    while (filled < k_buffer) {
      const auto piece = payload.at(Bytes(written + filled));
      if (piece.empty()) break;
      const std::size_t n = std::min(piece.size(), k_buffer - filled);
      std::memcpy(buffer() + filled, piece.data(), n);
      filled += n;
    }
    std::size_t length = filled / k_alignment * k_alignment;
    const bool tail = length == 0;
    if (tail) {
      length = filled;
      const int flags = ::fcntl(fd, F_GETFL);
      if (flags < 0 || ::fcntl(fd, F_SETFL, flags & ~O_DIRECT) != 0) return errno;
    }
    const ssize_t n = ::pwrite(fd, buffer(), length, static_cast<off_t>(written));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    // The next block would not be aligned.
    if (static_cast<std::size_t>(n) < length) return EIO;
    written += length;
    if (tail && ::fdatasync(fd) != 0) return errno;
  }
  return 0;
}

int ObjectFiles::remove_one(std::string_view container, std::string_view object) {
  if (!is_safe_name(object)) return EINVAL;
  if (::unlink(path_of(container, object).c_str()) == 0) return 0;
  if (errno == ENOENT || errno == ENOTDIR) return head_container(container);
  if (errno != EISDIR) return errno;
  // An empty folder goes as on HDFS, where a mkdir has made it; one that holds something is no
  // object.
  if (::rmdir(path_.c_str()) == 0 || errno == ENOTEMPTY || errno == EEXIST) return 0;
  return errno;
}

int ObjectFiles::remove_many(const target::Op& op, target::Completion& completion) {
  int first = 0;
  for (const std::string_view name : op.objects) {
    const int error = remove_one(op.container, name);
    if (error == 0) {
      ++completion.items;
    } else if (first == 0) {
      first = error;
    }
  }
  return first;
}

int ObjectFiles::list(const target::Op& op, target::Completion& completion) {
  const Listing listing = list_names(path_of(op.container), op.object);
  completion.items = listing.names;
  completion.bytes = Bytes(listing.bytes);
  return listing.error;
}

int ObjectFiles::head(const target::Op& op) {
  struct stat status{};
  if (::stat(path_of(op.container, op.object).c_str(), &status) != 0) return errno;
  return S_ISREG(status.st_mode) ? 0 : ENOENT;
}

int ObjectFiles::head_container(std::string_view container) {
  struct stat status{};
  if (::stat(path_of(container).c_str(), &status) != 0) return errno;
  return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
}

int ObjectFiles::remove_container(std::string_view container) {
  if (::rmdir(path_of(container).c_str()) == 0) return 0;
  if (errno != ENOTEMPTY && errno != EEXIST) return errno;
  return remove_empty_tree(path_);
}

}  // namespace loadline::targets::posix
