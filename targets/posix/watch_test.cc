#include "targets/posix/watch.h"

#include <gmock/gmock.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include <numeric>

#include "base/rng.h"
#include "base/unique_fd.h"
#include "targets/posix/counters.h"
#include "targets/posix/mounts.h"
#include "targets/posix/residency.h"
#include "targets/posix/scratch_test.h"

namespace loadline::targets::posix {
namespace {

using target::Completion;
using target::OpKind;
using target::Outcome;
using ::testing::HasSubstr;

TEST(CachedShare, follows_the_evidence) {
  EXPECT_EQ(cached_share({.read = 0, .own_read = 0}), std::nullopt);
  EXPECT_EQ(cached_share({.memory = true, .read = 100}), 1.0);
  EXPECT_EQ(cached_share({.direct = true, .read = 100, .own_read = 0, .on_device = true}), 0.0);
  EXPECT_EQ(cached_share({.read = 100, .own_read = 25, .below_moved = 900, .on_device = true}),
            0.75);
  EXPECT_EQ(cached_share({.read = 100, .own_read = 130, .on_device = true}), 0.0);
  EXPECT_EQ(cached_share({.read = 100, .unwritten_share = 0.5, .own_read = 50, .on_device = true}),
            0.0)
      << "holes are no matter of caching";
  EXPECT_EQ(cached_share({.read = 100, .unwritten_share = 1, .own_read = 0, .on_device = true}),
            std::nullopt);
  EXPECT_EQ(cached_share({.read = 100, .cache_growth = 40, .on_device = true}), 0.6);
  EXPECT_EQ(cached_share({.read = 100, .own_read = 0, .below_moved = 100}), 0.0)
      << "a network file system is no business of the account of block devices";
  EXPECT_EQ(cached_share({.direct = true, .read = 100, .below_moved = 0}), 1.0)
      << "a FUSE server that answers from its own memory";
}

TEST(UnwrittenShare, follows_the_evidence) {
  const WriteEvidence plain{
      .on_device = true, .written = 100, .unsynced = 100, .below_written = 10, .dirty = 80};
  EXPECT_EQ(unwritten_share(plain), 0.9);
  WriteEvidence e = plain;
  e.through = true;
  EXPECT_EQ(unwritten_share(e), 0.0);
  e = plain;
  e.on_device = false;
  EXPECT_EQ(unwritten_share(e), std::nullopt) << "tmpfs, NFS, FUSE";
  e = plain;
  e.unsynced = 0;
  EXPECT_EQ(unwritten_share(e), 0.0);
  e.unsynced = 3;
  EXPECT_EQ(unwritten_share(e), 0.03) << "what the last fsync has not seen";
  e = plain;
  e.below_written = 500;
  EXPECT_EQ(unwritten_share(e), 0.8) << "others wrote to the device";
  e.dirty.reset();
  EXPECT_EQ(unwritten_share(e), 0.0);
  e = plain;
  e.dirty = 0;
  EXPECT_EQ(unwritten_share(e), 0.0) << "nothing is left to be written";
  e = plain;
  e.shrinks = true;
  EXPECT_EQ(unwritten_share(e), 0.8) << "a compressed file's writes look like less";
  e.dirty.reset();
  EXPECT_EQ(unwritten_share(e), std::nullopt);
}

TEST(Mountinfo, is_read_with_optional_fields_and_escapes) {
  const auto mounts = parse_mountinfo(
      "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
      "99 27 0:50 / /mnt/my\\040disk rw shared:1 master:2 - fuse.s3fs s3fs rw\n"
      "broken line\n"
      "25 24 0:23 / /dev/shm rw - tmpfs tmpfs rw\n");
  ASSERT_EQ(mounts.size(), 3U);
  EXPECT_EQ(mounts[0].major, 254U);
  EXPECT_EQ(mounts[1].point, "/mnt/my disk");
  EXPECT_EQ(mounts[1].type, "fuse.s3fs");
  EXPECT_EQ(mount_of(mounts, "/mnt/my disk/f"), &mounts[1]);
  EXPECT_EQ(mount_of(mounts, "/mnt/my diskette"), &mounts[0]);
  EXPECT_EQ(describe(mounts[0]), "ext4 on /dev/vda, mounted at /");
  EXPECT_TRUE(is_remote(mounts[1].type));
  EXPECT_TRUE(is_memory(mounts[2].type));
}

TEST(Counters, reads_all_counters_of_a_device) {
  const auto all =
      parse_device_counters(" 254       0 vda 12 3 8000 40 20 5 1600 60 0 70 100 0 0 0 0 0 0\n");
  const target::DeviceCounters& vda = all.at({254, 0});
  EXPECT_EQ(vda.name, "vda");
  EXPECT_EQ(vda.reads, 12U);
  EXPECT_EQ(vda.write_merges, 5U);
  EXPECT_EQ(vda.write_time, Duration::milliseconds(60));
  EXPECT_EQ(vda.busy, Duration::milliseconds(70));
  EXPECT_EQ(vda.queue_time, Duration::milliseconds(100));
  EXPECT_EQ(between(vda, vda).reads, 0U);
}

TEST(Counters, are_read_from_the_kernels_texts) {
  const auto devices = parse_diskstats(
      " 254       0 vda 10 1 16 5 20 2 32 6 0 7 8 1 0 4 0 0 0\n"
      "   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0\n");
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices.at({254, 0}).read, 16U * 512);
  EXPECT_EQ(devices.at({254, 0}).written, 32U * 512);
  const Moved net = parse_net_dev(
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets\n"
      "    lo: 100 1 0 0 0 0 0 0 200 1 0 0 0 0 0 0\n"
      "  eth0:1000 9 0 0 0 0 0 0 2000 1 0 0 0 0 0 0\n");
  EXPECT_EQ(net.read, 1100U);
  EXPECT_EQ(net.written, 2200U);
  EXPECT_EQ(process_read_bytes("rchar: 5\nread_bytes: 4096\nwrite_bytes: 7\n"), 4096U);
  EXPECT_EQ(process_read_bytes(""), std::nullopt);
}

TEST(Ledger, knows_which_jobs_have_a_process_of_their_own) {
  Ledger ledger;
  ledger.job_begun(0);
  ledger.job_begun(1);
  ledger.account_begun(0);
  const pid_t child = ::fork();
  if (child == 0) {
    ledger.account_begun(1);
    // allowed: what a child of a test leaves by
    ::_exit(ledger.in_own_process() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(ledger.in_own_process());
  EXPECT_FALSE(ledger.has_own_process(0));
  EXPECT_TRUE(ledger.has_own_process(1));
}

TEST(Ledger, keeps_the_accounts_of_jobs_apart) {
  Ledger ledger;
  ledger.job_begun(0);
  ledger.job_begun(1);
  ledger.session_opened(0, 1);
  ledger.session_opened(1, 32);
  ledger.account_begun(0);
  ledger.account_begun(1);
  ledger.account_ended(1, 4096);
  EXPECT_EQ(ledger.read_from_devices(0), std::nullopt) << "still open";
  EXPECT_EQ(ledger.read_from_devices(1), Bytes(4096));
  ledger.account_ended(0, 512);
  EXPECT_EQ(ledger.read_from_devices(0), Bytes(512));
  EXPECT_EQ(ledger.slots(0), 1U);
  EXPECT_EQ(ledger.slots(1), 32U);
  ledger.job_begun(1);
  EXPECT_EQ(ledger.read_from_devices(1), std::nullopt) << "that was in another stage";
  EXPECT_EQ(ledger.read_from_devices(0), Bytes(512));
}

TEST(Ledger, remembers_holes_until_a_file_is_provided_anew) {
  Ledger ledger;
  ledger.provide("f", {});
  EXPECT_FALSE(ledger.holes("f", Bytes(8192)));
  ledger.note_holes("f", Bytes(8192), Bytes(4096));
  EXPECT_EQ(ledger.holes("f", Bytes(8192)), std::optional(std::optional(Bytes(4096))));
  EXPECT_FALSE(ledger.holes("f", Bytes(4096))) << "another range";
  ledger.note_holes("g", Bytes(1), std::nullopt);
  ASSERT_TRUE(ledger.holes("g", Bytes(1)));
  EXPECT_FALSE(*ledger.holes("g", Bytes(1))) << "the file system does not tell";
  ledger.provide("f", {});
  EXPECT_FALSE(ledger.holes("f", Bytes(8192)));
}

TEST(Paths, under_dev_are_known_even_where_the_file_is_missing) {
  EXPECT_TRUE(lies_under_dev("/dev/sdz"));
  EXPECT_TRUE(lies_under_dev("/tmp/../dev/no/such"));
  EXPECT_FALSE(lies_under_dev("/dev/shm/f"));
  EXPECT_FALSE(lies_under_dev("/devices/f"));
  EXPECT_FALSE(lies_under_dev("f"));
}

TEST(Residency, tells_holes_and_unwritten_space) {
  TemporaryFolder folder;
  const std::string path = folder.file("f");
  const UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT, 0644));
  ASSERT_EQ(::ftruncate(fd.get(), 16 << 20), 0);
  const std::string data(1 << 20, 'x');
  ASSERT_EQ(::pwrite(fd.get(), data.data(), data.size(), 4 << 20), 1 << 20);
  EXPECT_EQ(unwritten_bytes_by_seeking(fd.get(), 16 << 20), 15U << 20);
  EXPECT_EQ(unwritten_bytes(fd.get(), 16 << 20), 15U << 20);
  if (::fallocate(fd.get(), 0, 0, 16 << 20) != 0) GTEST_SKIP() << "no fallocate here";
  EXPECT_EQ(unwritten_bytes(fd.get(), 16 << 20), 15U << 20) << "space without data";
  std::string buffer(16 << 20, '\0');
  ASSERT_EQ(::pread(fd.get(), buffer.data(), buffer.size(), 0), 16 << 20);
  EXPECT_EQ(unwritten_bytes(fd.get(), 16 << 20), 15U << 20) << "after it was read into the cache";
}

TEST(Residency, agrees_in_both_ways_of_asking) {
  TemporaryFolder folder;
  write_file(folder.file("f"), 8 << 20);
  const UniqueFd fd(::open(folder.file("f").c_str(), O_RDWR));
  ASSERT_EQ(::fsync(fd.get()), 0);
  EXPECT_EQ(cached_bytes(fd.get(), 8 << 20), 8U << 20);
  ASSERT_EQ(::posix_fadvise(fd.get(), 0, 4 << 20, POSIX_FADV_DONTNEED), 0);
  const auto by_call = cached_bytes(fd.get(), 8 << 20);
  const auto by_map = cached_bytes_by_mincore(fd.get(), 8 << 20);
  ASSERT_TRUE(by_call && by_map);
  EXPECT_EQ(*by_call, *by_map);
}

// A job in small: lays out, watches, reads `reads` blocks in the given order, and tells the share.
class SmallJob {
 public:
  static constexpr std::uint64_t k_size = 16 << 20;
  static constexpr std::uint64_t k_block = 16 << 10;

