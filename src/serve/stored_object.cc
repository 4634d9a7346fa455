#include "serve/stored_object.h"

#include <algorithm>

namespace loadline::serve {

std::size_t StoredObject::body_at(std::uint64_t offset) const {
  if (bodies_.size() == 1) return 0;
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), offset) -
                                  ends_.begin());
}

Slice StoredObject::slice(std::uint64_t offset, std::size_t most) const {
  if (offset >= size_) return {};
  const std::size_t index = body_at(offset);
  const Body& body = *bodies_[index];
  return body.slice(offset - (ends_[index] - body.size().count()), most);
}

}  // namespace loadline::serve
