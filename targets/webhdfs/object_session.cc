#include "targets/webhdfs/object_session.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "targets/webhdfs/backoff.h"

namespace loadline::targets::webhdfs {
namespace {

using net::HttpFailure;
using target::Completion;
using target::Op;
using target::OpKind;
using target::Outcome;

constexpr std::size_t k_response_max = 256 * 1024 * 1024;  // of a listing in one piece
constexpr std::size_t k_response_kept = 64 * 1024;         // memory a slot keeps for the next one
constexpr std::size_t k_error_max = 64 * 1024;

// That the server could not be reached at all.
bool is_unreachable(HttpFailure failure) {
  return failure == HttpFailure::connect || failure == HttpFailure::connect_timeout ||
         failure == HttpFailure::tls;
}

}  // namespace

Result<std::unique_ptr<ObjectSession>> ObjectSession::open(const Config& config, Hosts& hosts,
                                                           ServerName& server_name,
                                                           const target::WorkerContext& context) {
  CHECK(context.clock != nullptr && context.slots > 0);
  std::unique_ptr<ObjectSession> session(new ObjectSession(config, hosts, server_name, context));
  std::vector<net::HttpPeer> peers;
  for (const Endpoint& endpoint : config.name_nodes) {
    auto found = hosts.find(endpoint, Role::name_node);
    if (!found) return propagate(found);
    session->name_nodes_.push_back({.name = name_of(endpoint, Role::name_node),
                                    .first = peers.size(),
                                    .count = found->size()});
    peers.insert(peers.end(), found->begin(), found->end());
  }
  auto client = net::HttpClient::open({.slots = context.slots * 2,
                                       .peers = std::move(peers),
                                       .connect_timeout = config.connect_timeout,
                                       .activity_timeout = config.timeout},
                                      *context.clock, *session);
  if (!client) return propagate(client);
  session->client_ = std::move(*client);
  return session;
}

ObjectSession::ObjectSession(const Config& config, Hosts& hosts, ServerName& server_name,
                             const target::WorkerContext& context)
    : config_(config),
      hosts_(hosts),
      server_name_(server_name),
      clock_(*context.clock),
      writer_(config),
      rng_(Rng::split(context.seed, index_of(context.worker))),
      slots_(context.slots) {}

target::Submitted ObjectSession::submit(const Op& op) {
  CHECK(op.slot < slots_.size());
  Slot& s = slots_[op.slot];
  CHECK(!s.busy);
  s.busy = true;
  s.op = op;
  s.wrong_node = false;
  s.retries = 0;
  s.pauses = 0;
  s.failovers = 0;
  s.items = 0;
  s.failed_items = 0;
  s.bytes = 0;
  s.first_failure = Outcome::ok;
  s.first_byte = {};
  if (cancelled_) {
    complete(op.slot, {.outcome = Outcome::cancelled});
  } else {
    begin(op.slot);
  }
  return target::Submitted::accepted;
}

std::size_t ObjectSession::take_completions(std::span<Completion> into) {
  const std::size_t n = std::min(into.size(), ready_.size() - ready_at_);
  for (std::size_t i = 0; i < n; ++i) {
    into[i] = ready_[ready_at_ + i];
    slots_[into[i].slot].busy = false;
  }
  ready_at_ += n;
  if (ready_at_ == ready_.size()) {
    ready_.clear();
    ready_at_ = 0;
  }
  return n;
}

std::size_t ObjectSession::reap(std::span<Completion> into, Instant deadline) {
  if (into.empty()) return 0;
  // What was refused without an exchange must not keep the others waiting.
  bool waits = ready_.empty();
  for (;;) {
    Instant until = waits ? deadline : Instant::from_ns(1);
    if (!waiting_.empty()) until = std::min(until, waiting_.top().due);
    for (const net::HttpResult& result : client_->poll(until)) advance(result);
    const Instant now = client_->time();
    if (!waiting_.empty()) run_due_retries(now);
    if (!ready_.empty()) return take_completions(into);
    if (now >= deadline) return 0;
    waits = true;
  }
}

void ObjectSession::cancel() {
  cancelled_ = true;
  client_->cancel_all();
  for (; !waiting_.empty(); waiting_.pop()) {
    complete(waiting_.top().slot, {.outcome = Outcome::cancelled});
  }
}

std::span<const std::byte> ObjectSession::request_body(std::uint32_t lane, std::uint64_t offset) {
  return slots_[lane / 2].op.payload.at(Bytes(offset));
}

net::BodyUse ObjectSession::response_head(std::uint32_t lane, const net::ResponseHead& head) {
  Slot& s = slots_[lane / 2];
  if (!server_known_ && lane % 2 == 0) {
    const std::string_view name = head.find("server");
    if (!name.empty()) server_name_.set(name);
    server_known_ = true;
  }
  if (s.step == Step::locate) {
    s.location = head.find("location");
    if (head.status < 300 && s.op.kind == OpKind::read && !config_.noredirect) {
      s.step = Step::data;  // it came at once
    }
  }
  s.collects = s.step != Step::data || head.status >= 300;
  const bool wanted = s.collects || (s.op.kind == OpKind::read && s.op.sink != nullptr);
  return wanted ? net::BodyUse::consume : net::BodyUse::discard;
}

void ObjectSession::response_body(std::uint32_t lane, std::span<const std::byte> bytes) {
  Slot& s = slots_[lane / 2];
  if (s.collects) {
    const std::size_t most = s.step == Step::list_page ? k_response_max : k_error_max;
    const std::size_t n = std::min(bytes.size(), most - std::min(most, s.response.size()));
    s.response.append(reinterpret_cast<const char*>(bytes.data()), n);
    return;
  }
  if (s.op.sink != nullptr) s.op.sink->consume(bytes);
}

// The exchange as a completion of its operation.
Completion ObjectSession::judge(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  if (!s.first_byte.stamped()) s.first_byte = result.first_byte;
  Completion completion{.slot = slot,
                        .outcome = Outcome::ok,
                        .status = result.status,
                        .items = s.items,
                        .bytes = Bytes(s.bytes),
                        .first_byte = s.first_byte,
                        .done = result.done};
  const bool redirect = s.step == Step::locate && result.status / 100 == 3 && !s.location.empty();
  if (result.failure == HttpFailure::none && (result.status < 300 || redirect)) return completion;
  judge_failure(slot, result, completion);
  return completion;
}

void ObjectSession::judge_failure(std::uint32_t slot, const net::HttpResult& result,
                                  Completion& completion) {
  Slot& s = slots_[slot];
  const bool unreachable = is_unreachable(result.failure);
  if (unreachable) ++s.node->turn;
  if (result.failure != HttpFailure::none) {
    completion.outcome = outcome_of({.failure = result.failure});
    s.detail = client_->explain(result);
  } else {
    const RemoteException error = parse_remote_exception(s.response);
    completion.outcome =
        outcome_of({.status = result.status, .exception = error.name, .message = error.message});
    s.detail = describe_answer(result.status, error);
    s.wrong_node = is_standby(error.name);
  }
  if (result.failure != HttpFailure::connect && result.failure != HttpFailure::tls) {
    s.detail = s.node->name + ": " + s.detail;
  }
  if (unreachable && s.node == &name_nodes_[s.name_node]) s.wrong_node = true;
  s.detail = without_secret(std::move(s.detail), config_.token);
  completion.detail = s.detail;
}

void ObjectSession::fail_with(Slot& s, Completion& completion, Outcome outcome,
                              std::string detail) {
  completion.outcome = outcome;
  s.detail = without_secret(std::move(detail), config_.token);
  completion.detail = s.detail;
}

void ObjectSession::judge_boolean(Slot& s, Completion& completion) {
  const std::optional<bool> done = parse_boolean_answer(s.response);
  if (!done) {
    fail_with(s, completion, Outcome::invalid, s.node->name + ": the answer is not true or false");
  } else if (!*done) {
    // A delete says so of what is not there; a folder cannot be made without a reason given.
    const bool makes = s.op.kind == OpKind::create_container || s.op.kind == OpKind::make_folder;
    fail_with(s, completion, makes ? Outcome::io_error : Outcome::not_found,
              s.node->name + ": answered false: " + (makes ? "not done" : "it is not there"));
  }
}

bool ObjectSession::try_again(std::uint32_t slot, const Completion& completion) {
  Slot& s = slots_[slot];
  if (cancelled_ || !worth_retrying(completion.outcome)) return false;
  if (std::exchange(s.wrong_node, false)) {
    if (active_ == s.name_node) {
      active_ = static_cast<std::uint32_t>((active_ + 1) % name_nodes_.size());
    }
    if (s.failovers + 1U < name_nodes_.size()) {
      ++s.failovers;
      ++s.retries;
      restart(slot);
      return true;
    }
  }
  if (s.pauses >= config_.retry) return false;
  ++s.pauses;
  ++s.retries;
  s.failovers = 0;
  waiting_.push({.due = client_->time() + pause_before(s.pauses, rng_), .slot = slot});
  return true;
}

void ObjectSession::complete_or_retry(std::uint32_t slot, const Completion& completion) {
  if (completion.outcome != Outcome::ok && try_again(slot, completion)) return;
  complete(slot, completion);
}

// The operation's step again, from its beginning.
void ObjectSession::restart(std::uint32_t slot) {
  Slot& s = slots_[slot];
  if (s.op.kind == OpKind::read && s.op.sink != nullptr) s.op.sink->restart();
  s.first_byte = {};
  // The data's place may be another one now.
  if (s.step == Step::data) s.step = Step::locate;
  start_step(slot);
}

void ObjectSession::run_due_retries(Instant now) {
  while (!waiting_.empty() && waiting_.top().due <= now) {
    const std::uint32_t slot = waiting_.top().slot;
    waiting_.pop();
    restart(slot);
  }
}

void ObjectSession::complete(std::uint32_t slot, Completion completion) {
  Slot& s = slots_[slot];
  completion.slot = slot;
  completion.retries = s.retries;
  ready_.push_back(completion);
  s.walk.reset();
  if (s.response.capacity() > k_response_kept) std::string().swap(s.response);
}

// An operation that cannot be asked of HDFS at all. `why` is a literal.
void ObjectSession::refuse(std::uint32_t slot, Outcome outcome, std::string_view why) {
  complete(slot, {.outcome = outcome, .done = clock_.now(), .detail = why});
}

}  // namespace loadline::targets::webhdfs
