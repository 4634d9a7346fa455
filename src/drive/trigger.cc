#include "drive/trigger.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/error.h"
#include "base/unique_fd.h"

extern char** environ;

namespace loadline::drive {
namespace {

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Pipe make_pipe() {
  std::array<int, 2> fds{-1, -1};
  if (pipe2(fds.data(), O_CLOEXEC) != 0) return {};
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

// In a process group of its own, so that it can be ended with all that it started.
pid_t spawn_shell(std::vector<std::string>& words, int output) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, output, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, "sh", &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  errno = error;
  return error == 0 ? pid : -1;
}

void read_all(int fd, std::string& output, pid_t pid, const std::stop_token& stop) {
  std::array<char, 4096> buffer{};
  bool ended = false;
  while (true) {
    pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
    const int ready = poll(&waiting, 1, 100);
    if (stop.stop_requested() && !ended) {
      kill(-pid, SIGTERM);
      ended = true;
    }
    if (ready <= 0) {
      // A script may leave a child behind that keeps the pipe open: its own end is what counts.
      siginfo_t info{};
      if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          info.si_pid == pid) {
        return;
      }
      continue;
    }
    const ssize_t n = read(fd, buffer.data(), buffer.size());
    if (n <= 0) return;
    if (output.size() < k_trigger_output_max)
      output.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

std::string run_trigger(const std::filesystem::path& scripts, const std::string& script,
                        const std::vector<std::string>& arguments, const std::stop_token& stop) {
  std::vector<std::string> words{"sh", (scripts / script).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Pipe pipe = make_pipe();
  if (!pipe.read) return "trigger " + script + ": pipe: " + errno_text(errno) + "\n";
  const pid_t pid = spawn_shell(words, pipe.write.get());
  if (pid < 0) return "trigger " + script + ": " + errno_text(errno) + "\n";
  pipe.write.reset();
  std::string output;
  read_all(pipe.read.get(), output, pid, stop);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return output;
  return output + "trigger " + script + " ended with status " +
         std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)) + "\n";
}

Result<void> check_triggers(const plan::Plan& plan, const std::filesystem::path& scripts) {
  const auto check = [&](const std::optional<plan::Trigger>& trigger,
                         const std::string& where) -> Result<void> {
    if (!trigger) return {};
    const std::filesystem::path path = scripts / trigger->script;
    if (access(path.c_str(), R_OK) == 0) return {};
    return fail(ErrorCode::bad_input,
                "the trigger " + trigger->script + " is not there: no readable file " +
                    std::filesystem::absolute(path).string(),
                where);
  };
  if (auto checked = check(plan.trigger, "workload"); !checked) return checked;
  for (const plan::Stage& stage : plan.stages) {
    if (auto checked = check(stage.trigger, "stage " + stage.name); !checked) return checked;
  }
  return {};
}

}  // namespace loadline::drive
