#include "serve/stored_object.h"

#include <algorithm>

#include "aws/signer.h"

namespace loadline::serve {

StoredObject::StoredObject(ObjectHeaders said, std::string quoted_etag, WallTime now,
                           std::vector<std::unique_ptr<Body>> bodies)
    : headers(std::move(said)),
      etag(std::move(quoted_etag)),
      modified(now),
      last_modified(aws::http_date(now)),
      bodies_(std::move(bodies)) {
  ends_.reserve(bodies_.size());
  for (const auto& body : bodies_) {
    size_ += body->size().count();
    ends_.push_back(size_);
  }
}

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
