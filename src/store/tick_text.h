// One tick as one line of ticks.jsonl (docs/format/ticks.md), and back.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "record/tick.h"
#include "store/stored_run.h"

namespace loadline::store {

// What is kept of a tick: its histograms become three numbers.
TickRow row_of(const record::Tick& tick);

// With its line end.
std::string to_line(const TickRow& row);
Result<TickRow> from_line(std::string_view line);

}  // namespace loadline::store
