#include "net/address.h"

#include <arpa/inet.h>
#include <netdb.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/check.h"

namespace loadline::net {
namespace {

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

bool same(const Address& a, const Address& b) {
  return a.size() == b.size() && std::memcmp(a.get(), b.get(), a.size()) == 0;
}

}  // namespace

Address::Address(const sockaddr* address, socklen_t size) : size_(size) {
  CHECK(size <= sizeof(storage_));
  std::memcpy(&storage_, address, size);
}

std::string Address::text() const {
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  const int error = getnameinfo(get(), size_, host.data(), host.size(), port.data(), port.size(),
                                NI_NUMERICHOST | NI_NUMERICSERV);
  if (error != 0) return "?";
  const std::string name(host.data());
  return (family() == AF_INET6 ? "[" + name + "]" : name) + ":" + port.data();
}

std::optional<Address> parse_address(const std::string& text, std::uint16_t port) {
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(port);
  if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    return Address(reinterpret_cast<const sockaddr*>(&v4), sizeof(v4));
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  if (inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
    return Address(reinterpret_cast<const sockaddr*>(&v6), sizeof(v6));
  }
  return std::nullopt;
}

Result<std::vector<Address>> resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV;
  // AI_ADDRCONFIG leaves out ::1 on a host without IPv6 elsewhere, which nobody wants for digits.
  if (parse_address(host, port)) hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* raw = nullptr;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &raw);
  const std::unique_ptr<addrinfo, FreeAddresses> list(raw);
  if (error != 0) {
    const std::string why = error == EAI_SYSTEM ? errno_text(errno) : gai_strerror(error);
    return fail(ErrorCode::unavailable, "cannot resolve this host name: " + why, host);
  }
  std::vector<Address> found;
  for (const addrinfo* at = list.get(); at != nullptr; at = at->ai_next) {
    const Address address(at->ai_addr, at->ai_addrlen);
    if (std::ranges::none_of(found, [&](const Address& o) { return same(o, address); })) {
      found.push_back(address);
    }
  }
  if (found.empty()) {
    return fail(ErrorCode::unavailable, "this host name has no address", host);
  }
  return found;
}

}  // namespace loadline::net
