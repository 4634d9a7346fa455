#include "dialects/cosbench/word_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "dialects/cosbench/vocabulary.h"

namespace loadline::dialects::cosbench {
namespace {

using std::string_view;

bool is_among(string_view word, Words words) {
  return std::ranges::find(words, word) != words.end();
}

void advise_on_child(const Document& document, pugi::xml_node parent, pugi::xml_node child,
                     const std::string& where, Findings& findings) {
  if (is_among(child.name(), children_of(parent.name()))) return;
  if (is_among(child.name(), element_names())) {
    findings.warning(
        document.place(child), where,
        fmt::format("<{}> has no meaning inside <{}> and is ignored", child.name(), parent.name()));
  } else if (const auto near = nearest(child.name(), element_names())) {
    findings.warning(
        document.place(child), where,
        fmt::format("the element <{}> is ignored; did you mean <{}>?", child.name(), *near));
  }
}

}  // namespace

void advise_on_words(const Document& document, pugi::xml_node node, const std::string& where,
                     Findings& findings) {
  const Words known = attributes_of(node.name());
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (findings.full()) return;
    const auto known_to = [&](string_view element) {
      return is_among(attribute.name(), attributes_of(element));
    };
    if (std::ranges::any_of(element_names(), known_to)) continue;
    if (const auto near = nearest(attribute.name(), known)) {
      findings.warning(document.place(node, attribute.name()), where,
                       fmt::format("the attribute '{}' is ignored; did you mean '{}'?",
                                   attribute.name(), *near));
    }
  }
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element && !findings.full()) {
      advise_on_child(document, node, child, where, findings);
    }
  }
}

void advise_on_keys(pugi::xml_node node, const ConfigText& config, const std::string& where,
                    Findings& findings) {
  const string_view element = node.name();
  const Words known = element == "storage" ? storage_keys()
                      : element == "auth"  ? auth_keys()
                                           : operation_keys();
  // Targets have keys of their own, so only the case or one letter may be wrong there.
  const std::size_t most = element == "storage" ? 1 : 2;
  for (const auto& entry : config.entries()) {
    if (is_among(entry.key, known)) continue;
    const auto near = nearest(entry.key, known);
    if (near && !is_among(*near, keys_without_storage()) &&
        edit_distance(entry.key, *near) <= most) {
      findings.warning(entry.place, where,
                       fmt::format("the config key '{}' is {}; did you mean '{}'?", entry.key,
                                   element == "storage" ? "not known here" : "ignored", *near));
    }
  }
}

}  // namespace loadline::dialects::cosbench
