// --set PATH=VALUE: changes an attribute, or one key of a config string, at every element that the
// path names, before the workload is read.
//
//   storage.type=mock                    every <storage>; made where a work has none
//   storage.config.endpoint=http://h:1   a key, in every <storage>
//   storage.config=a=1;b=2               the whole string
//   work.runtime=5                       every <work>
//   workstage[main].work.workers=16      narrowed by name: [..] holds the name of a workload, stage
//                                        or work, the type (or name= key) of an operation, the type
//                                        of an auth or storage
//
// Elements are read as parent.child; where no such child exists, as any descendant. A key of a
// workload's, stage's, work's or operation's config is changed where it is written, and where it is
// written nowhere it is added to all. A path that matches nothing is an error that names the
// nearest one that would.
#pragma once

#include <span>

#include "dialects/cosbench/document.h"
#include "dialects/cosbench/findings.h"
#include "report/dialect.h"

namespace loadline::dialects::cosbench {

// In order; a later setting sees what an earlier one did.
void apply_settings(Document& document, std::span<const report::Setting> settings,
                    Findings& findings);

}  // namespace loadline::dialects::cosbench
