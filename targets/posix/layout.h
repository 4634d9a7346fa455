// Makes the files of a job ready: decides for all of them, then writes. Nothing is written before
// every file has been found to be in order.
//
// Threads: one at a time for one target.
#pragma once

#include <span>
#include <vector>

#include "base/error.h"
#include "target/objects.h"
#include "targets/posix/config.h"
#include "targets/posix/ledger.h"

namespace loadline::targets::posix {

Result<std::vector<target::ObjectFacts>> provide_files(const Config& config, Ledger& ledger,
                                                       std::span<const target::ObjectNeed> needs,
                                                       const target::LayoutNotice& notice);

}  // namespace loadline::targets::posix
