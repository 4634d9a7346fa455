// A config string: key=value pairs between semicolons. Split at the first '=', blanks and newlines
// around key and value dropped, empty parts skipped, a later value of a key replaces the earlier
// one. No quoting; keys are case sensitive.
//
// Threads: plain values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialects/cosbench/findings.h"

namespace loadline::dialects::cosbench {

class ConfigText {
 public:
  struct Entry {
    std::string key;
    std::string value;
    Place place;
  };

  // Parts without '=' go to `refused`, where it is given.
  static ConfigText parse(std::string_view text, std::vector<std::string>* refused = nullptr);

  // A key keeps its position and gets the later value.
  void set(std::string key, std::string value, Place place = {});
  // Adds the entries of `inner`; its values win.
  void join(const ConfigText& inner);

  const Entry* find(std::string_view key) const;
  std::vector<Entry>& entries() { return entries_; }
  const std::vector<Entry>& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }

  // "key=value;key=value"
  std::string text() const;
  // The same, with the values of secret keys masked.
  std::string masked_text() const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace loadline::dialects::cosbench
