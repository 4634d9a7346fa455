#include "serve/server_loop.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <utility>

#include "serve/listen_address.h"

namespace loadline::serve {

namespace {

// Names in epoll that are no connection, and the timer that opens the port again.
constexpr std::uint64_t k_wake = UINT64_MAX;
constexpr std::uint64_t k_listener = UINT64_MAX - 1;
constexpr std::uint32_t k_listener_timer = UINT32_MAX;

constexpr int k_accepts_a_turn = 64;
constexpr Duration k_stop_heard_within = Duration::milliseconds(50);
constexpr Duration k_out_of_descriptors_pause = Duration::milliseconds(10);

timespec to_timespec(Duration d) {
  const std::int64_t ns = std::max<std::int64_t>(d.ns(), 0);
  return {.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
}

}  // namespace

Result<std::unique_ptr<ServerLoop>> ServerLoop::make(ServerState& state, unsigned thread) {
  UniqueFd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return fail_errno(errno, "epoll_create1", "store");
  UniqueFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake) return fail_errno(errno, "eventfd", "store");
  std::unique_ptr<ServerLoop> loop(
      new ServerLoop(state, thread, std::move(epoll), std::move(wake)));
  if (auto watched = loop->watch(loop->wake_.get(), EPOLLIN, k_wake); !watched) {
    return propagate(watched);
  }
  return loop;
}

Result<void> ServerLoop::watch(int fd, std::uint32_t events, std::uint64_t name) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = name;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    return fail_errno(errno, "epoll_ctl", "store");
  }
  return {};
}

Result<void> ServerLoop::accept_from(UniqueFd listener,
                                     std::span<const std::unique_ptr<ServerLoop>> loops) {
  listener_ = std::move(listener);
  loops_ = loops;
  return watch(listener_.get(), EPOLLIN, k_listener);
}

void ServerLoop::stop() {
  stopping_.store(true);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(wake_.get(), &one, sizeof one);
}

void ServerLoop::hand_over(Accepted accepted) {
  {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(accepted));
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(wake_.get(), &one, sizeof one);
}

void ServerLoop::run() {
  // Signals are the application's; and sendfile raises SIGPIPE where send can be told not to.
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  ::prctl(PR_SET_TIMERSLACK, 1UL);  // delays are known latencies: wake up in time
  std::array<epoll_event, 64> events;
  while (!stopping_.load(std::memory_order_relaxed)) {
    wait_out_pause();
    const int n = wait(events);
    wait_out_pause();
    for (int i = 0; i < n; ++i) handle(events[static_cast<std::size_t>(i)]);
    fire_timers();
    std::vector<std::uint32_t> ready;
    ready.swap(ready_);
    for (const std::uint32_t slot : ready) {
      slots_[slot].ready = false;
      if (slots_[slot].connection) go_on(slot);
    }
  }
  for (Slot& slot : slots_) slot.connection.reset();
}

// fault=pause_all: nothing is served, but a stop is heard.
void ServerLoop::wait_out_pause() {
  while (!stopping_.load(std::memory_order_relaxed)) {
    const Instant now = context_.state.clock().now();
    const auto until = context_.state.faults().paused_until(now);
    if (!until) return;
    context_.state.clock().sleep_until(std::min(*until, now + k_stop_heard_within));
  }
}

int ServerLoop::wait(std::span<epoll_event> events) {
  timespec timeout{};
  const timespec* limit = nullptr;
  if (!ready_.empty()) {
    limit = &timeout;
  } else if (const auto next = context_.timers.next()) {
    timeout = to_timespec(*next - context_.state.clock().now());
    limit = &timeout;
  }
  return ::epoll_pwait2(epoll_.get(), events.data(), static_cast<int>(events.size()), limit,
                        nullptr);
}

