#include "serve/object_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/etag.h"
#include "serve/list_token.h"
#include "serve/s3_xml.h"

namespace loadline::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ObjectStoreTest : public testing::Test {
 protected:
  ObjectStoreTest() {
    arena_ = std::move(*Arena::make(Bytes(8 << 20)));
    store_ = std::move(*ObjectStore::make(*arena_, {}));
    EXPECT_EQ(store_->create_bucket("b", WallTime::from_ns(0)), StoreStatus::ok);
  }

  std::unique_ptr<Body> body(std::string_view bytes) {
    BodyWriter writer = store_->write(Bytes(bytes.size()));
    writer.append(std::as_bytes(std::span(bytes.data(), bytes.size())));
    return writer.finish();
  }

  StoreStatus put(std::string_view key, std::string_view bytes = "x", bool only_if_absent = false) {
    std::vector<std::unique_ptr<Body>> bodies;
    bodies.push_back(body(bytes));
    return store_->put("b", key,
                       std::make_unique<StoredObject>(ObjectHeaders{}, "\"e\"",
                                                      WallTime::from_ns(0), std::move(bodies)),
                       only_if_absent);
  }

  std::string get(std::string_view key) {
    StoreStatus status{};
    const ObjectPin object = store_->find("b", key, status);
    std::string bytes;
    while (object && bytes.size() < object->size().count()) {
      const Slice slice = object->slice(bytes.size(), 1000);
      bytes.append(reinterpret_cast<const char*>(slice.data), slice.length);
    }
    return bytes;
  }

  // Names and common prefixes over all pages, with a | after each page.
  std::string listing(ListQuery query) {
    std::string out;
    while (true) {
      ListPage page;
      EXPECT_EQ(store_->list("b", query, page), StoreStatus::ok);
      for (const ListedObject& listed : page.objects) out += listed.key + " ";
      for (const std::string& prefix : page.common_prefixes) out += "[" + prefix + "] ";
      out += "|";
      if (!page.truncated) return out;
      query.after = page.last;
    }
  }

  std::unique_ptr<Arena> arena_;
  std::unique_ptr<ObjectStore> store_;
};

TEST_F(ObjectStoreTest, replaces_and_removes) {
  EXPECT_EQ(put("k", "one"), StoreStatus::ok);
  EXPECT_EQ(put("k", "two"), StoreStatus::ok);
  EXPECT_EQ(get("k"), "two");
  EXPECT_EQ(put("k", "three", true), StoreStatus::etag_mismatch);
  EXPECT_EQ(store_->object_count(), 1U);
  EXPECT_EQ(store_->delete_bucket("b"), StoreStatus::bucket_not_empty);
  EXPECT_EQ(store_->remove("b", "k"), StoreStatus::ok);
  EXPECT_EQ(store_->remove("b", "k"), StoreStatus::no_key);
  EXPECT_EQ(store_->memory_used(), Bytes(0));
  EXPECT_EQ(store_->delete_bucket("b"), StoreStatus::ok);
  EXPECT_EQ(store_->delete_bucket("b"), StoreStatus::no_bucket);
}

TEST_F(ObjectStoreTest, keeps_a_pinned_version_alive) {
  put("k", "old");
  StoreStatus status{};
  const ObjectPin pin = store_->find("b", "k", status);
  put("k", "new");
  store_->remove("b", "k");
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(pin->slice(0, 3).data), 3), "old");
}

TEST_F(ObjectStoreTest, lists_in_byte_order_over_pages) {
  for (const char* key : {"b", "a", "c", "a/x", "a/y", "\xc3\xa9", "Z"}) put(key);
  EXPECT_EQ(listing({}), "Z a a/x a/y b c \xc3\xa9 |");
  EXPECT_EQ(listing({.max_keys = 3}), "Z a a/x |a/y b c |\xc3\xa9 |");
  EXPECT_EQ(listing({.prefix = "a/"}), "a/x a/y |");
  EXPECT_EQ(listing({.after = "a/x"}), "a/y b c \xc3\xa9 |");
  EXPECT_EQ(listing({.prefix = "nothing"}), "|");
}

TEST_F(ObjectStoreTest, rolls_common_prefixes_up_over_pages) {
  for (const char* key : {"a/1", "a/2", "b", "c/1/x", "c/1/y", "c/2", "d/"}) put(key);
  EXPECT_EQ(listing({.delimiter = "/"}), "b [a/] [c/] [d/] |");
  EXPECT_EQ(listing({.delimiter = "/", .max_keys = 1}), "[a/] |b |[c/] |[d/] |");
  EXPECT_EQ(listing({.prefix = "c/", .delimiter = "/"}), "c/2 [c/1/] |");
  EXPECT_EQ(listing({.prefix = "c/", .delimiter = "/", .max_keys = 1}), "[c/1/] |c/2 |");
  EXPECT_EQ(listing({.delimiter = "/1"}), "a/2 b c/2 d/ [a/1] [c/1] |");
}