  SmallJob(const std::string& parent, const Settings& settings)
      : folder_(parent), target_(open_posix(settings)) {
    needs_.push_back(need_of(folder_.file("f"), k_size));
    auto facts = target_->provide(needs_, {});
    EXPECT_TRUE(facts.has_value()) << facts.error().message();
    auto session = target_->open_session({.slots = 1, .clock = &clock_, .seed = 1});
    EXPECT_TRUE(session.has_value());
    session_ = std::move(*session);
  }

  const std::string path() const { return folder_.file("f"); }

  // Bytes of the file's beginning that are cached before the job.
  void warm(std::uint64_t bytes) {
    const UniqueFd fd(::open(path().c_str(), O_RDONLY));
    ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED);
    ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_RANDOM);
    std::vector<char> buffer(k_block);
    for (std::uint64_t at = 0; at < bytes; at += k_block) {
      EXPECT_EQ(::pread(fd.get(), buffer.data(), k_block, static_cast<off_t>(at)),
                static_cast<ssize_t>(k_block));
    }
  }

  target::Observed run(std::uint32_t passes, bool random) {
    auto watch = target_->watch(needs_, 0);
    auto opened = session_->open_object(path(), {});
    EXPECT_TRUE(opened.has_value()) << opened.error().message();
    if (!opened) return {};
    std::vector<std::uint64_t> order(k_size / k_block);
    Rng rng(5);
    std::uint64_t read = 0;
    for (std::uint32_t pass = 0; pass < passes; ++pass) {
      std::iota(order.begin(), order.end(), 0);
      for (std::size_t i = order.size(); random && i > 1; --i) {
        std::swap(order[i - 1], order[rng.below(i)]);
      }
      for (const std::uint64_t block : order) {
        EXPECT_EQ(
            session_->submit({.kind = OpKind::read,
                              .range = target::ByteRange{Bytes(block * k_block), Bytes(k_block)},
                              .handle = opened->handle,
                              .memory = memory_.all()}),
            target::Submitted::accepted);
        std::vector<Completion> done(1);
        while (session_->reap(done, clock_.now() + Duration::seconds(5)) == 0) continue;
        EXPECT_EQ(done[0].outcome, Outcome::ok) << done[0].detail;
        read += done[0].bytes.count();
      }
    }
    EXPECT_TRUE(session_->close_object(opened->handle).has_value());
    return watch->finish({.read = Bytes(read), .read_by_all = Bytes(read)});
  }

  // All of it once, from the front; whether the last is a sync.
  target::Observed write(bool synced) {
    needs_[0].writes = true;
    auto watch = target_->watch(needs_, 0);
    auto opened = session_->open_object(path(), {.write = true});
    EXPECT_TRUE(opened.has_value()) << opened.error().message();
    if (!opened) return {};
    for (std::uint64_t at = 0; at < k_size; at += k_block) {
      perform({.kind = OpKind::write,
               .range = target::ByteRange{Bytes(at), Bytes(k_block)},
               .handle = opened->handle,
               .memory = memory_.all()});
    }
    if (synced) perform({.kind = OpKind::sync, .handle = opened->handle});
    EXPECT_TRUE(session_->close_object(opened->handle).has_value());
    return watch->finish({.written = Bytes(k_size),
                          .written_by_all = Bytes(k_size),
                          .unsynced = Bytes(synced ? 0 : k_size)});
  }

 private:
  void perform(const target::Op& op) {
    EXPECT_EQ(session_->submit(op), target::Submitted::accepted);
    std::vector<Completion> done(1);
    while (session_->reap(done, clock_.now() + Duration::seconds(5)) == 0) continue;
    EXPECT_EQ(done[0].outcome, Outcome::ok) << done[0].detail;
  }

  SteadyClock clock_;
  TemporaryFolder folder_;
  std::unique_ptr<target::Target> target_;
  std::unique_ptr<target::Session> session_;
  std::vector<target::ObjectNeed> needs_;
  AlignedMemory memory_{k_block};
};

