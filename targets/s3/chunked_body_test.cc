#include "targets/s3/chunked_body.h"

#include <gtest/gtest.h>

#include <string>

#include "aws/verifier.h"

namespace loadline::targets::s3 {
namespace {

class ChunkedBodyTest : public testing::Test {
 protected:
  ChunkedBodyTest()
      : pool_(100'003, 'x'), signer_({.access_key = "K", .secret_key = Secret("S")}, "r") {
    for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i] = static_cast<char>('a' + i % 19);
    std::string head;
    signer_.sign({.method = "PUT", .path = "/", .payload_hash = aws::k_streaming_payload},
                 *aws::parse_basic_timestamp("20240101T000000Z"), head);
  }

  // Reads from `from` to the end as the client does: in runs, going back now and then.
  static std::string read(ChunkedBody& body, std::uint64_t from, std::uint64_t length) {
    std::string text;
    while (from + text.size() < length) {
      const auto run = body.at(from + text.size());
      EXPECT_FALSE(run.empty());
      // Only a part of it fits into the socket.
      const std::size_t taken = std::max<std::size_t>(1, run.size() * 2 / 3);
      if (from + text.size() + run.size() < length) (void)body.at(from + text.size() + run.size());
      text.append(reinterpret_cast<const char*>(run.data()), taken);
    }
    return text;
  }

  std::string pool_;
  aws::Signer signer_;
};

TEST_F(ChunkedBodyTest, is_the_same_however_it_is_read) {
  for (const std::uint64_t size : {0U, 1U, 65'535U, 65'536U, 65'537U, 131'072U, 3'000'001U}) {
    const target::Payload payload(Bytes(size + 7), std::as_bytes(std::span(pool_)), 11);
    const std::uint64_t length = aws::chunked_length(Bytes(size)).count();
    ChunkedBody body(signer_, payload, Bytes(7), Bytes(size));
    const std::string once = read(body, 0, length);
    EXPECT_EQ(once.size(), length);
    EXPECT_EQ(read(body, 0, length), once) << size;
    EXPECT_TRUE(once.ends_with("\r\n\r\n"));

    aws::ChunkDecoder decoder;
    std::string data;
    auto input = std::as_bytes(std::span(once));
    for (auto step = decoder.step(input); step.event != aws::ChunkDecoder::Event::end;
         step = decoder.step(input)) {
      ASSERT_NE(step.event, aws::ChunkDecoder::Event::bad);
      ASSERT_NE(step.event, aws::ChunkDecoder::Event::need_more);
      data.append(reinterpret_cast<const char*>(step.data.data()), step.data.size());
      input = input.subspan(step.used);
    }
    EXPECT_EQ(data.size(), size);
    for (std::size_t i = 0; i < data.size(); ++i) {
      ASSERT_EQ(data[i], pool_[(11 + 7 + i) % pool_.size()]) << i;
    }
  }
}

}  // namespace
}  // namespace loadline::targets::s3
