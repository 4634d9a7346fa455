// The webhdfs target: sessions over HTTP, and what is asked before and around a run.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "base/clock.h"
#include "target/target.h"
#include "targets/webhdfs/calls.h"
#include "targets/webhdfs/config.h"
#include "targets/webhdfs/hosts.h"

namespace loadline::targets::webhdfs {

// Threads: as target::Target.
class WebhdfsTarget final : public target::Target {
 public:
  static Result<std::unique_ptr<target::Target>> open(const target::Parameters& parameters);

  target::Capabilities capabilities() const override;
  Result<void> preflight(std::span<const std::string> containers,
                         std::span<const std::string> created_by_run) override;
  Result<std::unique_ptr<target::Session>> open_session(
      const target::WorkerContext& context) override;
  // Says what is there. Lays nothing out: a file is there once it has been written.
  Result<std::vector<target::ObjectFacts>> provide(std::span<const target::ObjectNeed> needs,
                                                   const target::LayoutNotice& notice) override;
  Result<target::ContentSummary> content_summary(std::string_view path) override;
  std::string describe() const override;

 private:
  explicit WebhdfsTarget(Config config) : config_(std::move(config)) {}

  Result<void> check_name_nodes(Caller& caller);
  Result<void> check_container(Caller& caller, const std::string& container, bool may_be_missing);
  Result<target::ObjectFacts> facts_of(Caller& caller, const target::ObjectNeed& need);

  Config config_;
  std::optional<net::TlsContext> tls_;
  SteadyClock clock_;
  std::optional<Hosts> hosts_;
  ServerName server_name_;
};

}  // namespace loadline::targets::webhdfs

namespace loadline::targets {

target::TargetType webhdfs_target();

}  // namespace loadline::targets
