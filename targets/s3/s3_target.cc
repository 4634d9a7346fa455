#include "targets/s3/s3_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "net/tls.h"
#include "net/transport.h"
#include "targets/s3/session.h"

namespace loadline::targets::s3 {
namespace {

using target::OpKind;
using target::Outcome;

constexpr std::size_t k_containers_checked = 16;
constexpr std::array<std::string_view, 4> k_key_errors = {
    "SignatureDoesNotMatch", "InvalidAccessKeyId", "InvalidToken", "ExpiredToken"};

bool among(std::span<const std::string> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

Result<std::unique_ptr<target::Target>> S3Target::open(const target::Parameters& parameters) {
  auto config = read_config(parameters);
  if (!config) return propagate(config);
  std::unique_ptr<S3Target> target(new S3Target(std::move(*config)));
  if (std::ranges::any_of(target->config_.endpoints, &Endpoint::https)) {
    auto tls = net::TlsContext::open(target->config_.tls);
    if (!tls) return propagate(tls);
    target->tls_.emplace(std::move(*tls));
  }
  return target;
}

target::Capabilities S3Target::capabilities() const {
  target::Capabilities can;
  for (std::size_t kind = 0; kind < target::k_op_kinds; ++kind) can.kinds |= 1U << kind;
  for (const OpKind kind :
       {OpKind::rename, OpKind::append, OpKind::truncate, OpKind::make_folder}) {
    can.kinds &= ~target::Capabilities::bit(kind);
  }
  can.not_supported_hint = "an object is written whole, under one name, and S3 has no folders";
  can.range_reads = true;
  can.files_per_slot = 1;
  can.block_io = config_.blocks;
  return can;
}

Result<const PeerSet*> S3Target::peers() {
  const std::lock_guard lock(mutex_);
  if (!peers_) {
    auto resolved = resolve_peers(config_, tls_ ? &*tls_ : nullptr);
    if (!resolved) return propagate(resolved);
    peers_ = std::move(*resolved);
  }
  return &*peers_;
}

Result<std::unique_ptr<target::Session>> S3Target::open_session(
    const target::WorkerContext& context) {
  auto found = peers();
  if (!found) return propagate(found);
  auto session = S3Session::open(config_, **found, server_name_, context);
  if (!session) return propagate(session);
  if (!config_.blocks) return std::unique_ptr<target::Session>(std::move(*session));
  const std::lock_guard lock(mutex_);
  return std::make_unique<BlockSession>(std::move(*session), block_sizes_, context.slots);
}

// Nothing is laid out: a block is there once it has been written.
Result<std::vector<target::ObjectFacts>> S3Target::provide(
    std::span<const target::ObjectNeed> needs, const target::LayoutNotice& notice) {
  if (!config_.blocks) return Target::provide(needs, notice);
  std::vector<target::ObjectFacts> facts;
  const std::lock_guard lock(mutex_);
  for (const target::ObjectNeed& need : needs) {
    Bytes& size = block_sizes_[need.name];
    size = std::max(size, need.size);
    facts.push_back({.size = size});
  }
  return facts;
}

std::string S3Target::describe() const {
  const std::string name = server_name_.get();
  return name.empty() ? "" : "Server: " + name;
}

Result<void> S3Target::preflight(std::span<const std::string> containers,
                                 std::span<const std::string> created_by_run) {
  for (std::uint32_t i = 0; i < config_.endpoints.size(); ++i) {
    if (auto checked = check_endpoint(i); !checked) return checked;
  }
  std::size_t checked = 0;
  for (const auto& names : {containers, created_by_run}) {
    for (const std::string& name : names) {
      // A stage that makes a container comes before those that use it.
      const bool may_be_missing = among(created_by_run, name);
      if (names.data() == created_by_run.data() && among(containers, name)) continue;
      if (++checked > k_containers_checked) return {};
      if (auto good = check_container(name, may_be_missing); !good) return good;
    }
  }
  return {};
}

Result<void> S3Target::check_endpoint(std::uint32_t endpoint) {
  auto found = peers();
  if (!found) return propagate(found);
  const Probe::Reply reply =
      Probe::ask(config_, **found, endpoint, {.method = "HEAD", .bucket = {}});
  if (reply.failure != net::HttpFailure::none) {
    return fail(ErrorCode::unavailable, reply.detail, config_.endpoints[endpoint].name);
  }
  if (!reply.server.empty()) server_name_.set(reply.server);
  return {};
}

Result<void> S3Target::check_container(const std::string& container, bool may_be_missing) {
  auto found = peers();
  if (!found) return propagate(found);
  const Probe::Reply reply =
      Probe::ask(config_, **found, 0,
                 {.method = "GET", .bucket = container, .query = "list-type=2&max-keys=1"});
  return judge_container(container, may_be_missing, reply);
}

Result<void> S3Target::judge_container(const std::string& container, bool may_be_missing,
                                       const Probe::Reply& reply) const {
  const std::string& endpoint = config_.endpoints.front().name;
  if (reply.failure != net::HttpFailure::none) {
    return fail(ErrorCode::unavailable, reply.detail, endpoint);
  }
  const std::string& code = reply.error.code;
  const std::string quoted = "'" + container + "'";
  if (std::ranges::find(k_key_errors, code) != k_key_errors.end()) {
    return fail(ErrorCode::denied,
                "wrong keys: check accesskey and secretkey (" + reply.detail + ")", endpoint);
  }
  if (code == "RequestTimeTooSkewed") {
    return fail(ErrorCode::denied,
                "this machine's clock and the store's differ too much (" + reply.detail + ")",
                endpoint);
  }
  const Outcome outcome = outcome_of({.status = reply.status, .code = code});
  switch (outcome) {
    case Outcome::ok: return {};
    case Outcome::not_found:
      if (may_be_missing) return {};
      return fail(ErrorCode::not_found,
                  "bucket " + quoted + " does not exist: create it, or let an init stage do so",
                  endpoint);
    case Outcome::denied: {
      const std::string remedy =
          config_.signature == Signature::none ? "; requests are not signed: set accesskey" : "";
      return fail(ErrorCode::denied,
                  "bucket " + quoted + " is not ours (" + reply.detail + ")" + remedy, endpoint);
    }
    case Outcome::throttled:
    case Outcome::server_error:
    case Outcome::unsupported:
      // It answers; whether it copes is what the run will show.
      return {};
    default:
      return fail(ErrorCode::unavailable, "bucket " + quoted + ": " + reply.detail, endpoint);
  }
}

}  // namespace loadline::targets::s3

namespace loadline::targets {

target::TargetType s3_target() {
  return {.name = "s3",
          .summary = "Amazon S3 and compatible stores over HTTP",
          .built_with = net::tls_library(),
          .parameters = s3::parameter_table(),
          .open = s3::S3Target::open};
}

}  // namespace loadline::targets
