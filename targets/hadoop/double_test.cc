#include "targets/hadoop/double_test.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/child_process.h"
#include "targets/hadoop/find_java.h"
#include "targets/hadoop/hadoop_target.h"

// A VM leaves what it has at the end of the process, which is no leak of ours.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libjvm.so\nleak:libjli.so\nleak:libjava.so\nleak:libzip.so\nleak:ld-linux\n";
}
// Segmentation faults are part of how a VM works, and it has its own handler for them.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "handle_segv=0:allow_user_segv_handler=1";
}

namespace loadline::targets::hadoop {
namespace {

namespace fs = std::filesystem;

constexpr int k_patience_ms = 120'000;

std::string java_home() {
  const char* home = std::getenv("JAVA_HOME");
  if (home != nullptr && *home != '\0') return home;
  const char* path = std::getenv("PATH");
  return home_of_java(path != nullptr ? path : "");
}

TestDouble make_double() {
#if defined(LOADLINE_WITHOUT_JAVA)
  return {.class_path = {}, .why_not = "the thread sanitizer cannot follow a Java VM"};
#endif
  const std::string compiler = java_home() + "/bin/javac";
  std::error_code error;
  if (!fs::exists(compiler, error)) return {.class_path = {}, .why_not = "no javac is installed"};
  const fs::path classes =
      fs::read_symlink("/proc/self/exe", error).parent_path() / "hadoop_double_classes";
  const fs::path stamp = classes / "complete";
  std::vector<std::string> words{compiler, "-nowarn", "-d"};
  const fs::path fresh = classes.string() + "." + std::to_string(::getpid());
  words.push_back(fresh.string());
  bool up_to_date = fs::exists(stamp, error);
  for (fs::directory_iterator it(fs::path(LOADLINE_TESTDATA) / "double", error), end;
       !error && it != end; it.increment(error)) {
    words.push_back(it->path().string());
    up_to_date = up_to_date && it->last_write_time() <= fs::last_write_time(stamp, error);
  }
  if (up_to_date) return {.class_path = classes.string(), .why_not = {}};
  auto compiling = ChildProcess::start({.words = words, .output = {}, .errors = {}});
  if (!compiling || compiling->wait(k_patience_ms) != 0) {
    return {.class_path = {}, .why_not = "javac cannot compile the test double"};
  }
  std::ofstream(fresh / "complete") << "\n";
  fs::remove_all(classes, error);
  fs::rename(fresh, classes, error);
  if (error) fs::remove_all(fresh, error);  // another program was quicker
  return {.class_path = classes.string(), .why_not = {}};
}

}  // namespace

const TestDouble& test_double() {
  static const TestDouble made = make_double();
  return made;
}

ScratchFolder::ScratchFolder() {
  std::string pattern = "/var/tmp/loadline-hadoop-XXXXXX";
  if (const char* made = ::mkdtemp(pattern.data())) path_ = made;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

target::Parameters parameters_of(const Settings& settings) {
  target::Parameters parameters;
  parameters.set("hadoop_classpath", test_double().class_path);
  parameters.set("jvm_options", "-Xcheck:jni -Xmx256m");
  for (const auto& [key, value] : settings) parameters.set(key, value);
  return parameters;
}

std::unique_ptr<target::Target> open_hadoop(const Settings& settings) {
  auto target = HadoopTarget::open(parameters_of(settings));
  EXPECT_TRUE(target.has_value()) << target.error().message();
  return target ? std::move(*target) : nullptr;
}

TEST(TestDoubleOfHadoop, can_be_compiled_here) {
  LOADLINE_NEEDS_DOUBLE();
  EXPECT_TRUE(fs::exists(test_double().class_path + "/org/apache/hadoop/fs/FileSystem.class"));
}

}  // namespace loadline::targets::hadoop
