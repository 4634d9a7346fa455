// Blocks as fio 3.33 wrote them (`--bs=512 --verify_pattern=0xdeadbeef`, the second of a file),
// read by a job of the same kind here.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/block_verify.h"

namespace loadline::engine {
namespace {

using plan::Checksum;

constexpr std::size_t k_block = 512;

struct Written {
  Checksum kind;
  std::string_view number;  // of the kind, in hex digits as all that follows
  std::string_view rest;    // of the header, from the nanoseconds on
};
constexpr Written k_written[] = {
    {Checksum::md5, "0200", "daf05f08010001006d5d1ab2800984f493774970cfcd67c099adbcc7"},
    {Checksum::crc64, "0300", "6ec62f07010001004f338fa29aebcd1ae70fa422"},
    {Checksum::crc32c, "0500", "d299a1060100010071e64be73df95b2d"},
    {Checksum::crc32, "0400", "2f63900601000100b73ee80ee5f92181"},
    {Checksum::crc16, "0700", "6e166e06010001008cc616968542"},
    {Checksum::crc7, "0800", "232fa20601000100a69d6e6500"},
    {Checksum::xxhash, "0f00", "e0a53e0601000100e880ba884863ccd8"},
    {Checksum::sha1, "1000", "073d9d06010001003923c4a99e7f0aba48d5c7decb6fb85b9b048415504db76a"},
    {Checksum::sha256, "0900",
     "3e2a870601000100a94724a0b2ba26d474a55df7deadbeefdeadbeefdeadbeefdeadbeef"
     "8000000000000000000000000000000000000000000000000000000000000000c00c0000"
     "00000000"},
    {Checksum::sha3_224, "0b00",
     "697f8e06010001004af0db9d0d5a9f763fc2ddaef4f493a51449bd710411972aac3d49e9"
     "a25fa132"},
    {Checksum::sha3_256, "0c00",
     "365abc0601000100001a20a8a4e2e930fee64bc4c670a8dcf7867f031fbdf1bcd1219179"
     "0e38f1fdc587921d"},
    {Checksum::sha3_384, "0d00",
     "19e9800601000100fafed618a876cc0af313812b4da2bac91cc5a7538162ee3221b039c5"
     "bc050386c201992621dd1c5bda0aa935bcb56839dc02f225"},
    {Checksum::sha3_512, "0e00",
     "1ed7070701000100535b0959c7b94bfa292c2cea8502c2b07acd70c6e2d6ea05734c0b06"
     "2550d90ec0c36764fbcc477326a236150725c60a7acef688f1524800387b38349514c1c8"
     "f5cc91f0"},
    {Checksum::pattern_hdr, "0100", "f410760601000100bf5d1920"},
};

void put_hex(std::string_view text, std::span<std::byte> into) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    into[i / 2] = static_cast<std::byte>(digit(text[i]) * 16 + digit(text[i + 1]));
  }
}

std::vector<std::byte> block_of(const Written& written) {
  std::vector<std::byte> block(k_block);
  for (std::size_t at = 0; at < k_block; at += 4) put_hex("deadbeef", std::span(block).subspan(at));
  const std::string head = "caac" + std::string(written.number) + "00020000" +
                           std::string(16, '0') + "0002000000000000" + std::string(8, '0') +
                           std::string(written.rest);
  put_hex(head, block);
  return block;
}

const std::vector<FileRegion> k_regions = {{.begin = 0, .end = 2 * k_block}};

plan::BlockIo job_of(Checksum kind) {
  plan::BlockIo io;
  io.files = {{"f", Bytes(2 * k_block)}};
  io.uses = {true, false, false};
  for (auto& size : io.sizes) {
    size = {.min = Bytes(k_block), .max = Bytes(k_block), .step = Bytes(k_block)};
  }
  io.verify.checksum = kind;
  return io;
}

BlockVerifier::Count check(const plan::BlockIo& io, std::span<const std::byte> block,
                           std::uint64_t offset = k_block) {
  auto verifier = BlockVerifier::make(io, k_regions, 1);
  EXPECT_TRUE(verifier.has_value());
  return verifier->check(block, {.file = 0, .offset = offset, .length = k_block}, true);
}

TEST(FioBlocks, are_right_whatever_the_checksum) {
  for (const Written& written : k_written) {
    plan::BlockIo io = job_of(written.kind);
    EXPECT_EQ(check(io, block_of(written)).wrong, 0U) << to_string(written.kind);
    io.verify.pattern = "deadbeef";
    const auto count = check(io, block_of(written));
    EXPECT_EQ(count.checked, 1U);
    EXPECT_EQ(count.wrong, 0U) << to_string(written.kind);
  }
}

TEST(FioBlocks, are_wrong_with_a_flipped_byte_or_at_another_place) {
  for (const Written& written : k_written) {
    plan::BlockIo io = job_of(written.kind);
    io.verify.pattern = "deadbeef";
    std::vector<std::byte> block = block_of(written);
    EXPECT_EQ(check(io, block, 0).wrong, 1U) << to_string(written.kind);
    block[300] ^= std::byte{1};
    const auto count = check(io, block);
    ASSERT_EQ(count.wrong, 1U) << to_string(written.kind);
    EXPECT_NE(count.first[0].text.find("1 byte differs, the first at byte 300"), std::string::npos)
        << count.first[0].text;
  }
}

TEST(FioBlocks, are_not_what_a_job_wrote_that_knows_its_own) {
  const plan::BlockIo io = job_of(Checksum::md5);
  auto verifier = BlockVerifier::make(io, k_regions, 1);
  ASSERT_TRUE(verifier.has_value());
  const BlockPlace place{.file = 0, .offset = k_block, .length = k_block};
  verifier->note_written(place);
  const auto count = verifier->check(block_of(k_written[0]), place, true);
  ASSERT_EQ(count.wrong, 1U);
  EXPECT_EQ(count.first[0].fault, BlockVerifier::Fault::foreign);
}

}  // namespace
}  // namespace loadline::engine
