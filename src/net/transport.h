// One non-blocking TCP connection, plain or TLS.
//
// Ownership: owns its socket; borrows the TlsContext. Threads: belongs to one. Errors: IoResult; no
// call blocks and none lets SIGPIPE through.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/unique_fd.h"
#include "base/units.h"
#include "net/address.h"
#include "net/tls.h"

namespace loadline::net {

class Transport {
 public:
  // Starts to connect; done or again (then the socket becomes writable, see connected()) or failed.
  IoResult connect(const Address& address);
  // After the socket became writable: done, again or failed.
  IoResult connected();
  // From here on everything is encrypted; call handshake() until it is done.
  void start_tls(const TlsContext& context, const std::string& host);
  IoResult handshake() { return tls_->handshake(); }

  // Sends what fits of the pieces, in order.
  IoResult send(std::span<const iovec> pieces);
  IoResult receive(std::span<std::byte> into);
  // Receives up to `most` bytes and drops them; on plain TCP the kernel does so without copying
  // them (tcp(7), MSG_TRUNC). Only where can_drop().
  IoResult drop(Bytes most);
  bool can_drop() const { return !tls_; }
  // Bytes handed to send() that the other side's kernel has not acknowledged (SIOCOUTQ, tcp(7)).
  Bytes unacknowledged() const;

  bool is_open() const { return static_cast<bool>(fd_); }
  bool is_tls() const { return tls_ != nullptr; }
  int fd() const { return fd_.get(); }
  void close();
  // Why the last call failed, where it was TLS; else the text of the error number.
  std::string failure(int error_number) const;

 private:
  UniqueFd fd_;
  std::unique_ptr<TlsStream> tls_;
};

}  // namespace loadline::net
