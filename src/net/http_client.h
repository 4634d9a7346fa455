// Many HTTP/1.1 exchanges at once on one thread: every slot has at most one exchange under way, on
// a connection of its own that is kept open for the next. One epoll for all, nothing allocated per
// exchange once a slot is warm.
//
// Bodies are never held: a request's body is asked for piece by piece, a response's body is handed
// on as it arrives, or dropped by the kernel where nobody wants it.
//
// A kept connection that the server had closed before it saw anything of the next request is opened
// again, once, and the request sent again (RFC 9112, section 9.3.1). A server that took the request
// and then closed or reset the connection has failed, like everything else that goes wrong.
//
// Ownership: borrows clock, handler and the peers' TlsContext. Threads: belongs to one.
#pragma once

#include <sys/epoll.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/unique_fd.h"
#include "base/units.h"
#include "net/address.h"
#include "net/deadline_queue.h"
#include "net/http_response.h"
#include "net/tls.h"
#include "net/transport.h"

namespace loadline::net {

// Where a connection goes.
struct HttpPeer {
  Address address;                  // of the server, or of the proxy before it
  std::string name;                 // for messages, e.g. "http://s3.example.com:9000"
  const TlsContext* tls = nullptr;  // null: plain HTTP
  std::string tls_host = {};        // the name to ask for and to verify
  std::string tunnel = {};          // "host:port": ask the proxy for a tunnel there first (CONNECT)
};

enum class BodyUse : std::uint8_t { discard, consume };

// Called from within poll(), and request_body() also from within start().
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // The longest run of the request's body that begins at `offset`. Runs are asked for in order; an
  // offset may come again, at most k_lookback before the furthest, or 0 when the request is sent
  // anew. A run stays valid until a run more than k_lookback behind it is asked for.
  virtual std::span<const std::byte> request_body(std::uint32_t slot, std::uint64_t offset) = 0;
  // The final head, valid during the call; says what to do with the body.
  virtual BodyUse response_head(std::uint32_t slot, const ResponseHead& head) = 0;
  virtual void response_body(std::uint32_t slot, std::span<const std::byte> bytes) = 0;
};

inline constexpr std::uint64_t k_lookback = 256 * 1024;

struct HttpClientOptions {
  std::uint32_t slots = 1;
  std::vector<HttpPeer> peers;  // at least one; slot i begins with peer (first_peer + i) % n
  std::size_t first_peer = 0;
  Duration connect_timeout = Duration::seconds(30);   // until connected, TLS included
  Duration activity_timeout = Duration::seconds(30);  // without a byte moved either way
  std::uint32_t connecting_max = 128;  // connections being opened at once; others queue
};

enum class HttpFailure : std::uint8_t {
  none,
  connect,  // refused, unreachable
  connect_timeout,
  tls,
  proxy,       // the proxy refused the tunnel
  closed,      // before the response's head was complete
  reset,       // with error_number
  short_body,  // the connection ended inside the body
  malformed,   // not HTTP
  timeout,     // no byte for activity_timeout
  cancelled,
};

struct HttpResult {
  std::uint32_t slot = 0;
  HttpFailure failure = HttpFailure::none;
  std::uint16_t status = 0;  // 0 where no head came
  int error_number = 0;
  std::uint64_t body_sent = 0;
  std::uint64_t body_received = 0;
  Instant first_byte;  // of the body, or of a response without one
  Instant done;
};

// Beside the head's text, which the caller writes into request_head().
struct RequestShape {
  std::uint64_t body_bytes = 0;
  bool to_head = false;       // a HEAD request: the response has no body
  bool expects_data = false;  // the body is likely to be consumed; only a hint
};

class HttpClient {
 public:
  static Result<std::unique_ptr<HttpClient>> open(HttpClientOptions options, const Clock& clock,
                                                  HttpHandler& handler);

  // The peer that the slot's next request goes to, for its Host header. Ask before every start():
  // where the slot could not connect, it moves on to the next peer here.
  std::size_t choose_peer(std::uint32_t slot);
  // One more peer, for servers that answers name; its index. They are never taken away.
  std::size_t add_peer(HttpPeer peer);
  // The slot's next request goes to this peer, whatever choose_peer() said; a connection kept to
  // another is closed. The slot is free.
  void use_peer(std::uint32_t slot, std::size_t peer);
  // To be filled with the request line and headers, empty line included; not touched until the
  // exchange has ended.
  std::string& request_head(std::uint32_t slot) { return slots_[slot].head; }
  // Starts the exchange; the slot must be free. Tries to send at once.
  void start(std::uint32_t slot, const RequestShape& shape);
  bool is_busy(std::uint32_t slot) const { return slots_[slot].state != State::idle; }

