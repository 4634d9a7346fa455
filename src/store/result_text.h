// The JSON of a RunResult: result.json, and what `--json` prints. docs/format/result.md.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "record/run_result.h"

namespace loadline::store {

enum class Histograms : std::uint8_t { left_out, included };

// The percentiles of every latency, in nanoseconds; with Histograms::included also their buckets,
// so that from_text() gives back an equal result.
std::string to_text(const record::RunResult& result, Histograms histograms);
Result<record::RunResult> from_text(std::string_view text);

}  // namespace loadline::store
