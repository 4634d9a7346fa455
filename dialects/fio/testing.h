// A world of named texts for the tests of this folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dialects/fio/parse.h"

namespace loadline::dialects::fio {

struct FakeWorld {
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> variables;

  Surroundings surroundings() const {
    Surroundings world;
    world.variable = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      if (found == variables.end()) return std::nullopt;
      return found->second;
    };
    world.read_file = [this](const std::string& path) -> Result<std::string> {
      const auto found = files.find(path);
      if (found == files.end()) return fail(ErrorCode::not_found, "No such file or directory");
      return found->second;
    };
    world.page_size = 4096;
    world.memory_mb = 2048;
    world.cpus = 8;
    return world;
  }
};

inline ParsedFio parse_words(const std::vector<std::string>& words, const FakeWorld& world = {}) {
  return parse(words, world.surroundings());
}

// One job: the words after --name=a.
inline ParsedFio parse_job(std::vector<std::string> words) {
  words.insert(words.begin(), "--name=a");
  return parse_words(words);
}

inline ParsedFio parse_file(const std::string& text) {
  FakeWorld world;
  world.files["a.fio"] = text;
  return parse_words({"a.fio"}, world);
}

// The lines a user sees, of mistakes, warnings and refusals.
inline std::vector<std::string> lines_of(const ParsedFio& parsed) {
  std::vector<std::string> out;
  for (const plan::Diagnostic& diagnostic : parsed.diagnostics) {
    out.push_back(console_line(diagnostic));
  }
  for (const plan::Diagnostic& diagnostic : parsed.refusals) {
    out.push_back(console_line(diagnostic));
  }
  return out;
}

}  // namespace loadline::dialects::fio
