// Submits operations on whole objects and reaps them: one worker's share of a webhdfs target. An
// operation is one exchange with the NameNode, or one there and one with a DataNode, or several in
// order (pages, names, attempts); a slot holds what that needs.
//
// Every slot has two connections that are kept: one to the NameNode, one to the last DataNode.
// DataNodes close theirs after each answer, as they are wont to; gateways keep them.
//
// Ownership: borrows configuration, hosts and clock, which the target and the engine keep.
// Threads: belongs to one worker. Blocks only where a redirect names a host for the first time and
// it is looked up. Memory: a few kilobytes a slot; bodies are never held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/rng.h"
#include "net/http_client.h"
#include "target/target.h"
#include "targets/webhdfs/config.h"
#include "targets/webhdfs/hosts.h"
#include "targets/webhdfs/outcome.h"
#include "targets/webhdfs/request.h"

namespace loadline::targets::webhdfs {

class ObjectSession final : public target::Session, private net::HttpHandler {
 public:
  static Result<std::unique_ptr<ObjectSession>> open(const Config& config, Hosts& hosts,
                                                     ServerName& server_name,
                                                     const target::WorkerContext& context);

  target::Submitted submit(const target::Op& op) override;
  std::size_t reap(std::span<target::Completion> into, Instant deadline) override;
  void cancel() override;

 private:
  // What the exchange under way is for.
  enum class Step : std::uint8_t {
    locate,  // the NameNode is asked where the data is or goes
    data,
    call,          // the whole operation
    check_folder,  // create_container: is it there?
    check_source,  // rename that was not done: is the file there?
    check_name,    // and is the new name taken?
    await_length,  // truncate: has the last block been cut?
    list_page,
    remove_next,
  };

  // A server, and which of its addresses is next.
  struct Node {
    std::string name;
    std::size_t first = 0;  // peers of the client
    std::size_t count = 1;
    std::size_t turn = 0;
    std::size_t peer() const { return first + turn % count; }
  };

  // Of a listing under way.
  struct Walk {
    std::vector<std::string> folders;  // still to be listed, relative to the container
    std::string folder;                // being listed
    std::string after;                 // the last name of the page before
  };

  struct Slot {
    target::Op op;
    Step step = Step::call;
    bool busy = false;
    bool collects = false;    // this exchange's response is kept in `response`
    bool wrong_node = false;  // the NameNode asked is not the one to ask
    std::uint16_t retries = 0;
    std::uint16_t pauses = 0;     // attempts after a pause
    std::uint16_t failovers = 0;  // since the last of them
    std::uint32_t name_node = 0;  // asked last
    std::uint32_t items = 0;
    std::uint32_t failed_items = 0;  // remove_many
    std::uint64_t bytes = 0;         // of a listing's pages before this one
    target::Outcome first_failure = target::Outcome::ok;
    Node* node = nullptr;  // that the exchange goes to
    Instant first_byte;
    Instant patience;  // of await_length
    std::string path;
    std::string new_path;  // rename
    std::string location;  // of a redirect, as it came
    std::string response;  // a response body that is read
    std::string detail;
    std::unique_ptr<Walk> walk;
  };

  // An exchange that is due later: another attempt, or another look.
  struct Retry {
    Instant due;
    std::uint32_t slot;
    bool operator<(const Retry& o) const { return due > o.due; }
  };

  ObjectSession(const Config& config, Hosts& hosts, ServerName& server_name,
                const target::WorkerContext& context);
  Node add_node(const std::string& name, std::vector<net::HttpPeer> peers);

  // net::HttpHandler; a slot of the client is one of the two connections of a slot here.
  std::span<const std::byte> request_body(std::uint32_t lane, std::uint64_t offset) override;
  net::BodyUse response_head(std::uint32_t lane, const net::ResponseHead& head) override;
  void response_body(std::uint32_t lane, std::span<const std::byte> bytes) override;

  // steps.cc: the requests
  void begin(std::uint32_t slot);
  void start_step(std::uint32_t slot);
  void start_locate(std::uint32_t slot);
  void start_data(std::uint32_t slot, const Location& location);
  void start_call(std::uint32_t slot);
  void start_list_page(std::uint32_t slot);
  void start_remove_next(std::uint32_t slot);
  void send_call(std::uint32_t slot, const Call& call);
  void prepare(std::uint32_t slot, Node& node, std::uint32_t lane);
  Result<Node*> data_node(const Endpoint& endpoint);

  // steps.cc: what comes of them
  void advance(const net::HttpResult& result);
  void advance_locate(std::uint32_t slot, const net::HttpResult& result);
  void advance_data(std::uint32_t slot, const net::HttpResult& result);
  void advance_check(std::uint32_t slot, const net::HttpResult& result);
  void advance_source(std::uint32_t slot, const net::HttpResult& result);
  void advance_name(std::uint32_t slot, const net::HttpResult& result);
  void advance_length(std::uint32_t slot, const net::HttpResult& result);
  void advance_call(std::uint32_t slot, const net::HttpResult& result);
  void advance_list(std::uint32_t slot, const net::HttpResult& result);
  void advance_remove(std::uint32_t slot, const net::HttpResult& result);
  void take_page(std::uint32_t slot, const Listing& listing);

  static void forgive_existing(const Slot& s, target::Completion& completion);
  target::Completion judge(std::uint32_t slot, const net::HttpResult& result);
  void judge_failure(std::uint32_t slot, const net::HttpResult& result,
                     target::Completion& completion);
  // What a delete or the making of a folder says in `response`.
  void judge_boolean(Slot& s, target::Completion& completion);
  void fail_with(Slot& s, target::Completion& completion, target::Outcome outcome,
                 std::string detail);
  bool try_again(std::uint32_t slot, const target::Completion& completion);
  void complete_or_retry(std::uint32_t slot, const target::Completion& completion);
  void complete(std::uint32_t slot, target::Completion completion);
  void refuse(std::uint32_t slot, target::Outcome outcome, std::string_view why);
  void restart(std::uint32_t slot);
  void run_due_retries(Instant now);
  std::size_t take_completions(std::span<target::Completion> into);

  const Config& config_;
  Hosts& hosts_;
  ServerName& server_name_;
  const Clock& clock_;
  RequestWriter writer_;
  Rng rng_;
  std::vector<Slot> slots_;
  std::unique_ptr<net::HttpClient> client_;
  std::vector<Node> name_nodes_;
  std::map<std::string, Node, std::less<>> data_nodes_;
  std::uint32_t active_ = 0;  // of the NameNodes
  std::vector<target::Completion> ready_;
  std::size_t ready_at_ = 0;
  std::priority_queue<Retry> waiting_;
  bool cancelled_ = false;
  bool server_known_ = false;
  bool lists_in_pages_ = true;  // until a server does not know LISTSTATUS_BATCH
};

}  // namespace loadline::targets::webhdfs
