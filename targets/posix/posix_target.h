// The posix target: files and block devices of this machine, by the engines that fio names; and
// containers and objects as folders and files.
//
// Threads: as target/target.h says.
#pragma once

#include <memory>
#include <string>

#include "target/target.h"
#include "targets/posix/config.h"
#include "targets/posix/ledger.h"

namespace loadline::targets::posix {

class PosixTarget final : public target::Target {
 public:
  static Result<std::unique_ptr<target::Target>> open(const target::Parameters& parameters);

  target::Capabilities capabilities() const override;
  Result<void> preflight(std::span<const std::string> containers,
                         std::span<const std::string> created_by_run) override;
  Result<std::unique_ptr<target::Session>> open_session(
      const target::WorkerContext& context) override;
  Result<std::vector<target::ObjectFacts>> provide(std::span<const target::ObjectNeed> needs,
                                                   const target::LayoutNotice& notice) override;
  std::unique_ptr<target::Watch> watch(std::span<const target::ObjectNeed> needs,
                                       std::uint32_t job) override;
  Result<target::ContentSummary> content_summary(std::string_view path) override;
  std::string describe() const override;

 private:
  explicit PosixTarget(Config config) : config_(std::move(config)) {}

  const Config config_;
  Ledger ledger_;
};

}  // namespace loadline::targets::posix
