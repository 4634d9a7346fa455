// The store's own pages, beside S3 (no bucket may begin with `_`); for peers on this machine only:
//
//     GET  /_loadline/counters   counters.h, as JSON
//     POST /_loadline/reset      all counters to zero, request numbers of the faults begin again
//     GET  /_loadline/faults     the rules, one a line
//     POST /_loadline/faults     replaces the rules by the body, one a line (fault_rules.h)
//
// Threads: pure function of the state, any thread.
#pragma once

#include <string_view>

#include "serve/s3_service.h"
#include "serve/server_state.h"

namespace loadline::serve {

inline constexpr std::string_view k_control_prefix = "/_loadline/";
inline constexpr std::size_t k_control_body_most = 256 * 1024;

Answer control_answer(ServerState& state, std::string_view method, std::string_view path,
                      std::string_view body);

}  // namespace loadline::serve
