// A temporary folder and an open target, for the tests of this folder.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "target/target.h"
#include "targets/posix/posix_target.h"

namespace loadline::targets::posix {

// Removed with what is in it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& parent = "/var/tmp") {
    std::string pattern = parent + "/loadline-posix-XXXXXX";
    if (const char* made = ::mkdtemp(pattern.data())) path_ = made;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline void write_file(const std::string& path, std::size_t size, char fill = 'x') {
  std::ofstream(path, std::ios::binary) << std::string(size, fill);
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Memory on a page boundary, as direct I/O wants it.
class AlignedMemory {
 public:
  explicit AlignedMemory(std::size_t size)
      : bytes_(static_cast<std::byte*>(std::aligned_alloc(4096, size))), size_(size) {
    std::fill_n(bytes_, size_, std::byte{0});
  }
  AlignedMemory(const AlignedMemory&) = delete;
  AlignedMemory& operator=(const AlignedMemory&) = delete;
  ~AlignedMemory() { std::free(bytes_); }
  std::span<std::byte> all() { return {bytes_, size_}; }

 private:
  std::byte* bytes_;
  std::size_t size_;
};

using Settings = std::vector<std::pair<std::string, std::string>>;

inline std::unique_ptr<target::Target> open_posix(const Settings& settings) {
  target::Parameters parameters;
  for (const auto& [key, value] : settings) parameters.set(key, value);
  auto target = PosixTarget::open(parameters);
  EXPECT_TRUE(target.has_value()) << target.error().message();
  return target ? std::move(*target) : nullptr;
}

// A need of a job that reads.
inline target::ObjectNeed need_of(const std::string& name, std::uint64_t size) {
  return {.name = name, .size = Bytes(size), .lay_out = true, .seed = 7};
}

}  // namespace loadline::targets::posix
