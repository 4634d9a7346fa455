// `loadline NAME WORDS...` for a dialect with a command line of its own, e.g. `loadline fio ...`:
// it reads and prints what its tool does and ends with its exit status, while the run is stored
// like any other. Nothing of ours goes to standard output; doubts are lines on standard error.
#pragma once

#include <filesystem>
#include <optional>

namespace loadline::app {

// The exit status; nothing where argv[1] names no such dialect. Reads the command line itself.
// Call before any thread has been made.
std::optional<int> run_tool(int argc, char** argv);

// Where the runs of such commands are kept: LOADLINE_ARCHIVE, else loadline/ below XDG_STATE_HOME
// or ~/.local/state. Whoever types a tool's command expects no new files around.
std::filesystem::path tool_archive();

}  // namespace loadline::app
