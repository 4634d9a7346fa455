// COSBench's hashCheck: an object longer than 40 bytes ends in `!!!!` + 32 lower-case hex digits of
// the MD5 of all bytes before + `!!!!`. Objects written so can be checked by COSBench and the other
// way round.
//
// Threads: each object belongs to one worker thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "plan/plan.h"
#include "target/payload.h"

struct evp_md_ctx_st;

namespace loadline::engine {

using plan::k_hash_trailer;
using HashTrailer = std::array<std::byte, k_hash_trailer>;

// A running MD5.
class Md5 {
 public:
  Md5();
  ~Md5();
  Md5(Md5&&) noexcept;
  Md5& operator=(Md5&&) noexcept;
  void restart();
  void update(std::span<const std::byte> bytes);
  HashTrailer trailer();  // of what was given; restart() before the next use

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// The trailer that belongs behind `body` (a payload without one). Reads the whole body.
HashTrailer hash_trailer_of(Md5& md5, const target::Payload& body);

// Checks a body as it arrives, in constant memory.
class HashSink final : public target::BodySink {
 public:
  enum class Verdict { intact, no_trailer, mismatch };

  void restart() override;
  void consume(std::span<const std::byte> bytes) override;
  Verdict verdict();  // once, after the last byte

 private:
  Md5 md5_;
  HashTrailer tail_{};  // the last bytes seen, not yet hashed
  std::size_t tail_size_ = 0;
};

}  // namespace loadline::engine
