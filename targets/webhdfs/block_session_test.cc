#include "targets/webhdfs/block_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "targets/webhdfs/fixture_test.h"

namespace loadline::targets::webhdfs {
namespace {

using Connection = WebhdfsDouble::Connection;
using target::ByteRange;
using target::ObjectHandle;
using target::OpenMode;
using target::OpKind;
using target::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr OpenMode k_replace = {.read = false, .write = true, .create = true, .replace = true};
constexpr OpenMode k_append = {.read = false, .write = true, .append = true};
constexpr OpenMode k_write = {.read = false, .write = true, .create = true};

class WebhdfsBlocks : public TargetTest {
 protected:
  ObjectHandle open_file(std::string_view name, const OpenMode& mode) {
    auto opened = session_->open_object(name, mode);
    EXPECT_TRUE(opened) << opened.error().message();
    return opened ? opened->handle : target::k_no_object;
  }
  Ended move(OpKind kind, ObjectHandle handle, std::uint64_t offset, std::size_t length) {
    memory_.resize(length);
    return run({.kind = kind,
                .range = ByteRange{Bytes(offset), Bytes(length)},
                .handle = handle,
                .memory = std::as_writable_bytes(std::span(memory_))});
  }
  Ended write(ObjectHandle handle, std::uint64_t offset, std::string_view text) {
    memory_ = text;
    return move(OpKind::write, handle, offset, text.size());
  }
  std::string read(ObjectHandle handle, std::uint64_t offset, std::size_t length) {
    const Ended ended = move(OpKind::read, handle, offset, length);
    EXPECT_EQ(ended.completion.outcome, Outcome::ok) << ended.detail;
    return memory_.substr(0, ended.completion.bytes.count());
  }

