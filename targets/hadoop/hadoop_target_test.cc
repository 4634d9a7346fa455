// The target on the test double: files by handle, what is refused and what goes wrong.
#include "targets/hadoop/hadoop_target.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

#include "targets/hadoop/double_test.h"

namespace loadline::targets::hadoop {
namespace {

using target::Completion;
using target::ObjectHandle;
using target::Op;
using target::OpenMode;
using target::OpKind;
using target::Outcome;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr OpenMode k_reading{};
constexpr OpenMode k_replacing{.read = false, .write = true, .create = true, .replace = true};
constexpr OpenMode k_appending{.read = false, .write = true, .append = true};

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    LOADLINE_NEEDS_DOUBLE();
    open({});
  }
  void TearDown() override {
    session_.reset();
    target_.reset();
  }
  void open(Settings settings) {
    session_.reset();
    settings.emplace_back("uri", "file:///");
    settings.emplace_back("root", folder_.path());
    target_ = open_hadoop(settings);
    auto session = target_->open_session({.clock = &clock_});
    ASSERT_TRUE(session.has_value()) << session.error().message();
    session_ = std::move(*session);
    memory_.resize(1 << 16);
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      memory_[i] = static_cast<std::byte>(i * 7 + i / 256);
    }
    ASSERT_TRUE(session_->use_memory(memory_).has_value());
  }
  Completion perform(const Op& op) {
    EXPECT_EQ(session_->submit(op), target::Submitted::accepted);
    std::vector<Completion> done(1);
    EXPECT_EQ(session_->reap(done, clock_.now()), 1U);
    return done[0];
  }
  ObjectHandle must_open(const std::string& name, const OpenMode& mode) {
    auto opened = session_->open_object(name, mode);
    EXPECT_TRUE(opened.has_value()) << opened.error().message();
    if (opened) size_ = opened->size;
    return opened ? opened->handle : target::k_no_object;
  }
  void must_close(ObjectHandle handle) {
    const auto closed = session_->close_object(handle);
    EXPECT_TRUE(closed.has_value()) << closed.error().message();
  }
  Completion move(OpKind kind, ObjectHandle handle, std::uint64_t offset,
                  std::span<std::byte> memory) {
    return perform({.kind = kind,
                    .range = target::ByteRange{Bytes(offset), Bytes(memory.size())},
                    .handle = handle,
                    .memory = memory});
  }
  // A file of that many bytes: those of memory_, over and over.
  void make_file(const std::string& name, std::size_t blocks) {
    const ObjectHandle handle = must_open(name, k_replacing);
    for (std::size_t i = 0; i < blocks; ++i) {
      const Completion done = move(OpKind::write, handle, i * memory_.size(), memory_);
      EXPECT_EQ(done.outcome, Outcome::ok) << done.detail;
      EXPECT_EQ(done.bytes, Bytes(memory_.size()));
    }
    must_close(handle);
  }
  std::vector<std::byte> bytes(std::size_t from, std::size_t length) const {
    std::vector<std::byte> wanted(length);
    for (std::size_t i = 0; i < length; ++i) wanted[i] = memory_[(from + i) % memory_.size()];
    return wanted;
  }

  SteadyClock clock_;
  ScratchFolder folder_;
  std::unique_ptr<target::Target> target_;
  std::unique_ptr<target::Session> session_;
  std::vector<std::byte> memory_;
  Bytes size_;
};

