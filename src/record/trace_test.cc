#include "record/trace.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace loadline::record {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TraceTest : public ::testing::Test {
 protected:
  TraceTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("trace_test." + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~TraceTest() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name = "a.trace") const { return (folder_ / name).string(); }
  void put(const std::string& text) const { std::ofstream(path(), std::ios::binary) << text; }
  std::string bytes() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string error_of_reading() const {
    auto reader = TraceReader::open(path());
    if (!reader) return reader.error().message();
    TraceRow row;
    while (true) {
      const auto more = reader->next(row);
      if (!more) return more.error().message();
      if (!*more) return {};
    }
  }

  std::filesystem::path folder_;
};

TraceRow finished_read(std::int64_t at_ns, std::uint64_t offset) {
  return {.at = Duration::nanoseconds(at_ns),
          .finished = true,
          .measured = true,
          .split = true,
          .error = 5,
          .file = 1,
          .offset = Bytes(offset),
          .length = Bytes(4096),
          .submission = Duration::nanoseconds(3),
          .completion = Duration::nanoseconds(4),
          .total = Duration::nanoseconds(7)};
}

TEST_F(TraceTest, reads_back_every_field_and_the_files) {
  auto writer = TraceWriter::create(path());
  ASSERT_TRUE(writer);
  const std::string long_name(200, 'n');
  writer->add_file("one", Duration());
  writer->add_file(long_name, Duration::nanoseconds(9));
  const TraceRow row = finished_read(std::int64_t{1} << 40, std::uint64_t{1} << 60);
  writer->append(row);
  const TraceRow sync{.kind = TraceKind::sync_data, .verifying = true};
  writer->append(sync);
  ASSERT_TRUE(writer->close());
  auto reader = TraceReader::open(path());
  ASSERT_TRUE(reader);
  TraceRow read;
  EXPECT_TRUE(reader->next(read).value());
  EXPECT_EQ(read.kind, TraceKind::file);
  EXPECT_TRUE(reader->next(read).value());
  EXPECT_EQ(read.at, Duration::nanoseconds(9));
  EXPECT_THAT(reader->files(), ElementsAre("one", long_name));
  EXPECT_TRUE(reader->next(read).value());
  EXPECT_EQ(read, row);
  EXPECT_TRUE(reader->next(read).value());
  EXPECT_EQ(read, sync);
  EXPECT_FALSE(reader->next(read).value());
}

TEST_F(TraceTest, keeps_the_order_of_more_rows_than_a_buffer_holds) {
  constexpr std::int64_t k_rows = 20'000;
  auto writer = TraceWriter::create(path());
  ASSERT_TRUE(writer);
  writer->add_file("a", Duration());
  writer->add_file("b", Duration());
  int flushes = 0;
  for (std::int64_t i = 0; i < k_rows; ++i) {
    flushes += writer->append(finished_read(i, static_cast<std::uint64_t>(i) * 4096)) ? 1 : 0;
  }
  EXPECT_EQ(flushes, 4);  // of 1.1 MB
  ASSERT_TRUE(writer->close());
  EXPECT_EQ(std::filesystem::file_size(path()), 16U + (4U + k_rows) * 56U);
  auto reader = TraceReader::open(path());
  ASSERT_TRUE(reader);
  TraceRow row;
  std::int64_t seen = 0;
  while (reader->next(row).value()) {
    if (row.kind == TraceKind::file) continue;
    ASSERT_EQ(row.at, Duration::nanoseconds(seen));
    ++seen;
  }
  EXPECT_EQ(seen, k_rows);
}

TEST_F(TraceTest, empties_a_trace_and_nothing_else) {
  put("notes of somebody");
  const auto refused = TraceWriter::create(path());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("is there and no trace"));
  EXPECT_EQ(bytes(), "notes of somebody");
  std::filesystem::remove(path());
  for (int i = 0; i < 2; ++i) {
    auto writer = TraceWriter::create(path());
    ASSERT_TRUE(writer);
    writer->add_file("f", Duration());
    ASSERT_TRUE(writer->close());
  }
  EXPECT_EQ(bytes().size(), 16U + 2U * 56U);
}

TEST_F(TraceTest, says_that_the_disk_is_full) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  auto writer = TraceWriter::on(UniqueFd(::open("/dev/full", O_WRONLY | O_CLOEXEC)), "x.trace");
  ASSERT_TRUE(writer);
  for (int i = 0; i < 10'000; ++i) writer->append({});
  EXPECT_TRUE(writer->failed());
  const auto closed = writer->close();
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().os_error, ENOSPC);
  EXPECT_THAT(closed.error().message(), HasSubstr("x.trace"));
}

TEST_F(TraceTest, refuses_what_is_no_trace) {
  EXPECT_THAT(error_of_reading(), HasSubstr("No such file"));
  put("");
  EXPECT_THAT(error_of_reading(), HasSubstr("is no trace"));
  put("fio version 3 iolog\n");
  EXPECT_THAT(error_of_reading(), HasSubstr("is no trace"));
  auto writer = TraceWriter::create(path("b.trace"));
  writer->add_file("f", Duration());
  writer->append({});
  ASSERT_TRUE(writer->close());
  std::filesystem::rename(path("b.trace"), path());
  const std::string good = bytes();
  EXPECT_EQ(error_of_reading(), "");
  put(good.substr(0, good.size() - 1));
  EXPECT_THAT(error_of_reading(), HasSubstr("in the middle of a row"));
  std::string bad = good;
  bad[8] = 2;
  put(bad);
  EXPECT_THAT(error_of_reading(), HasSubstr("version 2"));
  bad = good;
  bad[16 + 112 + 48] = 1;
  put(bad);
  EXPECT_THAT(error_of_reading(), HasSubstr("a file that is not there"));
  bad = good;
  bad[16 + 112 + 54] = 77;
  put(bad);
  EXPECT_THAT(error_of_reading(), HasSubstr("no such kind"));
}

}  // namespace
}  // namespace loadline::record
