#include "net/tls.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "net/http_client.h"
#include "net/scripted_server.h"

namespace loadline::net {
namespace {

using Connection = ScriptedServer::Connection;

// A self-signed certificate for localhost and 127.0.0.1, made for this test, and its key, as files.
class Certificate {
 public:
  explicit Certificate(const std::string& prefix)
      : cert_file(testing::TempDir() + prefix + "-cert.pem"),
        key_file(testing::TempDir() + prefix + "-key.pem") {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* cert = X509_new();
    X509_set_version(cert, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
    X509_gmtime_adj(X509_getm_notBefore(cert), -86'400);
    X509_gmtime_adj(X509_getm_notAfter(cert), 86'400);
    X509_set_pubkey(cert, key);
    X509_NAME* name = X509_get_subject_name(cert);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(cert, name);
    for (const auto& [id, value] : {std::pair{NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1"},
                                    std::pair{NID_basic_constraints, "critical,CA:TRUE"}}) {
      X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, id, value);
      X509_add_ext(cert, extension, -1);
      X509_EXTENSION_free(extension);
    }
    X509_sign(cert, key, EVP_sha256());
    FILE* file = std::fopen(cert_file.c_str(), "w");
    PEM_write_X509(file, cert);
    std::fclose(file);
    file = std::fopen(key_file.c_str(), "w");
    PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
    X509_free(cert);
    EVP_PKEY_free(key);
  }

  std::string cert_file;
  std::string key_file;
};

struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

class Sink final : public HttpHandler {
 public:
  std::span<const std::byte> request_body(std::uint32_t, std::uint64_t offset) override {
    return std::as_bytes(std::span(body_)).subspan(offset);
  }
  BodyUse response_head(std::uint32_t, const ResponseHead&) override { return use_; }
  void response_body(std::uint32_t, std::span<const std::byte> bytes) override {
    seen_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  BodyUse use_ = BodyUse::consume;
  std::string body_;
  std::string seen_;
};

class TlsTest : public testing::Test {
 protected:
  TlsTest() : server_cert_("server"), context_(SSL_CTX_new(TLS_server_method())) {
    SSL_CTX_use_certificate_chain_file(context_.get(), server_cert_.cert_file.c_str());
    SSL_CTX_use_PrivateKey_file(context_.get(), server_cert_.key_file.c_str(), SSL_FILETYPE_PEM);
  }

  HttpResult exchange(const TlsOptions& options, const std::string& host, std::uint16_t port,
                      const std::string& tunnel = "") {
    auto tls = TlsContext::open(options);
    EXPECT_TRUE(tls) << tls.error().message();
    auto client = *HttpClient::open({.peers = {{.address = *parse_address("127.0.0.1", port),
                                                .name = "https://test",
                                                .tls = &*tls,
                                                .tls_host = host,
                                                .tunnel = tunnel}},
                                     .connect_timeout = Duration::seconds(5),
                                     .activity_timeout = Duration::seconds(5)},
                                    clock_, sink_);
    HttpResult last;
    for (int i = 0; i < 3; ++i) {
      client->request_head(0) =
          "PUT / HTTP/1.1\r\nContent-Length: " + std::to_string(sink_.body_.size()) + "\r\n\r\n";
      client->start(0, {.body_bytes = sink_.body_.size()});
      for (;;) {
        const auto results = client->poll(Instant::max());
        if (results.empty()) continue;
        last = results[0];
        break;
      }
      why_ = client->explain(last);
      if (last.failure != HttpFailure::none) break;
    }
    return last;
  }

  Certificate server_cert_;
  std::unique_ptr<SSL_CTX, FreeContext> context_;
  SteadyClock clock_;
  Sink sink_;
  std::string why_;
};

ScriptedServer::Script echo_size() {
  return answering([](Connection& c, const std::string& request) {
    const std::size_t body = request.size() - request.find("\r\n\r\n") - 4;
    c.answer(200, std::to_string(body) + std::string(100'000, '.'));
  });
}

TEST_F(TlsTest, talks_to_a_server_whose_certificate_is_trusted) {
  ScriptedServer server(echo_size(), context_.get());
  sink_.body_.assign(1'000'000, 'x');
  for (const std::string host : {"localhost", "127.0.0.1"}) {
    for (const BodyUse use : {BodyUse::consume, BodyUse::discard}) {
      sink_.use_ = use;
      sink_.seen_.clear();
      const HttpResult result = exchange({.ca_file = server_cert_.cert_file}, host, server.port());
      EXPECT_EQ(result.failure, HttpFailure::none) << why_;
      EXPECT_EQ(result.body_received, 100'007U);
      if (use == BodyUse::consume) {
        EXPECT_TRUE(sink_.seen_.starts_with("1000000."));
      }
    }
  }
}

TEST_F(TlsTest, refuses_an_unknown_certificate_and_says_so) {
  ScriptedServer server(echo_size(), context_.get());
  const HttpResult result = exchange({}, "localhost", server.port());
  EXPECT_EQ(result.failure, HttpFailure::tls);
  EXPECT_NE(why_.find("certificate verify failed"), std::string::npos) << why_;
  EXPECT_NE(why_.find("self-signed"), std::string::npos) << why_;
}

TEST_F(TlsTest, refuses_a_certificate_for_another_host) {
  ScriptedServer server(echo_size(), context_.get());
  const TlsOptions trusting{.ca_file = server_cert_.cert_file};
  EXPECT_EQ(exchange(trusting, "example.com", server.port()).failure, HttpFailure::tls);
  EXPECT_NE(why_.find("hostname mismatch"), std::string::npos) << why_;
  EXPECT_EQ(exchange(trusting, "127.0.0.2", server.port()).failure, HttpFailure::tls);
}

TEST_F(TlsTest, takes_any_certificate_where_told_to) {
  ScriptedServer server(echo_size(), context_.get());
  EXPECT_EQ(exchange({.verify = false}, "example.com", server.port()).failure, HttpFailure::none)
      << why_;
}

TEST_F(TlsTest, shows_its_own_certificate_where_it_has_one) {
  const Certificate ours("client");
  SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_load_verify_locations(context_.get(), ours.cert_file.c_str(), nullptr);
  SSL_CTX_set_session_id_context(context_.get(), reinterpret_cast<const unsigned char*>("t"), 1);
  ScriptedServer server(echo_size(), context_.get());
  TlsOptions options{.ca_file = server_cert_.cert_file};
  EXPECT_NE(exchange(options, "localhost", server.port()).failure, HttpFailure::none);
  options.cert_file = ours.cert_file;
  options.key_file = ours.key_file;
  EXPECT_EQ(exchange(options, "localhost", server.port()).failure, HttpFailure::none) << why_;
}

TEST_F(TlsTest, names_the_file_that_is_wrong) {
  const auto ca = TlsContext::open({.ca_file = "/nonexistent.pem"});
  ASSERT_FALSE(ca);
  EXPECT_EQ(ca.error().context, "/nonexistent.pem");
  const auto key =
      TlsContext::open({.cert_file = server_cert_.cert_file, .key_file = server_cert_.cert_file});
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().context, server_cert_.cert_file);
}

TEST_F(TlsTest, fails_on_a_server_that_speaks_no_tls) {
  ScriptedServer server([](Connection& c) { c.send("HTTP/1.1 400 Bad Request\r\n\r\n"); });
  EXPECT_EQ(exchange({}, "localhost", server.port()).failure, HttpFailure::tls);
}

TEST_F(TlsTest, goes_through_a_proxy_that_opens_tunnels) {
  std::string asked;
  // The proxy's end of the tunnel speaks TLS itself, which is all that the client can see.
  ScriptedServer proxy([&](Connection& c) {
    asked = c.read_head();
    c.send("HTTP/1.1 200 Connection established\r\n\r\n");
    c.start_tls(context_.get());
    while (!c.read_request().empty()) c.answer(200, "through");
  });
  const TlsOptions trusting{.ca_file = server_cert_.cert_file};
  EXPECT_EQ(exchange(trusting, "localhost", proxy.port(), "store.example:443").failure,
            HttpFailure::none)
      << why_;
  EXPECT_EQ(sink_.seen_, "throughthroughthrough");
  EXPECT_TRUE(asked.starts_with("CONNECT store.example:443 HTTP/1.1\r\n"));
}

TEST_F(TlsTest, says_that_a_proxy_refuses_the_tunnel) {
  ScriptedServer proxy([](Connection& c) {
    c.read_head();
    c.send("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
  });
  EXPECT_EQ(exchange({}, "localhost", proxy.port(), "store.example:443").failure,
            HttpFailure::proxy);
  EXPECT_NE(why_.find("503"), std::string::npos) << why_;
}

}  // namespace
}  // namespace loadline::net
