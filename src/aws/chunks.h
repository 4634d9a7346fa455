// The body of a streaming upload, x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD:
//     hex(size);chunk-signature=<64 hex>\r\n <data> \r\n  ...  0;chunk-signature=<64 hex>\r\n\r\n
// where each signature covers the one before it.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
//
// Threads: plain values.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "aws/digest.h"
#include "base/units.h"

namespace loadline::aws {

// Size of the data in every chunk but the last; at least 8 KiB by the protocol.
inline constexpr std::size_t k_chunk_data_bytes = 64 * 1024;

// The Content-Length of `data` bytes in signed chunks of `chunk` bytes.
Bytes chunked_length(Bytes data, std::size_t chunk = k_chunk_data_bytes);

// Computes the signatures of one upload's chunks, in order. Also the way to check them.
class ChunkSigner {
 public:
  // Of the request that carries the body: its key, time stamp, scope and signature. Copies them.
  ChunkSigner(const HmacSha256& key, std::string_view timestamp, std::string_view scope,
              std::string_view request_signature);

  // The signature (64 hex) of the next chunk; valid until the next call.
  std::string_view next(const Sha256Digest& data_digest);

 private:
  HmacSha256 key_;
  std::string head_;  // "AWS4-HMAC-SHA256-PAYLOAD\n<timestamp>\n<scope>\n"
  std::array<char, 64> signature_{};
};

// The line before a chunk's data, with its CRLF: "10000;chunk-signature=...\r\n"
inline constexpr std::size_t k_chunk_header_max = 16 + 17 + 64 + 2;
std::size_t write_chunk_header(std::size_t data_bytes, std::string_view signature,
                               std::span<char, k_chunk_header_max> out);

// Takes an aws-chunked body apart, piece by piece, whatever the pieces are; also the unsigned kind
// (STREAMING-UNSIGNED-PAYLOAD-TRAILER) and trailers, which it skips. Data spans point into the
// input.
class ChunkDecoder {
 public:
  enum class Event : unsigned char {
    need_more,  // all input used
    data,       // `data` holds bytes of the object
    chunk_end,  // the chunk's data is complete; `signature()` is what it claimed, or empty
    end,        // the body is complete
    bad,        // malformed, for good
  };
  struct Step {
    Event event = Event::need_more;
    std::span<const std::byte> data = {};
    std::size_t used = 0;  // bytes of the input taken; hand in the rest next time
  };
  Step step(std::span<const std::byte> input);
  std::string_view signature() const { return signature_; }

 private:
  enum class State : unsigned char { header, data, data_end, trailer, end, bad };
  Step header_step(std::span<const std::byte> input);
  bool parse_header();
  Step fail();

  State state_ = State::header;
  std::string line_;
  std::string signature_;
  std::uint64_t left_ = 0;
  std::uint64_t chunk_size_ = 0;
};

}  // namespace loadline::aws
