#include "engine/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/unique_fd.h"

namespace loadline::engine {

Result<std::vector<SourceFile>> list_files(const std::string& folder) {
  std::vector<SourceFile> files;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored)) {
      files.push_back({it->path().filename().string(), it->path()});
    }
  }
  if (error)
    return fail(ErrorCode::bad_input, "cannot list the folder: " + error.message(), folder);
  if (files.empty()) return fail(ErrorCode::bad_input, "the folder holds no files", folder);
  std::ranges::sort(files, {}, &SourceFile::name);
  return files;
}

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return fail_errno(errno, "open", path.string());
  struct stat info{};
  if (fstat(fd.get(), &info) != 0) return fail_errno(errno, "stat", path.string());
  MappedFile file;
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return file;
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (address == MAP_FAILED) return fail_errno(errno, "map", path.string());
  file.bytes_ = {static_cast<const std::byte*>(address), size};
  return file;
}

MappedFile::MappedFile(MappedFile&& o) noexcept : bytes_(std::exchange(o.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& o) noexcept {
  std::swap(bytes_, o.bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace loadline::engine
