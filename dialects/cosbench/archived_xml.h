// workload-config.xml as COSBench archives it: everything inherited written out, operations
// numbered, its attribute order, indentation and line breaks. To parse it again gives an equal
// plan, but for the secrets, which are masked. docs/format/cosbench-archive.md describes it.
#pragma once

#include <string>

#include "dialects/cosbench/workload.h"

namespace loadline::dialects::cosbench {

std::string archived_xml(const Workload& workload);

}  // namespace loadline::dialects::cosbench
