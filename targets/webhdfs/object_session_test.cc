#include "targets/webhdfs/object_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "targets/webhdfs/fixture_test.h"

namespace loadline::targets::webhdfs {
namespace {

using Connection = WebhdfsDouble::Connection;
using target::ByteRange;
using target::Op;
using target::OpKind;
using target::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class WebhdfsObjects : public TargetTest {
 protected:
  Op write_op(std::uint64_t size, std::string_view name = "o") {
    return {.kind = OpKind::write, .container = "c", .object = name, .payload = payload(size)};
  }
  Op read_op(target::BodySink* sink = nullptr, std::optional<ByteRange> range = {}) {
    return {.kind = OpKind::read, .container = "c", .object = "o", .range = range, .sink = sink};
  }
};

TEST_F(WebhdfsObjects, writes_in_two_steps_and_sends_data_in_the_second_alone) {
  WebhdfsDouble hdfs;
  open(hdfs.uri(), {{"block_size", "1048576"}, {"replication", "2"}});
  const Ended ended = run(write_op(1'000'003));
  EXPECT_EQ(ended.completion.outcome, Outcome::ok) << ended.detail;
  EXPECT_EQ(ended.completion.bytes, Bytes(1'000'003));
  EXPECT_EQ(ended.completion.status, 201);
  EXPECT_EQ(hdfs.file("/bench/c/o"), text_of(1'000'003));
  const auto seen = hdfs.seen();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_FALSE(seen[0].at_data_node);
  EXPECT_EQ(seen[0].body, "");
  EXPECT_EQ(seen[0].header("Content-Length"), "0");
  EXPECT_EQ(seen[0].get("user.name"), "tester");
  EXPECT_EQ(seen[0].get("overwrite"), "true");
  EXPECT_EQ(seen[0].get("blocksize"), "1048576");
  EXPECT_TRUE(seen[1].at_data_node);
  EXPECT_EQ(seen[1].header("Content-Length"), "1000003");
  EXPECT_EQ(seen[1].header("Host"), "127.0.0.1:" + hdfs.data_port());
  EXPECT_EQ(seen[1].get("namenoderpcaddress"), "nn:8020") << "the location as it came";
}

TEST_F(WebhdfsObjects, keeps_the_connection_to_the_name_node) {
  WebhdfsDouble hdfs;
  open(hdfs.uri());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(write_op(10)).completion.outcome, Outcome::ok);
  EXPECT_EQ(hdfs.name_node_connections(), 1);
  EXPECT_EQ(hdfs.data_node_connections(), 5) << "closed after each answer, by the server";
}

TEST_F(WebhdfsObjects, reads_ranges_of_an_object) {
  WebhdfsDouble hdfs;
  hdfs.put("/bench/c/o", text_of(100'000));
  open(hdfs.uri());
  TextSink sink;
  const Ended whole = run(read_op(&sink));
  EXPECT_EQ(whole.completion.outcome, Outcome::ok) << whole.detail;
  EXPECT_EQ(sink.text, text_of(100'000));
  EXPECT_TRUE(whole.completion.first_byte.stamped());
  sink.restart();
  const Ended part = run(read_op(&sink, ByteRange{Bytes(99'000), Bytes(500)}));
  EXPECT_EQ(part.completion.bytes, Bytes(500));
  EXPECT_EQ(sink.text, text_of(100'000).substr(99'000, 500));
  const Ended beyond = run(read_op(&sink, ByteRange{Bytes(99'900), Bytes(500)}));
  EXPECT_EQ(beyond.completion.outcome, Outcome::short_transfer);
  EXPECT_EQ(run(read_op(nullptr, ByteRange{Bytes(), Bytes()})).completion.outcome,
            Outcome::invalid);
}

TEST_F(WebhdfsObjects, asks_for_locations_in_json_where_told_to) {
  WebhdfsDouble hdfs;
  open(hdfs.uri(), {{"noredirect", "true"}});
  EXPECT_EQ(run(write_op(5000)).completion.outcome, Outcome::ok);
  EXPECT_EQ(run(read_op()).completion.bytes, Bytes(5000));
  for (const SeenRequest& request : hdfs.seen()) EXPECT_EQ(request.get("noredirect"), "true");
}

TEST_F(WebhdfsObjects, gives_a_gateway_the_data_at_once) {
  WebhdfsDouble hdfs({.gateway = true});
  open(hdfs.uri(), {{"httpfs", "true"}});
  EXPECT_EQ(run(write_op(5000)).completion.outcome, Outcome::ok);
  EXPECT_EQ(run(read_op()).completion.bytes, Bytes(5000));
  const auto seen = hdfs.seen();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].get("data"), "true");
  EXPECT_EQ(seen[0].header("Content-Type"), "application/octet-stream");
  EXPECT_EQ(hdfs.name_node_connections(), 1);
}

TEST_F(WebhdfsObjects, names_the_host_that_a_redirect_leads_to_in_vain) {
  WebhdfsDouble hdfs({.data_host = "dn7.no-such-host.invalid"});
  open(hdfs.uri());
  const Ended lost = run(write_op(10));
  EXPECT_EQ(lost.completion.outcome, Outcome::connection);
  const std::string place = "dn7.no-such-host.invalid:" + hdfs.data_port();
  EXPECT_THAT(lost.detail, HasSubstr("DataNode http://" + place));
  EXPECT_THAT(lost.detail, HasSubstr("resolve=" + place + "=ADDRESS:PORT"));
  open(hdfs.uri(), {{"resolve", place + "=127.0.0.1:" + hdfs.data_port()}});
  EXPECT_EQ(run(write_op(10)).completion.outcome, Outcome::ok);
  EXPECT_EQ(hdfs.seen().back().header("Host"), place);
}

TEST_F(WebhdfsObjects, judges_by_the_exception_and_says_who_raised_it) {
  WebhdfsDouble hdfs({}, [](Connection& c, const SeenRequest& r) {
    if (!r.at_data_node) return false;
    return c.answer(403, exception_json("DSQuotaExceededException", "The quota is used up"));
  });
  open(hdfs.uri());
  const Ended full = run(write_op(100));
  EXPECT_EQ(full.completion.outcome, Outcome::no_space);
  EXPECT_EQ(full.completion.status, 403);
  EXPECT_THAT(full.detail, HasSubstr("DataNode http://127.0.0.1:" + hdfs.data_port() +
                                     ": HTTP 403 DSQuotaExceededException: The quota is used up"));
}

TEST_F(WebhdfsObjects, waits_for_a_lease_and_counts_how_often) {
  std::atomic<int> refusals = 3;
  WebhdfsDouble hdfs({}, [&](Connection& c, const SeenRequest& r) {
    if (!r.at_data_node || refusals-- <= 0) return false;
    return c.answer(403, exception_json("AlreadyBeingCreatedException", "is being written"));
  });
  open(hdfs.uri(), {{"retry", "5"}});
  const Ended ended = run(write_op(70'000));
  EXPECT_EQ(ended.completion.outcome, Outcome::ok) << ended.detail;
  EXPECT_EQ(ended.completion.retries, 3);
  EXPECT_EQ(hdfs.file("/bench/c/o"), text_of(70'000));
  refusals = 1;
  open(hdfs.uri());
  const Ended once = run(write_op(70'000));
  EXPECT_EQ(once.completion.outcome, Outcome::throttled);
  EXPECT_EQ(once.completion.retries, 0);
}

TEST_F(WebhdfsObjects, takes_false_for_a_failure) {
  WebhdfsDouble hdfs({}, [](Connection& c, const SeenRequest& r) {
    return r.op() == "MKDIRS" && c.answer(200, R"({"boolean":false})");
  });
  open(hdfs.uri());
  const Ended made = run({.kind = OpKind::create_container, .container = "c"});
  EXPECT_EQ(made.completion.outcome, Outcome::io_error);
  EXPECT_THAT(made.detail, HasSubstr("answered false"));
  EXPECT_EQ(run({.kind = OpKind::remove_container, .container = "c"}).completion.outcome,
            Outcome::not_found);
  EXPECT_EQ(run({.kind = OpKind::remove, .container = "c", .object = "o"}).completion.outcome,
            Outcome::ok);
  EXPECT_EQ(run({.kind = OpKind::remove, .object = "/bench/c/o"}).completion.outcome,
            Outcome::not_found);
}

TEST_F(WebhdfsObjects, does_not_take_a_cut_body_for_a_whole_one) {
  WebhdfsDouble hdfs({}, [](Connection& c, const SeenRequest& r) {
    if (!r.at_data_node) return false;
    c.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort");
    c.close();
    return true;
  });
  hdfs.put("/bench/c/o", text_of(1000));
  open(hdfs.uri());
  const Ended ended = run(read_op());
  EXPECT_EQ(ended.completion.outcome, Outcome::short_transfer);
  EXPECT_THAT(ended.detail, HasSubstr("DataNode"));
}

TEST_F(WebhdfsObjects, says_which_server_hung_up_or_kept_silent) {
  std::atomic<bool> silent = false;
  WebhdfsDouble hdfs({}, [&](Connection& c, const SeenRequest& r) {
    if (!r.at_data_node) return false;
    if (!silent) c.close();
    return true;
  });
  hdfs.put("/bench/c/o", "x");
  open(hdfs.uri(), {{"timeout", "200"}});
  const Ended cut = run(read_op());
  EXPECT_EQ(cut.completion.outcome, Outcome::connection);
  EXPECT_THAT(cut.detail, HasSubstr("DataNode http://127.0.0.1:" + hdfs.data_port()));
  silent = true;
  const Ended late = run(read_op());
  EXPECT_EQ(late.completion.outcome, Outcome::timeout);
  EXPECT_THAT(late.detail,
              HasSubstr("DataNode http://127.0.0.1:" + hdfs.data_port() + ": no byte"));
}

TEST_F(WebhdfsObjects, starts_a_sink_again_when_it_reads_again) {
  std::atomic<int> cuts = 1;
  WebhdfsDouble hdfs({}, [&](Connection& c, const SeenRequest& r) {
    if (!r.at_data_node || cuts-- <= 0) return false;
    c.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nwrong");
    c.close();
    return true;
  });
  hdfs.put("/bench/c/o", text_of(1000));
  open(hdfs.uri(), {{"retry", "1"}});
  TextSink sink;
  const Ended ended = run(read_op(&sink));
  EXPECT_EQ(ended.completion.outcome, Outcome::ok) << ended.detail;
  EXPECT_EQ(ended.completion.retries, 1);
  EXPECT_EQ(sink.text, text_of(1000));
}

TEST_F(WebhdfsObjects, goes_to_the_other_name_node_where_one_stands_by) {
  WebhdfsDouble standby({}, [](Connection& c, const SeenRequest&) {
    return c.answer(403, exception_json("StandbyException", "Operation category READ"));
  });
  WebhdfsDouble active;
  open(standby.uri() + "," + active.uri().substr(std::string("webhdfs://").size()));
  const Ended first = run(write_op(10));
  EXPECT_EQ(first.completion.outcome, Outcome::ok) << first.detail;
  EXPECT_EQ(first.completion.retries, 1);
  EXPECT_EQ(run(write_op(10)).completion.retries, 0) << "it stays there";
  EXPECT_EQ(standby.seen().size(), 1U);
}

TEST_F(WebhdfsObjects, goes_to_the_other_name_node_where_one_is_gone) {
  WebhdfsDouble active;  // first: it must not get the other's port
  std::string gone;
  {
    gone = WebhdfsDouble().uri();
  }
  open(gone + "," + active.uri().substr(std::string("webhdfs://").size()));
  EXPECT_EQ(run(write_op(10)).completion.outcome, Outcome::ok);
}

TEST_F(WebhdfsObjects, lists_folders_below_too_page_by_page) {
  WebhdfsDouble hdfs({.page_size = 3});
  for (int i = 0; i < 10; ++i) hdfs.put("/bench/c/obj" + std::to_string(i), "x");
  hdfs.put("/bench/c/obj/deep/one", "x");
  hdfs.put("/bench/c/other/two", "x");
  open(hdfs.uri());
  const Ended some = run({.kind = OpKind::list, .container = "c", .object = "obj"});
  EXPECT_EQ(some.completion.outcome, Outcome::ok) << some.detail;
  EXPECT_EQ(some.completion.items, 11U);
  EXPECT_GT(some.completion.bytes, Bytes(500));
  EXPECT_EQ(run({.kind = OpKind::list, .container = "c"}).completion.items, 12U);
  EXPECT_EQ(run({.kind = OpKind::list, .container = "c", .object = "obj/d"}).completion.items, 1U);
  EXPECT_EQ(run({.kind = OpKind::list, .container = "none"}).completion.outcome,
            Outcome::not_found);
}

TEST_F(WebhdfsObjects, lists_on_servers_that_know_no_pages) {
  WebhdfsDouble hdfs({.pages = false});
  for (int i = 0; i < 25; ++i) hdfs.put("/bench/c/o" + std::to_string(i), "x");
  open(hdfs.uri());
  EXPECT_EQ(run({.kind = OpKind::list, .container = "c"}).completion.items, 25U);
  EXPECT_EQ(run({.kind = OpKind::list, .container = "c"}).completion.items, 25U);
  EXPECT_THAT(hdfs.seen_ops(false), ElementsAre("LISTSTATUS_BATCH", "LISTSTATUS", "LISTSTATUS"));
}

TEST_F(WebhdfsObjects, says_how_many_of_many_were_not_removed) {
  WebhdfsDouble hdfs({}, [](Connection& c, const SeenRequest& r) {
    return r.path.ends_with("/b") && r.op() == "DELETE" &&
           c.answer(403, exception_json("AccessControlException", "not yours"));
  });
  for (const char* name : {"a", "b", "d"}) hdfs.put(std::string("/bench/c/") + name, "x");
  open(hdfs.uri());
  const std::vector<std::string_view> names = {"a", "b", "absent", "d"};
  const Ended ended = run({.kind = OpKind::remove_many, .container = "c", .objects = names});
  EXPECT_EQ(ended.completion.outcome, Outcome::denied);
  EXPECT_EQ(ended.completion.items, 3U);
  EXPECT_THAT(ended.detail, HasSubstr("1 of 4 names not removed"));
}

TEST_F(WebhdfsObjects, refuses_names_that_lead_elsewhere) {
  WebhdfsDouble hdfs;
  open(hdfs.uri());
  EXPECT_EQ(run(write_op(1, "../x")).completion.outcome, Outcome::invalid);
  EXPECT_TRUE(hdfs.seen().empty());
}

TEST_F(WebhdfsObjects, never_shows_a_token) {
  WebhdfsDouble hdfs({}, [](Connection& c, const SeenRequest& r) {
    return c.answer(403, exception_json("InvalidToken", "bad token " + r.get("delegation")));
  });
  open(hdfs.uri(), {{"user", ""}, {"token", "JAAEdG9rZW4"}});
  const Ended ended = run(write_op(1));
  EXPECT_EQ(ended.completion.outcome, Outcome::denied);
  EXPECT_THAT(ended.detail, Not(HasSubstr("JAAEdG9rZW4")));
  EXPECT_EQ(hdfs.seen()[0].get("delegation"), "JAAEdG9rZW4");
  EXPECT_EQ(hdfs.seen()[0].get("user.name"), "");
}

TEST_F(WebhdfsObjects, refuses_a_success_without_a_redirect) {
  WebhdfsDouble hdfs(
      {}, [](Connection& c, const SeenRequest& r) { return !r.at_data_node && c.answer(200, ""); });
  open(hdfs.uri());
  const Ended ended = run(write_op(1));
  EXPECT_EQ(ended.completion.outcome, Outcome::invalid);
  EXPECT_THAT(ended.detail, HasSubstr("redirect"));
}

TEST_F(WebhdfsObjects, opens_at_the_name_node_alone) {
  WebhdfsDouble hdfs;
  hdfs.put("/bench/c/o", text_of(1000));
  open(hdfs.uri());
  EXPECT_EQ(run({.kind = OpKind::open, .container = "c", .object = "o"}).completion.outcome,
            Outcome::ok);
  EXPECT_THAT(hdfs.seen_ops(false), ElementsAre("OPEN"));
  EXPECT_TRUE(hdfs.seen_ops(true).empty()) << "no data is asked for";
}

TEST_F(WebhdfsObjects, says_why_a_rename_was_not_done) {
  WebhdfsDouble hdfs;
  hdfs.put("/bench/c/o", "x");
  hdfs.put("/bench/c/taken", "y");
  open(hdfs.uri());
  const auto rename = [&](std::string_view from, std::string_view to) {
    return run({.kind = OpKind::rename, .container = "c", .object = from, .new_object = to});
  };
  const Ended taken = rename("o", "taken");
  EXPECT_EQ(taken.completion.outcome, Outcome::exists);
  EXPECT_THAT(taken.detail, HasSubstr("the new name is taken"));
  EXPECT_EQ(hdfs.file("/bench/c/taken"), "y");
  EXPECT_EQ(rename("o", "no-folder/o").completion.outcome, Outcome::not_found);
  EXPECT_EQ(rename("o", "../o").completion.outcome, Outcome::invalid);
  EXPECT_EQ(rename("o", "n").completion.outcome, Outcome::ok);
  EXPECT_EQ(hdfs.file("/bench/c/n"), "x");
}

TEST_F(WebhdfsObjects, waits_until_a_file_has_been_cut) {
  WebhdfsDouble hdfs({.false_truncates = true});
  hdfs.put("/bench/c/o", text_of(1000));
  open(hdfs.uri());
  const Ended cut = run({.kind = OpKind::truncate,
                         .container = "c",
                         .object = "o",
                         .range = target::ByteRange{Bytes(300), Bytes()}});
  EXPECT_EQ(cut.completion.outcome, Outcome::ok) << cut.detail;
  EXPECT_EQ(cut.completion.retries, 0);
  EXPECT_EQ(hdfs.file("/bench/c/o"), text_of(300));
}

TEST_F(WebhdfsObjects, never_append_twice) {
  std::atomic<int> refusals = 1;
  std::atomic<bool> hangs_up = false;
  WebhdfsDouble hdfs({}, [&](Connection& c, const SeenRequest& r) {
    if (!r.at_data_node) return false;
    if (hangs_up) {
      c.close();
      return true;
    }
    if (refusals-- <= 0) return false;
    return c.answer(403, exception_json("RecoveryInProgressException", "of the lease"));
  });
  hdfs.put("/bench/c/o", "head ");
  open(hdfs.uri(), {{"retry", "5"}});
  Op append = write_op(4);
  append.kind = OpKind::append;
  const Ended done = run(append);
  EXPECT_EQ(done.completion.outcome, Outcome::ok) << done.detail;
  EXPECT_EQ(done.completion.retries, 1) << "nothing had been taken";
  EXPECT_EQ(hdfs.file("/bench/c/o"), "head " + text_of(4));
  // The data may have been taken: whoever does not answer is not asked again.
  hangs_up = true;
  const Ended lost = run(append);
  EXPECT_EQ(lost.completion.outcome, Outcome::connection);
  EXPECT_EQ(lost.completion.retries, 0);
}

TEST_F(WebhdfsObjects, makes_an_empty_file_and_leaves_one_that_is_there) {
  WebhdfsDouble hdfs;
  open(hdfs.uri());
  EXPECT_EQ(run({.kind = OpKind::create, .object = "/bench/f"}).completion.outcome, Outcome::ok);
  EXPECT_EQ(hdfs.file("/bench/f"), "");
  hdfs.put("/bench/f", "data");
  EXPECT_EQ(run({.kind = OpKind::create, .object = "/bench/f"}).completion.outcome, Outcome::ok);
  EXPECT_EQ(hdfs.file("/bench/f"), "data");
}

}  // namespace
}  // namespace loadline::targets::webhdfs
