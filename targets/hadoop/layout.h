// Makes the files of a job ready. Files are made and filled where they are missing and the job may
// make them; one that is there is never grown or rewritten. Nothing is written before all files
// have been looked at.
//
// Threads: one at a time for one target.
#pragma once

#include <span>
#include <vector>

#include "target/objects.h"
#include "targets/hadoop/file_system.h"

namespace loadline::targets::hadoop {

Result<std::vector<target::ObjectFacts>> provide_files(Calls& calls, const Config& config,
                                                       const FileSystem& files,
                                                       std::span<const target::ObjectNeed> needs,
                                                       const target::LayoutNotice& notice);

}  // namespace loadline::targets::hadoop
