// A worker's session: every operation is done when submit() returns. The thread that works is
// attached to the VM by its first operation and detached when it ends; the session may be opened
// and closed by another.
//
// Threads: as target/target.h says.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "target/target.h"
#include "targets/hadoop/jvm.h"
#include "targets/hadoop/object_files.h"
#include "targets/hadoop/open_files.h"

namespace loadline::targets::hadoop {

class HadoopSession final : public target::Session {
 public:
  // The VM, the config and `shared` outlive it; `own`: the client is this session's alone.
  HadoopSession(const Jvm& vm, const Config& config, const FileSystem& shared,
                std::optional<FileSystem> own, const target::WorkerContext& context);
  ~HadoopSession() override;

  target::Submitted submit(const target::Op& op) override;
  std::size_t reap(std::span<target::Completion> into, Instant deadline) override;
  // Nothing is ever under way.
  void cancel() override {}
  Result<target::OpenedObject> open_object(std::string_view name,
                                           const target::OpenMode& mode) override;
  Result<void> close_object(target::ObjectHandle handle) override;
  Result<std::vector<std::string>> list_names(std::string_view container,
                                              std::string_view prefix) override;
  Result<void> use_memory(std::span<std::byte> memory) override;

 private:
  Calls calls() const { return vm_.calls(name_); }

  const Jvm& vm_;
  const std::string name_;  // of the thread, to Java
  const Clock& clock_;
  const bool waits_;
  std::optional<FileSystem> own_;
  Transfer transfer_;
  OpenFiles files_;
  ObjectFiles objects_;
  const std::size_t slots_;
  std::vector<target::Completion> ready_;
  std::vector<std::string> details_;  // words of the failures, one a slot
};

}  // namespace loadline::targets::hadoop
