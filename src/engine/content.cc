#include "engine/content.h"

#include <algorithm>
#include <cstring>

namespace loadline::engine {

ContentPool::ContentPool(std::uint64_t seed) : random_(k_random_size), zero_(k_zero_size) {
  Rng rng(seed);
  for (std::size_t i = 0; i < random_.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t word = rng.next();
    std::memcpy(&random_[i], &word, std::min(sizeof word, random_.size() - i));
  }
}

target::Payload ContentPool::payload(plan::Content content, Bytes size, Rng& rng,
                                     std::span<const std::byte> trailer) const {
  if (content == plan::Content::zero) return {size, zero_, 0, trailer};
  return {size, random_, rng.below(random_.size()), trailer};
}

}  // namespace loadline::engine
