// `loadline list`, `show RUN` and `report RUN`: what an archive holds. They write nothing but the
// report that is asked for.
#pragma once

#include <filesystem>
#include <string>

namespace loadline::app {

struct ArchiveCommand {
  std::filesystem::path archive = "archive";
  std::string run = "last";  // an id (w12), a folder's name, or "last"
  bool json = false;
};

int list_command(const ArchiveCommand& command);
int show_command(const ArchiveCommand& command);
int report_command(const ArchiveCommand& command);

}  // namespace loadline::app
