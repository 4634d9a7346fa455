#include "targets/webhdfs/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "aws/uri.h"
#include "targets/webhdfs/backoff.h"

namespace loadline::targets::webhdfs {
namespace {

using net::HttpFailure;
using target::Outcome;

constexpr std::size_t k_body_max = 256 * 1024 * 1024;  // of a listing in one piece
constexpr std::size_t k_error_max = 64 * 1024;
constexpr std::uint64_t k_stream = 0x63616c6c;  // of the seed

bool is_redirect(std::uint16_t status) { return status / 100 == 3; }

}  // namespace

Reply judge(Exchange& exchange, HttpFailure failure, const Secret& token) {
  Reply reply;
  RemoteException error;
  if (failure == HttpFailure::none) {
    reply.status = exchange.status();
    if (reply.status < 300) return reply;
    std::string text;
    // What the answer says of itself counts, whole or not.
    (void)exchange.read_text(text, k_error_max);
    error = parse_remote_exception(text);
  }
  reply.exception = error.name;
  reply.outcome = outcome_of({.failure = failure,
                              .status = reply.status,
                              .exception = error.name,
                              .message = error.message});
  const std::string what =
      failure == HttpFailure::none ? describe_answer(reply.status, error) : exchange.why();
  reply.detail = without_secret(exchange.peer_name() + ": " + what, token);
  return reply;
}

ExchangeLimits limits_of(const Config& config) {
  return {.connect = config.connect_timeout, .activity = config.timeout};
}

Caller::Caller(const Config& config, Hosts& hosts, const Clock& clock, std::uint64_t seed)
    : config_(config),
      hosts_(hosts),
      clock_(clock),
      writer_(config),
      rng_(Rng::split(seed, k_stream)),
      exchange_(limits_of(config)) {}

Reply Caller::once(const Call& call, std::uint32_t name_node, bool redirects) {
  const Endpoint& endpoint = config_.name_nodes[name_node];
  auto peers = hosts_.find(endpoint, Role::name_node);
  if (!peers) return {.outcome = Outcome::connection, .detail = peers.error().what};
  writer_.write_call(call, endpoint, head_);
  HttpFailure failure = HttpFailure::none;
  for (bool again = true; again;) {
    failure = exchange_.begin(*peers, head_);
    if (failure == HttpFailure::none) failure = exchange_.read_head();
    // A kept connection that the server had closed meanwhile says nothing of this call.
    again = exchange_.reused() && (failure == HttpFailure::closed || failure == HttpFailure::reset);
  }
  if (failure == HttpFailure::none && redirects && is_redirect(exchange_.status())) {
    return {.status = exchange_.status()};
  }
  // The data itself, where its place was asked for, is left where it is.
  const bool has_data = redirects && call.op == "OPEN" && !config_.noredirect;
  std::string body;
  if (failure == HttpFailure::none && exchange_.status() < 300 && !has_data) {
    failure = exchange_.read_text(body, k_body_max);
  }
  Reply reply = judge(exchange_, failure, config_.token);
  if (has_data) exchange_.close();
  reply.body = std::move(body);
  return reply;
}

Reply Caller::perform(const Call& call, bool redirects, std::uint16_t retries) {
  Attempts attempts(retries, clock_, rng_);
  std::uint16_t failovers = 0;
  for (;;) {
    Reply reply;
    for (std::size_t i = 0; i < config_.name_nodes.size(); ++i) {
      if (i > 0) ++failovers;
      reply = once(call, active_, redirects);
      const bool unreachable = reply.status == 0 && worth_retrying(reply.outcome);
      if (!is_standby(reply.exception) && !unreachable) break;
      active_ = static_cast<std::uint32_t>((active_ + 1) % config_.name_nodes.size());
    }
    if (reply.good() || !attempts.another(reply.outcome)) {
      reply.retries = static_cast<std::uint16_t>(attempts.made() + failovers);
      return reply;
    }
  }
}

Reply Caller::call(const Call& call) { return perform(call, false, config_.retry); }

Reply Caller::ask(const Call& call, std::uint32_t name_node) {
  return once(call, name_node, false);
}

Reply Caller::locate(const Call& call, Location& location) {
  std::string query(call.query);
  if (config_.noredirect) query.append("&noredirect=true");
  if (config_.httpfs && call.op != "OPEN") query.append("&data=true");
  const Call full{.method = call.method, .op = call.op, .path = call.path, .query = query};
  if (config_.httpfs) {
    location = {.endpoint = config_.name_nodes[active_], .target = {}};
    writer_.append_target(full, location.target);
    return {};
  }
  const Reply reply = perform(full, true, 0);
  return reply.good() ? take_location(full, reply, location) : reply;
}

Reply Caller::take_location(const Call& call, const Reply& reply, Location& location) {
  std::string url = exchange_.location();
  if (!is_redirect(reply.status)) {
    if (config_.noredirect) {
      url = parse_location_answer(reply.body).value_or("");
    } else if (call.op == "OPEN") {
      // It gives the data itself.
      location = {.endpoint = config_.name_nodes[active_], .target = {}};
      writer_.append_target(call, location.target);
      return reply;
    }
  }
  auto parsed = parse_location(url);
  if (parsed) {
    location = std::move(*parsed);
    return {.status = reply.status, .retries = reply.retries};
  }
  return {.outcome = Outcome::invalid,
          .status = reply.status,
          .retries = reply.retries,
          .detail = exchange_.peer_name() + ": " + parsed.error().what};
}

Result<FileStatus> Caller::status(std::string_view path) {
  const Reply reply = call({.method = "GET", .op = "GETFILESTATUS", .path = path});
  if (!reply.good()) return std::unexpected(reply.error(path));
  auto status = parse_file_status(reply.body);
  if (status) return std::move(*status);
  return fail(ErrorCode::io, "the NameNode's answer is no file status", std::string(path));
}

Result<std::vector<FileStatus>> Caller::list(std::string_view path) {
  std::vector<FileStatus> all;
  for (;;) {
    std::string query;
    if (lists_in_pages_ && !all.empty()) {
      query = "&startAfter=" + aws::encode_component(all.back().name);
    }
    const Reply reply = call({.method = "GET",
                              .op = lists_in_pages_ ? "LISTSTATUS_BATCH" : "LISTSTATUS",
                              .path = path,
                              .query = query});
    if (lists_in_pages_ &&
        (reply.outcome == Outcome::invalid || reply.outcome == Outcome::unsupported)) {
      lists_in_pages_ = false;  // an older server: all names at once
      all.clear();
      continue;
    }
    if (!reply.good()) return std::unexpected(reply.error(path));
    auto page = parse_listing(reply.body);
    if (!page || (page->entries.empty() && page->remaining > 0)) {
      return fail(ErrorCode::io, "the NameNode's answer is no listing", std::string(path));
    }
    std::ranges::move(page->entries, std::back_inserter(all));
    if (page->remaining == 0) return all;
  }
}

}  // namespace loadline::targets::webhdfs
