// The local files that file_write sends.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace loadline::engine {

struct SourceFile {
  std::string name;
  std::filesystem::path path;
};

// The regular files of a folder, sorted by name. Error where it cannot be listed or holds none.
Result<std::vector<SourceFile>> list_files(const std::string& folder);

// A file's bytes, mapped. Move-only.
class MappedFile {
 public:
  MappedFile() = default;
  static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& o) noexcept;
  MappedFile& operator=(MappedFile&& o) noexcept;
  ~MappedFile();
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace loadline::engine
