// Counts by outcome in JSON: an object of words and numbers, zeros left out.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "plan/json_reader.h"
#include "plan/json_writer.h"
#include "target/outcome.h"

namespace loadline::json {

using Outcomes = std::array<std::uint64_t, target::k_outcomes>;

template <>
struct Codec<Outcomes> {
  static Json write(const Outcomes& outcomes, const Writer&) {
    Json object = Json::object();
    for (const target::Outcome outcome : target::all_outcomes()) {
      const std::uint64_t times = outcomes[static_cast<std::size_t>(outcome)];
      if (times > 0) object[std::string(to_string(outcome))] = times;
    }
    return object;
  }
  static void read(const Json& json, Outcomes& outcomes, Reader& reader) {
    if (!json.is_object()) return reader.fail("is not an object");
    for (const auto& [word, times] : json.items()) {
      const auto outcome = target::outcome_of(word);
      if (!outcome) continue;
      const Reader::Step step(reader, word);
      reader.read(times, outcomes[static_cast<std::size_t>(*outcome)]);
    }
  }
};

}  // namespace loadline::json
