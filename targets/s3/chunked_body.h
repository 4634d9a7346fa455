// The body of a streaming upload: an object's bytes in signed chunks (aws/chunks.h), made as they
// are asked for and never held.
//
// Ownership: the payload's pool is borrowed until the upload has ended. Threads: belongs to one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "aws/chunks.h"
#include "aws/signer.h"
#include "base/units.h"
#include "net/http_client.h"
#include "target/payload.h"

namespace loadline::targets::s3 {

class ChunkedBody {
 public:
  // Bytes [from, from + size) of the payload; `signer` has just signed the request.
  ChunkedBody(const aws::Signer& signer, const target::Payload& payload, Bytes from, Bytes size);

  // As net::HttpHandler::request_body asks for it.
  std::span<const std::byte> at(std::uint64_t offset);

 private:
  struct Header {
    std::array<char, aws::k_chunk_header_max> text;
    std::size_t size = 0;
  };
  // Enough for the runs that may still be in use.
  static constexpr std::uint64_t k_headers_kept = net::k_lookback / aws::k_chunk_data_bytes + 4;

  std::uint64_t data_of(std::uint64_t chunk) const;
  const Header& header_of(std::uint64_t chunk);
  std::span<const std::byte> payload_run(std::uint64_t at, std::uint64_t most) const;

  target::Payload payload_;
  std::uint64_t from_;
  std::uint64_t size_;
  aws::ChunkSigner first_signer_;
  aws::ChunkSigner signer_;
  std::uint64_t signed_ = 0;  // chunks
  std::array<Header, k_headers_kept> headers_;
};

}  // namespace loadline::targets::s3
