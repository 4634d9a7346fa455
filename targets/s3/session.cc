#include "targets/s3/session.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace loadline::targets::s3 {
namespace {

using target::Completion;
using target::Op;
using target::OpKind;
using target::Outcome;

constexpr std::size_t k_response_max = 32 * 1024 * 1024;  // of a listing's page
constexpr std::size_t k_response_kept = 64 * 1024;        // memory a slot keeps for the next one
constexpr std::size_t k_error_max = 64 * 1024;
constexpr std::size_t k_secret_least = 4;
constexpr Duration k_signing_time_age = Duration::milliseconds(500);
constexpr Duration k_retry_first = Duration::milliseconds(50);
constexpr Duration k_retry_most = Duration::seconds(5);
constexpr Duration k_last_aborts = Duration::milliseconds(500);  // after cancel()

// 32 hexadecimal digits in quotes or bare are the MD5 of the body; anything else is not.
std::string md5_of_etag(std::string_view etag) {
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"') {
    etag = etag.substr(1, etag.size() - 2);
  }
  std::string digits(etag);
  for (char& c : digits) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c + 32);
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return "";
  }
  return digits.size() == 32 ? digits : "";
}

}  // namespace

Result<std::unique_ptr<S3Session>> S3Session::open(const Config& config, const PeerSet& peers,
                                                   ServerName& server_name,
                                                   const target::WorkerContext& context) {
  CHECK(context.clock != nullptr && context.slots > 0);
  std::unique_ptr<S3Session> session(new S3Session(config, peers, server_name, context));
  auto client = net::HttpClient::open(
      {.slots = context.slots,
       .peers = peers.peers,
       .first_peer = static_cast<std::size_t>(index_of(context.worker)) * context.slots,
       .connect_timeout = config.connect_timeout,
       .activity_timeout = config.timeout},
      *context.clock, *session);
  if (!client) return propagate(client);
  session->client_ = std::move(*client);
  return session;
}

S3Session::S3Session(const Config& config, const PeerSet& peers, ServerName& server_name,
                     const target::WorkerContext& context)
    : config_(config),
      peers_(peers),
      server_name_(server_name),
      clock_(*context.clock),
      writer_(config),
      rng_(Rng::split(context.seed, index_of(context.worker))),
      slots_(context.slots),
      signing_time_(WallTime::now()),
      signing_time_read_(clock_.now()) {}

target::Submitted S3Session::submit(const Op& op) {
  CHECK(op.slot < slots_.size());
  Slot& s = slots_[op.slot];
  CHECK(!s.busy);
  s.busy = true;
  s.op = op;
  s.retries = 0;
  s.items = 0;
  s.failed_items = 0;
  s.batch_end = 0;
  s.bytes = 0;
  s.first_byte = {};
  if (cancelled_) {
    complete(op.slot, {.outcome = Outcome::cancelled});
  } else {
    begin(op.slot);
  }
  return target::Submitted::accepted;
}