  std::string memory_;
};

TEST_F(WebhdfsBlocks, write_a_file_as_one_request_of_chunks) {
  WebhdfsDouble hdfs;
  open(hdfs.uri());
  const std::string text = text_of(3'000'000);
  const ObjectHandle handle = open_file("/f", k_replace);
  for (std::size_t at = 0; at < text.size(); at += 1'000'000) {
    const Ended ended = write(handle, 0, text.substr(at, 1'000'000));
    EXPECT_EQ(ended.completion.outcome, Outcome::ok) << ended.detail;
    EXPECT_EQ(ended.completion.bytes, Bytes(1'000'000));
  }
  const auto closed = session_->close_object(handle);
  EXPECT_TRUE(closed) << closed.error().message();
  EXPECT_EQ(hdfs.file("/f"), text);
  EXPECT_THAT(hdfs.seen_ops(true), ElementsAre("CREATE"));
  EXPECT_EQ(hdfs.seen().back().header("Transfer-Encoding"), "chunked");
}

TEST_F(WebhdfsBlocks, tell_when_the_first_byte_came) {
  WebhdfsDouble hdfs;
  const std::string text = text_of(100'000);
  hdfs.put("/f", text);
  open(hdfs.uri());
  const ObjectHandle handle = open_file("/f", {});
  for (const std::size_t length : {100, 4'096, 50'000}) {
    const Instant before = clock_.now();
    const Ended ended = move(OpKind::read, handle, 7, length);
    EXPECT_EQ(memory_, text.substr(7, length));
    EXPECT_GT(ended.completion.first_byte, before) << length;
    EXPECT_LE(ended.completion.first_byte, clock_.now()) << length;
  }
  EXPECT_FALSE(move(OpKind::read, handle, 200'000, 10).completion.first_byte.stamped());
}

TEST_F(WebhdfsBlocks, append_behind_what_is_there) {
  WebhdfsDouble hdfs;
  hdfs.put("/f", "old");
  open(hdfs.uri());
  const ObjectHandle handle = open_file("/f", k_append);
  EXPECT_EQ(write(handle, 0, "new").completion.outcome, Outcome::ok);
  EXPECT_TRUE(session_->close_object(handle));
  EXPECT_EQ(hdfs.file("/f"), "oldnew");
  EXPECT_FALSE(session_->open_object("/absent", k_append));
}

TEST_F(WebhdfsBlocks, wait_for_a_lease_before_they_append) {
  std::atomic<int> refusals = 2;
  WebhdfsDouble hdfs({}, [&](Connection& c, const SeenRequest& r) {
    if (!r.at_data_node || refusals-- <= 0) return false;
    return c.answer(403, exception_json("RecoveryInProgressException", "lease recovery"),
                    "Connection: close\r\n");
  });
  hdfs.put("/f", "old");
  open(hdfs.uri(), {{"retry", "4"}});
  const ObjectHandle handle = open_file("/f", k_append);
  EXPECT_EQ(write(handle, 0, "new").completion.outcome, Outcome::ok);
  EXPECT_TRUE(session_->close_object(handle));
  EXPECT_EQ(hdfs.file("/f"), "oldnew");
  EXPECT_THAT(hdfs.seen_ops(true), SizeIs(4));
}

TEST_F(WebhdfsBlocks, make_an_empty_file_where_nothing_is_written) {
  WebhdfsDouble hdfs;
  hdfs.put("/g", "stays");
  open(hdfs.uri());
  EXPECT_TRUE(session_->close_object(open_file("/f", k_replace)));
  EXPECT_EQ(hdfs.file("/f"), "");
  EXPECT_TRUE(session_->close_object(open_file("/new", k_write)));
  EXPECT_EQ(hdfs.file("/new"), "");
  EXPECT_TRUE(session_->close_object(open_file("/g", k_write)));
  EXPECT_EQ(hdfs.file("/g"), "stays");
}

TEST_F(WebhdfsBlocks, go_in_order_where_offsets_count) {
  WebhdfsDouble hdfs;
  open(hdfs.uri());
  const ObjectHandle handle = open_file("/f", k_write);
  EXPECT_EQ(write(handle, 0, "abcd").completion.outcome, Outcome::ok);
  const Ended gap = write(handle, 8, "efgh");
  EXPECT_EQ(gap.completion.outcome, Outcome::unsupported);
  EXPECT_THAT(gap.detail, HasSubstr("byte 4 is due, not 8"));
  EXPECT_EQ(write(handle, 4, "efgh").completion.outcome, Outcome::ok);
  EXPECT_TRUE(session_->close_object(handle));
  EXPECT_EQ(hdfs.file("/f"), "abcdefgh");
}

TEST_F(WebhdfsBlocks, fail_with_what_the_data_node_says_before_the_end) {
  WebhdfsDouble hdfs({}, [](Connection& c, const SeenRequest& r) {
    return r.at_data_node && c.answer(403, exception_json("DSQuotaExceededException", "full"),
                                      "Connection: close\r\n");
  });
  open(hdfs.uri());
  const ObjectHandle handle = open_file("/f", k_replace);
  EXPECT_EQ(write(handle, 0, "abc").completion.outcome, Outcome::ok) << "taken, not judged yet";
  const auto closed = session_->close_object(handle);
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().os_error, ENOSPC);
  EXPECT_EQ(closed.error().context, "/f");
  EXPECT_THAT(closed.error().what, HasSubstr("DSQuotaExceededException"));
}

TEST_F(WebhdfsBlocks, fail_early_where_the_answer_comes_early) {
  net::ScriptedServer data_node([](Connection& c) {
    c.read_head();
    c.answer(403, exception_json("AlreadyBeingCreatedException", "another writes"));
    c.take(1 << 20);
  });
  WebhdfsDouble hdfs({}, [&](Connection& c, const SeenRequest&) {
    return c.answer(307, "", "Location: " + data_node.url() + "/webhdfs/v1/f?op=CREATE\r\n");
  });
  open(hdfs.uri());
  const ObjectHandle handle = open_file("/f", k_replace);
  Ended ended;
  for (int i = 0; i < 10'000 && ended.completion.outcome == Outcome::ok; ++i) {
    ended = write(handle, 0, text_of(1000));
  }
  EXPECT_EQ(ended.completion.outcome, Outcome::throttled) << ended.detail;
  EXPECT_EQ(write(handle, 0, "x").completion.outcome, Outcome::throttled) << "it stays so";
  EXPECT_FALSE(session_->close_object(handle));
}

TEST_F(WebhdfsBlocks, read_in_order_by_few_requests) {
  WebhdfsDouble hdfs;
  const std::string text = text_of(2'000'500);
  hdfs.put("/f", text);
  open(hdfs.uri());
  const ObjectHandle handle = open_file("/f", {});
  std::string all;
  for (std::size_t at = 0; at < text.size(); at += 100'000) all += read(handle, at, 100'000);
  EXPECT_EQ(all, text);
  EXPECT_EQ(read(handle, text.size(), 1000), "") << "the end";
  EXPECT_TRUE(session_->close_object(handle));
  EXPECT_THAT(hdfs.seen_ops(true), SizeIs(2));
  EXPECT_THAT(hdfs.seen_ops(false), ElementsAre("GETFILESTATUS", "OPEN"));
}

TEST_F(WebhdfsBlocks, read_anywhere_from_the_place_that_is_known) {
  WebhdfsDouble hdfs;
  const std::string text = text_of(1'000'000);
  hdfs.put("/f", text);
  open(hdfs.uri());
  const ObjectHandle handle = open_file("/f", {});
  for (const std::size_t at : {900'000U, 5U, 500'000U, 999'000U, 0U}) {
    EXPECT_EQ(read(handle, at, 4096), text.substr(at, 4096)) << at;
  }
  EXPECT_THAT(hdfs.seen_ops(false), ElementsAre("GETFILESTATUS", "OPEN")) << "asked for once";
  const auto seen = hdfs.seen();
  EXPECT_EQ(seen.back().get("offset"), "0");
  EXPECT_EQ(seen.back().get("length"), "4096");
}

TEST_F(WebhdfsBlocks, ask_anew_where_the_place_has_gone_bad) {
  std::atomic<int> cut = 2;  // the second request
  WebhdfsDouble hdfs({}, [&](Connection& c, const SeenRequest& r) {
    if (!r.at_data_node || --cut != 0) return false;
    c.close();
    return true;
  });
  hdfs.put("/f", text_of(10'000));
  open(hdfs.uri());
  const ObjectHandle handle = open_file("/f", {});
  EXPECT_EQ(read(handle, 100, 50), text_of(10'000).substr(100, 50));
  const Ended again = move(OpKind::read, handle, 700, 50);
  EXPECT_EQ(again.completion.outcome, Outcome::ok) << again.detail;
  EXPECT_EQ(again.completion.retries, 1);
  EXPECT_EQ(memory_, text_of(10'000).substr(700, 50));
}

TEST_F(WebhdfsBlocks, do_not_take_a_cut_answer_for_the_end) {
  WebhdfsDouble hdfs({}, [](Connection& c, const SeenRequest& r) {
    if (!r.at_data_node) return false;
    c.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nshort");
    c.close();
    return true;
  });
  hdfs.put("/f", text_of(5000));
  open(hdfs.uri());
  const Ended ended = move(OpKind::read, open_file("/f", {}), 0, 5000);
  EXPECT_EQ(ended.completion.outcome, Outcome::short_transfer);
  EXPECT_EQ(ended.completion.bytes, Bytes(5));
}

TEST_F(WebhdfsBlocks, read_bodies_that_come_in_chunks) {
  WebhdfsDouble hdfs({}, [](Connection& c, const SeenRequest& r) {
    return r.at_data_node && c.send(
                                 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                 "5\r\nabcde\r\n3\r\nfgh\r\n0\r\n\r\n");
  });
  hdfs.put("/f", "abcdefgh");
  open(hdfs.uri());
  EXPECT_EQ(read(open_file("/f", {}), 0, 8), "abcdefgh");
}

TEST_F(WebhdfsBlocks, truncate_a_file_and_wait_until_it_is) {
  for (const bool late : {false, true}) {
    WebhdfsDouble hdfs({.false_truncates = late});
    hdfs.put("/f", text_of(1000));
    open(hdfs.uri());
    const ObjectHandle handle = open_file("/f", {.read = false, .write = true});
    const Ended ended = run(
        {.kind = OpKind::truncate, .range = ByteRange{Bytes(300), Bytes(700)}, .handle = handle});
    EXPECT_EQ(ended.completion.outcome, Outcome::ok) << ended.detail;
    EXPECT_EQ(ended.completion.bytes, Bytes(700));
    EXPECT_TRUE(session_->close_object(handle));
    EXPECT_EQ(hdfs.file("/f"), text_of(300));
    session_.reset();
  }
}

TEST_F(WebhdfsBlocks, know_no_sync_and_no_reading_and_writing_at_once) {
  WebhdfsDouble hdfs;
  hdfs.put("/f", "x");
  hdfs.put_folder("/d");
  open(hdfs.uri());
  const ObjectHandle handle = open_file("/f", {});
  EXPECT_EQ(run({.kind = OpKind::sync, .handle = handle}).completion.outcome, Outcome::unsupported);
  EXPECT_EQ(write(handle, 0, "y").completion.outcome, Outcome::unsupported);
  EXPECT_FALSE(session_->open_object("/f", {.read = true, .write = true}));
  EXPECT_FALSE(session_->open_object("/d", {}));
  const auto absent = session_->open_object("/absent", {});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().os_error, ENOENT);
}

TEST_F(WebhdfsBlocks, list_the_files_of_a_folder_by_prefix) {
  WebhdfsDouble hdfs({.page_size = 2});
  for (int i = 0; i < 5; ++i) hdfs.put("/d/test_io_" + std::to_string(i), "x");
  hdfs.put("/d/other", "x");
  hdfs.put_folder("/d/test_io_folder");
  open(hdfs.uri());
  const auto names = session_->list_names("/d", "test_io_");
  ASSERT_TRUE(names) << names.error().message();
  EXPECT_THAT(*names, ElementsAre("test_io_0", "test_io_1", "test_io_2", "test_io_3", "test_io_4"));
  EXPECT_FALSE(session_->list_names("/none", ""));
}

TEST_F(WebhdfsBlocks, go_through_a_gateway_that_keeps_its_connection) {
  WebhdfsDouble hdfs({.gateway = true});
  open(hdfs.uri(), {{"httpfs", "true"}});
  const ObjectHandle out = open_file("/f", k_replace);
  EXPECT_EQ(write(out, 0, "abcdef").completion.outcome, Outcome::ok);
  EXPECT_TRUE(session_->close_object(out));
  const ObjectHandle in = open_file("/f", {});
  EXPECT_EQ(read(in, 2, 3), "cde");
  EXPECT_EQ(read(in, 1, 2), "bc");
  EXPECT_EQ(hdfs.data_node_connections(), 0);
  EXPECT_EQ(hdfs.name_node_connections(), 3) << "calls, the writer's and the reader's";
}

}  // namespace
}  // namespace loadline::targets::webhdfs
