#include "engine/hash_trailer.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace loadline::engine {
namespace {

constexpr std::string_view k_mark = "!!!!";

bool starts_with_mark(const HashTrailer& trailer) {
  return std::memcmp(trailer.data(), k_mark.data(), k_mark.size()) == 0;
}

}  // namespace

void Md5::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Md5::Md5() : context_(EVP_MD_CTX_new()) { restart(); }
Md5::~Md5() = default;
Md5::Md5(Md5&&) noexcept = default;
Md5& Md5::operator=(Md5&&) noexcept = default;

void Md5::restart() { CHECK(EVP_DigestInit_ex(context_.get(), EVP_md5(), nullptr) == 1); }

void Md5::update(std::span<const std::byte> bytes) {
  CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

HashTrailer Md5::trailer() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1 && size == 16);
  HashTrailer trailer{};
  std::memcpy(trailer.data(), k_mark.data(), k_mark.size());
  constexpr std::string_view k_hex = "0123456789abcdef";
  for (std::size_t i = 0; i < size; ++i) {
    trailer[4 + 2 * i] = static_cast<std::byte>(k_hex[digest[i] >> 4]);
    trailer[5 + 2 * i] = static_cast<std::byte>(k_hex[digest[i] & 15]);
  }
  std::memcpy(trailer.data() + 36, k_mark.data(), k_mark.size());
  return trailer;
}

HashTrailer hash_trailer_of(Md5& md5, const target::Payload& body) {
  md5.restart();
  Bytes offset;
  for (auto run = body.at(offset); !run.empty(); run = body.at(offset)) {
    md5.update(run);
    offset += Bytes(run.size());
  }
  return md5.trailer();
}

void HashSink::restart() {
  md5_.restart();
  tail_size_ = 0;
}

void HashSink::consume(std::span<const std::byte> bytes) {
  const std::size_t total = tail_size_ + bytes.size();
  if (total <= k_hash_trailer) {
    std::ranges::copy(bytes, tail_.begin() + static_cast<std::ptrdiff_t>(tail_size_));
    tail_size_ = total;
    return;
  }
  std::size_t settled = total - k_hash_trailer;  // bytes that cannot belong to the trailer
  const std::size_t from_tail = std::min(settled, tail_size_);
  md5_.update(std::span(tail_).first(from_tail));
  settled -= from_tail;
  md5_.update(bytes.first(settled));
  std::memmove(tail_.data(), tail_.data() + from_tail, tail_size_ - from_tail);
  tail_size_ -= from_tail;
  std::ranges::copy(bytes.subspan(settled),
                    tail_.begin() + static_cast<std::ptrdiff_t>(tail_size_));
  tail_size_ += bytes.size() - settled;
}

HashSink::Verdict HashSink::verdict() {
  if (tail_size_ < k_hash_trailer || !starts_with_mark(tail_)) return Verdict::no_trailer;
  return md5_.trailer() == tail_ ? Verdict::intact : Verdict::mismatch;
}

}  // namespace loadline::engine
