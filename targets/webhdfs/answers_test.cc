#include "targets/webhdfs/answers.h"

#include <gtest/gtest.h>

#include "targets/webhdfs/location.h"
#include "targets/webhdfs/request.h"

namespace loadline::targets::webhdfs {
namespace {

TEST(WebhdfsAnswers, name_the_exception_without_its_package) {
  const RemoteException full = parse_remote_exception(
      R"({"RemoteException":{"exception":"FileNotFoundException",)"
      R"("javaClassName":"java.io.FileNotFoundException","message":"File does not exist: /f"}})");
  EXPECT_EQ(full.name, "FileNotFoundException");
  EXPECT_EQ(full.message, "File does not exist: /f");
  EXPECT_EQ(
      parse_remote_exception(R"({"RemoteException":{"javaClassName":"a.b.C$InvalidToken"}})").name,
      "InvalidToken");
  EXPECT_EQ(parse_remote_exception("<html>404</html>").name, "");
  EXPECT_EQ(parse_remote_exception(R"({"RemoteException":{"exception":7}})").name, "");
  EXPECT_EQ(parse_remote_exception("").name, "");
}

TEST(WebhdfsAnswers, are_true_false_or_neither) {
  EXPECT_EQ(parse_boolean_answer(R"({"boolean": true})"), true);
  EXPECT_EQ(parse_boolean_answer(R"({"boolean":false})"), false);
  EXPECT_EQ(parse_boolean_answer(R"({"boolean":"true"})"), std::nullopt);
  EXPECT_EQ(parse_boolean_answer("{}"), std::nullopt);
}

TEST(WebhdfsAnswers, list_in_pages_and_at_once) {
  const auto whole =
      parse_listing(R"({"FileStatuses":{"FileStatus":[{"pathSuffix":"a","type":"FILE","length":7},)"
                    R"({"pathSuffix":"d","type":"DIRECTORY","length":0}]}})");
  ASSERT_TRUE(whole);
  ASSERT_EQ(whole->entries.size(), 2U);
  EXPECT_EQ(whole->entries[0].name, "a");
  EXPECT_EQ(whole->entries[0].length, Bytes(7));
  EXPECT_TRUE(whole->entries[1].is_folder);
  EXPECT_EQ(whole->remaining, 0U);
  const auto page =
      parse_listing(R"({"DirectoryListing":{"partialListing":{"FileStatuses":{"FileStatus":[)"
                    R"({"pathSuffix":"b","type":"FILE","length":1}]}},"remainingEntries":2}})");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->entries.size(), 1U);
  EXPECT_EQ(page->remaining, 2U);
  EXPECT_FALSE(parse_listing("{}"));
  EXPECT_FALSE(parse_listing(R"({"FileStatuses":{"FileStatus":[1]}})"));
}

TEST(WebhdfsAnswers, sum_up_what_lies_below_a_path) {
  const auto plain = parse_content_summary(
      R"({"ContentSummary":{"directoryCount":2,"fileCount":5,"length":100,"quota":-1,)"
      R"("spaceConsumed":300,"spaceQuota":-1}})");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->folders, 2U);
  EXPECT_EQ(plain->files, 5U);
  EXPECT_EQ(plain->bytes, Bytes(100));
  EXPECT_FALSE(plain->quota || plain->space_quota_left);
  const auto limited = parse_content_summary(
      R"({"ContentSummary":{"directoryCount":2,"fileCount":5,"length":100,"quota":10,)"
      R"("spaceConsumed":300,"spaceQuota":200}})");
  ASSERT_TRUE(limited);
  EXPECT_EQ(limited->quota_left, 3);
  EXPECT_EQ(limited->space_quota_left, -100);
  EXPECT_FALSE(parse_content_summary(R"({"ContentSummary":{}})"));
}

