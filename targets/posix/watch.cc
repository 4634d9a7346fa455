#include "targets/posix/watch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/unique_fd.h"
#include "targets/posix/counters.h"
#include "targets/posix/mounts.h"
#include "targets/posix/residency.h"

namespace loadline::targets::posix {
namespace {

constexpr std::size_t k_files_looked_at = 64;  // whose cache and extents are examined

struct Counters {
  std::map<DeviceNumber, Moved> devices;
  std::map<DeviceNumber, target::DeviceCounters> usage;
  Moved network;
  std::optional<std::uint64_t> process_read;
};

Counters count_now() {
  const std::string disks = small_file("/proc/diskstats");
  return {.devices = parse_diskstats(disks),
          .usage = parse_device_counters(disks),
          .network = parse_net_dev(small_file("/proc/net/dev")),
          .process_read = process_read_bytes(small_file("/proc/self/io"))};
}

Moved moved_by(const Counters& before, const Counters& after, const DeviceNumber& device) {
  const auto b = before.devices.find(device);
  const auto a = after.devices.find(device);
  if (b == before.devices.end() || a == after.devices.end()) return {};
  return a->second - b->second;
}

std::vector<target::DeviceCounters> usage_between(const Counters& before, const Counters& after,
                                                  const std::set<DeviceNumber>& devices) {
  std::vector<target::DeviceCounters> usage;
  for (const DeviceNumber& device : devices) {
    const auto b = before.usage.find(device);
    const auto a = after.usage.find(device);
    if (b == before.usage.end() || a == after.usage.end()) continue;
    usage.push_back(between(b->second, a->second));
  }
  return usage;
}

std::uint64_t share_of(std::uint64_t bytes, double share) {
  return static_cast<std::uint64_t>(static_cast<double>(bytes) * share);
}

// Other jobs of the stage move bytes at the same time, from before one began until after its end.
double share_in(Bytes own, Bytes all) {
  return all > own ? static_cast<double>(own.count()) / static_cast<double>(all.count()) : 1;
}

// A file under watch.
struct Watched {
  std::string path;
  std::uint64_t size = 0;
  std::uint64_t unwritten = 0;
  bool unwritten_known = false;
  std::optional<std::uint64_t> cached;
  bool written = false;
};

std::uint64_t used_size(const target::ObjectNeed& need, const struct stat& status, int fd) {
  const std::uint64_t size = S_ISBLK(status.st_mode) ? device_size(fd).value_or(0)
                                                     : static_cast<std::uint64_t>(status.st_size);
  return need.size.count() > 0 ? std::min(size, need.size.count()) : size;
}

class FileWatch final : public target::Watch {
 public:
  FileWatch(const Config& config, Ledger& ledger, std::span<const target::ObjectNeed> needs,
            std::uint32_t job)
      : config_(config), ledger_(ledger), job_(job) {
    const std::vector<Mount> mounts = mounts_now();
    for (const auto& need : needs) {
      if (files_.size() == k_files_looked_at) {
        all_seen_ = false;
        break;
      }
      look_at(need, mounts);
    }
    before_ = count_now();
  }

  target::Observed finish(const target::MovedBytes& moved) override;

 private:
  void look_at(const target::ObjectNeed& need, const std::vector<Mount>& mounts);
  void note_storage(const struct stat& status, const Mount* mount, const std::string& path);
  std::optional<Bytes> holes_of(const Watched& file, int fd);
  std::optional<std::uint64_t> cache_growth() const;
  std::optional<std::uint64_t> dirty() const;
  std::optional<double> share_unwritten(const target::MovedBytes& moved, const Moved& below,
                                        bool on_device) const;
  std::optional<std::uint64_t> own_read(const Counters& after, double share) const;

