// The multipart uploads of an ObjectStore.
#include <fmt/format.h>

#include <algorithm>

#include "base/rng.h"
#include "serve/etag.h"
#include "serve/object_store.h"

namespace loadline::serve {

StoreStatus ObjectStore::begin_upload(std::string_view bucket, std::string_view key,
                                      ObjectHeaders headers, WallTime now, std::string& id) {
  const std::shared_lock lock(mutex_);
  Bucket* const in = bucket_of(bucket);
  if (in == nullptr) return StoreStatus::no_bucket;
  const std::uint64_t number = upload_number_.fetch_add(1, std::memory_order_relaxed);
  Rng rng = Rng::split(options_.seed, number);
  id = fmt::format("{:016x}{:016x}", rng.next(), number);
  const std::unique_lock bucket_lock(in->mutex);
  Upload& upload = in->uploads[id];
  upload.key = key;
  upload.headers = std::move(headers);
  upload.started = now;
  return StoreStatus::ok;
}

ObjectStore::Upload* ObjectStore::upload_of(Bucket& bucket, std::string_view key,
                                            std::string_view id) {
  const auto found = bucket.uploads.find(id);
  return found == bucket.uploads.end() || found->second.key != key ? nullptr : &found->second;
}

StoreStatus ObjectStore::check_upload(std::string_view bucket, std::string_view key,
                                      std::string_view id) const {
  const std::shared_lock lock(mutex_);
  Bucket* const in = bucket_of(bucket);
  if (in == nullptr) return StoreStatus::no_bucket;
  const std::shared_lock bucket_lock(in->mutex);
  return upload_of(*in, key, id) == nullptr ? StoreStatus::no_upload : StoreStatus::ok;
}

StoreStatus ObjectStore::put_part(std::string_view bucket, std::string_view key,
                                  std::string_view id, std::uint32_t number, std::string etag,
                                  WallTime now, std::unique_ptr<Body> body) {
  const std::shared_lock lock(mutex_);
  Bucket* const in = bucket_of(bucket);
  if (in == nullptr) return StoreStatus::no_bucket;
  const std::unique_lock bucket_lock(in->mutex);
  Upload* const upload = upload_of(*in, key, id);
  if (upload == nullptr) return StoreStatus::no_upload;
  upload->parts[number] = Part{std::move(etag), now, std::move(body)};
  return StoreStatus::ok;
}

StoreStatus ObjectStore::complete_upload(std::string_view bucket, std::string_view key,
                                         std::string_view id, std::span<const NamedPart> parts,
                                         WallTime now, std::string& etag) {
  ObjectPin object;
  std::map<std::string, Upload, std::less<>>::node_type spent;  // parts not named: dropped unlocked
  const std::shared_lock lock(mutex_);
  Bucket* const in = bucket_of(bucket);
  if (in == nullptr) return StoreStatus::no_bucket;
  const std::unique_lock bucket_lock(in->mutex);
  Upload* const upload = upload_of(*in, key, id);
  if (upload == nullptr) return StoreStatus::no_upload;
  std::vector<NamedPart> used;
  for (const NamedPart& part : parts) {
    if (!used.empty() && part.number <= used.back().number) return StoreStatus::invalid_order;
    const auto found = upload->parts.find(part.number);
    if (found == upload->parts.end()) return StoreStatus::invalid_part;
    if (!part.etag.empty() && part.etag != found->second.etag) return StoreStatus::invalid_part;
    used.push_back({part.number, found->second.etag});
  }
  if (used.empty()) return StoreStatus::invalid_part;
  std::vector<std::unique_ptr<Body>> bodies;
  for (const NamedPart& part : used) bodies.push_back(std::move(upload->parts[part.number].body));
  etag = multipart_etag(used);
  object = ObjectPin(
      std::make_unique<StoredObject>(std::move(upload->headers), etag, now, std::move(bodies)));
  spent = in->uploads.extract(in->uploads.find(id));
  return put_locked(*in, key, object, false);
}

StoreStatus ObjectStore::abort_upload(std::string_view bucket, std::string_view key,
                                      std::string_view id) {
  std::map<std::string, Upload, std::less<>>::node_type spent;
  const std::shared_lock lock(mutex_);
  Bucket* const in = bucket_of(bucket);
  if (in == nullptr) return StoreStatus::no_bucket;
  const std::unique_lock bucket_lock(in->mutex);
  if (upload_of(*in, key, id) == nullptr) return StoreStatus::no_upload;
  spent = in->uploads.extract(in->uploads.find(id));
  return StoreStatus::ok;
}

StoreStatus ObjectStore::list_parts(std::string_view bucket, std::string_view key,
                                    std::string_view id, std::vector<ListedPart>& parts) const {
  const std::shared_lock lock(mutex_);
  Bucket* const in = bucket_of(bucket);
  if (in == nullptr) return StoreStatus::no_bucket;
  const std::shared_lock bucket_lock(in->mutex);
  const Upload* const upload = upload_of(*in, key, id);
  if (upload == nullptr) return StoreStatus::no_upload;
  for (const auto& [number, part] : upload->parts) {
    parts.push_back({number, part.body->size(), part.etag, part.modified});
  }
  return StoreStatus::ok;
}

StoreStatus ObjectStore::list_uploads(std::string_view bucket,
                                      std::vector<ListedUpload>& uploads) const {
  const std::shared_lock lock(mutex_);
  const Bucket* const in = bucket_of(bucket);
  if (in == nullptr) return StoreStatus::no_bucket;
  const std::shared_lock bucket_lock(in->mutex);
  for (const auto& [id, upload] : in->uploads) {
    uploads.push_back({upload.key, id, upload.started});
  }
  std::ranges::sort(uploads, {}, &ListedUpload::key);
  return StoreStatus::ok;
}

}  // namespace loadline::serve
