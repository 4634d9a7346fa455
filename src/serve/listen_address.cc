#include "serve/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "serve/http_head.h"

namespace loadline::serve {

namespace {

std::unexpected<Error> wrong(std::string_view text) {
  return fail(ErrorCode::bad_input,
              fmt::format("\"{}\" is not ADDRESS:PORT, such as 127.0.0.1:29998", text), "listen");
}

Result<Listener> try_listen(sockaddr_storage address, socklen_t length, std::string_view text) {
  UniqueFd socket(::socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return fail_errno(errno, "socket", std::string(text));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  if (::bind(socket.get(), generic, length) != 0 || ::listen(socket.get(), k_listen_backlog) != 0) {
    if (errno == EADDRINUSE) {
      return fail(ErrorCode::unavailable, "the port is in use by another program",
                  std::string(text));
    }
    return fail_errno(errno, "listen", std::string(text));
  }
  sockaddr_storage bound{};
  socklen_t bound_length = sizeof bound;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &bound_length) != 0) {
    return fail_errno(errno, "getsockname", std::string(text));
  }
  return Listener{std::move(socket), port_of(bound)};
}

}  // namespace

Result<ListenAddress> ListenAddress::parse(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong(text);
  const auto port = parse_decimal(text.substr(colon + 1));
  if (!port || *port > UINT16_MAX) return wrong(text);
  std::string host(text.substr(0, colon));
  if (host == "localhost") host = "127.0.0.1";
  ListenAddress result;
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    auto& v6 = reinterpret_cast<sockaddr_in6&>(result.address);
    v6.sin6_family = AF_INET6;
    result.length = sizeof v6;
    if (::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &v6.sin6_addr) != 1) {
      return wrong(text);
    }
  } else {
    auto& v4 = reinterpret_cast<sockaddr_in&>(result.address);
    v4.sin_family = AF_INET;
    result.length = sizeof v4;
    if (::inet_pton(AF_INET, host.c_str(), &v4.sin_addr) != 1) return wrong(text);
  }
  set_port(result.address, static_cast<std::uint16_t>(*port));
  return result;
}

bool is_loopback(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    return (ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr) >> 24) == 127;
  }
  const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

// Both families keep the port in the same place.
std::uint16_t port_of(const sockaddr_storage& address) {
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

void set_port(sockaddr_storage& address, std::uint16_t port) {
  reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
}

Result<Listener> listen_on(const ListenAddress& address, std::string_view text) {
  auto listener = try_listen(address.address, address.length, text);
  if (!listener || port_of(address.address) != 0) return listener;
  // A port chosen by the kernel is given up when listening ends for a while (fault=refuse); one
  // that was asked for is kept. So ask for the one that was chosen.
  sockaddr_storage chosen = address.address;
  set_port(chosen, listener->port);
  listener->socket.reset();
  auto again = try_listen(chosen, address.length, text);
  return again ? std::move(again) : listen_on(address, text);
}

}  // namespace loadline::serve
