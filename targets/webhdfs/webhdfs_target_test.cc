#include "targets/webhdfs/webhdfs_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "targets/webhdfs/fixture_test.h"

namespace loadline::targets::webhdfs {
namespace {

using Connection = WebhdfsDouble::Connection;
using target::OpKind;
using ::testing::HasSubstr;

using Names = std::vector<std::string>;

class WebhdfsTargetTest : public TargetTest {
 protected:
  Result<void> preflight(const Names& containers, const Names& created = {}) {
    return target_->preflight(containers, created);
  }
};

TEST_F(WebhdfsTargetTest, passes_what_can_be_used_and_touches_nothing) {
  WebhdfsDouble hdfs;
  hdfs.put_folder("/bench/ours");
  open(hdfs.uri());
  const auto checked = preflight({"ours", "later"}, {"later", "new"});
  EXPECT_TRUE(checked) << checked.error().message();
  for (const SeenRequest& request : hdfs.seen()) EXPECT_EQ(request.method, "GET");
}

TEST_F(WebhdfsTargetTest, refuses_what_cannot_be_used_in_one_clear_line) {
  WebhdfsDouble hdfs;
  hdfs.put("/bench/file", "x");
  open(hdfs.uri());
  const auto missing = preflight({"missing"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_THAT(missing.error().what, HasSubstr("'/bench/missing' does not exist: create it"));
  const auto file = preflight({"file"});
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message(), HasSubstr("is a file where a folder is needed"));
}

TEST_F(WebhdfsTargetTest, names_a_name_node_that_is_none_or_gone) {
  net::ScriptedServer other(net::answering(
      [](Connection& c, const std::string&) { c.answer(404, "<html>nothing here</html>"); }));
  open("webhdfs://127.0.0.1:" + std::to_string(other.port()));
  const auto wrong = preflight({});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().what, HasSubstr("is this the HTTP port of a NameNode?"));
  EXPECT_EQ(wrong.error().context, "uri, 127.0.0.1:" + std::to_string(other.port()));
  std::string closed;
  {
    closed = WebhdfsDouble().uri();
  }
  open(closed);
  const auto gone = preflight({});
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::unavailable);
  EXPECT_THAT(gone.error().what, HasSubstr("Connection refused"));
}

TEST_F(WebhdfsTargetTest, says_that_it_is_not_let_in) {
  WebhdfsDouble hdfs({}, [](Connection& c, const SeenRequest&) {
    return c.answer(401, "", "WWW-Authenticate: Negotiate\r\n");
  });
  open(hdfs.uri());
  const auto denied = preflight({});
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().code, ErrorCode::denied);
  EXPECT_THAT(denied.error().what, HasSubstr("token="));
}

TEST_F(WebhdfsTargetTest, passes_a_name_node_that_stands_by) {
  WebhdfsDouble standby({}, [](Connection& c, const SeenRequest&) {
    return c.answer(403, exception_json("StandbyException", "not me"));
  });
  WebhdfsDouble active;
  active.put_folder("/bench/c");
  open(standby.uri() + "," + active.uri().substr(std::string("webhdfs://").size()));
  const auto checked = preflight({"c"});
  EXPECT_TRUE(checked) << checked.error().message();
}

TEST_F(WebhdfsTargetTest, says_how_large_files_are) {
  WebhdfsDouble hdfs;
  hdfs.put("/f", text_of(1000));
  open(hdfs.uri());
  const auto facts = [&](target::ObjectNeed need) {
    return target_->provide(std::span(&need, 1), {});
  };
  EXPECT_EQ(facts({.name = "/f", .size = {}})->front().size, Bytes(1000));
  EXPECT_EQ(facts({.name = "/f", .size = Bytes(600)})->front().size, Bytes(1000));
  const auto small = facts({.name = "/f", .size = Bytes(2000)});
  ASSERT_FALSE(small);
  EXPECT_THAT(small.error().what, HasSubstr("1000 bytes where 2000"));
  const auto absent = facts({.name = "/absent", .size = Bytes(10), .lay_out = true});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::not_found);
  EXPECT_EQ(
      facts({.name = "/new", .size = Bytes(10), .reads = false, .writes = true})->front().size,
      Bytes(10));
}

TEST_F(WebhdfsTargetTest, counts_what_lies_below_a_path) {
  WebhdfsDouble hdfs;
  hdfs.put("/d/a", "12345");
  hdfs.put("/d/sub/b", "123");
  open(hdfs.uri());
  const auto summary = target_->content_summary("/d");
  ASSERT_TRUE(summary) << summary.error().message();
  EXPECT_EQ(*summary, (target::ContentSummary{.folders = 2,
                                              .files = 2,
                                              .bytes = Bytes(8),
                                              .quota = 100,
                                              .quota_left = 96,
                                              .space_quota = {},
                                              .space_quota_left = {}}));
  EXPECT_FALSE(target_->content_summary("/none"));
}

TEST_F(WebhdfsTargetTest, declares_what_it_can_do_and_its_parameters) {
  const target::TargetType type = webhdfs_target();
  EXPECT_EQ(type.name, "webhdfs");
  for (const target::ParameterSpec& parameter : type.parameters) {
    EXPECT_FALSE(parameter.meaning.empty());
    EXPECT_EQ(parameter.secret, target::is_secret_key(parameter.key)) << parameter.key;
  }
  const auto can = (*type.open(parameters_for("webhdfs://127.0.0.1:1")))->capabilities();
  EXPECT_TRUE(can.can(OpKind::truncate));
  EXPECT_FALSE(can.can(OpKind::sync));
  EXPECT_FALSE(can.can(OpKind::restore));
  EXPECT_TRUE(can.range_reads && can.block_io && can.block_io_waits);
  EXPECT_FALSE(can.blocking);
}

}  // namespace
}  // namespace loadline::targets::webhdfs
