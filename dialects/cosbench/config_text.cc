#include "dialects/cosbench/config_text.h"

#include <algorithm>
#include <utility>

#include "target/masking.h"

namespace loadline::dialects::cosbench {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view k_blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(k_blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(k_blanks) - first + 1);
}

std::string print(const std::vector<ConfigText::Entry>& entries, bool masked) {
  std::string text;
  for (const auto& entry : entries) {
    if (!text.empty()) text += ';';
    text += entry.key;
    text += '=';
    text += masked ? target::masked_value(entry.key, entry.value) : entry.value;
  }
  return text;
}

}  // namespace

ConfigText ConfigText::parse(std::string_view text, std::vector<std::string>* refused) {
  ConfigText config;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view part = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const std::string_view key = trim(part.substr(0, equals));
    if (equals == std::string_view::npos || key.empty()) {
      if (refused) refused->emplace_back(part);
      continue;
    }
    config.set(std::string(key), std::string(trim(part.substr(equals + 1))));
  }
  return config;
}

void ConfigText::set(std::string key, std::string value, Place place) {
  const auto it = std::ranges::find(entries_, key, &Entry::key);
  if (it == entries_.end()) {
    entries_.push_back({std::move(key), std::move(value), std::move(place)});
  } else {
    it->value = std::move(value);
    it->place = std::move(place);
  }
}

void ConfigText::join(const ConfigText& inner) {
  for (const Entry& entry : inner.entries_) set(entry.key, entry.value, entry.place);
}

const ConfigText::Entry* ConfigText::find(std::string_view key) const {
  const auto it = std::ranges::find(entries_, key, &Entry::key);
  return it == entries_.end() ? nullptr : &*it;
}

std::string ConfigText::text() const { return print(entries_, false); }
std::string ConfigText::masked_text() const { return print(entries_, true); }

}  // namespace loadline::dialects::cosbench
