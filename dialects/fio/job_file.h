// The grammar of job files: sections, option lines, comments, includes, ${VARIABLES}, $keywords.
//
// Source: fio's documentation, "Job file format"; blanks around '=' are trimmed on both sides,
// which fio does on the left only.
#pragma once

#include <string>
#include <vector>

#include "dialects/fio/raw_section.h"
#include "dialects/fio/surroundings.h"

namespace loadline::dialects::fio {

struct JobFile {
  std::vector<RawSection> sections;  // in order, includes in place
  std::vector<plan::Diagnostic> diagnostics;
};

// "-" is standard input.
JobFile read_job_file(const std::string& path, const Surroundings& world);

}  // namespace loadline::dialects::fio
