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

  // A job of this index in its stage begins: what one of another stage did is forgotten.
  void job_begun(std::uint32_t job) {
    const std::lock_guard lock(mutex_);
    jobs_[job] = {};
  }
  void session_opened(std::uint32_t job, std::uint32_t slots) {
    const std::lock_guard lock(mutex_);
    Job& of = jobs_[job];
    if (slots > of.slots) of.slots = slots;
  }
  // The most of one session of the job.
  std::uint32_t slots(std::uint32_t job) const {
    const std::lock_guard lock(mutex_);
    const auto it = jobs_.find(job);
    return it == jobs_.end() ? 0 : it->second.slots;
  }

  // A thread begins to keep the account of what it has read from block devices; it ends with the
  // bytes, or without where it cannot tell.
  void account_begun(std::uint32_t job) {
    const std::lock_guard lock(mutex_);
    ++jobs_[job].accounts_open;
  }
  void account_ended(std::uint32_t job, std::optional<std::uint64_t> bytes) {
    const std::lock_guard lock(mutex_);
    Job& of = jobs_[job];
    --of.accounts_open;
    of.read = of.read.value_or(0) + bytes.value_or(0);
    if (!bytes) of.account_broken = true;
  }
  // By all threads of the job; nothing while one is still open, or where one was lost.
  std::optional<Bytes> read_from_devices(std::uint32_t job) const {
    const std::lock_guard lock(mutex_);
    const auto it = jobs_.find(job);
    if (it == jobs_.end()) return {};
    const Job& of = it->second;
    if (of.accounts_open > 0 || of.account_broken || !of.read) return {};
    return Bytes(*of.read);
  }

 private:
  struct Job {
    std::uint32_t slots = 0;
    std::uint32_t accounts_open = 0;
    std::optional<std::uint64_t> read;
    bool account_broken = false;
  };
  mutable std::mutex mutex_;
  std::map<std::string, ProvidedFile> files_;
  std::set<std::pair<dev_t, ino_t>> made_;
  std::map<std::uint32_t, Job> jobs_;
};

}  // namespace loadline::targets::posix
