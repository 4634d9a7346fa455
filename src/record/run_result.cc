#include "record/run_result.h"

namespace loadline::record {

std::string_view to_string(RunState state) {
  switch (state) {
    case RunState::running: return "running";
    case RunState::finished: return "finished";
    case RunState::failed: return "failed";
    case RunState::terminated: return "terminated";
    case RunState::cancelled: return "cancelled";
    case RunState::vanished: return "vanished";
  }
  return "unknown";
}

std::string_view to_string(Verdict::Level level) {
  switch (level) {
    case Verdict::Level::note: return "note";
    case Verdict::Level::warning: return "warning";
  }
  return "unknown";
}

std::string_view to_string(StageState state) {
  switch (state) {
    case StageState::waiting: return "waiting";
    case StageState::running: return "running";
    case StageState::sleeping: return "sleeping";
    case StageState::completed: return "completed";
    case StageState::failed: return "failed";
    case StageState::terminated: return "terminated";
    case StageState::cancelled: return "cancelled";
    case StageState::aborted: return "aborted";
  }
  return "unknown";
}

}  // namespace loadline::record
