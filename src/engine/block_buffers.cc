#include "engine/block_buffers.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace loadline::engine {
namespace {

using plan::BufferFill;

constexpr std::uint64_t k_rank_step = 0xa0761d6478bd642fULL;  // odd, so that ranks never meet
constexpr std::size_t k_scrambled = 512;                      // one changed word in so many bytes

void fill_random(std::span<std::byte> into, Rng& rng) {
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= into.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t word = rng.next();
    std::memcpy(into.data() + i, &word, sizeof word);
  }
  const std::uint64_t word = rng.next();
  if (i < into.size()) std::memcpy(into.data() + i, &word, into.size() - i);
}

// At least one block, so that there is something to repeat.
std::uint64_t set_size(const plan::BufferSpec& spec, std::uint64_t blocks) {
  if (spec.dedupe_set_percent == 0) return 0;
  return std::max<std::uint64_t>(
      blocks / 100 * spec.dedupe_set_percent + blocks % 100 * spec.dedupe_set_percent / 100, 1);
}

std::size_t rounded_up(std::uint64_t n, std::size_t to) { return (n + to - 1) / to * to; }

}  // namespace

BlockBuffers::BlockBuffers(const plan::BufferSpec& spec, const Options& options)
    : kind_(spec.fill),
      compress_percent_(spec.compress_percent),
      compress_chunk_(std::max<std::uint64_t>(spec.compress_chunk.count(), 1)),
      dedupe_percent_(spec.dedupe_percent),
      set_blocks_(set_size(spec, options.blocks)),
      set_seed_(spec.dedupe_global ? options.shared_seed : options.seed),
      sharers_(spec.dedupe_global ? std::max(options.sharers, 1U) : 1),
      rank_(spec.dedupe_global ? options.rank : 0),
      stride_(rounded_up(options.largest, options.stride())),
      rng_(options.seed) {
  bytes_ = stride_ * options.slots;
  if (compress_percent_ >= 100) kind_ = BufferFill::zero;
  const bool varies = (compress_percent_ > 0 && compress_percent_ < 100) || dedupe_percent_ > 0;
  if (varies && (kind_ == BufferFill::scrambled || kind_ == BufferFill::same))
    kind_ = BufferFill::fresh;
}

Result<BlockBuffers> BlockBuffers::make(const plan::BufferSpec& spec, const Options& options) {
  BlockBuffers buffers(spec, options);
  if (buffers.kind_ == BufferFill::pattern) {
    buffers.pattern_ = BlockPattern::parse(spec.pattern);
    if (!buffers.pattern_) {
      return fail(ErrorCode::bad_input, "is no pattern of hex digits", spec.pattern);
    }
  }
  auto memory = BlockMemory::make(options.memory, buffers.bytes_, options.alignment());
  if (!memory) return propagate(memory);
  buffers.memory_.emplace(std::move(*memory));
  buffers.base_ = buffers.memory_->bytes().data();
  const bool fixed = buffers.kind_ == BufferFill::zero || buffers.kind_ == BufferFill::same ||
                     (buffers.pattern_ && buffers.pattern_->same_everywhere());
  buffers.fills_ = options.writes && !(fixed && !options.reads);
  // Touched before the first operation, so that no operation pays for its page faults.
  if (buffers.pattern_) {
    buffers.pattern_->fill(buffers.memory(), 0);
  } else if (buffers.kind_ == BufferFill::zero || !options.writes) {
    std::memset(buffers.base_, 0, buffers.bytes_);
  } else {
    fill_random(buffers.memory(), buffers.rng_);
  }
  if (buffers.kind_ == BufferFill::same && options.writes) buffers.repeat_first(options.slots);
  return buffers;
}

BlockBuffers::BlockBuffers(BlockBuffers&& other) noexcept
    : kind_(other.kind_),
      compress_percent_(other.compress_percent_),
      compress_chunk_(other.compress_chunk_),
      dedupe_percent_(other.dedupe_percent_),
      set_blocks_(other.set_blocks_),
      set_seed_(other.set_seed_),
      sharers_(other.sharers_),
      rank_(other.rank_),
      pattern_(std::move(other.pattern_)),
      memory_(std::move(other.memory_)),
      base_(other.base_),
      bytes_(other.bytes_),
      stride_(other.stride_),
      fills_(other.fills_),
      count_(other.count_),
      last_seed_(other.last_seed_),
      same_(std::move(other.same_)),
      rng_(other.rng_) {}

void BlockBuffers::fill(std::span<std::byte> block, std::uint64_t offset) {
  switch (kind_) {
    case BufferFill::scrambled: scramble(block, offset); return;
    case BufferFill::same:
      std::memcpy(block.data(), same_.data(), std::min(block.size(), same_.size()));
      return;
    case BufferFill::fresh: fill_fresh(block); return;
    case BufferFill::zero: std::memset(block.data(), 0, block.size()); return;
    case BufferFill::pattern: pattern_->fill(block, offset); return;
  }
}

// All slots hold the bytes of the first.
void BlockBuffers::repeat_first(std::uint32_t slots) {
  for (std::uint32_t i = 1; i < slots; ++i) std::memcpy(base_ + i * stride_, base_, stride_);
  if (fills_) same_.assign(base_, base_ + stride_);
}

// A block that is not repeated is the next of this job's own sequence; a set is the first blocks of
// the sequences of all that share it, written already or not. So a set needs no memory, and adds
// nothing to what is written once.
std::uint64_t BlockBuffers::next_seed() {
  const bool again = dedupe_percent_ > 0 && rng_.below(100) < dedupe_percent_;
  if (set_blocks_ == 0) {
    if (!again || count_ == 0) last_seed_ = rng_.next();
    ++count_;
    return last_seed_;
  }
  std::uint64_t rank = rank_;
  std::uint64_t number = 0;
  if (again) {
    rank = rng_.below(sharers_);
    number = rng_.below(set_blocks_);
  } else {
    number = count_++;
  }
  return Rng::split(set_seed_ ^ (rank * k_rank_step), number).next();
}

void BlockBuffers::fill_fresh(std::span<std::byte> block) {
  Rng content(next_seed());
  if (compress_percent_ == 0) return fill_random(block, content);
  while (!block.empty()) {
    const std::size_t chunk = std::min<std::uint64_t>(compress_chunk_, block.size());
    const std::size_t random = chunk - chunk * compress_percent_ / 100;
    fill_random(block.first(random), content);
    std::memset(block.data() + random, 0, chunk - random);
    block = block.subspan(chunk);
  }
}

// Two stretches of 512 bytes are never the same again, for the price of one store each.
void BlockBuffers::scramble(std::span<std::byte> block, std::uint64_t offset) {
  std::uint64_t word = (offset + 1) * 0x9e3779b97f4a7c15ULL ^ (++count_ * 0xd1342543de82ef95ULL);
  for (std::size_t i = 0; i + sizeof word <= block.size(); i += k_scrambled) {
    word += 0x9e3779b97f4a7c15ULL;
    std::memcpy(block.data() + i, &word, sizeof word);
  }
}

}  // namespace loadline::engine
