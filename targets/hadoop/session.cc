#include "targets/hadoop/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "targets/hadoop/outcome.h"

namespace loadline::targets::hadoop {

HadoopSession::HadoopSession(const Jvm& vm, const Config& config, const FileSystem& shared,
                             std::optional<FileSystem> own, const target::WorkerContext& context)
    : vm_(vm),
      name_(fmt::format("loadline-{}", index_of(context.worker))),
      clock_(*context.clock),
      waits_(context.reap_min > 0),
      own_(std::move(own)),
      files_(config, own_ ? *own_ : shared, transfer_, clock_),
      objects_(config, own_ ? *own_ : shared, transfer_, clock_),
      slots_(context.slots),
      details_(context.slots) {
  ready_.reserve(slots_);
}

HadoopSession::~HadoopSession() {
  Calls calls = vm_.calls();
  const Frame frame(calls.env());
  files_.close_all(calls);
}

target::Submitted HadoopSession::submit(const target::Op& op) {
  if (ready_.size() == slots_) return target::Submitted::full;
  target::Completion completion{.slot = op.slot};
  Calls calls = this->calls();
  const Frame frame(calls.env());
  const bool by_object = op.handle == target::k_no_object && !op.container.empty();
  const auto done =
      by_object ? objects_.perform(calls, op, completion) : files_.perform(calls, op, completion);
  if (!done) note_failure(completion, done.error(), details_[op.slot]);
  ready_.push_back(completion);
  return target::Submitted::accepted;
}

std::size_t HadoopSession::reap(std::span<target::Completion> into, Instant deadline) {
  if (ready_.empty()) {
    if (waits_) clock_.sleep_until(deadline);
    return 0;
  }
  const std::size_t n = std::min(into.size(), ready_.size());
  std::copy_n(ready_.begin(), n, into.begin());
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(n));
  return n;
}

Result<target::OpenedObject> HadoopSession::open_object(std::string_view name,
                                                        const target::OpenMode& mode) {
  Calls calls = this->calls();
  const Frame frame(calls.env());
  return files_.open(calls, name, mode);
}

Result<void> HadoopSession::close_object(target::ObjectHandle handle) {
  Calls calls = this->calls();
  const Frame frame(calls.env());
  return files_.close(calls, handle);
}

Result<std::vector<std::string>> HadoopSession::list_names(std::string_view container,
                                                           std::string_view prefix) {
  Calls calls = this->calls();
  const Frame frame(calls.env());
  auto names = objects_.names(calls, container, prefix);
  if (names) return std::move(*names);
  return std::unexpected(error_of(names.error(), "cannot list the folder", std::string(container)));
}

Result<void> HadoopSession::use_memory(std::span<std::byte> memory) {
  Calls calls = this->calls();
  const Frame frame(calls.env());
  auto expected = transfer_.expect(calls, memory);
  if (expected) return {};
  return std::unexpected(error_of(expected.error(), "cannot lend memory to Java", ""));
}

}  // namespace loadline::targets::hadoop