  // Waits until something has happened or `deadline` has passed, and returns the exchanges that
  // have ended; valid until the next call. May return none before the deadline.
  std::span<const HttpResult> poll(Instant deadline);

  // When poll() last looked at the clock, or start() if that was later.
  Instant time() const { return now_; }

  // Ends every exchange under way with HttpFailure::cancelled; poll() returns them.
  void cancel_all();

  // One line on a failed result, until its slot starts again.
  std::string explain(const HttpResult& result) const;

  // Kept connections that were found closed and opened again.
  std::uint64_t reopened() const { return reopened_; }
  std::uint64_t connections_opened() const { return connections_opened_; }

 private:
  enum class State : std::uint8_t {
    idle,
    waiting,  // for its turn to connect
    connecting,
    tunnelling,
    handshaking,
    sending,
    receiving,
  };

  struct Slot {
    Transport transport;
    State state = State::idle;
    bool reused = false;    // the request went out on a kept connection
    bool reopened = false;  // that was found closed
    bool heard = false;     // a byte of the response has come
    bool peer_closing = false;
    bool watches_writable = false;
    bool discards = false;
    bool move_on = false;  // to the next peer, which may do better
    RequestShape shape;
    std::uint32_t peer = 0;
    int send_error = 0;  // of a send that failed while an answer may still be there
    std::uint16_t status = 0;
    std::uint64_t sent = 0;      // of head and body together
    std::uint64_t received = 0;  // of the body
    Instant first_byte;
    std::string head;
    std::string problem;  // a failure in words
    HttpResponseParser parser;
  };

  HttpClient(HttpClientOptions options, const Clock& clock, HttpHandler& handler, UniqueFd epoll);

  void connect(std::uint32_t slot);
  void continue_connecting(std::uint32_t slot);
  void after_connected(std::uint32_t slot);
  void read_tunnel_answer(std::uint32_t slot);
  void handshake(std::uint32_t slot);
  void enter_exchange(std::uint32_t slot);
  void begin_request(std::uint32_t slot);
  void leave_connecting();
  void watch(std::uint32_t slot, bool writable, bool is_new);

  void on_event(std::uint32_t slot, std::uint32_t events);
  void on_exchange_event(std::uint32_t slot, std::uint32_t events);
  // False where the exchange has ended.
  bool send(std::uint32_t slot);
  void receive(std::uint32_t slot);
  bool take(std::uint32_t slot, std::span<const std::byte> bytes);
  bool drop(std::uint32_t slot, const IoResult& result);
  bool was_closed_before(const Slot& s) const;
  void on_broken(std::uint32_t slot, const IoResult& result);
  void fail(std::uint32_t slot, HttpFailure failure, int error_number = 0);
  void finish(std::uint32_t slot, HttpFailure failure, int error_number);
  Instant moment();
  void stamp_first_byte(Slot& s);
  void expire(Instant now);
  int wait(Instant deadline);
  int wait_for_events(Duration left);

  const Clock& clock_;
  HttpHandler& handler_;
  std::vector<HttpPeer> peers_;
  UniqueFd epoll_;
  std::vector<Slot> slots_;
  DeadlineQueue connect_deadlines_;
  DeadlineQueue activity_deadlines_;
  std::uint32_t connecting_ = 0;
  std::uint32_t connecting_max_;
  std::vector<std::uint32_t> connect_queue_;  // from connect_queue_at_ on
  std::size_t connect_queue_at_ = 0;
  bool serving_queue_ = false;
  std::vector<std::uint32_t> unfinished_;  // slots that had more to do when their turn was over
  std::vector<std::uint32_t> turns_;
  std::vector<HttpResult> finished_;
  std::vector<HttpResult> delivered_;
  std::vector<epoll_event> events_;
  std::vector<std::byte> buffer_;  // shared: what arrives is handed on before the next receive
  std::uint64_t usual_discard_ = 0;
  bool has_epoll_pwait2_ = true;
  std::uint32_t busy_ = 0;  // slots
  Instant now_;
  Instant moment_;  // of the last receive, where somebody asked
  std::uint64_t reopened_ = 0;
  std::uint64_t connections_opened_ = 0;
};

}  // namespace loadline::net
