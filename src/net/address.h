// Addresses of hosts, IPv4 and IPv6.
//
// Threads: plain values; resolve() may be called from any thread and blocks as long as the system's
// resolver does (its own time-outs, some seconds).
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace loadline::net {

class Address {
 public:
  Address() = default;
  Address(const sockaddr* address, socklen_t size);

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const { return size_; }
  int family() const { return storage_.ss_family; }
  // "127.0.0.1:80", "[::1]:80"
  std::string text() const;

 private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

// An address written in digits, e.g. "10.0.0.1" or "::1"; nullopt for a name.
std::optional<Address> parse_address(const std::string& text, std::uint16_t port);

// Every address of a name, in the resolver's order, without repeats; at least one.
Result<std::vector<Address>> resolve(const std::string& host, std::uint16_t port);

}  // namespace loadline::net