TEST_F(ObjectStoreTest, assembles_uploads_from_the_parts_named) {
  std::string id;
  ASSERT_EQ(store_->begin_upload("b", "k", {}, WallTime::from_ns(0), id), StoreStatus::ok);
  const auto part = [&](std::uint32_t number, std::string_view bytes, std::string etag) {
    return store_->put_part("b", "k", id, number, std::move(etag), WallTime::from_ns(0),
                            body(bytes));
  };
  EXPECT_EQ(part(2, "two", "\"2\""), StoreStatus::ok);
  EXPECT_EQ(part(1, "wrong", "\"0\""), StoreStatus::ok);
  EXPECT_EQ(part(1, "one", "\"1\""), StoreStatus::ok);
  EXPECT_EQ(part(7, "unused", "\"7\""), StoreStatus::ok);
  EXPECT_EQ(store_->check_upload("b", "other", id), StoreStatus::no_upload);
  std::string etag;
  const auto complete = [&](std::vector<NamedPart> parts) {
    return store_->complete_upload("b", "k", id, parts, WallTime::from_ns(0), etag);
  };
  EXPECT_EQ(complete({{2, "\"2\""}, {1, "\"1\""}}), StoreStatus::invalid_order);
  EXPECT_EQ(complete({{1, "\"0\""}}), StoreStatus::invalid_part);
  EXPECT_EQ(complete({{3, ""}}), StoreStatus::invalid_part);
  EXPECT_EQ(complete({}), StoreStatus::invalid_part);
  EXPECT_EQ(complete({{1, "\"1\""}, {2, ""}}), StoreStatus::ok);
  EXPECT_EQ(get("k"), "onetwo");
  EXPECT_EQ(complete({{1, ""}}), StoreStatus::no_upload);
  EXPECT_EQ(store_->remove("b", "k"), StoreStatus::ok);
  EXPECT_EQ(store_->memory_used(), Bytes(0));
}

TEST_F(ObjectStoreTest, makes_buckets_on_the_way_only_when_told) {
  const WallTime now = WallTime::from_ns(0);
  EXPECT_EQ(store_->check_bucket("new", true, now), StoreStatus::no_bucket);
  auto willing = ObjectStore::make(*arena_, {.create_buckets = true});
  EXPECT_EQ((*willing)->check_bucket("new", false, now), StoreStatus::no_bucket);
  EXPECT_EQ((*willing)->check_bucket("new", true, now), StoreStatus::ok);
  EXPECT_EQ((*willing)->check_bucket("new", false, now), StoreStatus::ok);
}

TEST_F(ObjectStoreTest, refuses_names_that_memory_has_no_room_for) {
  StoreStatus status = StoreStatus::ok;
  int n = 0;
  while (status == StoreStatus::ok && n < 100'000) status = put("key" + std::to_string(n++));
  EXPECT_EQ(status, StoreStatus::no_space);
  EXPECT_EQ(get("key0"), "x");
}

TEST(Etag, follows_amazon_for_parts_and_is_no_md5_otherwise) {
  // Two parts whose MD5s are those of "" and "a": md5(both digests) in hex.
  const std::vector<NamedPart> parts = {{1, "\"d41d8cd98f00b204e9800998ecf8427e\""},
                                        {2, "\"0cc175b9c0f1b6a831c399e269772661\""}};
  EXPECT_EQ(multipart_etag(parts), "\"68083ea43d0307eecfa2b4749f19df15-2\"");
  EXPECT_THAT(fast_etag(1, 2), HasSubstr("-1\""));
  EXPECT_NE(fast_etag(1, 2), fast_etag(1, 3));
}

TEST(ListToken, comes_back_as_it_went) {
  const std::string name("a/\xff\x01 b", 6);
  EXPECT_EQ(decode_list_token(encode_list_token(name)), name);
  for (const char* bad : {"", "a", "zz", "0x", "-1"}) EXPECT_FALSE(decode_list_token(bad)) << bad;
}

TEST(S3Xml, reads_what_clients_send) {
  const auto wanted = parse_delete_request(
      "<?xml version=\"1.0\"?><Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      "<Object><Key>a &amp; b</Key></Object><Object><Key> </Key></Object><Quiet>true</Quiet>"
      "</Delete>");
  ASSERT_TRUE(wanted);
  EXPECT_THAT(wanted->keys, ElementsAre("a & b", " "));
  EXPECT_TRUE(wanted->quiet);
  const auto parts = parse_complete_upload(
      "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>e</ETag></Part>"
      "<Part><ETag>&quot;f&quot;</ETag><PartNumber>10000</PartNumber></Part>"
      "</CompleteMultipartUpload>");
  ASSERT_TRUE(parts);
  EXPECT_EQ((*parts)[0].etag, "\"e\"");
  EXPECT_EQ((*parts)[1].etag, "\"f\"");
  EXPECT_EQ((*parts)[1].number, 10'000U);
}

TEST(S3Xml, refuses_what_is_no_such_document) {
  for (const char* bad : {"", "x", "<Delete>", "<Delete/>", "<Other><Object/></Other>",
                          "<Delete><Object/></Delete>"}) {
    EXPECT_FALSE(parse_delete_request(bad)) << bad;
  }
  for (const char* bad : {"<CompleteMultipartUpload/>",
                          "<CompleteMultipartUpload><Part><PartNumber>0</PartNumber></Part></"
                          "CompleteMultipartUpload>",
                          "<CompleteMultipartUpload><Part><PartNumber>x</PartNumber></Part>"
                          "</CompleteMultipartUpload>"}) {
    EXPECT_FALSE(parse_complete_upload(bad)) << bad;
  }
}

TEST(S3Xml, escapes_names) {
  std::string out;
  append_xml_text(out, "<a & \"b\">\x01\xc3\xa9");
  EXPECT_EQ(out, "&lt;a &amp; &quot;b&quot;&gt;&#x1;\xc3\xa9");
}

}  // namespace
}  // namespace loadline::serve
