// The result of a command as one JSON document, for --json.
//
// Units are in the names of the members; MB are 2^20 bytes. Threads: pure function.
#pragma once

#include <optional>
#include <string>

#include "dialects/testdfsio/result_block.h"
#include "dialects/testdfsio/run_source.h"
#include "dialects/testdfsio/summary.h"
#include "record/run_result.h"

namespace loadline::dialects::testdfsio {

// `block` and `summary` where there are any. Ends in a new line.
std::string json_report(const RunSource& source, const record::RunResult& result,
                        const std::optional<ResultBlock>& block,
                        const std::optional<Summary>& summary);

}  // namespace loadline::dialects::testdfsio
