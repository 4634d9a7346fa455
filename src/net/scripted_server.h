// A server for tests: every connection runs a script on a thread of its own, with blocking calls,
// so that a test says byte by byte what the client under test gets to see. Never part of the
// product.
//
// Threads: the script runs on many; the destructor cuts all connections and waits for them.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/unique_fd.h"

namespace loadline::net {

class ScriptedServer {
 public:
  class Connection {
   public:
    Connection(int fd, int number, SSL_CTX* tls) : fd_(fd), number_(number) {
      if (tls != nullptr) start_tls(tls);
    }
    ~Connection() {
      if (ssl_ != nullptr) SSL_free(ssl_);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // From here on the connection is encrypted.
    void start_tls(SSL_CTX* tls) {
      ssl_ = SSL_new(tls);
      SSL_set_fd(ssl_, fd_);
      if (SSL_accept(ssl_) != 1) broken_ = true;
    }

    int number() const { return number_; }  // 0 is the first that came

    // The next request, head and body (by its Content-Length), or "" at the end of the connection.
    std::string read_request() {
      std::size_t end = 0;
      while ((end = kept_.find("\r\n\r\n")) == std::string::npos) {
        if (!read_some()) return "";
      }
      end += 4;
      const std::size_t size = end + content_length(std::string_view(kept_).substr(0, end));
      while (kept_.size() < size) {
        if (!read_some()) return "";
      }
      std::string request = kept_.substr(0, size);
      kept_.erase(0, size);
      return request;
    }
    // The next request's head alone.
    std::string read_head() { return take_until("\r\n\r\n"); }
    // What comes next, up to this mark and with it; "" where the connection ends first.
    std::string take_until(std::string_view mark) {
      std::size_t end = 0;
      while ((end = kept_.find(mark)) == std::string::npos) {
        if (!read_some()) return "";
      }
      return take(end + mark.size());
    }
    // The next `size` bytes; "" where the connection ends first.
    std::string take(std::size_t size) {
      while (kept_.size() < size) {
        if (!read_some()) return "";
      }
      std::string bytes = kept_.substr(0, size);
      kept_.erase(0, size);
      return bytes;
    }
    // False where the client has gone.
    bool send(std::string_view bytes) {
      while (!bytes.empty()) {
        const ssize_t n = ssl_ != nullptr
                              ? SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()))
                              : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
      }
      return true;
    }
    // An answer with a Content-Length.
    bool answer(int status, std::string_view body, std::string_view headers = "") {
      std::string text = "HTTP/1.1 " + std::to_string(status) + " x\r\n";
      text.append(headers);
      text.append("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n");
      text.append(body);
      return send(text);
    }
    // FIN now; what comes afterwards is answered with RST.
    void close() { ::shutdown(fd_, SHUT_RDWR); }
    // Ends the connection with RST instead of FIN once the script returns.
    void reset() {
      const linger hard{.l_onoff = 1, .l_linger = 0};
      setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
    }
    bool broken() const { return broken_; }

   private:
    static std::size_t content_length(std::string_view head) {
      std::string lower(head);
      std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
      const std::size_t at = lower.find("\r\ncontent-length: ");
      return at == std::string::npos ? 0 : std::strtoull(lower.c_str() + at + 18, nullptr, 10);
    }
    bool read_some() {
      std::vector<char> buffer(1 << 16);
      const ssize_t n = ssl_ != nullptr
                            ? SSL_read(ssl_, buffer.data(), static_cast<int>(buffer.size()))
                            : ::recv(fd_, buffer.data(), buffer.size(), 0);
      if (n <= 0) return false;
      kept_.append(buffer.data(), static_cast<std::size_t>(n));
      return true;
    }

    int fd_;
    int number_;
    SSL* ssl_ = nullptr;
    bool broken_ = false;
    std::string kept_;
  };
  using Script = std::function<void(Connection&)>;

  // `tls` is borrowed.
  explicit ScriptedServer(Script script, SSL_CTX* tls = nullptr)
      : script_(std::move(script)), tls_(tls) {
    listener_ = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    CHECK(::bind(listener_.get(), raw, size) == 0);
    CHECK(::listen(listener_.get(), 1024) == 0);
    CHECK(::getsockname(listener_.get(), raw, &size) == 0);
    port_ = ntohs(address.sin_port);
    accepter_ = std::thread([this] {
      block_sigpipe();  // the scripts' threads inherit it
      accept_all();
    });
  }
  ~ScriptedServer() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    accepter_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
    }
    for (std::thread& thread : threads_) thread.join();
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int connections() const { return connections_.load(); }

 private:
  // OpenSSL writes to sockets without MSG_NOSIGNAL, and a client under test may have left.
  static void block_sigpipe() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  }
  void accept_all() {
    for (;;) {
      UniqueFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!fd) return;
      const int number = connections_++;
      const std::lock_guard lock(mutex_);
      open_.push_back(fd.get());
      threads_.emplace_back([this, number, held = std::move(fd)]() mutable {
        {
          Connection connection(held.get(), number, tls_);
          if (!connection.broken()) script_(connection);
        }
        const std::lock_guard again(mutex_);
        std::erase(open_, held.get());
        held.reset();
      });
    }
  }

  Script script_;
  SSL_CTX* tls_;
  UniqueFd listener_;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::thread accepter_;
};

// Answers every request on a connection by the same function: request text in, answer out.
inline ScriptedServer::Script answering(
    std::function<void(ScriptedServer::Connection&, const std::string&)> one) {
  return [one = std::move(one)](ScriptedServer::Connection& connection) {
    for (std::string request; !(request = connection.read_request()).empty();) {
      one(connection, request);
    }
  };
}

}  // namespace loadline::net
