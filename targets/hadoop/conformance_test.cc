// The conformance suite on the test double; and, in a run of its own, on a real file system, with
// files by handle besides. The environment names it: CLASSPATH as for every Hadoop client, and
// LOADLINE_TEST_HADOOP=hdfs://host:port. Then run with --gtest_filter='*Real*'.
#include "target/conformance.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "targets/hadoop/double_test.h"
#include "targets/hadoop/hadoop_target.h"

namespace loadline::target {
namespace {

using targets::hadoop::open_hadoop;
using targets::hadoop::ScratchFolder;
using targets::hadoop::Settings;

OpenStorage open_with(Settings settings) {
  auto folder = std::make_unique<ScratchFolder>();
  settings.emplace_back("uri", "file://" + folder->path());
  auto target = open_hadoop(settings);
  return {.server = std::move(folder), .target = std::move(target)};
}

OpenStorage open_plain() { return open_with({}); }
OpenStorage open_with_short_reads() {
  return open_with({{"conf.double.short.reads", "1000"}, {"fs_instances", "thread"}});
}
OpenStorage open_without_buffers() {
  return open_with({{"conf.double.no.buffer", "true"},
                    {"conf.double.no.buffer.at", "true"},
                    {"conf.double.short.reads", "70000"},
                    {"replication", "2"}});
}

// None where there is no Java: TestDoubleOfHadoop says so.
std::vector<OpenStorageFunction> where_there_is_java(std::vector<OpenStorageFunction> all) {
  if (targets::hadoop::test_double().class_path.empty()) all.clear();
  return all;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ConformanceTest);
INSTANTIATE_TEST_SUITE_P(Hadoop, ConformanceTest,
                         ::testing::ValuesIn(where_there_is_java({open_plain})));
INSTANTIATE_TEST_SUITE_P(HadoopShortReads, ConformanceTest,
                         ::testing::ValuesIn(where_there_is_java({open_with_short_reads})));
INSTANTIATE_TEST_SUITE_P(HadoopWithoutBuffers, ConformanceTest,
                         ::testing::ValuesIn(where_there_is_java({open_without_buffers})));

std::string real_uri() {
  const char* uri = std::getenv("LOADLINE_TEST_HADOOP");
  return uri != nullptr ? uri : "";
}

// What a test leaves on it is below a folder of its own.
std::unique_ptr<Target> open_real_target() {
  static int number = 0;
  target::Parameters parameters;
  parameters.set("uri", real_uri());
  parameters.set("root",
                 "/loadline-test-" + std::to_string(::getpid()) + "-" + std::to_string(++number));
  parameters.set("jvm_options", "-Xcheck:jni");
  auto target = targets::hadoop::HadoopTarget::open(parameters);
  EXPECT_TRUE(target.has_value()) << target.error().message();
  return std::move(*target);
}

OpenStorage open_real() { return {.server = {}, .target = open_real_target()}; }

std::vector<OpenStorageFunction> where_there_is_a_real_one() {
  if (real_uri().empty()) return {};
  return {open_real};
}

INSTANTIATE_TEST_SUITE_P(HadoopReal, ConformanceTest,
                         ::testing::ValuesIn(where_there_is_a_real_one()));

}  // namespace
}  // namespace loadline::target

namespace loadline::targets::hadoop {
namespace {

using target::Completion;
using target::ObjectHandle;
using target::Op;
using target::OpenMode;
using target::OpKind;
using target::Outcome;

constexpr OpenMode k_reading{};
constexpr OpenMode k_replacing{.read = false, .write = true, .create = true, .replace = true};
constexpr OpenMode k_appending{.read = false, .write = true, .append = true};

TEST(RealFiles, are_written_appended_to_cut_and_read_back) {
  if (target::real_uri().empty()) GTEST_SKIP() << "LOADLINE_TEST_HADOOP names no file system";
  const auto target = target::open_real_target();
  const SteadyClock clock;
  auto session = target->open_session({.clock = &clock});
  ASSERT_TRUE(session.has_value()) << session.error().message();
  std::vector<std::byte> memory(3'000'000);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7 + i / 9);
  const std::vector<std::byte> written = memory;
  ASSERT_TRUE((*session)->use_memory(memory).has_value());
  const auto perform = [&](OpKind kind, ObjectHandle handle, std::uint64_t offset,
                           std::uint64_t length) {
    const Op op{.kind = kind,
                .range = target::ByteRange{Bytes(offset), Bytes(length)},
                .handle = handle,
                .memory = std::span(memory).first(std::min<std::uint64_t>(length, memory.size()))};
    EXPECT_EQ((*session)->submit(op), target::Submitted::accepted);
    Completion done;
    EXPECT_EQ((*session)->reap({&done, 1}, clock.now()), 1U);
    EXPECT_EQ(done.outcome, Outcome::ok) << done.detail;
    return done.bytes.count();
  };
  // Two blocks and more where blocks are 16 MiB, then more behind that, then less again.
  for (const OpenMode& mode : {k_replacing, k_appending}) {
    const auto file = (*session)->open_object("f", mode);
    ASSERT_TRUE(file.has_value()) << file.error().message();
    for (int i = 0; i < 7; ++i) perform(OpKind::write, file->handle, 0, memory.size());
    perform(OpKind::sync, file->handle, 0, 0);
    perform(OpKind::sync_data, file->handle, 0, 0);
    ASSERT_TRUE((*session)->close_object(file->handle).has_value());
  }
  auto file = (*session)->open_object("f", {.read = false, .write = true});
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ(file->size, Bytes(42'000'000));
  perform(OpKind::truncate, file->handle, 40'000'001, 0);
  ASSERT_TRUE((*session)->close_object(file->handle).has_value());

  file = (*session)->open_object("f", k_reading);
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ(file->size, Bytes(40'000'001));
  for (const std::uint64_t offset : {0, 3'000'000, 15'000'000, 33'554'400, 5, 40'000'000}) {
    std::ranges::fill(memory, std::byte{0xee});
    const std::uint64_t got = perform(OpKind::read, file->handle, offset, memory.size());
    EXPECT_EQ(got, std::min<std::uint64_t>(memory.size(), 40'000'001 - offset));
    for (std::uint64_t i = 0; i < got; i += 997) {
      ASSERT_EQ(memory[i], written[(offset + i) % written.size()]) << offset << " + " << i;
    }
  }
  ASSERT_TRUE((*session)->close_object(file->handle).has_value());
  const auto summary = target->content_summary("");
  ASSERT_TRUE(summary.has_value()) << summary.error().message();
  EXPECT_EQ(summary->files, 1U);
  EXPECT_EQ(summary->bytes, Bytes(40'000'001));
}

}  // namespace
}  // namespace loadline::targets::hadoop
