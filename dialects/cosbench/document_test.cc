#include "dialects/cosbench/document.h"

#include <gtest/gtest.h>

#include "dialects/cosbench/testing.h"

namespace loadline::dialects::cosbench {
namespace {

std::string refusal(const std::string& text) {
  Findings findings("w.xml");
  const auto document = Document::load(text, findings);
  if (document) document->check_placeholders(findings);
  EXPECT_TRUE(findings.failed()) << text;
  const auto diagnostics = findings.take();
  EXPECT_EQ(diagnostics.size(), 1U);
  return diagnostics.empty() ? "" : diagnostics[0].message();
}

TEST(Document, refuses_what_is_not_well_formed_with_its_place) {
  EXPECT_EQ(refusal("<workload>\n  <workflow>\n</workload>"),
            "w.xml:3:3: error: cannot parse the xml configuration: start-end tags mismatch");
  EXPECT_EQ(refusal(""),
            "w.xml:1:1: error: cannot parse the xml configuration: no document element "
            "found");
  EXPECT_EQ(
      refusal("<a b=\"1\" b=\"2\"/>"),
      "w.xml:1:10: error: cannot parse the xml configuration: the attribute 'b' appears twice "
      "in <a>");
  EXPECT_EQ(refusal("<a/><b/>"),
            "w.xml:1:5: error: cannot parse the xml configuration: there is a second root element");
}

TEST(Document, refuses_placeholders_in_attributes) {
  EXPECT_EQ(refusal("<a>\n<storage config=\"x=1;endpoint=http://<ip>:1\"/></a>"),
            "w.xml:2:22: error: cannot parse the xml configuration: a raw '<' in the value of "
            "'endpoint'; put your own value in place of a sample's <placeholder>, or write &lt;");
  EXPECT_EQ(refusal("<a name=\"<name>\"/>"),
            "w.xml:1:10: error: cannot parse the xml configuration: a raw '<' in the value of "
            "'name'; put your own value in place of a sample's <placeholder>, or write &lt;");
}

TEST(Document, refuses_entities_and_doctypes) {
  EXPECT_EQ(
      refusal("<a b=\"&lol9;\"/>"),
      "w.xml:1:7: error: cannot parse the xml configuration: '&' in the value of 'b' begins no "
      "entity that XML knows; write &amp; for a plain '&'");
  EXPECT_EQ(
      refusal("<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;\">]>\n"
              "<workload name=\"&lol2;\"/>"),
      "w.xml:1:1: error: cannot parse the xml configuration: a workload has no DOCTYPE and no "
      "entities of its own");
  EXPECT_NE(refusal("<a b=\"&#0;\"/>"), "");
  EXPECT_NE(refusal("<a b=\"x&\"/>"), "");
}

TEST(Document, refuses_too_much_text_and_too_deep_nesting) {
  EXPECT_EQ(refusal(std::string(50U << 20U, ' ')),
            "w.xml: error: cannot parse the xml configuration: it has 52428800 bytes; 8388608 are "
            "the limit");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  for (int i = 0; i < 100'000; ++i) deep += "</a>";
  EXPECT_EQ(refusal(deep),
            "w.xml:1:101: error: cannot parse the xml configuration: elements are "
            "nested deeper than 32");
}

TEST(Document, refuses_too_many_elements_and_attributes) {
  std::string many = "<a>";
  for (int i = 0; i < 100'000; ++i) many += "<a/>";
  EXPECT_NE(refusal(many + "</a>").find("more than 100000 elements"), std::string::npos);
  many = "<a";
  for (int i = 0; i < 101; ++i) many += " a" + std::to_string(i) + "=''";
  EXPECT_NE(refusal(many + "/>").find("more than 100 attributes in <a>"), std::string::npos);
}

TEST(Document, refuses_text_that_is_not_utf8) {
  EXPECT_EQ(refusal("<a>\n\xff</a>"),
            "w.xml:2:1: error: cannot parse the xml configuration: here is a byte that is no UTF-8 "
            "text; save the file as UTF-8");
  EXPECT_EQ(
      refusal(std::string("<a>\0</a>", 8)),
      "w.xml:1:4: error: cannot parse the xml configuration: here is a control character, which "
      "no XML holds");
}

TEST(Document, knows_the_place_of_attributes_and_config_keys) {
  const std::string text =
      "\xef\xbb\xbf<a>\n  <b name='n' config = \"\n  x=1; y = 2;x=3\"/>\n  <\xc3\xa4 "
      "c=\"\xc3\xa4\" d=\"1\"/>\n"
      "</a>";
  Findings findings("w.xml");
  const auto document = Document::load(text, findings);
  ASSERT_TRUE(document);
  const pugi::xml_node b = document->root().child("b");
  EXPECT_EQ(document->place(b).line, 2U);
  EXPECT_EQ(document->place(b).column, 3U);
  EXPECT_EQ(document->place(b, "name").column, 12U);
  EXPECT_EQ(document->place_of_key(b, "y").line, 3U);
  EXPECT_EQ(document->place_of_key(b, "y").column, 8U);
  EXPECT_EQ(document->place_of_key(b, "x").column, 14U);
  const pugi::xml_node umlaut = document->root().last_child();
  EXPECT_EQ(document->place(umlaut, "d").line, 4U);
  EXPECT_EQ(document->place(umlaut, "d").column, 15U);
}

}  // namespace
}  // namespace loadline::dialects::cosbench