TEST(WebhdfsLocation, is_taken_as_it_came) {
  const auto location =
      parse_location("http://DN1.example.com:9864/webhdfs/v1/a%20b?op=CREATE&x=%2B");
  ASSERT_TRUE(location);
  EXPECT_EQ(location->endpoint.authority, "dn1.example.com:9864");
  EXPECT_FALSE(location->endpoint.tls);
  EXPECT_EQ(location->target, "/webhdfs/v1/a%20b?op=CREATE&x=%2B");
  EXPECT_EQ(parse_location("https://[fe80::1]:1/p")->endpoint.authority, "[fe80::1]:1");
  EXPECT_EQ(parse_location("http://h:1/\xC3\xBC")->target, "/%C3%BC");
}

TEST(WebhdfsLocation, is_refused_without_being_repeated) {
  for (const std::string_view bad :
       {"", "ftp://h/p", "/webhdfs/v1/p", "http://", "http://h:1", "http://h:0/p",
        "http://me:secret@h/p?secret", "http://h/p secret", "http://h/p\r\nX: secret",
        "http://h/p#secret"}) {
    const auto location = parse_location(bad);
    ASSERT_FALSE(location) << bad;
    EXPECT_EQ(location.error().message().find("secret"), std::string::npos);
  }
}

TEST(WebhdfsLocation, gets_other_ranges) {
  std::string target = "/p?op=OPEN&offset=0&length=5&xoffset=9";
  set_query(target, "offset", "77");
  EXPECT_EQ(target, "/p?op=OPEN&offset=77&length=5&xoffset=9");
  set_query(target, "buffersize", "1");
  EXPECT_EQ(target, "/p?op=OPEN&offset=77&length=5&xoffset=9&buffersize=1");
  std::string bare = "/p";
  set_query(bare, "length", "1");
  EXPECT_EQ(bare, "/p?length=1");
}

TEST(WebhdfsRequest, says_where_names_lie) {
  const Config config{.root = "/bench"};
  EXPECT_EQ(path_of(config, "c", "a/b"), "/bench/c/a/b");
  EXPECT_EQ(path_of(config, "c", ""), "/bench/c");
  EXPECT_EQ(path_of(config, "", "/elsewhere/f"), "/elsewhere/f");
  EXPECT_EQ(path_of(config, "", "f"), "/bench/f");
  EXPECT_EQ(path_of(config, "/abs", "f"), "/abs/f");
  EXPECT_EQ(path_of(config, "c", "a/"), "/bench/c/a");
  EXPECT_EQ(path_of(Config{.root = ""}, "c", "o"), "/c/o");
  for (const std::string_view strange : {"..", "a/../b", "./a", "a/."}) {
    EXPECT_EQ(path_of(config, "c", strange), std::nullopt) << strange;
  }
  EXPECT_TRUE(path_of(config, "c", "..a/b..").has_value());
}

TEST(WebhdfsRequest, encodes_paths_and_values) {
  Config config{.user = "me & you"};
  std::string head;
  RequestWriter(config).write_call(
      {.method = "PUT", .op = "MKDIRS", .path = "/a b+c%d/ü?", .query = "&permission=755"},
      make_endpoint(false, {.host = "nn"}, 9870), head);
  EXPECT_EQ(head.substr(0, head.find("User-Agent")),
            "PUT /webhdfs/v1/a%20b%2Bc%25d/%C3%BC%3F?op=MKDIRS&user.name=me%20%26%20you"
            "&permission=755 HTTP/1.1\r\nHost: nn:9870\r\n");
  EXPECT_NE(head.find("\r\nContent-Length: 0\r\n"), std::string::npos);
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
}

TEST(WebhdfsRequest, says_how_files_are_made) {
  EXPECT_EQ(create_query({}, true), "&overwrite=true");
  EXPECT_EQ(
      create_query({.block_size = Bytes(1 << 20), .replication = 2, .permission = "640"}, false),
      "&overwrite=false&blocksize=1048576&replication=2&permission=640");
  EXPECT_EQ(folder_query({.permission = "640"}), "&permission=750");
  EXPECT_EQ(folder_query({.permission = "1777"}), "&permission=1777");
  EXPECT_EQ(folder_query({}), "");
}

}  // namespace
}  // namespace loadline::targets::webhdfs