void ServerLoop::handle(const epoll_event& event) {
  if (event.data.u64 == k_wake) return take_inbox();
  if (event.data.u64 == k_listener) return accept_some();
  const auto slot = static_cast<std::uint32_t>(event.data.u64);
  if (slots_[slot].generation != event.data.u64 >> 32 || !slots_[slot].connection) return;
  Connection& connection = *slots_[slot].connection;
  constexpr std::uint32_t k_hang_up = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
  if ((event.events & (EPOLLIN | k_hang_up)) != 0) {
    connection.readable((event.events & k_hang_up) != 0);
  }
  if ((event.events & (EPOLLOUT | EPOLLERR)) != 0) connection.writable();
  go_on(slot);
}

void ServerLoop::go_on(std::uint32_t slot) {
  switch (slots_[slot].connection->run()) {
    case Connection::Progress::waiting: break;
    case Connection::Progress::more:
      if (!std::exchange(slots_[slot].ready, true)) ready_.push_back(slot);
      break;
    case Connection::Progress::over:
      slots_[slot].connection.reset();
      ++slots_[slot].generation;
      free_slots_.push_back(slot);
      break;
  }
}

void ServerLoop::fire_timers() {
  if (!context_.timers.next()) return;
  const Instant now = context_.state.clock().now();
  while (const auto timer = context_.timers.take_due(now)) {
    if (timer->owner == k_listener_timer) {
      listen_again();
    } else if (Connection* const connection = slots_[timer->owner].connection.get();
               connection != nullptr && connection->timer_due(timer->ticket)) {
      go_on(timer->owner);
    }
  }
}

void ServerLoop::accept_some() {
  for (int i = 0; i < k_accepts_a_turn; ++i) {
    sockaddr_storage peer{};
    socklen_t length = sizeof peer;
    UniqueFd socket(::accept4(listener_.get(), reinterpret_cast<sockaddr*>(&peer), &length,
                              SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket) {
      // Out of descriptors or memory: the listener stays ready, so wait instead of spinning.
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listener_.get(), nullptr);
        context_.timers.set(
            {context_.state.clock().now() + k_out_of_descriptors_pause, k_listener_timer, 0});
      }
      return;
    }
    if (const auto fault = context_.state.faults().decide_connection()) {
      refuse(std::move(socket), *fault);
      if (fault->wait) return;
      continue;
    }
    Accepted accepted{std::move(socket), is_loopback(peer)};
    ServerLoop& loop = *loops_[next_loop_++ % loops_.size()];
    if (&loop == this) {
      add(std::move(accepted));
    } else {
      loop.hand_over(std::move(accepted));
    }
  }
}

void ServerLoop::refuse(UniqueFd socket, const Fault& fault) {
  context_.counters.accepted.add(1);
  context_.counters.closed.add(1);
  // First, so that a client that tries again at once finds the port closed.
  if (fault.wait) close_listener_for(*fault.wait);
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

// The port stays bound but listens no more, so that connecting is refused.
void ServerLoop::close_listener_for(Duration time) {
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listener_.get(), nullptr);
  ::shutdown(listener_.get(), SHUT_RDWR);
  context_.timers.set({context_.state.clock().now() + time, k_listener_timer, 0});
}

void ServerLoop::listen_again() {
  ::listen(listener_.get(), k_listen_backlog);
  [[maybe_unused]] const auto watched = watch(listener_.get(), EPOLLIN, k_listener);
}

void ServerLoop::take_inbox() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t n = ::read(wake_.get(), &count, sizeof count);
  std::vector<Accepted> handed;
  {
    const std::lock_guard lock(mutex_);
    handed.swap(inbox_);
  }
  for (Accepted& accepted : handed) add(std::move(accepted));
}

void ServerLoop::add(Accepted accepted) {
  const int on = 1;
  ::setsockopt(accepted.socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  context_.counters.accepted.add(1);
  std::uint32_t slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  const int fd = accepted.socket.get();
  slots_[slot].connection =
      std::make_unique<Connection>(context_, std::move(accepted.socket), slot, accepted.local);
  const std::uint64_t name = std::uint64_t{slots_[slot].generation} << 32 | slot;
  if (!watch(fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, name)) {
    slots_[slot].connection.reset();
    free_slots_.push_back(slot);
  }
}

}  // namespace loadline::serve
