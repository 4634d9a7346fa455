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

  // A thread begins to keep the account of what it has read from block devices; it ends with the
  // bytes, or without where it cannot tell.
  void account_begun() {
    const std::lock_guard lock(mutex_);
    ++accounts_open_;
  }
  void account_ended(std::optional<std::uint64_t> bytes) {
    const std::lock_guard lock(mutex_);
    --accounts_open_;
    account_ = account_.value_or(0) + bytes.value_or(0);
    if (!bytes) account_broken_ = true;
  }
  // Of all threads together; nothing while one is still open, or where one was lost.
  std::optional<Bytes> read_from_devices() const {
    const std::lock_guard lock(mutex_);
    if (accounts_open_ > 0 || account_broken_ || !account_) return {};
    return Bytes(*account_);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, ProvidedFile> files_;
  std::set<std::pair<dev_t, ino_t>> made_;
  std::uint32_t slots_ = 0;
  std::uint32_t accounts_open_ = 0;
  std::optional<std::uint64_t> account_;
  bool account_broken_ = false;
};

}  // namespace loadline::targets::posix
