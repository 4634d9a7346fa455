// A store for tests: a scripted server that takes requests apart, checks their signatures with the
// verifier, keeps them, and answers as the test says. Never part of the product.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "aws/verifier.h"
#include "net/scripted_server.h"

namespace loadline::targets::s3 {

inline constexpr std::string_view k_test_key = "TESTKEY";
inline constexpr std::string_view k_test_secret = "test+secret/";

struct SeenRequest {
  std::string method;
  std::string path;   // as on the wire
  std::string query;  // without the ?
  std::string head;
  std::string body;
  aws::VerifyStatus signature = aws::VerifyStatus::anonymous;
  int connection = 0;

  std::string header(std::string_view name) const {
    const std::size_t at = head.find("\r\n" + std::string(name) + ": ");
    if (at == std::string::npos) return "";
    const std::size_t from = at + 4 + name.size();
    return head.substr(from, head.find("\r\n", from) - from);
  }
};

class ScriptedStore {
 public:
  using Connection = net::ScriptedServer::Connection;
  using Answer = std::function<void(Connection&, const SeenRequest&)>;

  explicit ScriptedStore(Answer answer)
      : answer_(std::move(answer)),
        server_(net::answering([this](Connection& c, const std::string& text) {
          const SeenRequest request = parse(text, c.number());
          {
            const std::lock_guard lock(mutex_);
            seen_.push_back(request);
          }
          answer_(c, request);
        })) {}

  std::string url() const { return server_.url(); }
  int connections() const { return server_.connections(); }
  std::vector<SeenRequest> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  static SeenRequest parse(const std::string& text, int connection) {
    SeenRequest request;
    request.connection = connection;
    const std::size_t end = text.find("\r\n\r\n") + 2;
    request.head = text.substr(0, end);
    request.body = text.substr(end + 2);
    const std::size_t first = text.find(' ');
    const std::size_t second = text.find(' ', first + 1);
    request.method = text.substr(0, first);
    std::string target = text.substr(first + 1, second - first - 1);
    const std::size_t question = target.find('?');
    if (question != std::string::npos) request.query = target.substr(question + 1);
    request.path = target.substr(0, question);

    std::vector<aws::Header> headers;
    std::string_view rest = std::string_view(request.head).substr(request.head.find("\r\n") + 2);
    while (!rest.empty()) {
      const std::size_t colon = rest.find(": ");
      const std::size_t line = rest.find("\r\n");
      headers.push_back({rest.substr(0, colon), rest.substr(colon + 2, line - colon - 2)});
      rest.remove_prefix(line + 2);
    }
    const Secret secret{std::string(k_test_secret)};
    aws::Verifier verifier(
        [&](std::string_view key) { return key == k_test_key ? &secret : nullptr; },
        Duration::seconds(900));
    request.signature = verifier
                            .verify({.method = request.method,
                                     .raw_path = request.path,
                                     .raw_query = request.query,
                                     .headers = headers},
                                    WallTime::now())
                            .status;
    return request;
  }

  Answer answer_;
  mutable std::mutex mutex_;
  std::vector<SeenRequest> seen_;
  net::ScriptedServer server_;
};

inline std::string error_xml(std::string_view code, std::string_view message) {
  return "<?xml version=\"1.0\"?>\n<Error><Code>" + std::string(code) + "</Code><Message>" +
         std::string(message) + "</Message></Error>";
}

}  // namespace loadline::targets::s3
