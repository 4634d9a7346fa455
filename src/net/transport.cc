#include "net/transport.h"

#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace loadline::net {
namespace {

// More than this in one call gains nothing and keeps other connections waiting.
constexpr std::uint64_t k_drop_max = 1ULL << 30;

IoResult failed(int error_number) {
  if (error_number == EAGAIN || error_number == EWOULDBLOCK) return {.status = IoStatus::again};
  return {.status = IoStatus::failed, .error_number = error_number};
}

IoResult received(ssize_t n) {
  if (n > 0) return {.status = IoStatus::done, .bytes = static_cast<std::size_t>(n)};
  return n == 0 ? IoResult{.status = IoStatus::closed} : failed(errno);
}

}  // namespace

IoResult Transport::connect(const Address& address) {
  fd_ = UniqueFd(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd_) return {.status = IoStatus::failed, .error_number = errno};
  const int on = 1;
  // A request goes out in one piece; the last part of a large body must not wait for an answer.
  setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  if (::connect(fd_.get(), address.get(), address.size()) == 0) return {};
  if (errno == EINPROGRESS || errno == EINTR) return {.status = IoStatus::again};
  return {.status = IoStatus::failed, .error_number = errno};
}

IoResult Transport::connected() {
  int error_number = 0;
  socklen_t size = sizeof(error_number);
  getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &error_number, &size);
  if (error_number != 0) return {.status = IoStatus::failed, .error_number = error_number};
  sockaddr_storage peer{};
  socklen_t peer_size = sizeof(peer);
  if (getpeername(fd_.get(), reinterpret_cast<sockaddr*>(&peer), &peer_size) == 0) return {};
  return errno == ENOTCONN ? IoResult{.status = IoStatus::again} : failed(errno);
}

void Transport::start_tls(const TlsContext& context, const std::string& host) {
  tls_ = std::make_unique<TlsStream>(context, fd_.get(), host);
}

IoResult Transport::send(std::span<const iovec> pieces) {
  if (!tls_) {
    for (;;) {
      ssize_t n = 0;
      if (pieces.size() == 1) {
        n = ::send(fd_.get(), pieces[0].iov_base, pieces[0].iov_len, MSG_NOSIGNAL);
      } else {
        msghdr message{};
        message.msg_iov = const_cast<iovec*>(pieces.data());
        message.msg_iovlen = pieces.size();
        n = sendmsg(fd_.get(), &message, MSG_NOSIGNAL);
      }
      if (n >= 0) return {.status = IoStatus::done, .bytes = static_cast<std::size_t>(n)};
      if (errno != EINTR) return failed(errno);
    }
  }
  std::size_t sent = 0;
  for (const iovec& piece : pieces) {
    std::span<const std::byte> rest(static_cast<const std::byte*>(piece.iov_base), piece.iov_len);
    while (!rest.empty()) {
      const IoResult result = tls_->send(rest);
      if (result.status != IoStatus::done) {
        return sent > 0 ? IoResult{.status = IoStatus::done, .bytes = sent} : result;
      }
      sent += result.bytes;
      rest = rest.subspan(result.bytes);
    }
  }
  return {.status = IoStatus::done, .bytes = sent};
}

IoResult Transport::receive(std::span<std::byte> into) {
  if (tls_) return tls_->receive(into);
  for (;;) {
    const IoResult result = received(recv(fd_.get(), into.data(), into.size(), 0));
    if (result.status != IoStatus::failed || result.error_number != EINTR) return result;
  }
}

IoResult Transport::drop(Bytes most) {
  const auto size = static_cast<std::size_t>(std::min(most.count(), k_drop_max));
  for (;;) {
    const IoResult result = received(recv(fd_.get(), nullptr, size, MSG_TRUNC));
    if (result.status != IoStatus::failed || result.error_number != EINTR) return result;
  }
}

Bytes Transport::unacknowledged() const {
  int bytes = 0;
  if (ioctl(fd_.get(), SIOCOUTQ, &bytes) != 0 || bytes < 0) return {};
  return Bytes(static_cast<std::uint64_t>(bytes));
}

void Transport::close() {
  tls_.reset();
  fd_.reset();
}

std::string Transport::failure(int error_number) const {
  if (tls_ && error_number == EPROTO) return tls_->failure();
  return errno_text(error_number);
}

}  // namespace loadline::net