  const Config& config_;
  Ledger& ledger_;
  std::uint32_t job_;
  std::vector<Watched> files_;
  std::set<DeviceNumber> devices_;
  std::string storage_;
  std::string type_;
  bool raw_device_ = false;
  bool all_seen_ = true;  // files_ has every file of the job
  Counters before_;
};

void FileWatch::look_at(const target::ObjectNeed& need, const std::vector<Mount>& mounts) {
  const UniqueFd fd(::open(need.name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!fd || ::fstat(fd.get(), &status) != 0) return;
  if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode)) return;
  note_storage(status, mount_of(mounts, real_path(need.name)), need.name);
  Watched file{
      .path = need.name, .size = used_size(need, status, fd.get()), .written = need.writes};
  if (need.reads) {
    file.cached = cached_bytes(fd.get(), file.size);
    if (S_ISREG(status.st_mode)) {
      const auto holes = holes_of(file, fd.get());
      file.unwritten_known = holes.has_value();
      file.unwritten = holes.value_or(Bytes()).count();
    }
  }
  files_.push_back(std::move(file));
}

std::optional<Bytes> FileWatch::holes_of(const Watched& file, int fd) {
  const Bytes range(file.size);
  if (const auto known = ledger_.holes(file.path, range)) return *known;
  const auto unwritten = unwritten_bytes(fd, file.size);
  const auto holes = unwritten ? std::optional<Bytes>(*unwritten) : std::nullopt;
  ledger_.note_holes(file.path, range, holes);
  return holes;
}

void FileWatch::note_storage(const struct stat& status, const Mount* mount,
                             const std::string& path) {
  struct stat below{};
  if (S_ISBLK(status.st_mode)) {
    raw_device_ = true;
    devices_.emplace(major(status.st_rdev), minor(status.st_rdev));
    if (storage_.empty()) storage_ = "block device " + path;
    return;
  }
  if (mount == nullptr) return;
  if (storage_.empty()) {
    type_ = mount->type;
    storage_ = describe(*mount);
    if (is_memory(type_)) storage_ += ", which is memory";
  }
  // btrfs and others have a device number of their own; their source names the device.
  if (::stat(mount->source.c_str(), &below) == 0 && S_ISBLK(below.st_mode)) {
    devices_.emplace(major(below.st_rdev), minor(below.st_rdev));
  } else if (major(status.st_dev) != 0) {
    devices_.emplace(major(status.st_dev), minor(status.st_dev));
  }
}

std::optional<std::uint64_t> FileWatch::cache_growth() const {
  std::uint64_t growth = 0;
  for (const Watched& file : files_) {
    if (!file.cached) return {};
    const UniqueFd fd(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd) return {};
    const auto now = cached_bytes(fd.get(), file.size);
    if (!now) return {};
    // Invalidation happens after the first look, at the opening of the file.
    const std::uint64_t then = config_.invalidate ? 0 : *file.cached;
    if (*now > then) growth += *now - then;
  }
  return growth;
}

std::optional<std::uint64_t> FileWatch::dirty() const {
  if (!all_seen_) return {};
  std::uint64_t bytes = 0;
  for (const Watched& file : files_) {
    if (!file.written) continue;
    const UniqueFd fd(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd) return {};
    const auto one = dirty_bytes(fd.get());
    if (!one) return {};
    bytes += *one;
  }
  return bytes;
}

std::optional<double> FileWatch::share_unwritten(const target::MovedBytes& moved,
                                                 const Moved& below, bool on_device) const {
  const bool mapped = config_.engine == Engine::mmap;
  const double share = share_in(moved.written, moved.written_by_all);
  return unwritten_share({.through = (config_.direct || config_.sync_flag != 0) && !mapped,
                          .on_device = on_device,
                          .shrinks = may_shrink(type_) && !raw_device_,
                          .written = moved.written.count(),
                          .unsynced = moved.unsynced.count(),
                          .below_written = share_of(below.written, share),
                          // What is stacked on others keeps no pages itself.
                          .dirty = devices_.empty() ? std::nullopt : dirty()});
}

std::optional<std::uint64_t> FileWatch::own_read(const Counters& after, double share) const {
  // Threads of the kernel or the C library read in the name of these engines; a process has them
  // all in its account.
  const bool helped =
      config_.engine == Engine::posixaio ||
      (config_.engine == Engine::io_uring && (config_.submission_thread || config_.force_async));
  if (!helped || ledger_.has_own_process(job_)) {
    if (const auto bytes = ledger_.read_from_devices(job_)) return bytes->count();
  }
  if (!before_.process_read || !after.process_read) return {};
  return share_of(*after.process_read - *before_.process_read, share);
}

target::Observed FileWatch::finish(const target::MovedBytes& moved) {
  const Bytes read = moved.read;
  const Counters after = count_now();
  target::Observed observed{.storage = storage_};
  observed.devices = usage_between(before_, after, devices_);
  std::uint64_t size = 0;
  std::uint64_t unwritten = 0;
  bool unwritten_known = !files_.empty();
  for (const Watched& file : files_) {
    size += file.size;
    unwritten += file.unwritten;
    unwritten_known = unwritten_known && file.unwritten_known;
  }
  if (unwritten_known) observed.holes = Bytes(unwritten);

  const bool remote = is_remote(type_) && !raw_device_;
  Moved below;
  if (!devices_.empty() && !remote) {
    for (const DeviceNumber& device : devices_) below += moved_by(before_, after, device);
  } else {
    for (const auto& [device, unused] : after.devices) below += moved_by(before_, after, device);
    below += after.network - before_.network;
  }
  const bool memory = is_memory(type_) && !raw_device_;
  if (!files_.empty() && !memory) {
    observed.device_read = Bytes(below.read);
    observed.device_written = Bytes(below.written);
  }
  const bool mapped = config_.engine == Engine::mmap;
  if (config_.direct && !files_.empty()) observed.direct_refused = mapped || memory;
  const bool waits_in_submission =
      is_synchronous(config_.engine) || (config_.engine == Engine::libaio && !config_.direct);
  observed.depth = waits_in_submission ? 1 : std::max(ledger_.slots(job_), 1U);
  if (files_.empty()) return observed;
  const double own_share = share_in(read, moved.read_by_all);
  observed.cached_share = cached_share(
      {.memory = memory,
       .direct = config_.direct && !mapped && !memory,
       .read = read.count(),
       .unwritten_share = size > 0 ? static_cast<double>(unwritten) / static_cast<double>(size) : 0,
       .own_read = own_read(after, own_share),
       .below_moved = share_of(below.read, own_share),
       .cache_growth = cache_growth(),
       .on_device = !remote});
  observed.unwritten_share = share_unwritten(moved, below, !remote && !memory);
  return observed;
}

}  // namespace

