// What one posix target knows of its files between provide(), its sessions and its watch.
//
// Threads: safe from any thread. Touched when files are provided, opened and closed, never by an
// operation. Processes: what is counted of a job that has begun before fork(2) is seen across it,
// both ways; the rest is a copy.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/units.h"
#include "targets/posix/shared_counts.h"

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
    holes_.erase(name);
  }
  std::optional<ProvidedFile> find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto it = files_.find(name);
    if (it == files_.end()) return {};
    return it->second;
  }

  // How much of the first `range` bytes of a file was never written, as a watch has seen it since
  // it was provided: looking is slow, and a hundred clones ask the same. Nothing: not looked at
  // yet.
  void note_holes(const std::string& name, Bytes range, std::optional<Bytes> holes) {
    const std::lock_guard lock(mutex_);
    holes_[name] = {range, holes};
  }
  std::optional<std::optional<Bytes>> holes(const std::string& name, Bytes range) const {
    const std::lock_guard lock(mutex_);
    const auto it = holes_.find(name);
    if (it == holes_.end() || it->second.first != range) return {};
    return it->second.second;
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
    jobs_[job] = SharedCounts();
  }
  void session_opened(std::uint32_t job, std::uint32_t slots) { counts_of(job).note_slots(slots); }
  // The most of one session of the job.
  std::uint32_t slots(std::uint32_t job) const {
    const SessionCounts* counts = find_counts(job);
    return counts == nullptr ? 0 : counts->slots.load();
  }

  // Whether the caller is a process that was forked for one job.
  bool in_own_process() const { return ::getpid() != home_; }
  bool has_own_process(std::uint32_t job) const {
    const SessionCounts* counts = find_counts(job);
    return counts != nullptr && counts->own_process;
  }

  // A thread begins to keep the account of what it has read from block devices; it ends with the
  // bytes, or without where it cannot tell.
  void account_begun(std::uint32_t job) {
    SessionCounts& counts = counts_of(job);
    ++counts.accounts_open;
    if (in_own_process()) counts.own_process = true;
  }
  void account_ended(std::uint32_t job, std::optional<std::uint64_t> bytes) {
    SessionCounts& counts = counts_of(job);
    counts.read += bytes.value_or(0);
    if (!bytes) counts.account_broken = true;
    ++counts.accounts_ended;
    --counts.accounts_open;
  }
  // By all threads of the job; nothing while one is still open, or where one was lost, be it with
  // its process.
  std::optional<Bytes> read_from_devices(std::uint32_t job) const {
    const SessionCounts* counts = find_counts(job);
    if (counts == nullptr || counts->accounts_open > 0 || counts->account_broken ||
        counts->accounts_ended == 0) {
      return {};
    }
    return Bytes(counts->read);
  }

 private:
  SessionCounts& counts_of(std::uint32_t job) {
    const std::lock_guard lock(mutex_);
    return *jobs_[job];
  }
  const SessionCounts* find_counts(std::uint32_t job) const {
    const std::lock_guard lock(mutex_);
    const auto it = jobs_.find(job);
    return it == jobs_.end() ? nullptr : &*it->second;
  }

  const pid_t home_ = ::getpid();
  mutable std::mutex mutex_;
  std::map<std::string, ProvidedFile> files_;
  std::map<std::string, std::pair<Bytes, std::optional<Bytes>>> holes_;
  std::set<std::pair<dev_t, ino_t>> made_;
  std::map<std::uint32_t, SharedCounts> jobs_;
};

}  // namespace loadline::targets::posix
