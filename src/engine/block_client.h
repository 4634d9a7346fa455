// As whom and as what the client of a job on blocks runs, and the commands around it.
//
// Threads: what becomes of the client holds for the calling thread alone, and for what it starts;
// the other threads of the process stay as they are.
#pragma once

#include <functional>
#include <string>

#include "base/error.h"
#include "plan/block_io.h"

namespace loadline::engine {

// In this order, so that each step may still do what it needs: processors, niceness, I/O priority,
// the NUMA nodes of memory, group, user. Error: what the system refuses, and what it takes.
Result<void> become_client(const plan::BlockIo& block);

// Memory that is kept from the system: resident and locked. Owns the mapping.
class LockedMemory {
 public:
  LockedMemory() = default;
  // Error: no such amount may be locked.
  static Result<LockedMemory> make(Bytes amount);
  ~LockedMemory();
  LockedMemory(LockedMemory&& other) noexcept;
  LockedMemory& operator=(LockedMemory&& other) noexcept;

 private:
  void* start_ = nullptr;
  std::size_t size_ = 0;
};

// Runs a command of the shell to its end, all that it prints into `file`. `over` is asked now and
// then; once it says so the command is ended. Error: it cannot be started, or it failed.
Result<void> run_client_command(const std::string& command, const std::string& file,
                                const std::function<bool()>& over);

}  // namespace loadline::engine
