#include "engine/block_verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "engine/fake_block_target.h"
#include "engine/stage.h"

namespace loadline::engine {
namespace {

using plan::Checksum;
using plan::Placement;
using testing::FakeBlockTarget;
using ::testing::HasSubstr;

constexpr std::uint64_t k_size = 64 * 4096;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string hex_of(Checksum kind, std::string_view text) {
  std::vector<std::byte> digest(digest_size(kind));
  BlockChecksum(kind).digest(bytes_of(text), digest);
  std::string hex;
  for (const std::byte b : digest) {
    constexpr const char* k_digits = "0123456789abcdef";
    hex += k_digits[std::to_integer<unsigned>(b) >> 4];
    hex += k_digits[std::to_integer<unsigned>(b) & 15];
  }
  return hex;
}

// Check values of "123456789" from the catalogue of parametrised CRC algorithms
// (https://reveng.sourceforge.io/crc-catalogue/; those of CRC-32C and CKSUM before their last
// inversion), of "abc" from FIPS 180 and 202, of XXH32 from its specification; numbers, and the
// words of SHA-1, are stored lowest byte first.
TEST(BlockChecksum, gives_the_published_values_in_fios_bytes) {
  EXPECT_EQ(hex_of(Checksum::crc7, "123456789"), "75");
  EXPECT_EQ(hex_of(Checksum::crc16, "123456789"), "3dbb");
  EXPECT_EQ(hex_of(Checksum::crc32, "123456789"), "7f89a189");
  EXPECT_EQ(hex_of(Checksum::crc32c, "123456789"), "7c6df91c");
  EXPECT_EQ(hex_of(Checksum::crc64, "123456789"), "cad9b8c414d9c6e9");
  EXPECT_EQ(hex_of(Checksum::md5, "abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(hex_of(Checksum::sha1, "abc"), "363e99a96a81064771253eba6cc250789dd8d09c");
  EXPECT_EQ(hex_of(Checksum::sha3_224, "abc").substr(0, 8), "e642824c");
  // The padded end of the text, and in its first eight bytes one of each word of the state.
  EXPECT_EQ(hex_of(Checksum::sha256, "abc"),
            "ecd746f40a9bf568" + std::string(96, '0') + "1800000000000000");
  EXPECT_EQ(hex_of(Checksum::sha256, std::string(60, 'x')),
            "3c109d67d03735dd" + std::string(96, '0') + "e001000000000000");
  EXPECT_EQ(hex_of(Checksum::xxhash, ""), "92b72c0b");
}

// Of reveng's catalogue no longer text is known; a CRC that begins with zero is linear instead.
TEST(BlockChecksum, is_the_same_for_all_lengths_and_linear) {
  std::vector<std::byte> a(200);
  std::vector<std::byte> b(200);
  std::vector<std::byte> both(200);
  Rng rng(5);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<std::byte>(rng.next());
    b[i] = static_cast<std::byte>(rng.next());
    both[i] = a[i] ^ b[i];
  }
  for (const Checksum kind : {Checksum::crc7, Checksum::crc16, Checksum::crc32, Checksum::crc64}) {
    const std::size_t size = digest_size(kind);
    const auto digest = [&](std::span<const std::byte> bytes) {
      std::vector<std::byte> out(size);
      BlockChecksum(kind).digest(bytes, out);
      return out;
    };
    for (std::size_t length = 0; length <= a.size(); ++length) {
      const auto of_a = digest(std::span(a).first(length));
      const auto of_b = digest(std::span(b).first(length));
      const auto of_both = digest(std::span(both).first(length));
      for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(of_both[i], of_a[i] ^ of_b[i]) << length;
      // Zeros in front change nothing.
      std::vector<std::byte> behind(3);
      behind.insert(behind.end(), a.begin(), a.begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_EQ(digest(behind), of_a) << length;
    }
  }
}

TEST(BlockPattern, repeats_bytes_and_puts_the_offset_in) {
  const auto pattern = BlockPattern::parse("ff%o00");
  ASSERT_TRUE(pattern);
  std::vector<std::byte> block(13);
  pattern->fill(block, 0x0102);
  const unsigned want[] = {0xff, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0xff, 2, 1};
  for (std::size_t i = 0; i < block.size(); ++i)
    EXPECT_EQ(std::to_integer<unsigned>(block[i]), want[i]);
  EXPECT_FALSE(BlockPattern::parse("xyz"));
}

class NoTicks final : public record::TickSink {
 public:
  void consume(const record::Tick&) override {}
};

class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() { target_.keeps_data = true; }

  static plan::Job job_of(Checksum checksum, Placement placement = Placement::random) {
    plan::BlockIo io;
    io.files = {{"f", Bytes(k_size)}};
    io.uses = {false, true, false};
    for (auto& order : io.order) order.placement = placement;
    io.verify.checksum = checksum;
    if (checksum == Checksum::pattern || checksum == Checksum::pattern_hdr) {
      io.verify.pattern = "deadbeef%o";
    }
    return {.name = "a", .target = {.type = "fake", .parameters = {}}, .block = io};
  }

  record::JobResult run(const plan::Job& job) {
    const plan::Stage stage{.id = "s1", .name = "s", .jobs = {job}};
    StageOptions options{.stage = &stage,
                         .targets = {&target_},
                         .content = &content_,
                         .clock = &clock_,
                         .seed = 11,
                         .ticks = &ticks_};
    auto outcome = run_stage(options);
    EXPECT_TRUE(outcome.has_value());
    return outcome->jobs[0];
  }
  // Writes, harms, and reads back as another run of the same job.
  template <typename Harm>
  record::JobResult after(plan::Job job, Harm harm) {
    job.block->verify.read_back = false;
    EXPECT_EQ(run(job).block->failure.error, 0);
    harm(target_.files["f"]);
    job.block->verify.only = true;
    return run(job);
  }
  static void expect_found(const record::JobResult& result, std::uint64_t offset,
                           const char* text) {
    EXPECT_EQ(result.block->failure.error, EILSEQ);
    EXPECT_EQ(result.block->failure.operation, "verify");
    EXPECT_EQ(result.block->failure.file, "f");
    EXPECT_EQ(result.block->failure.offset, Bytes(offset));
    EXPECT_THAT(result.block->failure.text, HasSubstr(text));
  }

  SimClock clock_;
  FakeBlockTarget target_;
  ContentPool content_{1};
  NoTicks ticks_;
};

constexpr Checksum k_all[] = {
    Checksum::md5,      Checksum::crc64,    Checksum::crc32c,   Checksum::crc32,
    Checksum::crc16,    Checksum::crc7,     Checksum::xxhash,   Checksum::sha1,
    Checksum::sha256,   Checksum::sha512,   Checksum::sha3_224, Checksum::sha3_256,
    Checksum::sha3_384, Checksum::sha3_512, Checksum::pattern,  Checksum::pattern_hdr};

TEST_F(VerifyTest, finds_nothing_where_nothing_is_wrong) {
  for (const Checksum checksum : k_all) {
    const record::JobResult result = run(job_of(checksum));
    EXPECT_EQ(result.block->failure.error, 0) << to_string(checksum) << result.block->failure.text;
    EXPECT_EQ(result.block->verified, 64U) << to_string(checksum);
    EXPECT_EQ(result.ops[0].stats.successes(), 64U);
    EXPECT_EQ(result.ops[1].stats.successes(), 64U);
  }
}

TEST_F(VerifyTest, names_a_flipped_byte_whatever_the_checksum) {
  for (const Checksum checksum : k_all) {
    const auto result = after(job_of(checksum), [](std::vector<std::byte>& file) {
      file[5 * 4096 + 1000] ^= std::byte{0x40};
    });
    expect_found(result, 5 * 4096,
                 checksum == Checksum::pattern ? "not the pattern from byte 1000"
                                               : "1 byte differs, the first at byte 1000");
    EXPECT_EQ(result.block->verify_errors, 1U);
    EXPECT_EQ(result.block->verified, 64U) << "the rest is compared too";
  }
}

TEST_F(VerifyTest, names_swapped_blocks) {
  const auto result = after(job_of(Checksum::crc32c), [](std::vector<std::byte>& file) {
    std::swap_ranges(&file[4096], &file[8192], &file[40'960]);
  });
  expect_found(result, 4096, "expected the data of offset 4096, found that of offset 40960 of f");
  EXPECT_EQ(result.block->verify_errors, 2U);
}

TEST_F(VerifyTest, names_stale_blocks_of_a_job_that_rewrites) {
  plan::Job job = job_of(Checksum::crc32c, Placement::sequential);
  job.block->amount.bytes = Bytes(2 * k_size);
  // The first pass stays on the disk at one place.
  std::vector<std::byte> old;
  plan::Job once = job_of(Checksum::crc32c, Placement::sequential);
  once.block->verify.read_back = false;
  run(once);
  old.assign(&target_.files["f"][8192], &target_.files["f"][12'288]);
  const auto result = after(
      job, [&](std::vector<std::byte>& file) { std::memcpy(&file[8192], old.data(), old.size()); });
  expect_found(result, 8192, "expected write number 67, found number 3: old data");
}

TEST_F(VerifyTest, names_torn_blocks) {
  const auto result = after(job_of(Checksum::crc32c), [](std::vector<std::byte>& file) {
    std::memcpy(&file[4096 + 2048], &file[40'960 + 2048], 2048);
  });
  expect_found(result, 4096, "torn: 4 of 8 sectors are not of this write");
  EXPECT_THAT(result.block->failure.text, HasSubstr("the first at byte 2048"));
}

TEST_F(VerifyTest, names_lost_writes_and_damaged_headers) {
  const auto zeros = after(job_of(Checksum::crc32c),
                           [](std::vector<std::byte>& file) { std::memset(&file[4096], 0, 4096); });
  expect_found(zeros, 4096, "found zeros");
  const auto header = after(job_of(Checksum::crc32c),
                            [](std::vector<std::byte>& file) { file[4096 + 17] ^= std::byte{1}; });
  expect_found(header, 4096, "a damaged one");
}

TEST_F(VerifyTest, checks_headers_of_every_interval) {
  plan::Job job = job_of(Checksum::crc32c);
  job.block->verify.interval = Bytes(1024);
  const auto result =
      after(job, [](std::vector<std::byte>& file) { file[4096 + 3 * 1024 + 500] ^= std::byte{1}; });
  expect_found(result, 4096 + 3 * 1024, "1 byte");
  EXPECT_EQ(result.block->failure.length, Bytes(1024));
  EXPECT_EQ(result.block->verified, 256U);
}

TEST_F(VerifyTest, names_each_wrong_interval_of_a_block) {
  plan::Job job = job_of(Checksum::crc32c);
  job.block->verify.interval = Bytes(512);
  const auto result = after(job, [](std::vector<std::byte>& file) {
    for (const std::size_t at : {100, 700, 2100}) file[4096 + at] ^= std::byte{1};
  });
  EXPECT_EQ(result.block->verify_errors, 3U);
  std::vector<std::uint64_t> offsets;
  for (const auto& wrong : result.block->mismatches) offsets.push_back(wrong.offset.count());
  EXPECT_THAT(offsets, ::testing::ElementsAre(4096, 4096 + 512, 4096 + 2048));
}

TEST_F(VerifyTest, puts_headers_behind_some_of_the_data) {
  for (const Checksum checksum : k_all) {
    plan::Job job = job_of(checksum);
    job.block->verify.header_offset = Bytes(1000);
    EXPECT_EQ(run(job).block->failure.error, 0) << to_string(checksum);
    for (const std::size_t at : {3U, 999U, 1500U, 4095U}) {
      const auto result =
          after(job, [at](std::vector<std::byte>& file) { file[2 * 4096 + at] ^= std::byte{4}; });
      expect_found(result, 2 * 4096, ("byte " + std::to_string(at)).c_str());
      EXPECT_EQ(result.block->verify_errors, 1U);
    }
    if (checksum == Checksum::pattern) continue;
    const auto header =
        after(job, [](std::vector<std::byte>& file) { file[2 * 4096 + 1020] ^= std::byte{4}; });
    expect_found(header, 2 * 4096, "a damaged one");
  }
}

TEST_F(VerifyTest, verifies_as_much_as_an_earlier_run_wrote) {
  for (const Placement placement : {Placement::sequential, Placement::random}) {
    plan::Job job = job_of(Checksum::crc32c, placement);
    job.block->files.push_back({"g", Bytes(k_size)});
    job.block->uses[0] = true;
    job.block->verify.state_save = ::testing::TempDir() + "cut.state";
    job.stop.runtime = Duration::milliseconds(2);
    job.workers = 4;
    target_.blocking = false;
    target_.files.clear();
    job.block->verify.read_back = false;
    const record::JobResult cut = run(job);
    EXPECT_EQ(cut.block->stop, record::BlockStop::runtime);
    const std::uint64_t written = cut.ops[1].stats.successes() + cut.ops[1].stats.outside;
    ASSERT_GT(written, 10U);
    ASSERT_LT(written, 128U);

    job.block->verify.only = true;
    job.block->verify.state_load = job.block->verify.state_save;
    const record::JobResult checked = run(job);
    EXPECT_EQ(checked.block->failure.error, 0) << checked.block->failure.text;
    EXPECT_EQ(checked.block->verified, written);
    // It says which write is where, too.
    for (auto& [name, bytes] : target_.files)
      std::swap_ranges(&bytes[0], &bytes[4096], &bytes[8192]);
    EXPECT_GT(run(job).block->verify_errors, 0U);
  }
}

TEST_F(VerifyTest, a_complete_run_leaves_a_small_state) {
  plan::Job job = job_of(Checksum::crc32c);
  job.block->verify.state_save = ::testing::TempDir() + "whole.state";
  run(job);
  const auto state = load_verify_state(job.block->verify.state_save);
  ASSERT_TRUE(state.has_value());
  EXPECT_TRUE(state->complete);
  EXPECT_EQ(state->map, "");
  job.block->verify.only = true;
  job.block->verify.state_load = job.block->verify.state_save;
  EXPECT_EQ(run(job).block->verified, 64U);
}

TEST_F(VerifyTest, refuses_the_state_of_another_job) {
  plan::Job job = job_of(Checksum::crc32c);
  job.block->verify.state_save = ::testing::TempDir() + "other.state";
  run(job);
  job.block->verify.only = true;
  job.block->verify.state_load = job.block->verify.state_save;
  job.block->verify.interval = Bytes(512);
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->failure.operation, "verify_state_load");
  EXPECT_THAT(result.block->failure.text, HasSubstr("intervals of 4096 bytes"));
}

TEST_F(VerifyTest, trims_a_share_of_what_it_wrote_and_expects_zeros) {
  for (const std::uint64_t batch : {0U, 2U}) {
    plan::Job job = job_of(Checksum::crc32c);
    job.block->trims = {.percent = 25, .backlog = 8, .batch = batch};
    job.block->verify.state_save = ::testing::TempDir() + "trims.state";
    target_.files.clear();
    record::JobResult result = run(job);
    EXPECT_EQ(result.block->failure.error, 0) << result.block->failure.text;
    const std::uint64_t trimmed = result.ops[2].stats.successes();
    EXPECT_GE(trimmed, 7U);
    EXPECT_LE(trimmed, 25U);
    EXPECT_EQ(result.ops[1].stats.successes(), 64U) << "trims come on top";
    EXPECT_EQ(result.block->verified, 64U);

    job.block->verify.only = true;
    EXPECT_EQ(run(job).block->failure.error, 0) << "without a state zeros may be trims";
    job.block->verify.state_load = job.block->verify.state_save;
    EXPECT_EQ(run(job).block->failure.error, 0);
    auto& file = target_.files["f"];
    for (std::size_t at = 0; at < file.size(); at += 4096) {
      if (file[at] == std::byte{0}) file[at + 9] = std::byte{1};
    }
    result = run(job);
    EXPECT_EQ(result.block->verify_errors, trimmed);
    EXPECT_THAT(result.block->failure.text, HasSubstr("expected zeros after a trim"));
  }
}

TEST_F(VerifyTest, a_fatal_mismatch_ends_the_job) {
  plan::Job job = job_of(Checksum::crc32c);
  job.block->verify.fatal = true;
  const auto result = after(job, [](std::vector<std::byte>& file) {
    file[100] ^= std::byte{1};
    file[4196] ^= std::byte{1};
  });
  EXPECT_EQ(result.block->verify_errors, 1U);
}

TEST_F(VerifyTest, reads_back_a_backlog_on_the_way) {
  plan::Job job = job_of(Checksum::xxhash);
  job.block->verify.backlog = 10;
  job.block->verify.backlog_batch = 4;
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->failure.error, 0) << result.block->failure.text;
  EXPECT_EQ(result.block->verified, 64U);
  const auto log = target_.log();
  const auto first_read = std::ranges::find(log, target::OpKind::read, &testing::LoggedBlock::kind);
  EXPECT_EQ(first_read - log.begin(), 10);
}

TEST_F(VerifyTest, raises_no_false_alarm_in_mixed_jobs) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Rng rng(seed);
    plan::Job job = job_of(k_all[rng.below(std::size(k_all))],
                           rng.below(2) ? Placement::random : Placement::zipf);
    plan::BlockIo& io = *job.block;
    for (auto& order : io.order) order.parameter = 1.2;
    io.files = {{"f", Bytes(k_size)}, {"g", Bytes(k_size)}};
    io.uses[0] = rng.below(2) == 0;
    io.with_repetition = rng.below(2) == 0;
    io.amount.bytes = Bytes(4 * k_size);
    io.file_order = static_cast<plan::FileOrder>(rng.below(3));
    if (rng.below(2)) {
      for (auto& size : io.sizes) size.max = Bytes(16'384);
    }
    if (rng.below(3) == 0) io.verify.backlog = 16;
    if (rng.below(3) == 0) io.verify.interval = Bytes(512);
    if (rng.below(3) == 0) io.verify.header_offset = Bytes(300);
    if (rng.below(3) == 0) io.trims = {.percent = 30, .backlog = 5};
    target_.blocking = rng.below(2) == 0;
    job.workers = 1 + static_cast<std::uint32_t>(rng.below(16));
    target_.latency = [&rng](const testing::LoggedBlock&) {
      return Duration::microseconds(50 + static_cast<std::int64_t>(rng.below(200)));
    };
    target_.files.clear();
    const record::JobResult result = run(job);
    EXPECT_EQ(result.block->failure.error, 0)
        << "seed " << seed << ": " << result.block->failure.text << " at "
        << result.block->failure.offset.count();
    EXPECT_GT(result.block->verified, 0U) << seed;
  }
}

TEST_F(VerifyTest, refuses_blocks_without_room_for_a_header) {
  plan::Job job = job_of(Checksum::sha512);
  for (auto& size : job.block->sizes)
    size = {.min = Bytes(64), .max = Bytes(64), .step = Bytes(64)};
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->failure.error, EINVAL);
  EXPECT_THAT(result.block->failure.text, HasSubstr("verification needs 104"));
}

}  // namespace
}  // namespace loadline::engine