bool is_on_disk(const std::string& path) {
  struct statfs status{};
  constexpr decltype(status.f_type) k_ext4 = 0xef53;
  return ::statfs(path.c_str(), &status) == 0 && status.f_type == k_ext4;
}

TEST(Watch, finds_the_share_that_came_from_the_page_cache) {
  if (!is_on_disk("/var/tmp")) GTEST_SKIP() << "no ext4 below /var/tmp";
  for (const std::string engine : {"psync", "mmap", "io_uring", "libaio"}) {
    for (const int percent : {0, 25, 50, 100}) {
      SmallJob job("/var/tmp", {{"engine", engine}, {"invalidate", "0"}, {"fadvise", "random"}});
      job.warm(SmallJob::k_size * percent / 100);
      const auto observed = job.run(1, true);
      ASSERT_TRUE(observed.cached_share.has_value());
      EXPECT_NEAR(*observed.cached_share, percent / 100.0, 0.05) << engine << " " << percent;
    }
  }
}

TEST(Watch, finds_that_further_passes_came_from_the_page_cache) {
  if (!is_on_disk("/var/tmp")) GTEST_SKIP() << "no ext4 below /var/tmp";
  SmallJob job("/var/tmp", {});
  const auto observed = job.run(4, false);
  ASSERT_TRUE(observed.cached_share.has_value());
  EXPECT_NEAR(*observed.cached_share, 0.75, 0.05);
  EXPECT_EQ(observed.holes, Bytes(0));
  EXPECT_EQ(observed.depth, 1U);
  EXPECT_THAT(observed.storage, HasSubstr("ext4 on "));
}

