#include "dialects/cosbench/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <set>

#include "dialects/cosbench/config_text.h"

namespace loadline::dialects::cosbench {
namespace {

using std::string_view;

constexpr string_view k_cannot_parse = "cannot parse the xml configuration: ";

// Bytes between two counts of characters.
constexpr std::size_t k_block = 1024;

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The length of the UTF-8 sequence at the start of `text`, 0 where there is none (RFC 3629).
// Control characters count as none: XML 1.0 has no way to write them.
std::size_t character_length(string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 || is_blank(text[0]) ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  }
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool outside = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
  return overlong || outside ? 0 : length;
}

std::optional<std::size_t> first_bad_character(string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    const std::size_t length = character_length(text.substr(offset));
    if (length == 0) return offset;
    offset += length;
  }
  return std::nullopt;
}

// A character that a reference like &#65; or &#x41; may stand for (XML 1.0, section 2.2).
bool is_character_reference(string_view digits) {
  const int base = digits.starts_with('x') ? 16 : 10;
  if (base == 16) digits.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [stop, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, base);
  if (error != std::errc() || stop != digits.data() + digits.size()) return false;
  const bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return !control && !surrogate && code <= 0x10ffff && code != 0xfffe && code != 0xffff;
}

bool is_known_reference(string_view name) {
  constexpr std::array<string_view, 5> k_names = {"lt", "gt", "amp", "quot", "apos"};
  if (name.starts_with('#')) return is_character_reference(name.substr(1));
  return std::ranges::find(k_names, name) != k_names.end();
}

}  // namespace

// Looks at every start tag as it was written, for what pugixml lets pass.
class Document::TagChecker : public pugi::xml_tree_walker {
 public:
  TagChecker(Document& document, Findings& findings) : document_(document), findings_(findings) {}

  bool for_each(pugi::xml_node& node) override {
    if (depth() > k_depth_max) {
      refuse(node.offset_debug(), fmt::format("elements are nested deeper than {}", k_depth_max));
    } else if (node.type() == pugi::node_doctype) {
      refuse(0, "a workload has no DOCTYPE and no entities of its own");
    } else if (node.type() == pugi::node_element && ++elements_ > k_elements_max) {
      refuse(node.offset_debug(), fmt::format("more than {} elements", k_elements_max));
    } else if (node.type() == pugi::node_element) {
      check(node);
    }
    return good_;
  }
  bool good() const { return good_; }

 private:
  void check(pugi::xml_node node) {
    std::set<string_view> names;
    if (document_.raw_attributes(node).size() > k_attributes_max) {
      refuse(node.offset_debug(),
             fmt::format("more than {} attributes in <{}>", k_attributes_max, node.name()));
      return;
    }
    for (const RawAttribute& attribute : document_.raw_attributes(node)) {
      if (!names.insert(attribute.name).second) {
        refuse(
            static_cast<std::ptrdiff_t>(attribute.name_offset),
            fmt::format("the attribute '{}' appears twice in <{}>", attribute.name, node.name()));
      }
      if (attribute.value.find('<') != string_view::npos) {
        document_.with_raw_angle_.emplace_back(node, std::string(attribute.name));
      }
      check(attribute);
    }
  }

  void check(const RawAttribute& attribute) {
    for (std::size_t i = 0; i < attribute.value.size() && good_; ++i) {
      const auto offset = static_cast<std::ptrdiff_t>(attribute.value_offset + i);
      if (attribute.value[i] == '&') {
        const string_view rest = attribute.value.substr(i + 1);
        const string_view name = rest.substr(0, rest.find(';'));
        if (name.size() == rest.size() || !is_known_reference(name)) {
          refuse(offset, fmt::format("'&' in the value of '{}' begins no entity that XML knows; "
                                     "write &amp; for a plain '&'",
                                     attribute.name));
        }
      }
    }
  }

  void refuse(std::ptrdiff_t offset, string_view what) {
    good_ = false;
    const Place place = offset < 0 ? Place{} : document_.place_at(static_cast<std::size_t>(offset));
    findings_.error(place, "", fmt::format("{}{}", k_cannot_parse, what));
  }

  Document& document_;
  Findings& findings_;
  std::size_t elements_ = 0;
  bool good_ = true;
};

Document::Document(string_view text) : text_(text), line_starts_{0} {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i % k_block == 0) characters_before_block_.push_back(characters);
    if (begins_character(text[i])) characters += 1;
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  }
}

// Text may be one line of megabytes, so that columns are not counted from its start.
std::size_t Document::characters_before(std::size_t offset) const {
  if (characters_before_block_.empty()) return 0;
  const std::size_t block = std::min(offset / k_block, characters_before_block_.size() - 1);
  const string_view rest = text_.substr(block * k_block, offset - block * k_block);
  return characters_before_block_[block] +
         static_cast<std::size_t>(std::ranges::count_if(rest, begins_character));
}

std::unique_ptr<Document> Document::load(string_view text, Findings& findings) {
  if (text.size() > k_text_max.count()) {
    findings.error({}, "",
                   fmt::format("{}it has {} bytes; {} are the limit", k_cannot_parse, text.size(),
                               k_text_max.count()));
    return nullptr;
  }
  std::unique_ptr<Document> document(new Document(text));
  if (const auto bad = first_bad_character(text)) {
    findings.error(document->place_at(*bad), "",
                   fmt::format("{}here is {}", k_cannot_parse,
                               static_cast<unsigned char>(text[*bad]) < ' '
                                   ? "a control character, which no XML holds"
                                   : "a byte that is no UTF-8 text; save the file as UTF-8"));
    return nullptr;
  }
  const pugi::xml_parse_result parsed = document->xml_.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (!parsed) {
    std::string what = parsed.description();
    what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
    findings.error(document->place_at(static_cast<std::size_t>(parsed.offset)), "",
                   fmt::format("{}{}", k_cannot_parse, what));
    return nullptr;
  }
  TagChecker checker(*document, findings);
  document->xml_.traverse(checker);
  if (!checker.good()) return nullptr;
  const pugi::xml_node second = document->root().next_sibling();
  if (second) {
    findings.error(document->place(second), "",
                   fmt::format("{}there is a second root element", k_cannot_parse));
    return nullptr;
  }
  return document;
}

