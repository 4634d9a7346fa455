// TLS 1.2 and 1.3 over non-blocking sockets, by OpenSSL. The server's certificate and name are
// verified unless that is switched off.
//
// Ownership: a TlsStream borrows its socket and its TlsContext. Threads: a TlsContext may be used
// by several threads at once; a TlsStream belongs to one.
#pragma once

#include <openssl/bio.h>
#include <openssl/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/error.h"

namespace loadline::net {

struct TlsOptions {
  bool verify = true;     // the server's certificate chain and name
  std::string ca_file;    // PEM; empty: the system's certificates
  std::string cert_file;  // PEM chain of our own certificate (mutual TLS); empty: none
  std::string key_file;   // PEM; empty: the key is in cert_file
};

class TlsContext {
 public:
  // Reads the files; Error.context names the one that is wrong.
  static Result<TlsContext> open(const TlsOptions& options);

  SSL_CTX* get() const { return context_.get(); }
  const BIO_METHOD* socket_method() const { return socket_method_.get(); }
  bool verifies() const { return verify_; }

 private:
  struct Free {
    void operator()(SSL_CTX* context) const;
    void operator()(BIO_METHOD* method) const;
  };
  std::unique_ptr<SSL_CTX, Free> context_;
  // OpenSSL's own socket BIO writes without MSG_NOSIGNAL.
  std::unique_ptr<BIO_METHOD, Free> socket_method_;
  bool verify_ = true;
};

enum class IoStatus : std::uint8_t {
  done,    // `bytes` were moved
  again,   // nothing now; try again when the socket is ready
  closed,  // the other side has closed in order
  failed,  // `error_number` says why; EPROTO: TLS, see TlsStream::failure()
};

struct IoResult {
  IoStatus status = IoStatus::done;
  std::size_t bytes = 0;
  int error_number = 0;
};

class TlsStream {
 public:
  // `host` is the name to ask for (SNI) and to verify, a DNS name or an address in digits.
  TlsStream(const TlsContext& context, int fd, const std::string& host);
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;

  IoResult handshake();
  IoResult receive(std::span<std::byte> into);
  IoResult send(std::span<const std::byte> bytes);
  // After IoStatus::failed with EPROTO: OpenSSL's reason, one line.
  const std::string& failure() const { return failure_; }

 private:
  IoResult result_of(int returned);

  struct Free {
    void operator()(SSL* stream) const;
  };
  int fd_;  // OpenSSL's end of the stream points here
  std::unique_ptr<SSL, Free> stream_;
  std::string failure_;
};

// "OpenSSL 3.0.22 ..."
std::string tls_library();

}  // namespace loadline::net
