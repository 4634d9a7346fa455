// The address a server listens on.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"

namespace loadline::serve {

inline constexpr int k_listen_backlog = 4096;

struct ListenAddress {
  sockaddr_storage address{};
  socklen_t length = 0;

  // "127.0.0.1:29998", "[::1]:0", "localhost:80": addresses in digits, or localhost for 127.0.0.1.
  // bad_input says what is wrong.
  static Result<ListenAddress> parse(std::string_view text);
};

bool is_loopback(const sockaddr_storage& address);
std::uint16_t port_of(const sockaddr_storage& address);
void set_port(sockaddr_storage& address, std::uint16_t port);

// A socket that listens there and does not block; its port where 0 was asked for. A port that is
// taken is ErrorCode::unavailable.
struct Listener {
  UniqueFd socket;
  std::uint16_t port = 0;
};
Result<Listener> listen_on(const ListenAddress& address, std::string_view text);

}  // namespace loadline::serve
