// One client's connection: reads requests, hands them to the service, applies faults and delays,
// and sends the answers, without ever blocking. Idle connections hold no buffers.
//
// Ownership: owned by the ServerLoop that runs it; borrows the loop's LoopContext.
// Threads: belongs to its loop's thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "base/unique_fd.h"
#include "serve/body_framing.h"
#include "serve/counters.h"
#include "serve/s3_service.h"
#include "serve/timer_heap.h"

namespace loadline::serve {

// What the connections of one thread share: buffers that are only used within one call.
struct LoopContext {
  LoopContext(ServerState& shared, unsigned thread)
      : state(shared),
        service(shared),
        counters(shared.thread_counters(thread)),
        delay_rng(Rng::split(shared.options().seed, thread)),
        buffer(std::make_unique_for_overwrite<std::byte[]>(k_buffer)) {}

  static constexpr std::size_t k_buffer = 256 * 1024;

  std::span<std::byte> scratch() { return {buffer.get(), k_buffer}; }
  // The line "Date: ...\r\n", made anew once a second.
  std::string_view date_line();

  ServerState& state;
  S3Service service;
  ThreadCounters& counters;
  Rng delay_rng;
  TimerHeap timers;
  std::uint32_t last_ticket = 0;
  HttpHead head;  // of the request that is being begun
  std::unique_ptr<std::byte[]> buffer;

 private:
  std::string date_line_;
  Instant date_good_until_;
};

class Connection {
 public:
  // `slot` names this connection in timers; `local`: the peer is on this machine.
  Connection(LoopContext& context, UniqueFd socket, std::uint32_t slot, bool local)
      : context_(context), socket_(std::move(socket)), slot_(slot), local_(local) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  enum class Progress : std::uint8_t {
    waiting,  // for an event or a timer
    more,     // call run() again soon: it has had its share
    over,     // to be destroyed
  };
  // What epoll saw (edge-triggered).
  void readable(bool hang_up) {
    readable_ = true;
    hang_up_ = hang_up_ || hang_up;
  }
  void writable() { writable_ = true; }
  // Goes on as far as it can.
  Progress run();
  // Whether the timer with this ticket is still wanted; then call run().
  bool timer_due(std::uint32_t ticket);

 private:
  enum class Phase : std::uint8_t {
    head,    // reading a request's head, or idle
    body,    // reading its body
    delay,   // the answer is ready but not due
    send,    // sending the answer
    silent,  // never answering
    drain,   // all is sent: reading what still comes, so that the peer gets to see the end
  };
  enum class Step : std::uint8_t { on, blocked, over };
  enum class Ending : std::uint8_t { none, close, reset };

  // Requests (connection_receive.cc).
  Step read_head();
  Step begin_request(std::string_view rest);
  bool begin_body_faults(const HttpHead& head);
  Step begin_body(const HttpHead& head, std::string_view rest);
  Step read_body();
  Step read_direct(std::uint64_t left);
  Step read_framed();
  Step take_framed(std::span<const std::byte> input);
  Step end_body();
  Step complain(const HeadResult& bad);
  void consume(std::span<const std::byte> bytes);
  Step receive(std::span<std::byte> into, std::size_t& received);
  Step discard();

  // Answers (connection_send.cc).
  Step prepare(Answer answer);
  bool apply_fault(const Answer& answer);
  Step strike(Ending ending);
  void format_head(const Answer& answer);
  Step send_answer();
  Step send_head();
  Step send_body();
  Slice body_slice(std::size_t most) const;
  Step sent(std::int64_t result);
  Step answered();
  Step end_now(Ending ending);

  // Waits until `when`; on when it has passed.
  Step wait_until(Instant when);
  // How much of a body at `done` bytes may move now under fault=slow; 0: a timer is set.
  std::size_t pace(std::uint64_t done, std::size_t most);
  Instant now() const { return context_.state.clock().now(); }
  bool has_fault(FaultKind kind) const { return fault_ && fault_->kind == kind; }

  LoopContext& context_;
  UniqueFd socket_;
  std::uint32_t slot_;
  std::uint32_t ticket_ = 0;
  Phase phase_ = Phase::head;
  Ending ending_ = Ending::none;  // how the connection ends after this answer, by a fault
  bool local_;
  bool readable_ = false;
  bool writable_ = false;
  bool hang_up_ = false;
  bool armed_ = false;       // the timer with ticket_ is set
  bool incomplete_ = false;  // pending_ is known to hold no whole head
  bool keep_alive_ = true;
  bool http_1_0_ = false;
  bool control_ = false;  // the request is for control.h
  RequestKind kind_ = RequestKind::other;
  std::string pending_;  // input not yet used
  // The request under way; gone when its answer is prepared.
  std::unique_ptr<Exchange> exchange_;
  BodyFraming framing_;
  std::optional<Fault> fault_;
  std::uint64_t body_read_ = 0;           // bytes of the body, framing included
  std::uint64_t body_stop_ = UINT64_MAX;  // where a fault ends it
  Instant pace_start_;
  // The answer under way.
  std::string out_;  // its head
  std::size_t out_sent_ = 0;
  std::string text_;  // its body, or
  ObjectPin object_;  // an object's bytes,
  std::uint64_t begin_ = 0;
  std::uint64_t at_ = 0;             // of which this is the next
  std::uint64_t end_ = 0;            // and this past the last to be sent.
  std::uint64_t flip_ = UINT64_MAX;  // the byte that a fault changes
  Instant due_;                      // the answer begins; in Phase::drain: the wait ends
  Instant body_due_;                 // its body begins
};

}  // namespace loadline::serve
