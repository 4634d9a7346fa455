// For the tests of this folder: a plain blocking HTTP client that shows exactly what came.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/unique_fd.h"

namespace loadline::serve {

struct Reply {
  int status = 0;       // 0: no head came
  std::string head;     // with its last empty line
  std::string body;     // what came of it
  bool whole = false;   // as much body as was announced
  bool reset = false;   // the connection was reset
  bool closed = false;  // the connection was closed
  bool timeout = false;

  // The value of a field, whose name is spelled as the server spells it.
  std::string field(std::string_view name) const {
    const std::string wanted = "\r\n" + std::string(name) + ": ";
    const std::size_t at = head.find(wanted);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + wanted.size();
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

class TestClient {
 public:
  explicit TestClient(std::uint16_t port, int timeout_seconds = 10)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval limit{.tv_sec = timeout_seconds, .tv_usec = 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ =
        ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }

  bool connected() const { return connected_; }
  int fd() const { return socket_.get(); }
  void close() { socket_.reset(); }
  void end_sending() { ::shutdown(socket_.get(), SHUT_WR); }

  // False where the server hung up.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  // Reads one answer; `head_only` for HEAD.
  Reply receive(bool head_only = false) {
    Reply reply;
    std::size_t end = std::string::npos;
    while ((end = unread_.find("\r\n\r\n")) == std::string::npos) {
      if (!more(reply)) return reply;
    }
    reply.head = unread_.substr(0, end + 4);
    unread_.erase(0, end + 4);
    reply.status = static_cast<int>(std::stoul(reply.head.substr(9, 3)));
    const std::string length_text = reply.field("Content-Length");
    const std::size_t length = head_only || length_text.empty() ? 0 : std::stoull(length_text);
    while (unread_.size() < length) {
      if (!more(reply)) break;
    }
    reply.whole = unread_.size() >= length;
    reply.body = unread_.substr(0, length);
    unread_.erase(0, length);
    return reply;
  }

  Reply request(std::string_view method, std::string_view target, std::string_view body = {},
                std::string_view headers = {}) {
    std::string text;
    text.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    text.append(headers);
    if (!body.empty() || method == "PUT" || method == "POST") {
      text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
    }
    text.append("\r\n").append(body);
    send(text);
    return receive(method == "HEAD");
  }
  Reply get(std::string_view target, std::string_view headers = {}) {
    return request("GET", target, {}, headers);
  }
  Reply put(std::string_view target, std::string_view body = {}, std::string_view headers = {}) {
    return request("PUT", target, body, headers);
  }

 private:
  bool more(Reply& reply) {
    char buffer[65536];
    const ssize_t n = ::recv(socket_.get(), buffer, sizeof buffer, 0);
    if (n > 0) {
      unread_.append(buffer, static_cast<std::size_t>(n));
      return true;
    }
    reply.closed = n == 0;
    reply.reset = n < 0 && errno == ECONNRESET;
    reply.timeout = n < 0 && errno == EAGAIN;
    return false;
  }

  UniqueFd socket_;
  bool connected_ = false;
  std::string unread_;
};

}  // namespace loadline::serve
