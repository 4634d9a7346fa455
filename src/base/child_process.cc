#include "base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

extern char** environ;

namespace loadline {
namespace {

constexpr int k_nap_ms = 5;  // between two looks where the kernel has no pidfd

// What the child finds open, and how its signals are.
class Setup {
 public:
  Setup() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGUSR1}) sigaddset(&signals, number);
    posix_spawnattr_setsigdefault(&attributes, &signals);
  }
  ~Setup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  void write_to(const std::string& output, const std::string& errors) {
    constexpr int k_flags = O_WRONLY | O_CREAT | O_TRUNC;
    if (!output.empty()) {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), k_flags, 0644);
    }
    if (errors.empty()) return;
    if (errors == output) {
      posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    } else {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), k_flags, 0644);
    }
  }

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

}  // namespace

ChildProcess::ChildProcess(pid_t pid) : pid_(pid) {
#ifdef SYS_pidfd_open
  watched_ = UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
#endif
}

Result<ChildProcess> ChildProcess::start(const Options& options) {
  std::vector<std::string> words = options.words;
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Setup setup;
  setup.write_to(options.output, options.errors);
  pid_t pid = -1;
  const int error =
      posix_spawnp(&pid, argv[0], &setup.actions, &setup.attributes, argv.data(), environ);
  if (error == 0) return ChildProcess(pid);
  const std::string into = options.output.empty() ? "" : ", output to " + options.output;
  return fail_errno(error, "cannot be started" + into, options.words.front());
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      watched_(std::move(other.watched_)),
      status_(other.status_) {}

ChildProcess::~ChildProcess() {
  if (pid_ < 0 || status_) return;
  signal(SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<int> ChildProcess::wait(int milliseconds) {
  while (!status_) {
    int status = 0;
    const pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended == pid_) {
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      break;
    }
    if (milliseconds <= 0) break;
    pollfd look{.fd = watched_.get(), .events = POLLIN, .revents = 0};
    const bool known = watched_.get() >= 0;
    const int nap = known ? milliseconds : std::min(milliseconds, k_nap_ms);
    poll(&look, known ? 1 : 0, nap);
    milliseconds -= nap;
  }
  return status_;
}

void ChildProcess::signal(int number) const {
  if (pid_ > 0 && !status_) kill(-pid_, number);
}

}  // namespace loadline