std::size_t S3Session::take_completions(std::span<Completion> into) {
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

std::size_t S3Session::reap(std::span<Completion> into, Instant deadline) {
  if (into.empty()) return 0;
  // What was refused without an exchange must not keep the others waiting.
  bool waits = ready_.empty();
  for (;;) {
    Instant until = waits ? deadline : Instant::from_ns(1);
    if (!waiting_.empty()) until = std::min(until, waiting_.top().due);
    until = std::min(until, give_up_at_);
    for (const net::HttpResult& result : client_->poll(until)) advance(result);
    const Instant now = client_->time();
    if (now - signing_time_read_ > k_signing_time_age) {
      signing_time_ = WallTime::now();
      signing_time_read_ = now;
    }
    if (!waiting_.empty()) run_due_retries(now);
    if (now >= give_up_at_) {
      give_up_at_ = Instant::max();
      client_->cancel_all();
      continue;
    }
    if (!ready_.empty()) return take_completions(into);
    if (now >= deadline) return 0;
    waits = true;
  }
}

void S3Session::cancel() {
  if (cancelled_) return;
  cancelled_ = true;
  client_->cancel_all();
  give_up_at_ = client_->time() + k_last_aborts;
  for (; !waiting_.empty(); waiting_.pop()) {
    end_failed(waiting_.top().slot, {.outcome = Outcome::cancelled});
  }
}

std::span<const std::byte> S3Session::request_body(std::uint32_t slot, std::uint64_t offset) {
  Slot& s = slots_[slot];
  if (!s.text.empty()) return std::as_bytes(std::span(s.text)).subspan(offset);
  if (s.streams) return s.chunked->at(offset);
  std::span<const std::byte> run = s.op.payload.at(Bytes(s.body_from + offset));
  run = run.first(std::min<std::uint64_t>(run.size(), s.body_size - offset));
  if (s.md5 && offset + run.size() > s.md5->next) {
    // Runs come in order, but one may come again.
    const std::uint64_t known = s.md5->next > offset ? s.md5->next - offset : 0;
    s.md5->digest.update(run.subspan(known));
    s.md5->next = offset + run.size();
  }
  return run;
}

net::BodyUse S3Session::response_head(std::uint32_t slot, const net::ResponseHead& head) {
  Slot& s = slots_[slot];
  if (!server_known_) {
    const std::string_view name = head.find("server");
    if (!name.empty()) server_name_.set(name);
    server_known_ = true;
  }
  if (head.status >= 300) {
    s.collects = true;
    s.region = head.find("x-amz-bucket-region");
    return net::BodyUse::consume;
  }
  if (s.step == Step::upload_part) s.token = head.find("etag");
  if (s.md5) s.md5->etag = md5_of_etag(head.find("etag"));
  if (s.collects) return net::BodyUse::consume;
  s.ignores_range = s.op.kind == OpKind::read && s.op.range && head.status != 206;
  const bool wanted = s.op.kind == OpKind::read && (s.op.sink != nullptr || s.md5);
  return wanted ? net::BodyUse::consume : net::BodyUse::discard;
}

void S3Session::response_body(std::uint32_t slot, std::span<const std::byte> bytes) {
  Slot& s = slots_[slot];
  if (s.collects) {
    const std::size_t most = s.step == Step::single ? k_error_max : k_response_max;
    const std::size_t n = std::min(bytes.size(), most - std::min(most, s.response.size()));
    s.response.append(reinterpret_cast<const char*>(bytes.data()), n);
    return;
  }
  if (s.md5) s.md5->digest.update(bytes);
  if (s.op.sink != nullptr) s.op.sink->consume(bytes);
}

// The exchange as a completion of its operation.
Completion S3Session::judge(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  if (!s.first_byte.stamped()) s.first_byte = result.first_byte;
  Completion completion{.slot = slot,
                        .outcome = Outcome::ok,
                        .status = result.status,
                        .retries = s.retries,
                        .items = s.items,
                        .bytes = Bytes(s.bytes),
                        .first_byte = s.first_byte,
                        .done = result.done};
  const bool good = result.failure == net::HttpFailure::none && result.status < 300;
  if (!good || (s.collects && s.response.find("<Error>") != std::string::npos)) {
    judge_failure(slot, result, completion);
  } else if (s.ignores_range) {
    completion.outcome = Outcome::unsupported;
    s.detail = "the store ignored the byte range";
    completion.detail = s.detail;
  } else if (s.md5) {
    check_md5(s, completion);
  }
  return completion;
}

void S3Session::judge_failure(std::uint32_t slot, const net::HttpResult& result,
                              Completion& completion) {
  Slot& s = slots_[slot];
  ErrorDocument error;
  if (!s.response.empty()) error = parse_error(s.response);
  if (result.status >= 300 && error.region.empty()) error.region = s.region;
  completion.outcome =
      outcome_of({.failure = result.failure, .status = result.status, .code = error.code});
  if (completion.outcome == Outcome::ok) return;
  s.detail = masked(result.failure == net::HttpFailure::none ? describe_answer(result.status, error)
                                                             : client_->explain(result));
  completion.detail = s.detail;
}

void S3Session::check_md5(Slot& s, Completion& completion) {
  const bool whole = target::has_payload(s.op.kind) || (s.op.kind == OpKind::read && !s.op.range);
  if (!whole || s.md5->etag.empty()) return;
  const std::string digest = aws::to_hex(s.md5->digest.finish());
  if (digest == s.md5->etag) return;
  completion.outcome = Outcome::corrupt;
  s.detail = "MD5 " + digest + " of the body differs from the ETag " + s.md5->etag;
  completion.detail = s.detail;
}

// What the store says may repeat what we sent. A secret of a letter or two is a placeholder that
// would be found in every word.
std::string S3Session::masked(std::string text) const {
  for (const Secret* secret :
       {&config_.credentials.secret_key, &config_.credentials.session_token}) {
    if (secret->reveal().size() < k_secret_least) continue;
    for (std::size_t at = 0; (at = text.find(secret->reveal(), at)) != std::string::npos;) {
      text.replace(at, secret->reveal().size(), Secret::k_mask);
      at += Secret::k_mask.size();
    }
  }
  return text;
}

bool S3Session::try_again(std::uint32_t slot, const Completion& completion) {
  Slot& s = slots_[slot];
  if (s.retries >= config_.retry || cancelled_ || !worth_retrying(completion.outcome)) return false;
  ++s.retries;
  const int doublings = std::min<int>(s.retries - 1, 10);
  const Duration pause = std::min(k_retry_first * (1LL << doublings), k_retry_most);
  // Half of the pause and a random part of the other half, so that slots do not march in step.
  const Duration jittered = Duration::from_seconds(pause.as_seconds() * (0.5 + rng_.unit() / 2));
  waiting_.push({.due = client_->time() + jittered, .slot = slot});
  return true;
}

void S3Session::run_due_retries(Instant now) {
  while (!waiting_.empty() && waiting_.top().due <= now) {
    const std::uint32_t slot = waiting_.top().slot;
    waiting_.pop();
    Slot& s = slots_[slot];
    if (s.op.kind == OpKind::read && s.op.sink != nullptr) s.op.sink->restart();
    s.first_byte = {};
    start_step(slot);
  }
}

void S3Session::complete(std::uint32_t slot, Completion completion) {
  Slot& s = slots_[slot];
  completion.slot = slot;
  completion.retries = s.retries;
  ready_.push_back(completion);
  s.upload.reset();
  s.md5.reset();
  if (s.response.capacity() > k_response_kept) std::string().swap(s.response);
  if (s.text.capacity() > k_response_kept) std::string().swap(s.text);
}

// An operation that cannot be asked of a store at all. `why` is a literal.
void S3Session::refuse(std::uint32_t slot, Outcome outcome, std::string_view why) {
  complete(slot, {.outcome = outcome, .done = clock_.now(), .detail = why});
}

}  // namespace loadline::targets::s3
