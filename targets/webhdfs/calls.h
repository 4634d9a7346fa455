// Calls of a NameNode that are waited for: what block I/O, the check before a run and the questions
// about whole folders need.
//
// Ownership: borrows configuration, hosts and clock. Threads: belongs to one. Blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "target/outcome.h"
#include "targets/webhdfs/answers.h"
#include "targets/webhdfs/config.h"
#include "targets/webhdfs/exchange.h"
#include "targets/webhdfs/hosts.h"
#include "targets/webhdfs/location.h"
#include "targets/webhdfs/outcome.h"
#include "targets/webhdfs/request.h"

namespace loadline::targets::webhdfs {

// What came of something that was waited for.
struct Reply {
  target::Outcome outcome = target::Outcome::ok;
  std::uint16_t status = 0;
  std::uint16_t retries = 0;
  std::string exception;  // where HDFS named one
  std::string detail;     // a failure in words, without secrets
  std::string body;       // of a good answer to a call

  bool good() const { return outcome == target::Outcome::ok; }
  // The same, said of a path.
  Error error(std::string_view path) const { return error_of(outcome, detail, std::string(path)); }
};

// What became of an exchange that ended with `failure`; reads the body of an answer that refuses.
Reply judge(Exchange& exchange, net::HttpFailure failure, const Secret& token);

ExchangeLimits limits_of(const Config& config);

class Caller {
 public:
  Caller(const Config& config, Hosts& hosts, const Clock& clock, std::uint64_t seed);

  // A call that is answered by the NameNode itself.
  Reply call(const Call& call);
  // One attempt, and no failover: for the check of a single server.
  Reply ask(const Call& call, std::uint32_t name_node);
  // The first step of OPEN, CREATE or APPEND: where its second step goes. Not tried again: both
  // steps are.
  Reply locate(const Call& call, Location& location);

  // Everything in a folder, sorted by name as HDFS has it.
  Result<std::vector<FileStatus>> list(std::string_view path);
  Result<FileStatus> status(std::string_view path);

  const Config& config() const { return config_; }
  Hosts& hosts() { return hosts_; }
  const Clock& clock() const { return clock_; }
  Rng& rng() { return rng_; }
  const RequestWriter& writer() const { return writer_; }
  const std::string& server() const { return exchange_.server(); }

 private:
  Reply perform(const Call& call, bool redirects, std::uint16_t retries);
  Reply once(const Call& call, std::uint32_t name_node, bool redirects);
  Reply take_location(const Call& call, const Reply& reply, Location& location);

  const Config& config_;
  Hosts& hosts_;
  const Clock& clock_;
  RequestWriter writer_;
  Rng rng_;
  Exchange exchange_;
  std::uint32_t active_ = 0;  // of the NameNodes
  std::string head_;
  bool lists_in_pages_ = true;
};

}  // namespace loadline::targets::webhdfs
