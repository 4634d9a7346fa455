#include "serve/s3_server.h"

#include <fmt/format.h>

#include <utility>

#include "serve/listen_address.h"

namespace loadline::serve {

namespace {

constexpr unsigned k_threads_most = 64;

Result<void> check(const ServeOptions& options, const ListenAddress& address) {
  if (!options.allow_remote && !is_loopback(address.address)) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} is not a loopback address; --allow-remote lets other machines in",
                            options.listen),
                "listen");
  }
  if (options.threads == 0 || options.threads > k_threads_most) {
    return fail(ErrorCode::bad_input, fmt::format("from 1 to {}", k_threads_most), "threads");
  }
  for (const ServeKey& key : options.keys) {
    if (key.access_key.empty() || key.secret_key.empty()) {
      return fail(ErrorCode::bad_input, "neither access key nor secret key may be empty", "key");
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<S3Server>> S3Server::start(ServeOptions options) {
  auto address = ListenAddress::parse(options.listen);
  if (!address) return propagate(address);
  if (auto sound = check(options, *address); !sound) return propagate(sound);
  auto listener = listen_on(*address, options.listen);
  if (!listener) return propagate(listener);
  std::unique_ptr<S3Server> server(new S3Server());
  server->port_ = listener->port;
  const unsigned threads = options.threads;
  auto state = ServerState::make(std::move(options), server->clock_);
  if (!state) return propagate(state);
  server->state_ = std::move(*state);
  for (unsigned i = 0; i < threads; ++i) {
    auto loop = ServerLoop::make(*server->state_, i);
    if (!loop) return propagate(loop);
    server->loops_.push_back(std::move(*loop));
  }
  auto accepting = server->loops_[0]->accept_from(std::move(listener->socket), server->loops_);
  if (!accepting) return propagate(accepting);
  for (const auto& loop : server->loops_) {
    server->threads_.emplace_back([&running = *loop] { running.run(); });
  }
  return server;
}

std::string S3Server::url() const {
  const std::string& listen = state_->options().listen;
  return fmt::format("http://{}:{}", listen.substr(0, listen.rfind(':')), port_);
}

void S3Server::stop() {
  for (const auto& loop : loops_) loop->stop();
  threads_.clear();  // joins
  loops_.clear();
}

}  // namespace loadline::serve
