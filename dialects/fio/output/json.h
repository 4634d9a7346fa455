// fio's JSON: the keys, their order and units of fio 3.33. Always one valid document.
//
// Threads: pure function.
#pragma once

#include <string>

#include "dialects/fio/output/summary.h"

namespace loadline::dialects::fio::output {

// `bins`: json+, every latency with the count of each bucket of its histogram.
std::string json_text(const Summary& summary, bool bins);

}  // namespace loadline::dialects::fio::output
