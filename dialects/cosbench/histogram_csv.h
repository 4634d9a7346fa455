// wN-NAME-rt-histogram.csv: response times in 50 001 buckets of 10 ms, the last one open.
#pragma once

#include <filesystem>
#include <span>

#include "base/error.h"
#include "dialects/cosbench/report_rows.h"

namespace loadline::dialects::cosbench {

// COSBench has columns for operations whose reported name is their sample type; the others
// (prepare-write, hot-read, ...) follow after those.
Result<void> write_histogram_csv(const std::filesystem::path& path,
                                 std::span<const StageRows> stages);

}  // namespace loadline::dialects::cosbench
