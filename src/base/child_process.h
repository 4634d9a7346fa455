// A program that runs beside this one: started, waited for, ended. It leads a process group of its
// own, so that it can be ended with all that it started; it reads nothing.
//
// Ownership: one that still runs when this goes is killed. Threads: belongs to one thread. The
// program runs as whoever the thread that starts it runs as.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"

namespace loadline {

class ChildProcess {
 public:
  struct Options {
    std::vector<std::string> words;  // the program, looked for in PATH, and its arguments
    std::string output;              // files that are made anew; empty: where ours goes
    std::string errors;              // the same file as `output`: both in one
  };
  // Error: no such program, or a file that cannot be made.
  static Result<ChildProcess> start(const Options& options);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  // Waits for so long at most. The exit status, 128 and more: of a signal; none: it still runs.
  std::optional<int> wait(int milliseconds);
  // To the program and all that it started.
  void signal(int number) const;

 private:
  explicit ChildProcess(pid_t pid);

  pid_t pid_ = -1;
  UniqueFd watched_;  // a pidfd, where the kernel has them
  std::optional<int> status_;
};

}  // namespace loadline