void Document::check_placeholders(Findings& findings) const {
  const auto refuse = [&](const Place& place, string_view what) {
    findings.error(place, "",
                   fmt::format("{}a raw '<' in {}; put your own value in place of a sample's "
                               "<placeholder>, or write &lt;",
                               k_cannot_parse, what));
  };
  for (const auto& [node, attribute] : with_raw_angle_) {
    const string_view value = node.attribute(attribute.c_str()).value();
    if (option_of(node, attribute) || value.find('<') == string_view::npos) continue;
    if (attribute != "config") {
      refuse(place(node, attribute.c_str()), fmt::format("the value of '{}'", attribute));
      continue;
    }
    const ConfigText config = ConfigText::parse(value);
    for (const auto& entry : config.entries()) {
      const bool raw = entry.value.find('<') != std::string::npos;
      if (raw && !option_of(node, "config." + entry.key)) {
        refuse(place_of_key(node, entry.key), fmt::format("the value of '{}'", entry.key));
      }
    }
  }
}

const std::vector<Document::RawAttribute>& Document::raw_attributes(pugi::xml_node element) const {
  const std::ptrdiff_t start = element.offset_debug();
  if (start != looked_at_) {
    looked_at_ = start;
    raw_attributes_ = lex_start_tag(start);
  }
  return raw_attributes_;
}

std::vector<Document::RawAttribute> Document::lex_start_tag(std::ptrdiff_t start) const {
  std::vector<RawAttribute> attributes;
  if (start < 0) return attributes;
  // pugixml has accepted the tag, so its syntax is right.
  std::size_t at = static_cast<std::size_t>(start);
  const auto skip_while = [&](auto&& unwanted) {
    while (at < text_.size() && unwanted(text_[at])) ++at;
  };
  skip_while([](char c) { return !is_blank(c) && c != '/' && c != '>'; });
  while (true) {
    skip_while(is_blank);
    if (at >= text_.size() || text_[at] == '/' || text_[at] == '>') return attributes;
    RawAttribute attribute;
    attribute.name_offset = at;
    skip_while([](char c) { return !is_blank(c) && c != '='; });
    attribute.name = text_.substr(attribute.name_offset, at - attribute.name_offset);
    skip_while([](char c) { return is_blank(c) || c == '='; });
    if (at >= text_.size()) return attributes;
    const char quote = text_[at];
    attribute.value_offset = ++at;
    skip_while([quote](char c) { return c != quote; });
    attribute.value = text_.substr(attribute.value_offset, at - attribute.value_offset);
    ++at;
    attributes.push_back(attribute);
  }
}

Place Document::place_at(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next = std::ranges::upper_bound(line_starts_, offset);
  const std::size_t start = *std::prev(next);
  return {.line = static_cast<std::uint32_t>(next - line_starts_.begin()),
          .column =
              static_cast<std::uint32_t>(characters_before(offset) - characters_before(start) + 1),
          .option = {}};
}

Place Document::place(pugi::xml_node element) const {
  if (const std::string* option = option_of(element, "")) return {.option = *option};
  const std::ptrdiff_t offset = element.offset_debug();
  return offset < 1 ? Place{} : place_at(static_cast<std::size_t>(offset) - 1);
}

Place Document::place(pugi::xml_node element, const char* attribute) const {
  if (const std::string* option = option_of(element, attribute)) return {.option = *option};
  for (const RawAttribute& raw : raw_attributes(element)) {
    if (raw.name == attribute) return place_at(raw.value_offset);
  }
  return place(element);
}

Place Document::place_of_key(pugi::xml_node element, string_view key) const {
  if (const std::string* option = option_of(element, "config." + std::string(key))) {
    return {.option = *option};
  }
  if (const std::string* option = option_of(element, "config")) return {.option = *option};
  for (const RawAttribute& raw : raw_attributes(element)) {
    if (raw.name != "config") continue;
    // The last mention counts.
    for (std::size_t at = raw.value.rfind(key); at != string_view::npos && !key.empty();
         at = at == 0 ? string_view::npos : raw.value.rfind(key, at - 1)) {
      std::size_t before = at;
      while (before > 0 && is_blank(raw.value[before - 1])) --before;
      std::size_t after = at + key.size();
      while (after < raw.value.size() && is_blank(raw.value[after])) ++after;
      const bool begins = before == 0 || raw.value[before - 1] == ';';
      if (begins && after < raw.value.size() && raw.value[after] == '=') {
        return place_at(raw.value_offset + at);
      }
    }
    return place_at(raw.value_offset);
  }
  return place(element);
}

void Document::mark(pugi::xml_node element, std::string attribute, std::string option) {
  options_[{element.internal_object(), std::move(attribute)}] = std::move(option);
}

const std::string* Document::option_of(pugi::xml_node element, const std::string& attribute) const {
  const auto it = options_.find({element.internal_object(), attribute});
  return it == options_.end() ? nullptr : &it->second;
}

}  // namespace loadline::dialects::cosbench
