#include "aws/chunks.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "aws/signer.h"
#include "base/check.h"

namespace loadline::aws {
namespace {

constexpr std::string_view k_extension = ";chunk-signature=";
constexpr std::size_t k_line_max = 4096;  // of a chunk header or a trailer line

std::size_t hex_digits(std::uint64_t value) {
  std::size_t digits = 1;
  while (value >>= 4) ++digits;
  return digits;
}

std::uint64_t framed(std::uint64_t data) {
  return hex_digits(data) + k_extension.size() + 64 + 2 + data + 2;
}

}  // namespace

Bytes chunked_length(Bytes data, std::size_t chunk) {
  const std::uint64_t whole = data.count() / chunk;
  const std::uint64_t rest = data.count() % chunk;
  std::uint64_t length = whole * framed(chunk) + framed(0);
  if (rest > 0) length += framed(rest);
  return Bytes(length);
}

ChunkSigner::ChunkSigner(const HmacSha256& key, std::string_view timestamp, std::string_view scope,
                         std::string_view request_signature)
    : key_(key) {
  CHECK(request_signature.size() == signature_.size());
  head_.append("AWS4-HMAC-SHA256-PAYLOAD\n").append(timestamp).append("\n");
  head_.append(scope).append("\n");
  std::ranges::copy(request_signature, signature_.begin());
}

std::string_view ChunkSigner::next(const Sha256Digest& data_digest) {
  std::array<char, 64> digest_hex;
  write_hex(data_digest, digest_hex.data());
  Sha256 message = key_.begin();
  message.update(head_);
  message.update(std::string_view(signature_.data(), signature_.size()));
  message.update("\n");
  message.update(k_empty_payload_hash);
  message.update("\n");
  message.update(std::string_view(digest_hex.data(), digest_hex.size()));
  write_hex(key_.finish(message), signature_.data());
  return {signature_.data(), signature_.size()};
}

std::size_t write_chunk_header(std::size_t data_bytes, std::string_view signature,
                               std::span<char, k_chunk_header_max> out) {
  char* p = std::to_chars(out.data(), out.data() + 16, data_bytes, 16).ptr;
  p = std::ranges::copy(k_extension, p).out;
  p = std::ranges::copy(signature, p).out;
  *p++ = '\r';
  *p++ = '\n';
  return static_cast<std::size_t>(p - out.data());
}

ChunkDecoder::Step ChunkDecoder::fail() {
  state_ = State::bad;
  return {.event = Event::bad};
}

bool ChunkDecoder::parse_header() {
  const std::string_view line = line_;
  const std::string_view size = line.substr(0, line.find(';'));
  const auto [end, error] =
      std::from_chars(size.data(), size.data() + size.size(), chunk_size_, 16);
  if (error != std::errc() || end != size.data() + size.size()) return false;
  const std::size_t at = line.find(k_extension);
  signature_.clear();
  if (at != std::string_view::npos) {
    signature_ = line.substr(at + k_extension.size(), 64);
    if (signature_.size() != 64) return false;
  }
  left_ = chunk_size_;
  return true;
}

// Gathers a line; in state header it begins a chunk, in state trailer it ends the body or is
// skipped.
ChunkDecoder::Step ChunkDecoder::header_step(std::span<const std::byte> input) {
  const auto* begin = reinterpret_cast<const char*>(input.data());
  const auto* newline = static_cast<const char*>(std::memchr(begin, '\n', input.size()));
  const std::size_t n = newline ? static_cast<std::size_t>(newline - begin) : input.size();
  if (line_.size() + n > k_line_max) return fail();
  line_.append(begin, n);
  if (!newline) return {.event = Event::need_more, .used = n};
  if (line_.empty() || line_.back() != '\r') return fail();
  line_.pop_back();
  if (state_ == State::trailer) {
    const bool last = line_.empty();
    line_.clear();
    if (last) state_ = State::end;
    return {.event = last ? Event::end : Event::data, .used = n + 1};
  }
  const bool good = parse_header();
  line_.clear();
  if (!good) return fail();
  if (chunk_size_ == 0) {
    state_ = State::trailer;
    return {.event = Event::chunk_end, .used = n + 1};
  }
  state_ = State::data;
  return {.event = Event::data, .used = n + 1};
}

ChunkDecoder::Step ChunkDecoder::step(std::span<const std::byte> input) {
  if (state_ == State::end) return {.event = Event::end};
  if (state_ == State::bad) return {.event = Event::bad};
  if (input.empty()) return {};
  switch (state_) {
    case State::header:
    case State::trailer: return header_step(input);
    case State::data: {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
      left_ -= n;
      if (left_ == 0) state_ = State::data_end;
      return {.event = Event::data, .data = input.first(n), .used = n};
    }
    case State::data_end: {
      // CRLF, possibly in two pieces.
      const char c = static_cast<char>(input[0]);
      if (line_.empty() && c == '\r') {
        line_ = "\r";
        return {.event = Event::data, .used = 1};
      }
      if (line_.empty() || c != '\n') return fail();
      line_.clear();
      state_ = State::header;
      return {.event = Event::chunk_end, .used = 1};
    }
    case State::end:
    case State::bad: break;
  }
  return {.event = Event::bad};
}

}  // namespace loadline::aws
