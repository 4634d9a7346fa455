// For tests: files in memory, operations that take a fixed time on whatever clock is handed in, a
// log of all of them, and faults by a script.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <queue>
#include <string>
#include <vector>

#include "target/target.h"

namespace loadline::engine::testing {

struct LoggedBlock {
  target::OpKind kind = target::OpKind::read;
  std::string file;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  Instant at;
};

// What becomes of an operation.
struct BlockAnswer {
  target::Outcome outcome = target::Outcome::ok;
  std::uint16_t status = 0;
  std::uint64_t bytes = UINT64_MAX;  // moved; more than the length: all of it
};

class FakeBlockTarget final : public target::Target {
 public:
  std::function<BlockAnswer(const LoggedBlock&)> script = [](const LoggedBlock&) {
    return BlockAnswer{};
  };
  std::function<Duration(const LoggedBlock&)> latency = [](const LoggedBlock&) {
    return Duration::microseconds(100);
  };
  bool blocking = true;
  bool gathers = false;     // an empty reap() hands over, in `hand_over_time`
  bool keeps_data = false;  // files have content; without, reads leave the memory as it is
  // As on a file system: what was not made is missing, files end, and can be listed and removed.
  // Opening and closing take time too.
  bool streams = false;
  Duration open_time = Duration::milliseconds(1);
  Duration hand_over_time;  // of a call that only hands over
  std::map<std::string, std::vector<std::byte>> files;
  std::map<std::string, std::uint64_t> sizes;  // of files without content
  std::vector<target::ObjectNeed> provided;

  std::vector<LoggedBlock> log() const {
    const std::scoped_lock lock(mutex_);
    return log_;
  }
  std::vector<LoggedBlock> log_of(target::OpKind kind) const {
    std::vector<LoggedBlock> some = log();
    std::erase_if(some, [kind](const LoggedBlock& op) { return op.kind != kind; });
    return some;
  }
  void forget_log() {
    const std::scoped_lock lock(mutex_);
    log_.clear();
  }

  target::Capabilities capabilities() const override {
    return {.kinds = ~0U,
            .range_reads = true,
            .block_io = true,
            .block_io_waits = blocking,
            .gathers = gathers,
            .remembers_data = keeps_data};
  }
  Result<void> preflight(std::span<const std::string>, std::span<const std::string>) override {
    return {};
  }
  std::string describe() const override { return "fake"; }
  Result<std::unique_ptr<target::Session>> open_session(
      const target::WorkerContext& context) override {
    return std::make_unique<FakeSession>(*this, *context.clock);
  }
  Result<std::vector<target::ObjectFacts>> provide(std::span<const target::ObjectNeed> needs,
                                                   const target::LayoutNotice& notice) override {
    std::vector<target::ObjectFacts> facts;
    for (const target::ObjectNeed& need : needs) {
      provided.push_back(need);
      if (need.lay_out && notice) notice(1, need.size);
      facts.push_back({.size = need.size, .made = true, .laid_out = need.lay_out});
    }
    return facts;
  }

 private:
  class FakeSession final : public target::Session {
   public:
    FakeSession(FakeBlockTarget& target, const Clock& clock) : target_(target), clock_(clock) {}

    target::Submitted submit(const target::Op& op) override {
      LoggedBlock logged{.kind = op.kind, .file = std::string(op.object), .at = clock_.now()};
      if (op.handle != target::k_no_object) {
        logged.file = names_.at(static_cast<std::size_t>(op.handle));
      }
      if (op.range) {
        logged.offset = op.range->offset.count();
        logged.length = op.range->length.count();
      }
      BlockAnswer answer = target_.script(logged);
      std::uint64_t moved =
          answer.outcome == target::Outcome::ok ? std::min(answer.bytes, logged.length) : 0;
      {
        const std::scoped_lock lock(target_.mutex_);
        target_.log_.push_back(logged);
        if (target_.streams && answer.outcome == target::Outcome::ok) {
          if (op.handle == target::k_no_object) {
            answer.outcome = remove(op);
          } else {
            moved = move_stream(op, logged, moved);
          }
        } else if (target_.keeps_data) {
          move(op, logged, moved);
        }
      }
      pending_.push({.due = logged.at + target_.latency(logged),
                     .slot = op.slot,
                     .answer = answer,
                     .moved = moved});
      return target::Submitted::accepted;
    }

    std::size_t reap(std::span<target::Completion> into, Instant deadline) override {
      if (into.empty()) {
        clock_.sleep_until(clock_.now() + target_.hand_over_time);
        return 0;
      }
      const Instant until = pending_.empty() ? deadline : std::min(deadline, pending_.top().due);
      if (until > clock_.now()) clock_.sleep_until(until);
      std::size_t n = 0;
      while (n < into.size() && !pending_.empty() && pending_.top().due <= clock_.now()) {
        const Pending& pending = pending_.top();
        into[n++] = {.slot = pending.slot,
                     .outcome = pending.answer.outcome,
                     .status = pending.answer.status,
                     .bytes = Bytes(pending.moved),
                     .done = pending.due};
        pending_.pop();
      }
      return n;
    }

