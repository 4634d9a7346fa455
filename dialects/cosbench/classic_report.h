// The files of COSBench's archive, written from a stored run: see docs/format/cosbench-archive.md.
#pragma once

#include "base/error.h"

namespace loadline::store {
class StoredRun;
}

namespace loadline::dialects::cosbench {

// Appends to run-history.csv and workloads.csv of the archive, under a lock, and writes the run's
// own files. Goes on after a failure and reports the first one.
Result<void> write_classic_report(const store::StoredRun& run);

}  // namespace loadline::dialects::cosbench
