// The entry: words of a fio command line in, typed options and mistakes out.
//
// Exit status as scripts know it: 1 when has_errors(), or when there are refusals and neither
// --parse-only nor --showcmd was given. The texts are fio's own words where scripts may look for
// them, followed by what would be right.
#pragma once

#include <span>
#include <string>

#include "dialects/fio/options.h"
#include "dialects/fio/surroundings.h"

namespace loadline::dialects::fio {

// A mistake or warning as fio's users know it: "fio: failed parsing rw=reed: valid values: ...",
// with the place before the text where there is one. One line, no newline at its end.
std::string console_line(const plan::Diagnostic& diagnostic);

// `words` are those after the program's name. Job files among them are read through `world`.
ParsedFio parse(std::span<const std::string> words, const Surroundings& world);

}  // namespace loadline::dialects::fio
