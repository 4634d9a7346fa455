// The s3 target: sessions over HTTP, and the check before a run.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "target/target.h"
#include "targets/s3/block_session.h"
#include "targets/s3/config.h"
#include "targets/s3/peers.h"
#include "targets/s3/probe.h"

namespace loadline::targets::s3 {

// Threads: as target::Target. Endpoints are resolved once, by whoever comes first.
class S3Target final : public target::Target {
 public:
  static Result<std::unique_ptr<target::Target>> open(const target::Parameters& parameters);

  target::Capabilities capabilities() const override;
  Result<void> preflight(std::span<const std::string> containers,
                         std::span<const std::string> created_by_run) override;
  Result<std::unique_ptr<target::Session>> open_session(
      const target::WorkerContext& context) override;
  Result<std::vector<target::ObjectFacts>> provide(std::span<const target::ObjectNeed> needs,
                                                   const target::LayoutNotice& notice) override;
  std::string describe() const override;

 private:
  explicit S3Target(Config config) : config_(std::move(config)) {}

  Result<const PeerSet*> peers();
  Result<void> check_endpoint(std::uint32_t endpoint);
  Result<void> check_container(const std::string& container, bool may_be_missing);
  Result<void> judge_container(const std::string& container, bool may_be_missing,
                               const Probe::Reply& reply) const;

  Config config_;
  std::optional<net::TlsContext> tls_;
  std::mutex mutex_;
  std::optional<PeerSet> peers_;
  BlockSizes block_sizes_;  // guarded by mutex_
  ServerName server_name_;
};

}  // namespace loadline::targets::s3

namespace loadline::targets {

target::TargetType s3_target();

}  // namespace loadline::targets
