// What one posix target knows of its files between provide(), its sessions and its watch.
//
// Threads: safe from any thread. Touched when files are provided, opened and closed, never by an
// operation.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/units.h"

namespace loadline::targets::posix {

struct ProvidedFile {
  Bytes size;
  bool keep_cached = false;    // it was read into the cache on purpose
  bool device_writes = false;  // a block device that may be written
};

class Ledger {
 public:
  void provide(const std::string& name, const ProvidedFile& file) {
    const std::lock_guard lock(mutex_);
    files_[name] = file;
  }
  std::optional<ProvidedFile> find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto it = files_.find(name);
    if (it == files_.end()) return {};
    return it->second;
  }

  // Files that this target made, by device and inode.
  void made(dev_t device, ino_t inode) {
    const std::lock_guard lock(mutex_);
    made_.emplace(device, inode);
  }
  bool has_made(dev_t device, ino_t inode) const {
    const std::lock_guard lock(mutex_);
    return made_.contains({device, inode});
  }

  void session_opened(std::uint32_t slots) {
    const std::lock_guard lock(mutex_);
    if (slots > slots_) slots_ = slots;
  }
  std::uint32_t slots() const {
    const std::lock_guard lock(mutex_);
    return slots_;
  }

  // Bytes that worker threads have had read from block devices, of their own accounts.
  void thread_read(Bytes bytes) {
    const std::lock_guard lock(mutex_);
    thread_read_ = thread_read_.value_or(Bytes()) + bytes;
  }
  std::optional<Bytes> thread_read() const {
    const std::lock_guard lock(mutex_);
    return thread_read_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, ProvidedFile> files_;
  std::set<std::pair<dev_t, ino_t>> made_;
  std::uint32_t slots_ = 0;
  std::optional<Bytes> thread_read_;
};

}  // namespace loadline::targets::posix
