#include "dialects/cosbench/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/cosbench/config_text.h"
#include "dialects/cosbench/vocabulary.h"

namespace loadline::dialects::cosbench {
namespace {

using std::string_view;

struct Step {
  std::string element;
  std::optional<std::string> name;  // [name]
};

struct Path {
  std::vector<Step> steps;
  std::string attribute;
  std::optional<std::string> key;  // config.KEY
};

bool is_among(string_view word, Words words) {
  return std::ranges::find(words, word) != words.end();
}

// "a[b.c].d" gives a[b.c] and d.
std::optional<std::vector<Step>> split(string_view text) {
  std::vector<Step> steps;
  while (true) {
    const std::size_t end = std::min(text.find_first_of(".["), text.size());
    Step step{.element = std::string(text.substr(0, end)), .name = {}};
    if (step.element.empty()) return std::nullopt;
    text.remove_prefix(end);
    if (text.starts_with('[')) {
      const std::size_t close = text.find(']');
      if (close == string_view::npos) return std::nullopt;
      step.name = text.substr(1, close - 1);
      text.remove_prefix(close + 1);
    }
    steps.push_back(std::move(step));
    if (text.empty()) return steps;
    if (!text.starts_with('.')) return std::nullopt;
    text.remove_prefix(1);
  }
}

std::optional<Path> parse_path(string_view text) {
  auto parts = split(text);
  if (!parts) return std::nullopt;
  Path path;
  std::size_t at = 0;
  // The last part is never an element.
  while (at + 1 < parts->size() && is_among((*parts)[at].element, element_names())) {
    path.steps.push_back((*parts)[at++]);
  }
  if (path.steps.empty() || (*parts)[at].name) return std::nullopt;
  path.attribute = (*parts)[at++].element;
  if (at == parts->size()) return path;
  if (path.attribute != "config") return std::nullopt;
  // A key may hold dots.
  std::string key;
  for (; at < parts->size(); ++at) {
    if ((*parts)[at].name) return std::nullopt;
    key += (key.empty() ? "" : ".") + (*parts)[at].element;
  }
  path.key = std::move(key);
  return path;
}

// What [..] may hold for an element.
std::vector<std::string> names_of(pugi::xml_node node) {
  const string_view element = node.name();
  std::vector<std::string> names;
  const std::string name = node.attribute("name").as_string();
  const std::string type = node.attribute("type").as_string();
  if (!name.empty()) names.push_back(name);
  const bool by_type = element != "work" || name.empty();
  if (by_type && !type.empty()) names.push_back(type);
  if (element == "operation") {
    const ConfigText config = ConfigText::parse(node.attribute("config").as_string());
    if (const auto* entry = config.find("name")) names.push_back(entry->value);
  }
  return names;
}

bool matches(pugi::xml_node node, const Step& step) {
  if (step.element != node.name()) return false;
  return !step.name || std::ranges::count(names_of(node), *step.name) > 0;
}

enum class Kinship { child, descendant };

bool matches(pugi::xml_node node, const std::vector<Step>& steps, Kinship kinship) {
  if (!matches(node, steps.back())) return false;
  pugi::xml_node above = node.parent();
  for (std::size_t i = steps.size() - 1; i > 0; --i) {
    const Step& step = steps[i - 1];
    if (kinship == Kinship::descendant) {
      while (above && !matches(above, step)) above = above.parent();
    }
    if (!above || !matches(above, step)) return false;
    above = above.parent();
  }
  return true;
}

// `root` and all elements below it, in the order of the text.
std::vector<pugi::xml_node> elements_of(pugi::xml_node root) {
  class Walker : public pugi::xml_tree_walker {
   public:
    bool for_each(pugi::xml_node& node) override {
      if (node.type() == pugi::node_element) found.push_back(node);
      return true;
    }
    std::vector<pugi::xml_node> found;
  };
  Walker walker;
  walker.found.push_back(root);
  root.traverse(walker);
  return std::move(walker.found);
}

bool says(pugi::xml_node node, const std::string& key) {
  return ConfigText::parse(node.attribute("config").as_string()).find(key) != nullptr;
}

// False where every operation below says its own: operations inherit only what they do not say.
bool is_used(pugi::xml_node node, const std::string& key) {
  bool overridden = false;
  for (const pugi::xml_node below : elements_of(node)) {
    if (below == node || string_view(below.name()) != "operation") continue;
    if (!says(below, key)) return true;
    overridden = true;
  }
  return !overridden;
}

class Applier {
 public:
  Applier(Document& document, Findings& findings) : document_(document), findings_(findings) {}

