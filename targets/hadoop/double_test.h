// The test double of Hadoop's classes (testdata/double), compiled by javac on the first use, and an
// open target on it, for the tests of this folder.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "target/target.h"

namespace loadline::targets::hadoop {

using Settings = std::vector<std::pair<std::string, std::string>>;

struct TestDouble {
  std::string class_path;  // empty where there is none
  std::string why_not;
};

// Beside the test program, compiled anew where a source is newer.
const TestDouble& test_double();

// A folder that is removed with what is in it.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::string file_content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// With the double's class path, and a VM that checks every call of JNI.
target::Parameters parameters_of(const Settings& settings);
std::unique_ptr<target::Target> open_hadoop(const Settings& settings);

}  // namespace loadline::targets::hadoop

// First line of a test that needs Java.
#define LOADLINE_NEEDS_DOUBLE()                                         \
  if (::loadline::targets::hadoop::test_double().class_path.empty()) {  \
    GTEST_SKIP() << ::loadline::targets::hadoop::test_double().why_not; \
  }                                                                     \
  static_assert(true)