std::unique_ptr<target::Watch> watch_files(const Config& config, Ledger& ledger,
                                           std::span<const target::ObjectNeed> needs,
                                           std::uint32_t job) {
  if (config.engine == Engine::null) return nullptr;
  ledger.job_begun(job);
  return std::make_unique<FileWatch>(config, ledger, needs, job);
}

std::optional<double> unwritten_share(const WriteEvidence& evidence) {
  if (evidence.written == 0 || !evidence.on_device) return {};
  if (evidence.through) return 0.0;
  if (evidence.shrinks && !evidence.dirty) return {};
  const auto written = static_cast<double>(evidence.written);
  // Old pages may have been written out meanwhile in place of these, which are then dirty; and of
  // pages that were written over and over in memory only the last state is.
  double share = static_cast<double>(evidence.dirty.value_or(0)) / written;
  if (!evidence.shrinks) {
    share = std::max(share, 1 - static_cast<double>(evidence.below_written) / written);
  }
  if (evidence.dirty == 0U) share = 0;
  return std::clamp(share, 0.0, std::min(1.0, static_cast<double>(evidence.unsynced) / written));
}

std::optional<double> cached_share(const ReadEvidence& evidence) {
  if (evidence.read == 0) return {};
  if (evidence.memory) return 1.0;
  if (evidence.direct && evidence.on_device) return 0.0;
  // What was never written is made up without moving anything, and is no matter of caching.
  const double expected = static_cast<double>(evidence.read) * (1 - evidence.unwritten_share);
  if (expected < 1) return {};
  const auto share = [&](std::uint64_t moved) {
    return std::clamp(1 - static_cast<double>(moved) / expected, 0.0, 1.0);
  };
  if (evidence.on_device) {
    if (evidence.own_read) return share(*evidence.own_read);
    if (evidence.cache_growth) return share(*evidence.cache_growth);
  }
  if (evidence.below_moved) return share(*evidence.below_moved);
  return {};
}

}  // namespace loadline::targets::posix