TEST_F(Files, are_read_in_any_order) {
  for (const Settings& settings :
       {Settings{}, Settings{{"conf.double.short.reads", "777"}},
        Settings{{"conf.double.no.buffer", "true"}},
        Settings{{"conf.double.no.buffer.at", "true"}, {"conf.double.no.buffer", "true"}}}) {
    open(settings);
    make_file("a", 3);
    const ObjectHandle handle = must_open("a", k_reading);
    EXPECT_EQ(size_, Bytes(3 * memory_.size()));
    std::vector<std::byte> into(5'000);
    // Streamed, then elsewhere, then on from there, then back.
    for (const std::uint64_t offset : {0, 5'000, 100'000, 105'000, 10'000, 3, 190'000}) {
      const Completion done = move(OpKind::read, handle, offset, into);
      EXPECT_EQ(done.outcome, Outcome::ok) << done.detail;
      EXPECT_EQ(done.bytes, Bytes(5'000));
      EXPECT_EQ(into, bytes(offset, 5'000)) << offset;
    }
    must_close(handle);
  }
}

TEST_F(Files, end_with_fewer_bytes) {
  make_file("a", 1);
  const ObjectHandle handle = must_open("a", k_reading);
  std::vector<std::byte> into(1'000);
  Completion done = move(OpKind::read, handle, memory_.size() - 10, into);
  EXPECT_EQ(done.outcome, Outcome::ok);
  EXPECT_EQ(done.bytes, Bytes(10));
  done = move(OpKind::read, handle, memory_.size(), into);
  EXPECT_EQ(done.outcome, Outcome::ok);
  EXPECT_EQ(done.bytes, Bytes(0));
  std::filesystem::resize_file(folder_.file("a"), 100);
  done = move(OpKind::read, handle, 50, into);
  EXPECT_EQ(done.outcome, Outcome::short_transfer) << "it had more when it was opened";
  EXPECT_EQ(done.bytes, Bytes(50));
  must_close(handle);
}

TEST_F(Files, hold_what_was_written_zeros_and_all) {
  const ObjectHandle handle = must_open("a", k_replacing);
  std::vector<std::byte> zeros(10'000);
  std::vector<std::byte> half(10'000);
  std::ranges::copy(bytes(0, 5'000), half.begin() + 5'000);
  std::string wanted;
  for (std::vector<std::byte>* block : {&zeros, &half, &zeros, &half, &zeros}) {
    EXPECT_EQ(move(OpKind::write, handle, 0, *block).outcome, Outcome::ok);
    wanted.append(reinterpret_cast<const char*>(block->data()), block->size());
  }
  std::span<std::byte> few = std::span(half).last(3);
  EXPECT_EQ(move(OpKind::write, handle, 0, few).outcome, Outcome::ok);
  wanted.append(reinterpret_cast<const char*>(few.data()), few.size());
  EXPECT_EQ(perform({.kind = OpKind::sync, .handle = handle}).outcome, Outcome::ok);
  EXPECT_EQ(perform({.kind = OpKind::sync_data, .handle = handle}).outcome, Outcome::ok);
  must_close(handle);
  EXPECT_EQ(file_content(folder_.file("a")), wanted);
}

TEST_F(Files, are_replaced_or_appended_to_never_changed) {
  make_file("a", 2);
  ObjectHandle handle = must_open("a", k_appending);
  EXPECT_EQ(size_, Bytes(2 * memory_.size()));
  EXPECT_EQ(move(OpKind::write, handle, 0, memory_).outcome, Outcome::ok);
  must_close(handle);
  EXPECT_EQ(std::filesystem::file_size(folder_.file("a")), 3 * memory_.size());

  handle = must_open("a", {.read = false, .write = true, .create = true});
  const Completion done = move(OpKind::write, handle, 0, memory_);
  EXPECT_EQ(done.outcome, Outcome::unsupported);
  EXPECT_THAT(std::string(done.detail), HasSubstr("never changed in place"));
  must_close(handle);

  handle = must_open("new", {.read = false, .write = true, .create = true});
  EXPECT_EQ(move(OpKind::write, handle, 0, memory_).outcome, Outcome::ok);
  EXPECT_EQ(move(OpKind::write, handle, memory_.size(), memory_).outcome, Outcome::ok);
  EXPECT_EQ(move(OpKind::write, handle, 0, memory_).outcome, Outcome::unsupported);
  must_close(handle);

  make_file("a", 1);
  EXPECT_EQ(std::filesystem::file_size(folder_.file("a")), memory_.size());
}

TEST_F(Files, are_truncated_however_long_that_takes) {
  for (const char* later : {"false", "true"}) {
    open({{"conf.double.truncate.later", later}});
    make_file("a", 2);
    const ObjectHandle handle = must_open("a", {.read = false, .write = true});
    const Completion done = perform({.kind = OpKind::truncate,
                                     .range = target::ByteRange{Bytes(100), Bytes()},
                                     .handle = handle});
    EXPECT_EQ(done.outcome, Outcome::ok) << done.detail;
    EXPECT_EQ(std::filesystem::file_size(folder_.file("a")), 100U);
    must_close(handle);
  }
}

TEST_F(Files, of_a_container_are_cut_and_renamed) {
  open({{"conf.double.truncate.later", "true"}});
  std::filesystem::create_directory(folder_.file("c"));
  make_file("c/o", 2);
  const Completion cut = perform({.kind = OpKind::truncate,
                                  .container = "c",
                                  .object = "o",
                                  .range = target::ByteRange{Bytes(100), Bytes()}});
  EXPECT_EQ(cut.outcome, Outcome::ok) << cut.detail;
  EXPECT_EQ(std::filesystem::file_size(folder_.file("c/o")), 100U);
  make_file("c/taken", 1);
  const auto rename = [&](std::string_view to) {
    return perform({.kind = OpKind::rename, .container = "c", .object = "o", .new_object = to})
        .outcome;
  };
  EXPECT_EQ(rename("taken"), Outcome::exists);
  EXPECT_EQ(rename("no-folder/o"), Outcome::not_found);
  EXPECT_EQ(rename("../o"), Outcome::invalid);
  EXPECT_EQ(rename("n"), Outcome::ok);
}

TEST_F(Files, are_made_found_and_removed_by_path) {
  const std::string folder = folder_.file("x/y");
  const auto outcome = [&](OpKind kind, std::string_view name) {
    return perform({.kind = kind, .object = name}).outcome;
  };
  EXPECT_EQ(outcome(OpKind::create_container, folder), Outcome::ok);
  EXPECT_EQ(outcome(OpKind::create_container, folder), Outcome::exists);
  EXPECT_EQ(outcome(OpKind::create, "x/y/f"), Outcome::ok);
  EXPECT_EQ(outcome(OpKind::create, "x/y/f"), Outcome::exists);
  EXPECT_EQ(outcome(OpKind::head, "x/y/f"), Outcome::ok);
  EXPECT_EQ(outcome(OpKind::head_container, "x/y/f"), Outcome::not_found);
  EXPECT_EQ(outcome(OpKind::remove_container, folder), Outcome::not_empty);
  EXPECT_EQ(outcome(OpKind::remove_container, "x/y/f"), Outcome::not_found) << "is no folder";
  EXPECT_EQ(outcome(OpKind::remove, "x/y/f"), Outcome::ok);
  EXPECT_EQ(outcome(OpKind::remove, "x/y/f"), Outcome::not_found);
  EXPECT_EQ(outcome(OpKind::remove_container, folder), Outcome::ok);
  EXPECT_EQ(outcome(OpKind::trim, folder), Outcome::unsupported);
}

TEST_F(Files, are_listed_and_counted) {
  make_file("io_data/test_io_0", 1);
  make_file("io_data/test_io_1", 1);
  make_file("io_data/other", 2);
  auto names = session_->list_names(folder_.file("io_data"), "test_io_");
  ASSERT_TRUE(names.has_value()) << names.error().message();
  EXPECT_THAT(*names, ::testing::UnorderedElementsAre("test_io_0", "test_io_1"));
  EXPECT_EQ(session_->list_names("none", "").error().code, ErrorCode::not_found);

  open({{"conf.double.quota", "10"}});
  const auto summary = target_->content_summary("io_data");
  ASSERT_TRUE(summary.has_value()) << summary.error().message();
  EXPECT_EQ(summary->files, 3U);
  EXPECT_EQ(summary->folders, 1U);
  EXPECT_EQ(summary->bytes, Bytes(4 * memory_.size()));
  EXPECT_EQ(summary->quota_left, 6);
  EXPECT_FALSE(summary->space_quota.has_value());
}

TEST_F(Files, of_a_job_are_laid_out_but_never_rewritten) {
  make_file("small", 1);
  std::size_t told = 0;
  const auto notice = [&](std::size_t files, Bytes) { told = files; };
  std::vector<target::ObjectNeed> needs{
      {.name = "small", .size = Bytes(100), .lay_out = true},
      {.name = "fresh", .size = Bytes(3'000'000), .lay_out = true, .seed = 7},
      {.name = "later", .reads = false, .writes = true}};
  auto facts = target_->provide(needs, notice);
  ASSERT_TRUE(facts.has_value()) << facts.error().message();
  EXPECT_EQ((*facts)[0].size, Bytes(memory_.size()));
  EXPECT_FALSE((*facts)[0].made);
  EXPECT_TRUE((*facts)[1].made);
  EXPECT_EQ(std::filesystem::file_size(folder_.file("fresh")), 3'000'000U);
  EXPECT_EQ(told, 1U);
  needs = {{.name = "other", .size = Bytes(100), .lay_out = true},
           {.name = "small", .size = Bytes(1 << 30), .lay_out = true}};
  facts = target_->provide(needs, notice);
  ASSERT_FALSE(facts.has_value());
  EXPECT_EQ(facts.error().context, "small");
  EXPECT_FALSE(std::filesystem::exists(folder_.file("other"))) << "all are looked at first";
  needs = {{.name = "missing"}};
  EXPECT_EQ(target_->provide(needs, notice).error().os_error, ENOENT);
}

TEST_F(Files, that_fail_say_how) {
  struct Row {
    const char* class_name;
    Outcome outcome;
    int status;
  };
  for (const Row& row :
       {Row{"java.io.IOException", Outcome::io_error, EIO},
        {"java.lang.UnsupportedOperationException", Outcome::unsupported, EOPNOTSUPP},
        {"org.apache.hadoop.hdfs.server.namenode.SafeModeException", Outcome::server_error, EROFS},
        {"org.apache.hadoop.hdfs.protocol.QuotaExceededException", Outcome::no_space, EDQUOT},
        {"wrapped", Outcome::connection, ECONNREFUSED}}) {
    open({{"conf.double.throw.at", "70000"}, {"conf.double.throw.class", row.class_name}});
    const ObjectHandle handle = must_open("a", k_replacing);
    EXPECT_EQ(move(OpKind::write, handle, 0, memory_).outcome, Outcome::ok);
    const Completion done = move(OpKind::write, handle, 0, memory_);
    EXPECT_EQ(done.outcome, row.outcome) << row.class_name;
    EXPECT_EQ(done.status, row.status) << row.class_name;
    const std::string detail(done.detail);
    EXPECT_THAT(detail, Not(HasSubstr("\n")));
    EXPECT_THAT(detail, HasSubstr(" (at Switches.check)"));
    must_close(handle);
  }
}

TEST_F(Files, that_were_written_in_part_are_no_objects) {
  open({{"conf.double.throw.at", "70000"}});
  std::filesystem::create_directory(folder_.file("c"));
  const Op write{.kind = OpKind::write,
                 .container = "c",
                 .object = "o",
                 .payload = target::Payload(Bytes(2'000'000), memory_, 0)};
  EXPECT_EQ(perform(write).outcome, Outcome::io_error);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("c/o")));
  for (const std::string_view outside : {"../o", "/o", "a//b"}) {
    EXPECT_EQ(perform({.kind = OpKind::read, .container = "c", .object = outside}).outcome,
              Outcome::invalid);
  }
}

TEST_F(Files, need_their_root_before_the_run) {
  std::filesystem::create_directory(folder_.file("c"));
  const std::vector<std::string> there{"c"};
  const std::vector<std::string> missing{"none"};
  EXPECT_TRUE(target_->preflight(there, {}).has_value());
  EXPECT_FALSE(target_->preflight(missing, {}).has_value());
  EXPECT_TRUE(target_->preflight(missing, missing).has_value());
  EXPECT_THAT(target_->describe(), HasSubstr("file:///: org.apache.hadoop.fs.FileSystem on Hadoop "
                                             "double, Java "));
  open({{"conf.double.denied", folder_.path()}});
  const auto denied = target_->preflight(missing, missing);
  ASSERT_FALSE(denied.has_value());
  EXPECT_EQ(denied.error().code, ErrorCode::denied);
}

// The message of the refusal, of one line.
std::string refusal_of(const Settings& settings) {
  const auto refused = open_hadoop(settings)->preflight({}, {});
  EXPECT_FALSE(refused.has_value());
  if (refused) return {};
  EXPECT_THAT(refused.error().message(), Not(HasSubstr("\n")));
  return refused.error().message();
}

TEST(Opening, says_which_plugin_is_missing) {
  LOADLINE_NEEDS_DOUBLE();
  EXPECT_THAT(refusal_of({{"uri", "dfs://f-1.example.com:10290"}}), HasSubstr("conf.fs.dfs.impl="));
  EXPECT_THAT(refusal_of({{"uri", "broken://x"}}),
              HasSubstr("Class com.example.BrokenFileSystem not found"));
}

TEST(Opening, says_that_a_server_does_not_answer) {
  LOADLINE_NEEDS_DOUBLE();
  const std::string said = refusal_of({{"uri", "double://down:8020"}});
  EXPECT_THAT(said, HasSubstr("double://down:8020"));
  EXPECT_THAT(said, HasSubstr("ConnectException: Connection refused"));
}

TEST(Opening, reads_the_users_configuration) {
  LOADLINE_NEEDS_DOUBLE();
  const ScratchFolder folder;
  std::ofstream(folder.file("site.xml"))
      << "<configuration><property><name>fs.defaultFS</name><value>double://down</value>"
         "</property></configuration>";
  EXPECT_THAT(refusal_of({{"conf", folder.file("site.xml")}}), HasSubstr("double://down"));
  std::ofstream(folder.file("bad.xml")) << "<configuration";
  EXPECT_THAT(refusal_of({{"conf", folder.file("bad.xml")}}),
              HasSubstr("cannot read Hadoop's configuration"));
}

TEST(Opening, refuses_a_second_vm) {
  LOADLINE_NEEDS_DOUBLE();
  EXPECT_TRUE(open_hadoop({{"uri", "file:///"}})->preflight({}, {}).has_value());
  EXPECT_THAT(refusal_of({{"uri", "file:///"}, {"hadoop_classpath", "/elsewhere"}}),
              HasSubstr("one run has one Java VM"));
}

// Prints why it was refused, in a process of its own, as a VM is for the life of a process.
[[noreturn]] void print_refusal(const Settings& settings) {
  const auto refused = open_hadoop(settings)->preflight({}, {});
  const std::string text = refused ? "no refusal" : refused.error().message();
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()));
  ::_exit(0);  // allowed: the end of a death test
}

TEST(OpeningDeathTest, says_what_is_wrong_with_the_class_path) {
  LOADLINE_NEEDS_DOUBLE();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(print_refusal({{"uri", "file:///"}, {"hadoop_classpath", "/no/such/path"}}),
              ::testing::ExitedWithCode(0),
              "hadoop_classpath: the class path has no usable Hadoop: class "
              "org/apache/hadoop/conf/Configuration .* /no/such/path");
}

TEST(OpeningDeathTest, says_that_the_vm_refuses_an_option) {
  LOADLINE_NEEDS_DOUBLE();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(print_refusal({{"uri", "file:///"}, {"jvm_options", "-Xnonsense"}}),
              ::testing::ExitedWithCode(0), "refuses an option");
}

TEST(OpeningDeathTest, says_where_java_was_looked_for) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(print_refusal({{"uri", "file:///"}, {"java_home", "/no/such/java"}}),
              ::testing::ExitedWithCode(0), "/no/such/java/lib/server/libjvm.so");
}

TEST(Threads, leave_nothing_behind_in_java) {
  LOADLINE_NEEDS_DOUBLE();
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.file("c"));
  std::ofstream(folder.file("c/o")) << "data";
  auto target = open_hadoop({{"uri", "file://" + folder.path()}});
  ASSERT_TRUE(target->preflight({}, {}).has_value());
  const SteadyClock clock;
  const auto java_threads = [] {
    const Calls calls = Jvm::running_any()->calls();
    const jint count =
        calls.env()->CallStaticIntMethod(calls.java().thread, calls.java().thread_count);
    return calls.env()->ExceptionCheck() ? -1 : count;
  };
  const int before = java_threads();
  std::atomic<int> good = 0;
  for (std::uint32_t round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<target::Session>> sessions;
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < 50; ++i) {
      auto session = target->open_session({.worker = WorkerId(round * 50 + i), .clock = &clock});
      ASSERT_TRUE(session.has_value());
      sessions.push_back(std::move(*session));
      // Works on a thread, is closed by this one.
      threads.emplace_back([&good, &clock, at = sessions.back().get()] {
        const Op read{.kind = OpKind::read, .container = "c", .object = "o"};
        Completion done;
        if (at->submit(read) == target::Submitted::accepted &&
            at->reap({&done, 1}, clock.now()) == 1 && done.outcome == Outcome::ok) {
          ++good;
        }
      });
    }
  }
  EXPECT_EQ(good, 1'000);
  EXPECT_EQ(java_threads(), before);
}

// The VM of these tests looks at every call, and complains on standard error.
TEST_F(Files, make_no_mistake_that_the_vm_sees) {
  ::testing::internal::CaptureStderr();
  for (const Settings& settings : {Settings{}, Settings{{"conf.double.no.buffer", "true"}},
                                   Settings{{"conf.double.throw.at", "100000"}}}) {
    open(settings);
    static_cast<void>(target_->preflight({}, {}));
    const ObjectHandle written = must_open("a", k_replacing);
    for (int i = 0; i < 3; ++i) move(OpKind::write, written, 0, memory_);
    perform({.kind = OpKind::sync, .handle = written});
    must_close(written);
    const ObjectHandle read = must_open("a", k_reading);
    for (const std::uint64_t offset : {0, 65'536, 10}) move(OpKind::read, read, offset, memory_);
    must_close(read);
    for (const OpKind kind : {OpKind::create_container, OpKind::write, OpKind::read, OpKind::head,
                              OpKind::list, OpKind::remove, OpKind::remove_container}) {
      perform({.kind = kind,
               .container = "c",
               .object = kind == OpKind::list ? "" : "deep/o",
               .payload = target::Payload(Bytes(3'000'000), memory_, 0)});
    }
    static_cast<void>(session_->open_object("none", k_reading));
    static_cast<void>(session_->list_names("", ""));
    static_cast<void>(target_->content_summary(""));
  }
  session_.reset();
  target_.reset();
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, Not(HasSubstr("WARNING")));
  EXPECT_THAT(said, Not(HasSubstr("FATAL")));
}

}  // namespace
}  // namespace loadline::targets::hadoop
