// From the XML to an expanded Workload: attributes with their types, defaults and bounds,
// inheritance, the rewriting of special works. Says what is wrong in COSBench's words
// (docs/use/cosbench.md) and goes on with a default, so that every mistake is found.
#pragma once

#include "dialects/cosbench/document.h"
#include "dialects/cosbench/findings.h"
#include "dialects/cosbench/workload.h"

namespace loadline::dialects::cosbench {

// A workload of at most so many works and operations, and configs of at most so many bytes and
// keys: what is above is no workload but an attack.
inline constexpr std::size_t k_operations_max = 10'000;
inline constexpr std::size_t k_config_bytes_max = 16'384;
inline constexpr std::size_t k_config_keys_max = 100;

// To be used only where `findings` has not failed.
Workload read_workload(const Document& document, Findings& findings);

}  // namespace loadline::dialects::cosbench
