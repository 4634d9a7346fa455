#include "net/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>

#include "base/check.h"
#include "net/address.h"

namespace loadline::net {
namespace {

// The oldest entry of OpenSSL's error queue, which is the cause; empties the queue.
std::string take_openssl_error(std::string_view fallback) {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return std::string(fallback);
  const char* reason = ERR_reason_error_string(code);
  if (reason != nullptr) return reason;
  std::array<char, 256> text{};
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

int descriptor_of(BIO* bio) { return *static_cast<const int*>(BIO_get_data(bio)); }

int finish_io(BIO* bio, ssize_t n, int retry_flag) {
  BIO_clear_retry_flags(bio);
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
    BIO_set_flags(bio, retry_flag | BIO_FLAGS_SHOULD_RETRY);
  }
  return static_cast<int>(n);
}

int write_socket(BIO* bio, const char* bytes, int size) {
  const ssize_t n = ::send(descriptor_of(bio), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  return finish_io(bio, n, BIO_FLAGS_WRITE);
}

int read_socket(BIO* bio, char* into, int size) {
  const ssize_t n = ::recv(descriptor_of(bio), into, static_cast<std::size_t>(size), 0);
  return finish_io(bio, n, BIO_FLAGS_READ);
}

long control_socket(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

int clamped(std::size_t size) { return static_cast<int>(std::min<std::size_t>(size, INT_MAX)); }

}  // namespace

void TlsContext::Free::operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
void TlsContext::Free::operator()(BIO_METHOD* method) const { BIO_meth_free(method); }
void TlsStream::Free::operator()(SSL* stream) const { SSL_free(stream); }

Result<TlsContext> TlsContext::open(const TlsOptions& options) {
  TlsContext context;
  context.verify_ = options.verify;
  context.context_.reset(SSL_CTX_new(TLS_client_method()));
  SSL_CTX* raw = context.get();
  context.socket_method_.reset(BIO_meth_new(BIO_TYPE_SOURCE_SINK, "socket without SIGPIPE"));
  BIO_METHOD* method = context.socket_method_.get();
  CHECK(raw != nullptr && method != nullptr);
  BIO_meth_set_write(method, write_socket);
  BIO_meth_set_read(method, read_socket);
  BIO_meth_set_ctrl(method, control_socket);
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  SSL_CTX_set_mode(raw, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                            SSL_MODE_RELEASE_BUFFERS);
  // Servers that close without close_notify are judged by HTTP's own framing.
  SSL_CTX_set_options(raw, SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_verify(raw, options.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  if (!options.ca_file.empty()) {
    if (SSL_CTX_load_verify_locations(raw, options.ca_file.c_str(), nullptr) != 1) {
      return fail(ErrorCode::bad_input,
                  "cannot read CA certificates (PEM): " + take_openssl_error("unknown error"),
                  options.ca_file);
    }
  } else if (options.verify) {
    SSL_CTX_set_default_verify_paths(raw);
  }
  if (!options.cert_file.empty()) {
    if (SSL_CTX_use_certificate_chain_file(raw, options.cert_file.c_str()) != 1) {
      return fail(
          ErrorCode::bad_input,
          "cannot read the client certificate (PEM): " + take_openssl_error("unknown error"),
          options.cert_file);
    }
    const std::string& key = options.key_file.empty() ? options.cert_file : options.key_file;
    if (SSL_CTX_use_PrivateKey_file(raw, key.c_str(), SSL_FILETYPE_PEM) != 1) {
      return fail(ErrorCode::bad_input,
                  "cannot use the client key (PEM): " + take_openssl_error("unknown error"), key);
    }
  }
  return context;
}

TlsStream::TlsStream(const TlsContext& context, int fd, const std::string& host)
    : fd_(fd), stream_(SSL_new(context.get())) {
  SSL* raw = stream_.get();
  CHECK(raw != nullptr);
  BIO* bio = BIO_new(context.socket_method());
  CHECK(bio != nullptr);
  BIO_set_data(bio, &fd_);
  BIO_set_init(bio, 1);
  SSL_set_bio(raw, bio, bio);
  SSL_set_connect_state(raw);
  const bool digits = parse_address(host, 0).has_value();
  // SNI is for names only (RFC 6066).
  if (!digits) SSL_set_tlsext_host_name(raw, host.c_str());
  if (context.verifies()) {
    X509_VERIFY_PARAM* parameters = SSL_get0_param(raw);
    X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (digits) {
      X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str());
    } else {
      X509_VERIFY_PARAM_set1_host(parameters, host.c_str(), host.size());
    }
  }
}

IoResult TlsStream::result_of(int returned) {
  if (returned > 0) {
    return {.status = IoStatus::done, .bytes = static_cast<std::size_t>(returned)};
  }
  const int error_number = errno;
  switch (SSL_get_error(stream_.get(), returned)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: return {.status = IoStatus::again};
    case SSL_ERROR_ZERO_RETURN: return {.status = IoStatus::closed};
    case SSL_ERROR_SYSCALL:
      if (error_number == 0) return {.status = IoStatus::closed};
      return {.status = IoStatus::failed, .error_number = error_number};
    default: break;
  }
  const long verified = SSL_get_verify_result(stream_.get());
  failure_ = take_openssl_error("TLS failed");
  if (verified != X509_V_OK && !SSL_is_init_finished(stream_.get())) {
    failure_ += std::string(" (") + X509_verify_cert_error_string(verified) + ")";
  }
  return {.status = IoStatus::failed, .error_number = EPROTO};
}

IoResult TlsStream::handshake() {
  ERR_clear_error();
  errno = 0;
  return result_of(SSL_do_handshake(stream_.get()));
}

IoResult TlsStream::receive(std::span<std::byte> into) {
  ERR_clear_error();
  errno = 0;
  return result_of(SSL_read(stream_.get(), into.data(), clamped(into.size())));
}

IoResult TlsStream::send(std::span<const std::byte> bytes) {
  ERR_clear_error();
  errno = 0;
  return result_of(SSL_write(stream_.get(), bytes.data(), clamped(bytes.size())));
}

std::string tls_library() { return OpenSSL_version(OPENSSL_VERSION); }

}  // namespace loadline::net
