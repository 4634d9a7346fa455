#include "engine/block_child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <thread>

#include "engine/block_wire.h"

namespace loadline::engine {
namespace {

constexpr int k_link = 3;
constexpr int k_look_around_ms = 100;  // for counts to pass on
constexpr int k_status_lost = 1;       // the driver is gone

[[noreturn]] void leave(int status) {
  // allowed: the driver's destructors and buffers are not this process's
  _exit(status);
}

// Alone with the link: a terminal's signals are the driver's, and so is what it has open.
void settle(UniqueFd link, int messages, std::int64_t driver) {
  sigset_t from_terminal;
  sigemptyset(&from_terminal);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1}) {
    sigaddset(&from_terminal, signal);
  }
  sigprocmask(SIG_BLOCK, &from_terminal, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != driver) leave(k_status_lost);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (messages >= 0) dup2(messages, STDERR_FILENO);
  if (nothing >= 0) {
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    if (messages < 0) dup2(nothing, STDERR_FILENO);
  }
  dup2(link.release(), k_link);
  close_range(k_link + 1, ~0U, 0);
}

// Sends and hears; in the second thread while the worker works.
class Link {
 public:
  explicit Link(record::Mailbox& mailbox) : mailbox_(mailbox) {}

  void send(const std::string& message) {
    const std::string framed = WireFrames::frame(message);
    std::string_view rest = framed;
    while (!rest.empty()) {
      const ssize_t n = ::send(k_link, rest.data(), rest.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) leave(k_status_lost);
      rest.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  // The next order; waits for it.
  BlockOrder hear() {
    BlockOrder order;
    while (true) {
      const ssize_t n = ::recv(k_link, &order, sizeof order, MSG_WAITALL);
      if (n < 0 && errno == EINTR) continue;
      if (n != sizeof order) leave(k_status_lost);
      return order;
    }
  }

  // What the worker has counted so far.
  void pass_on() {
    record::Mailbox::Taken taken = mailbox_.take();
    for (record::TickCounts& counts : taken.counts) {
      send(encode_tick(counts));
      mailbox_.give_back(std::move(counts.ops));
    }
    if (taken.complete_before == passed_) return;
    passed_ = taken.complete_before;
    send(encode_passed({.tick = passed_, .load = taken.load}));
  }

  // Until `ended` can be read. In a table of descriptors of its own, which has these two alone: a
  // worker that shares its table pays for that with each operation.
  void attend(int ended, std::stop_source& stop) {
    close_range(static_cast<unsigned>(ended) + 1, ~0U, CLOSE_RANGE_UNSHARE);
    while (true) {
      std::array<pollfd, 2> events{pollfd{.fd = k_link, .events = POLLIN, .revents = 0},
                                   pollfd{.fd = ended, .events = POLLIN, .revents = 0}};
      if (poll(events.data(), events.size(), k_look_around_ms) < 0 && errno != EINTR) return;
      if (events[1].revents != 0) return;
      if (events[0].revents != 0 && hear().kind == BlockOrder::Kind::stop) stop.request_stop();
      pass_on();
    }
  }

 private:
  record::Mailbox& mailbox_;
  std::uint64_t passed_ = 0;
};

}  // namespace

void run_block_child(BlockWorker::Options options, UniqueFd link_fd, int messages,
                     std::int64_t driver) {
  settle(std::move(link_fd), messages, driver);
  const int ended = eventfd(0, EFD_CLOEXEC);
  if (ended < 0) leave(k_status_lost);
  record::Mailbox mailbox;
  std::stop_source stop;
  options.mailbox = &mailbox;
  options.stop = stop.get_token();
  Link link(mailbox);
  BlockWorker worker(options);
  worker.prepare();
  link.send(encode_prepared());
  BlockOrder order = link.hear();
  while (order.kind != BlockOrder::Kind::go) {
    stop.request_stop();
    order = link.hear();
  }
  std::thread attendant([&] { link.attend(ended, stop); });
  worker.run(Instant::from_ns(order.stage_start_ns));
  eventfd_write(ended, 1);
  attendant.join();
  link.pass_on();
  link.send(encode_report(worker.report()));
  leave(0);
}

}  // namespace loadline::engine