  void apply(const report::Setting& setting);

 private:
  std::vector<pugi::xml_node> select(const std::vector<Step>& steps) const;
  void make_default_adapter(const Path& path);
  bool attribute_exists(const Path& path, const std::vector<pugi::xml_node>& nodes) const;
  void set_key(const Path& path, const std::string& value,
               const std::vector<pugi::xml_node>& nodes);
  void refuse(const std::string& path);
  std::string explain(const std::string& path) const;

  Document& document_;
  Findings& findings_;
  std::string option_;  // without the value, which may be a secret
};

void Applier::apply(const report::Setting& setting) {
  option_ = "--set " + setting.path;
  const auto path = parse_path(setting.path);
  if (!path) return refuse(setting.path);
  make_default_adapter(*path);
  const std::vector<pugi::xml_node> nodes = select(path->steps);
  if (nodes.empty() || !attribute_exists(*path, nodes)) return refuse(setting.path);
  if (path->key) return set_key(*path, setting.value, nodes);
  for (pugi::xml_node node : nodes) {
    pugi::xml_attribute attribute = node.attribute(path->attribute.c_str());
    if (!attribute) attribute = node.append_attribute(path->attribute.c_str());
    attribute.set_value(setting.value.c_str());
    document_.mark(node, path->attribute, option_);
  }
}

std::vector<pugi::xml_node> Applier::select(const std::vector<Step>& steps) const {
  const std::vector<pugi::xml_node> all = elements_of(document_.root());
  for (const Kinship kinship : {Kinship::child, Kinship::descendant}) {
    std::vector<pugi::xml_node> found;
    for (const pugi::xml_node node : all) {
      if (matches(node, steps, kinship)) found.push_back(node);
    }
    if (!found.empty()) return found;
  }
  return {};
}

// Whether some <work> would end up with the built-in default of this element.
bool lacks(pugi::xml_node root, const char* element) {
  if (root.child(element)) return false;
  for (const pugi::xml_node stage : root.child("workflow").children("workstage")) {
    if (stage.child(element)) continue;
    for (const pugi::xml_node work : stage.children("work")) {
      if (!work.child(element)) return true;
    }
  }
  return false;
}

// storage.type=X means every work, so those that have no <storage> get the workload's.
void Applier::make_default_adapter(const Path& path) {
  const Step& last = path.steps.back();
  const bool adapter = last.element == "storage" || last.element == "auth";
  const bool general =
      path.steps.size() == 1 || (path.steps.size() == 2 && path.steps[0].element == "workload" &&
                                 matches(document_.root(), path.steps[0]));
  if (!adapter || !general || last.name || path.attribute != "type") return;
  pugi::xml_node root = document_.root();
  if (!lacks(root, last.element.c_str())) return;
  pugi::xml_node node = root.prepend_child(last.element.c_str());
  node.append_attribute("type");
  document_.mark(node, "", option_);
}

bool Applier::attribute_exists(const Path& path, const std::vector<pugi::xml_node>& nodes) const {
  if (is_among(path.attribute, attributes_of(path.steps.back().element))) {
    const string_view element = path.steps.back().element;
    if (!path.key || element == "storage" || element == "auth") return true;
    if (is_among(*path.key, operation_keys())) return true;
    return std::ranges::any_of(nodes, [&](pugi::xml_node node) {
      return ConfigText::parse(node.attribute("config").as_string()).find(*path.key) != nullptr;
    });
  }
  return std::ranges::any_of(nodes, [&](pugi::xml_node node) {
    return static_cast<bool>(node.attribute(path.attribute.c_str()));
  });
}

void Applier::set_key(const Path& path, const std::string& value,
                      const std::vector<pugi::xml_node>& nodes) {
  if (value.find(';') != std::string::npos) {
    findings_.error({.option = option_}, "",
                    "the value of one config key cannot hold ';'; set the whole config instead");
    return;
  }
  const auto written = [&](pugi::xml_node node) { return says(node, *path.key); };
  const string_view element = path.steps.back().element;
  const bool everywhere =
      element == "storage" || element == "auth" || std::ranges::none_of(nodes, written);
  bool effective = false;
  for (pugi::xml_node node : nodes) {
    if (!everywhere && !written(node)) continue;
    effective = effective || is_used(node, *path.key);
    pugi::xml_attribute attribute = node.attribute("config");
    if (!attribute) attribute = node.append_attribute("config");
    ConfigText config = ConfigText::parse(attribute.as_string());
    config.set(*path.key, value);
    attribute.set_value(config.text().c_str());
    document_.mark(node, "config." + *path.key, option_);
  }
  if (!effective) {
    findings_.warning({.option = option_}, "",
                      fmt::format("changes nothing: every operation there says its own '{}'; set "
                                  "operation.config.{}",
                                  *path.key, *path.key));
  }
}

void Applier::refuse(const std::string& path) {
  findings_.error({.option = option_}, "", explain(path));
}

std::string Applier::explain(const std::string& path) const {
  const auto parts = split(path);
  if (parts && parts->back().element != "config" &&
      is_among(parts->back().element, element_names())) {
    return fmt::format("names an element; add the attribute to set, like {}.{}", path,
                       attributes_of(parts->back().element)[0]);
  }
  const std::vector<pugi::xml_node> all = elements_of(document_.root());
  if (const auto wanted = parse_path(path)) {
    const std::string& element = wanted->steps.back().element;
    const auto is_it = [&](pugi::xml_node node) { return element == node.name(); };
    if (std::ranges::none_of(all, is_it)) {
      const bool adapter = element == "storage" || element == "auth";
      return fmt::format("there is no <{}> in this workload{}", element,
                         adapter ? fmt::format("; set {}.type first", element) : "");
    }
  }
  std::set<std::string> known;
  for (const pugi::xml_node node : all) {
    const Words attributes = attributes_of(node.name());
    if (parts) {
      for (const Step& step : *parts) {
        if (step.element != node.name() || !step.name || matches(node, step)) continue;
        for (const std::string& name : names_of(node)) {
          known.insert(fmt::format("{}[{}]", node.name(), name));
        }
      }
    }
    for (const string_view attribute : attributes) {
      known.insert(fmt::format("{}.{}", node.name(), attribute));
    }
    const ConfigText config = ConfigText::parse(node.attribute("config").as_string());
    for (const auto& entry : config.entries()) {
      known.insert(fmt::format("{}.config.{}", node.name(), entry.key));
    }
  }
  // Names in [..] tell apart; the nearest path is looked for without them.
  std::string plain;
  bool bracket = false;
  for (const char c : path) {
    bracket = bracket || c == '[';
    if (!bracket) plain += c;
    bracket = bracket && c != ']';
  }
  std::string best;
  std::size_t best_distance = SIZE_MAX;
  for (const std::string& candidate : known) {
    const bool named = candidate.ends_with(']');
    const std::size_t distance = named
                                     ? edit_distance(path.substr(0, path.find(']') + 1), candidate)
                                     : edit_distance(plain, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return fmt::format("matches nothing in this workload{}",
                     best.empty() ? "" : fmt::format("; the nearest is {}", best));
}

}  // namespace

void apply_settings(Document& document, std::span<const report::Setting> settings,
                    Findings& findings) {
  Applier applier(document, findings);
  for (const report::Setting& setting : settings) applier.apply(setting);
}

}  // namespace loadline::dialects::cosbench
