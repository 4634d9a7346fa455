// Submits S3 operations and reaps them: one worker's share of an s3 target. An operation is one
// exchange or several in order (parts, pages, batches, attempts); a slot holds what that needs.
//
// Ownership: borrows configuration, peers and clock, which the target and the engine keep. Threads:
// belongs to one worker. Memory: a few kilobytes a slot; bodies are never held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aws/digest.h"
#include "base/clock.h"
#include "base/rng.h"
#include "net/http_client.h"
#include "target/target.h"
#include "targets/s3/chunked_body.h"
#include "targets/s3/config.h"
#include "targets/s3/outcome.h"
#include "targets/s3/peers.h"
#include "targets/s3/request.h"

namespace loadline::targets::s3 {

class S3Session final : public target::Session, private net::HttpHandler {
 public:
  static Result<std::unique_ptr<S3Session>> open(const Config& config, const PeerSet& peers,
                                                 ServerName& server_name,
                                                 const target::WorkerContext& context);

  target::Submitted submit(const target::Op& op) override;
  std::size_t reap(std::span<target::Completion> into, Instant deadline) override;
  void cancel() override;

 private:
  // What the exchange under way is for.
  enum class Step : std::uint8_t {
    single,  // the whole operation
    create_upload,
    upload_part,
    complete_upload,
    abort_upload,
    list_page,
    remove_batch,
  };

  struct Upload {
    std::string id;
    std::vector<std::string> etags;
    target::Completion failed;  // what to report once the upload is aborted
  };

  // Of bodies compared with ETags.
  struct Md5Check {
    aws::Md5 digest;
    std::uint64_t next = 0;  // first byte not digested, of the request's body
    std::string etag;        // lower-case hex, or empty where the store's is none
  };

  struct Slot {
    target::Op op;
    Step step = Step::single;
    bool busy = false;
    bool collects = false;  // this exchange's response is kept in `response`
    bool ignores_range = false;
    bool streams = false;  // the request's body comes from `chunked`
    std::uint16_t retries = 0;
    std::uint32_t items = 0;
    std::uint32_t batch_end = 0;     // remove_many: keys up to here are in the request
    std::uint32_t failed_items = 0;  // remove_many
    std::uint64_t bytes = 0;         // payload of the exchanges before this one
    std::uint64_t body_from = 0;     // of the payload
    std::uint64_t body_size = 0;
    Instant first_byte;
    std::string text;      // a request body in words
    std::string response;  // a response body that is read
    std::string detail;
    std::string token;   // list: where the next page begins; remove_many: the first failure's code
    std::string region;  // where a redirecting store says that the bucket lives
    std::unique_ptr<ChunkedBody> chunked;  // kept for the next streaming upload
    std::unique_ptr<Upload> upload;
    std::unique_ptr<Md5Check> md5;
  };

  struct Retry {
    Instant due;
    std::uint32_t slot;
    bool operator<(const Retry& o) const { return due > o.due; }
  };

  S3Session(const Config& config, const PeerSet& peers, ServerName& server_name,
            const target::WorkerContext& context);

  // net::HttpHandler
  std::span<const std::byte> request_body(std::uint32_t slot, std::uint64_t offset) override;
  net::BodyUse response_head(std::uint32_t slot, const net::ResponseHead& head) override;
  void response_body(std::uint32_t slot, std::span<const std::byte> bytes) override;

  // steps.cc: the requests
  void begin(std::uint32_t slot);
  void start_step(std::uint32_t slot);
  void start_single(std::uint32_t slot);
  void start_write(std::uint32_t slot, std::string_view query, Bytes from, Bytes size);
  void start_text(std::uint32_t slot, std::string_view method, std::string_view query);
  void start_create_upload(std::uint32_t slot);
  void start_part(std::uint32_t slot);
  void start_complete_upload(std::uint32_t slot);
  void start_abort_upload(std::uint32_t slot);
  void start_list_page(std::uint32_t slot);
  void start_remove_batch(std::uint32_t slot);
  void send(std::uint32_t slot, const Request& request, bool expects_data = false);
  std::string payload_hash(const target::Payload& payload, Bytes from, Bytes size);

  // steps.cc: what comes of them
  void advance(const net::HttpResult& result);
  void advance_upload(std::uint32_t slot, const net::HttpResult& result);
  void advance_list(std::uint32_t slot, const net::HttpResult& result);
  void advance_remove(std::uint32_t slot, const net::HttpResult& result);
  void advance_part(std::uint32_t slot, const net::HttpResult& result);
  void end_failed(std::uint32_t slot, const target::Completion& completion);

  target::Completion judge(std::uint32_t slot, const net::HttpResult& result);
  void judge_failure(std::uint32_t slot, const net::HttpResult& result,
                     target::Completion& completion);
  void check_md5(Slot& s, target::Completion& completion);
  bool try_again(std::uint32_t slot, const target::Completion& completion);
  void complete(std::uint32_t slot, target::Completion completion);
  void refuse(std::uint32_t slot, target::Outcome outcome, std::string_view why);
  void run_due_retries(Instant now);
  std::size_t take_completions(std::span<target::Completion> into);
  std::string masked(std::string text) const;

  const Config& config_;
  const PeerSet& peers_;
  ServerName& server_name_;
  const Clock& clock_;
  RequestWriter writer_;
  Rng rng_;
  std::vector<Slot> slots_;
  std::unique_ptr<net::HttpClient> client_;
  std::vector<target::Completion> ready_;
  std::size_t ready_at_ = 0;
  std::priority_queue<Retry> waiting_;
  WallTime signing_time_;
  Instant signing_time_read_;
  bool cancelled_ = false;
  Instant give_up_at_ = Instant::max();  // on aborting the uploads that were cancelled
  bool server_known_ = false;
};

}  // namespace loadline::targets::s3
