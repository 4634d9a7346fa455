// The XML of a workload, well-formed and small enough, with the place of every attribute and config
// key in the user's text. Elements are pugixml's; what an option has changed keeps the option as
// its place.
//
// What is refused, each with one finding: more than k_text_max, text that is not UTF-8, more than
// k_elements_max elements or k_attributes_max attributes on one of them, elements
// nested deeper than k_depth_max, a DOCTYPE (and with it every entity of one's own), an attribute
// given twice, an entity that XML does not define. A raw '<' in an attribute is no XML either, but
// published samples hold placeholders like http://<ip>:9000: those may be replaced by options
// first.
//
// Ownership: borrows the text. Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"
#include "dialects/cosbench/findings.h"

namespace loadline::dialects::cosbench {

class Document {
 public:
  static constexpr Bytes k_text_max{8U << 20U};
  static constexpr int k_depth_max = 32;
  static constexpr std::size_t k_elements_max = 100'000;
  static constexpr std::size_t k_attributes_max = 100;

  // Null where it is refused. `text` outlives the document.
  static std::unique_ptr<Document> load(std::string_view text, Findings& findings);

  // Says which values hold a raw '<' that no option has replaced.
  void check_placeholders(Findings& findings) const;

  pugi::xml_node root() const { return xml_.document_element(); }

  Place place(pugi::xml_node element) const;
  // Of the attribute's value; of the element where it has no such attribute.
  Place place(pugi::xml_node element, const char* attribute) const;
  // Of one key inside its config.
  Place place_of_key(pugi::xml_node element, std::string_view key) const;

  // An option has set this attribute; for one key of the config string, "config.KEY".
  void mark(pugi::xml_node element, std::string attribute, std::string option);

 private:
  struct RawAttribute {
    std::string_view name;
    std::string_view value;  // as written, entities and all
    std::size_t name_offset = 0;
    std::size_t value_offset = 0;
  };
  class TagChecker;

  explicit Document(std::string_view text);
  const std::vector<RawAttribute>& raw_attributes(pugi::xml_node element) const;
  std::vector<RawAttribute> lex_start_tag(std::ptrdiff_t start) const;
  Place place_at(std::size_t offset) const;
  const std::string* option_of(pugi::xml_node element, const std::string& attribute) const;

  std::string_view text_;
  std::size_t characters_before(std::size_t offset) const;

  std::vector<std::size_t> line_starts_;
  std::vector<std::size_t> characters_before_block_;                    // of k_block bytes each
  std::vector<std::pair<pugi::xml_node, std::string>> with_raw_angle_;  // element, attribute
  pugi::xml_document xml_;
  mutable std::ptrdiff_t looked_at_ = -1;  // the element that raw_attributes_ are of
  mutable std::vector<RawAttribute> raw_attributes_;
  std::map<std::pair<const void*, std::string>, std::string> options_;
};

}  // namespace loadline::dialects::cosbench
