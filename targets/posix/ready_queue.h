// Completions that are waiting to be reaped, first in first out. Room for every slot is made once.
//
// Threads: one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "target/op.h"

namespace loadline::targets::posix {

class ReadyQueue {
 public:
  explicit ReadyQueue(std::uint32_t slots) : items_(slots) {}

  bool full() const { return tail_ - head_ == items_.size(); }
  bool empty() const { return tail_ == head_; }
  std::size_t size() const { return tail_ - head_; }

  // A fresh completion at the end; not full().
  target::Completion& push(std::uint32_t slot) {
    if (tail_ == items_.size()) [[unlikely]]
      close_ranks();
    target::Completion& completion = items_[tail_++];
    completion = {.slot = slot};
    return completion;
  }

  std::size_t take(std::span<target::Completion> into) {
    const std::size_t n = std::min(into.size(), size());
    for (std::size_t i = 0; i < n; ++i) into[i] = items_[head_ + i];
    head_ += n;
    if (head_ == tail_) head_ = tail_ = 0;
    return n;
  }

 private:
  void close_ranks() {
    std::copy(items_.begin() + static_cast<std::ptrdiff_t>(head_), items_.end(), items_.begin());
    tail_ -= head_;
    head_ = 0;
  }

  std::vector<target::Completion> items_;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

}  // namespace loadline::targets::posix
