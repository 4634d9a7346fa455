// Zeroed anonymous memory that processes forked after its making share with this one.
//
// Ownership: owns the mapping. Threads: what stands in it says.
#pragma once

#include <cstddef>
#include <span>

#include "base/error.h"

namespace loadline {

class SharedPages {
 public:
  SharedPages() = default;
  // At least so many bytes, from the start of a page on; none: an empty mapping.
  static Result<SharedPages> make(std::size_t bytes);
  ~SharedPages();
  SharedPages(SharedPages&& other) noexcept;
  SharedPages& operator=(SharedPages&& other) noexcept;

  std::span<std::byte> bytes() const { return {start_, size_}; }

 private:
  std::byte* start_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace loadline