    void cancel() override {
      std::vector<Pending> all;
      for (; !pending_.empty(); pending_.pop()) all.push_back(pending_.top());
      for (const Pending& pending : all) {
        pending_.push({.due = clock_.now(),
                       .slot = pending.slot,
                       .answer = {.outcome = target::Outcome::cancelled},
                       .moved = 0});
      }
    }

    Result<target::OpenedObject> open_object(std::string_view name,
                                             const target::OpenMode& mode) override {
      if (target_.streams) return open_stream(std::string(name), mode);
      if (name == "missing") {
        return std::unexpected(
            Error{ErrorCode::not_found, "No such file or directory", "missing", ENOENT});
      }
      names_.emplace_back(name);
      const std::scoped_lock lock(target_.mutex_);
      const std::uint64_t size =
          target_.keeps_data ? target_.files[names_.back()].size() : target_.sizes[names_.back()];
      return target::OpenedObject{static_cast<target::ObjectHandle>(names_.size() - 1),
                                  Bytes(size)};
    }
    Result<void> close_object(target::ObjectHandle handle) override {
      if (target_.streams) clock_.sleep_until(clock_.now() + target_.open_time);
      const std::string& name = names_.at(static_cast<std::size_t>(handle));
      const std::scoped_lock lock(target_.mutex_);
      if (name.ends_with("bad_close")) return fail(ErrorCode::io, "the last block was lost", name);
      return {};
    }
    Result<std::vector<std::string>> list_names(std::string_view container,
                                                std::string_view prefix) override {
      const std::string folder = std::string(container) + "/";
      const std::scoped_lock lock(target_.mutex_);
      std::vector<std::string> names;
      for (const auto& [name, content] : target_.files) {
        if (!name.starts_with(folder)) continue;
        if (name.substr(folder.size()).starts_with(prefix)) {
          names.push_back(name.substr(folder.size()));
        }
      }
      if (names.empty()) return fail(ErrorCode::not_found, "No such folder", folder);
      return names;
    }

   private:
    Result<target::OpenedObject> open_stream(const std::string& name,
                                             const target::OpenMode& mode) {
      clock_.sleep_until(clock_.now() + target_.open_time);
      const std::scoped_lock lock(target_.mutex_);
      if (!mode.create && !target_.files.contains(name)) {
        return std::unexpected(
            Error{ErrorCode::not_found, "No such file or directory", name, ENOENT});
      }
      std::vector<std::byte>& file = target_.files[name];
      if (mode.replace) file.clear();
      names_.push_back(name);
      return target::OpenedObject{static_cast<target::ObjectHandle>(names_.size() - 1),
                                  Bytes(file.size())};
    }
    // Bytes moved.
    std::uint64_t move_stream(const target::Op& op, const LoggedBlock& logged, std::uint64_t most) {
      std::vector<std::byte>& file = target_.files[logged.file];
      if (op.kind == target::OpKind::write) {
        // Behind what is there, whatever the range says.
        file.insert(file.end(), op.memory.begin(),
                    op.memory.begin() + static_cast<std::ptrdiff_t>(most));
        return most;
      }
      if (op.kind == target::OpKind::truncate) {
        file.resize(logged.offset);
        return 0;
      }
      if (logged.offset >= file.size()) return 0;
      const std::uint64_t n = std::min<std::uint64_t>(most, file.size() - logged.offset);
      std::memcpy(op.memory.data(), file.data() + logged.offset, n);
      return n;
    }
    target::Outcome remove(const target::Op& op) {
      const std::string folder = std::string(op.container) + "/";
      if (op.kind == target::OpKind::remove) {
        return target_.files.erase(folder + std::string(op.object)) > 0
                   ? target::Outcome::ok
                   : target::Outcome::not_found;
      }
      const auto it = target_.files.lower_bound(folder);
      const bool holds = it != target_.files.end() && it->first.starts_with(folder);
      return holds ? target::Outcome::not_empty : target::Outcome::ok;
    }

    struct Pending {
      Instant due;
      std::uint32_t slot = 0;
      BlockAnswer answer;
      std::uint64_t moved = 0;
      bool operator<(const Pending& o) const { return due > o.due; }
    };

    void move(const target::Op& op, const LoggedBlock& logged, std::uint64_t moved) {
      std::vector<std::byte>& file = target_.files[logged.file];
      if (op.kind == target::OpKind::write) {
        file.resize(std::max<std::uint64_t>(file.size(), logged.offset + moved));
        std::memcpy(file.data() + logged.offset, op.memory.data(), moved);
      } else if (op.kind == target::OpKind::trim) {
        const std::size_t end = std::min<std::size_t>(logged.offset + moved, file.size());
        for (std::size_t i = logged.offset; i < end; ++i) file[i] = std::byte{0};
      } else if (op.kind == target::OpKind::read) {
        // Past the end there are zeros.
        std::memset(op.memory.data(), 0, moved);
        if (logged.offset >= file.size()) return;
        std::memcpy(op.memory.data(), file.data() + logged.offset,
                    std::min<std::uint64_t>(moved, file.size() - logged.offset));
      }
    }

    FakeBlockTarget& target_;
    const Clock& clock_;
    std::vector<std::string> names_;
    std::priority_queue<Pending> pending_;
  };

  mutable std::mutex mutex_;
  std::vector<LoggedBlock> log_;
};

}  // namespace loadline::engine::testing
