// One serving thread: an epoll set of connections, their timers, and on the first thread the
// listening socket, whose connections go to the threads in turn.
//
// Ownership: owned by the S3Server, which makes all loops before it starts any.
// Threads: run() is the thread; hand_over() and stop() may be called from any thread.
#pragma once

#include <sys/epoll.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "serve/connection.h"
#include "serve/server_state.h"

namespace loadline::serve {

// A connection that was accepted.
struct Accepted {
  UniqueFd socket;
  bool local = false;  // the peer's address is a loopback address
};

class ServerLoop {
 public:
  static Result<std::unique_ptr<ServerLoop>> make(ServerState& state, unsigned thread);

  // Makes this the loop that accepts; before any run(). `listener` listens and does not block;
  // `loops` holds all loops, this one among them, and outlives it.
  Result<void> accept_from(UniqueFd listener, std::span<const std::unique_ptr<ServerLoop>> loops);
  void run();
  void hand_over(Accepted accepted);
  void stop();

 private:
  ServerLoop(ServerState& state, unsigned thread, UniqueFd epoll, UniqueFd wake)
      : context_(state, thread), epoll_(std::move(epoll)), wake_(std::move(wake)) {}

  Result<void> watch(int fd, std::uint32_t events, std::uint64_t name);
  void wait_out_pause();
  int wait(std::span<epoll_event> events);
  void handle(const epoll_event& event);
  void fire_timers();
  void accept_some();
  void refuse(UniqueFd socket, const Fault& fault);
  void close_listener_for(Duration time);
  void listen_again();
  void add(Accepted accepted);
  void take_inbox();
  void go_on(std::uint32_t slot);

  // A connection's place; `generation` tells events of an earlier owner apart.
  struct Slot {
    std::unique_ptr<Connection> connection;
    std::uint32_t generation = 0;
    bool ready = false;  // is in ready_
  };

  LoopContext context_;
  UniqueFd epoll_;
  UniqueFd wake_;
  UniqueFd listener_;
  std::span<const std::unique_ptr<ServerLoop>> loops_;
  std::size_t next_loop_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> ready_;  // had their share, go on soon
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;             // guards inbox_
  std::vector<Accepted> inbox_;  // handed over, not yet added
};

}  // namespace loadline::serve