TEST(Watch, finds_writes_that_are_still_in_memory) {
  if (!is_on_disk("/var/tmp")) GTEST_SKIP() << "no ext4 below /var/tmp";
  for (const std::string engine : {"psync", "mmap", "io_uring"}) {
    SmallJob job("/var/tmp", {{"engine", engine}});
    const auto lazy = job.write(false);
    ASSERT_TRUE(lazy.unwritten_share.has_value());
    // More or less of it, as the kernel has begun to write by itself.
    EXPECT_GE(*lazy.unwritten_share, 0.5) << engine;
    EXPECT_NEAR(job.write(true).unwritten_share.value_or(1), 0, 0.01) << engine;
  }
  SmallJob direct("/var/tmp", {{"direct", "1"}});
  EXPECT_EQ(direct.write(false).unwritten_share, 0.0);
  SmallJob synchronous("/var/tmp", {{"sync", "dsync"}});
  EXPECT_EQ(synchronous.write(false).unwritten_share, 0.0);
}

TEST(Watch, finds_nothing_cached_in_direct_reads) {
  if (!is_on_disk("/var/tmp")) GTEST_SKIP() << "no ext4 below /var/tmp";
  SmallJob job("/var/tmp", {{"direct", "1"}, {"invalidate", "0"}});
  const auto observed = job.run(2, true);
  EXPECT_EQ(observed.cached_share, 0.0);
  EXPECT_EQ(observed.direct_refused, false);
  ASSERT_TRUE(observed.device_read.has_value());
  EXPECT_GE(*observed.device_read, Bytes(2 * SmallJob::k_size));
}

TEST(Watch, says_that_tmpfs_is_memory) {
  struct stat status{};
  if (::stat("/dev/shm", &status) != 0) GTEST_SKIP() << "no /dev/shm";
  SmallJob job("/dev/shm", {});
  const auto observed = job.run(1, false);
  EXPECT_EQ(observed.cached_share, 1.0);
  EXPECT_THAT(observed.storage, HasSubstr("tmpfs"));
  EXPECT_THAT(observed.storage, HasSubstr("memory"));
  EXPECT_EQ(observed.device_read, std::nullopt);
  EXPECT_EQ(job.write(false).unwritten_share, std::nullopt);
}

}  // namespace
}  // namespace loadline::targets::posix
