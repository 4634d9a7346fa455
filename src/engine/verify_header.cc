#include "engine/verify_header.h"

#include <cstring>

#include "engine/block_checksum.h"

namespace loadline::engine {
namespace {

using plan::Checksum;

constexpr std::uint16_t k_crc32c_by_instruction = 6;  // of fio: crc32c-intel

}  // namespace

std::uint16_t kind_number(Checksum checksum) {
  switch (checksum) {
    case Checksum::none:
    case Checksum::pattern:
    case Checksum::null: return 0;
    case Checksum::pattern_hdr: return 1;
    case Checksum::md5: return 2;
    case Checksum::crc64: return 3;
    case Checksum::crc32: return 4;
    case Checksum::crc32c: return 5;
    case Checksum::crc16: return 7;
    case Checksum::crc7: return 8;
    case Checksum::sha256: return 9;
    case Checksum::sha512: return 10;
    case Checksum::sha3_224: return 11;
    case Checksum::sha3_256: return 12;
    case Checksum::sha3_384: return 13;
    case Checksum::sha3_512: return 14;
    case Checksum::xxhash: return 15;
    case Checksum::sha1: return 16;
  }
  return 0;
}

VerifyHeader VerifyHeader::read(std::span<const std::byte> from) {
  VerifyHeader header;
  std::memcpy(&header, from.data(), sizeof header);
  return header;
}

std::uint32_t VerifyHeader::own_check() const {
  return ~crc32c(std::as_bytes(std::span(this, 1)).first(offsetof(VerifyHeader, check)));
}

bool VerifyHeader::is_of(Checksum checksum) const {
  return kind == kind_number(checksum) ||
         (checksum == Checksum::crc32c && kind == k_crc32c_by_instruction);
}

}  // namespace loadline::engine
