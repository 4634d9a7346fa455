// One HTTP/1.1 exchange at a time on one connection, waited for: for what is done in order by one
// worker, the blocks of a file. A body goes out and comes in as the caller has room for it, so that
// a file of any length is one request; what arrives goes to the caller's memory without a copy.
//
// Ownership: borrows the peers' TlsContext. Threads: belongs to one. Blocks; a wait for the server
// is bounded by the limits. Errors: HttpFailure, and why() in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "net/http_client.h"
#include "net/http_response.h"
#include "net/transport.h"

namespace loadline::targets::webhdfs {

struct ExchangeLimits {
  Duration connect = Duration::seconds(60);   // until connected, TLS included
  Duration activity = Duration::seconds(60);  // without a byte moved either way
};

class Exchange {
 public:
  using Failure = net::HttpFailure;

  explicit Exchange(ExchangeLimits limits) : limits_(limits), buffer_(k_buffer_bytes) {}

  // Sends a request's head to one of these addresses of a server, tried in turn. A connection that
  // was kept is used where it leads to one of them and is still open.
  Failure begin(std::span<const net::HttpPeer> peers, std::string_view head);
  // Sends a piece of the body. Ends early and without failure where the answer is there already.
  Failure send(std::span<const iovec> pieces);
  bool has_answer() const { return has_head_; }

  // Waits for the final head.
  Failure read_head();
  std::uint16_t status() const { return status_; }
  // Headers, as ResponseHead::find(); "" before read_head() has succeeded.
  const std::string& location() const { return location_; }
  const std::string& server() const { return server_; }

  // Fills `into` with the body that comes next; less, only where the body ends. `got` counts what
  // came, also before a failure.
  Failure read_body(std::span<std::byte> into, std::size_t& got);
  // The rest of the body, `most` bytes of it kept.
  Failure read_text(std::string& into, std::size_t most);

  // Whether the request went out on a connection that was kept: the server may have closed it.
  bool reused() const { return reused_; }
  const std::string& why() const { return why_; }
  // Of the server that the last request went to.
  const std::string& peer_name() const { return peer_name_; }
  // Ends what is under way, if anything; the connection goes too where it cannot be used again.
  void end();
  void close();

 private:
  static constexpr std::size_t k_buffer_bytes = 64 * 1024;

  Failure connect(const net::HttpPeer& peer);
  Failure handshake(const net::HttpPeer& peer);
  bool is_kept(std::span<const net::HttpPeer> peers);
  // Takes what has come, without waiting, until the final head is complete.
  Failure look_for_head();
  void take_head();
  // More of the body into `into`; nothing came where `got` stays.
  Failure receive_body(std::span<std::byte> into, std::size_t& got);
  Failure parse_body(std::span<std::byte> into, std::size_t& got);
  Failure wait(short events, Duration limit, Failure late);
  Failure refuse(Failure failure, std::string why);
  Failure broken(const net::IoResult& result);

  ExchangeLimits limits_;
  net::Transport transport_;
  net::HttpResponseParser parser_;
  std::string peer_;  // name and address that the connection leads to
  std::string peer_name_;
  bool busy_ = false;
  bool reused_ = false;
  bool has_head_ = false;
  bool ended_ = false;  // the answer is complete
  bool keep_alive_ = false;
  std::uint16_t status_ = 0;
  std::string location_;
  std::string server_;
  std::string why_;
  std::vector<std::byte> buffer_;
  std::size_t from_ = 0;  // what was received and not taken yet
  std::size_t to_ = 0;
};

}  // namespace loadline::targets::webhdfs
