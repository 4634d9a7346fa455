#include "targets/s3/chunked_body.h"

#include <algorithm>
#include <string_view>

#include "base/check.h"

namespace loadline::targets::s3 {
namespace {

constexpr std::uint64_t k_chunk = aws::k_chunk_data_bytes;
constexpr std::string_view k_line_end = "\r\n";

}  // namespace

ChunkedBody::ChunkedBody(const aws::Signer& signer, const target::Payload& payload, Bytes from,
                         Bytes size)
    : payload_(payload),
      from_(from.count()),
      size_(size.count()),
      first_signer_(signer.signing_key(), signer.timestamp(), signer.scope(),
                    signer.last_signature()),
      signer_(first_signer_) {}

std::uint64_t ChunkedBody::data_of(std::uint64_t chunk) const {
  return std::min(k_chunk, size_ - std::min(size_, chunk * k_chunk));
}

std::span<const std::byte> ChunkedBody::payload_run(std::uint64_t at, std::uint64_t most) const {
  const std::span<const std::byte> run = payload_.at(Bytes(from_ + at));
  return run.first(static_cast<std::size_t>(std::min<std::uint64_t>(run.size(), most)));
}

const ChunkedBody::Header& ChunkedBody::header_of(std::uint64_t chunk) {
  if (chunk + k_headers_kept <= signed_) {
    // The request is sent anew: the same chunks, the same signatures.
    CHECK(chunk == 0);
    signer_ = first_signer_;
    signed_ = 0;
  }
  CHECK(chunk <= signed_);
  Header& header = headers_[chunk % k_headers_kept];
  if (chunk < signed_) return header;
  aws::Sha256 digest;
  const std::uint64_t data = data_of(chunk);
  for (std::uint64_t done = 0; done < data;) {
    const auto run = payload_run(chunk * k_chunk + done, data - done);
    digest.update(run);
    done += run.size();
  }
  header.size = aws::write_chunk_header(static_cast<std::size_t>(data),
                                        signer_.next(digest.finish()), header.text);
  ++signed_;
  return header;
}

std::span<const std::byte> ChunkedBody::at(std::uint64_t offset) {
  // All chunks but the last two (the rest, and the empty one) have the same framing.
  const std::uint64_t framed =
      aws::chunked_length(Bytes(k_chunk)).count() - aws::chunked_length(Bytes(0)).count();
  const std::uint64_t whole = size_ / k_chunk;
  std::uint64_t chunk = std::min(offset / framed, whole);
  std::uint64_t within = offset - chunk * framed;
  for (;; ++chunk) {
    const Header& header = header_of(chunk);
    const std::uint64_t data = data_of(chunk);
    if (within < header.size) {
      return std::as_bytes(std::span(header.text).subspan(within, header.size - within));
    }
    within -= header.size;
    if (within < data) return payload_run(chunk * k_chunk + within, data - within);
    within -= data;
    if (within < k_line_end.size()) return std::as_bytes(std::span(k_line_end.substr(within)));
    within -= k_line_end.size();
    CHECK(data > 0);
  }
}

}  // namespace loadline::targets::s3
