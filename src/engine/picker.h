// Chooses what an operation works on: numbers by selector, names from numbers. Selectors are
// compiled once per job; drawing allocates nothing.
//
// All selectors of an operation step together, as in COSBench: containers=r(1,2) with
// objects=r(1,4) gives the pairs (1,1) (2,2) (1,3) (2,4). One cursor per operation and driver
// serves what the workers share; each worker has a cursor of its own for what is divided among
// them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "plan/plan.h"

namespace loadline::engine {

// One selector, ready to draw from.
class Draw {
 public:
  Draw() = default;
  Draw(const plan::Selector& selector, bool divided, std::uint32_t workers);

  bool uses_shared_cursor() const;
  bool uses_own_cursor() const { return divided_ && selector_.kind == plan::Selector::Kind::range; }
  // False where the selector is divided and this worker's slice is empty.
  bool has_work(std::uint32_t worker) const;
  // has_work(worker) holds.
  std::int64_t draw(std::uint32_t worker, std::uint64_t shared, std::uint64_t own, Rng& rng) const;

 private:
  std::int64_t from_histogram(Rng& rng) const;

  plan::Selector selector_;
  bool divided_ = false;
  std::uint32_t workers_ = 1;
  std::uint64_t range_ = 1;
  std::vector<double> cumulative_;
};

// A name. Where prefix and suffix are those of the name before, only the number is written anew.
class NameBuffer {
 public:
  // `spec` outlives the buffer: it is known again by its address.
  void set(const plan::NameSpec& spec, std::int64_t number);
  void set_prefix_only(const plan::NameSpec& spec) { assign(spec.prefix); }
  void assign(std::string_view text);
  std::string_view view() const { return {text_.data(), size_}; }

 private:
  void begin(const plan::NameSpec& spec);

  std::vector<char> text_;
  std::size_t size_ = 0;
  const plan::NameSpec* spec_ = nullptr;
  std::int64_t number_ = 0;
};

// The choices of one operation of a job.
class OpPicker {
 public:
  OpPicker(const plan::OpSpec& spec, std::uint32_t workers, std::size_t files);

  struct Choice {
    std::int64_t container = 0;
    std::int64_t object = 0;
    Bytes size;
    std::size_t file = 0;
  };
  bool has_work(std::uint32_t worker) const;
  // `own_cursor` is the calling worker's cursor for this operation. Threads: any, each with its own
  // worker and rng.
  Choice pick(std::uint32_t worker, std::uint64_t& own_cursor, Rng& rng);
  // A size for a write inside a walk.
  Bytes pick_size(Rng& rng);

  const plan::OpSpec& spec() const { return *spec_; }

 private:
  const plan::OpSpec* spec_;
  Draw container_;
  Draw object_;
  Draw size_;
  Draw file_;
  bool shared_needed_;
  std::unique_ptr<std::atomic<std::uint64_t>> shared_;
};

// Picks operations by their share of a hundred.
class MixPicker {
 public:
  explicit MixPicker(const std::vector<plan::OpSpec>& ops);
  std::uint32_t pick(Rng& rng) const { return single_ ? 0 : table_[rng.below(table_.size())]; }

 private:
  std::vector<std::uint32_t> table_;
  bool single_;
};

}  // namespace loadline::engine
