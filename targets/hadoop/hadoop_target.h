// The hadoop target: any org.apache.hadoop.fs.FileSystem, through Java. Reading its parameters
// touches nothing of Java; the VM starts with the first question to the storage.
//
// Threads: as target/target.h says.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "target/target.h"
#include "targets/hadoop/config.h"
#include "targets/hadoop/file_system.h"
#include "targets/hadoop/jvm.h"

namespace loadline::targets::hadoop {

class HadoopTarget final : public target::Target {
 public:
  static Result<std::unique_ptr<target::Target>> open(const target::Parameters& parameters);

  target::Capabilities capabilities() const override;
  Result<void> preflight(std::span<const std::string> containers,
                         std::span<const std::string> created_by_run) override;
  Result<std::unique_ptr<target::Session>> open_session(
      const target::WorkerContext& context) override;
  Result<std::vector<target::ObjectFacts>> provide(std::span<const target::ObjectNeed> needs,
                                                   const target::LayoutNotice& notice) override;
  Result<target::ContentSummary> content_summary(std::string_view path) override;
  std::string describe() const override;

 private:
  explicit HadoopTarget(Config config) : config_(std::move(config)) {}
  // The VM and the client that sessions share, both started where they are not.
  Result<const Jvm*> connect();
  Result<void> check_root(Calls& calls, bool will_make) const;

  const Config config_;
  mutable std::mutex mutex_;
  Jvm* vm_ = nullptr;                // guarded by mutex_ until it is set, then for good
  std::optional<FileSystem> files_;  // the same
  std::string says_;                 // guarded by mutex_
};

// Finds Java and Hadoop, and starts the VM of this process or gives the one that runs.
Result<Jvm*> start_vm(const Config& config);

}  // namespace loadline::targets::hadoop
