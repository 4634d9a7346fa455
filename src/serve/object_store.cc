#include "serve/object_store.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/rng.h"

namespace loadline::serve {

namespace {

// What an object takes besides its body and twice its name: map node, pin, StoredObject, strings.
constexpr std::uint64_t k_object_overhead = 512;

Bytes charge_of(std::string_view key) { return Bytes(k_object_overhead + key.size()); }

}  // namespace

Result<std::unique_ptr<ObjectStore>> ObjectStore::make(Arena& arena, const StoreOptions& options) {
  std::unique_ptr<ObjectStore> store(new ObjectStore(arena, options));
  if (options.keep_lengths_only) {
    store->filler_ = arena.allocate(Arena::k_chunk_most);
    if (!store->filler_) return fail(ErrorCode::bad_input, "memory limit is below 1 MiB");
    Rng rng(options.seed);
    for (std::size_t i = 0; i < Arena::k_chunk_most; i += sizeof(std::uint64_t)) {
      const std::uint64_t word = rng.next();
      std::memcpy(arena.at(store->filler_->offset + i), &word, sizeof word);
    }
  }
  return store;
}

ObjectStore::Bucket* ObjectStore::bucket_of(std::string_view name) const {
  const auto found = buckets_.find(name);
  return found == buckets_.end() ? nullptr : found->second.get();
}

StoreStatus ObjectStore::create_bucket(std::string_view bucket, WallTime now) {
  const std::unique_lock lock(mutex_);
  if (bucket_of(bucket) != nullptr) return StoreStatus::bucket_exists;
  auto made = std::make_unique<Bucket>();
  made->created = now;
  buckets_.emplace(std::string(bucket), std::move(made));
  return StoreStatus::ok;
}

StoreStatus ObjectStore::delete_bucket(std::string_view bucket) {
  const std::unique_lock lock(mutex_);
  const auto found = buckets_.find(bucket);
  if (found == buckets_.end()) return StoreStatus::no_bucket;
  if (!found->second->objects.empty()) return StoreStatus::bucket_not_empty;
  buckets_.erase(found);
  return StoreStatus::ok;
}

StoreStatus ObjectStore::check_bucket(std::string_view bucket, bool for_writing, WallTime now) {
  {
    const std::shared_lock lock(mutex_);
    if (bucket_of(bucket) != nullptr) return StoreStatus::ok;
  }
  if (!for_writing || !options_.create_buckets) return StoreStatus::no_bucket;
  create_bucket(bucket, now);
  return StoreStatus::ok;
}

std::vector<ListedBucket> ObjectStore::buckets() const {
  const std::shared_lock lock(mutex_);
  std::vector<ListedBucket> all;
  for (const auto& [name, bucket] : buckets_) all.push_back({name, bucket->created});
  return all;
}

StoreStatus ObjectStore::put(std::string_view bucket, std::string_view key,
                             std::unique_ptr<StoredObject> object, bool only_if_absent) {
  ObjectPin pin(std::move(object));  // afterwards the version that was replaced, dropped unlocked
  const std::shared_lock lock(mutex_);
  Bucket* const found = bucket_of(bucket);
  if (found == nullptr) return StoreStatus::no_bucket;
  const std::unique_lock bucket_lock(found->mutex);
  return put_locked(*found, key, pin, only_if_absent);
}

// Leaves in `object` what was there before.
StoreStatus ObjectStore::put_locked(Bucket& bucket, std::string_view key, ObjectPin& object,
                                    bool only_if_absent) {
  const auto place = bucket.objects.lower_bound(key);
  if (place != bucket.objects.end() && place->first == key) {
    if (only_if_absent) return StoreStatus::etag_mismatch;
    std::swap(place->second, object);
    return StoreStatus::ok;
  }
  if (!arena_.charge(charge_of(key))) return StoreStatus::no_space;
  bucket.objects.emplace_hint(place, std::string(key), std::move(object));
  objects_.fetch_add(1, std::memory_order_relaxed);
  return StoreStatus::ok;
}

ObjectPin ObjectStore::find(std::string_view bucket, std::string_view key,
                            StoreStatus& status) const {
  const std::shared_lock lock(mutex_);
  const Bucket* const in = bucket_of(bucket);
  status = StoreStatus::no_bucket;
  if (in == nullptr) return {};
  const std::shared_lock bucket_lock(in->mutex);
  const auto found = in->objects.find(key);
  status = found == in->objects.end() ? StoreStatus::no_key : StoreStatus::ok;
  return status == StoreStatus::ok ? found->second : ObjectPin();
}

StoreStatus ObjectStore::remove(std::string_view bucket, std::string_view key) {
  ObjectPin dropped;  // after the locks
  const std::shared_lock lock(mutex_);
  Bucket* const in = bucket_of(bucket);
  if (in == nullptr) return StoreStatus::no_bucket;
  const std::unique_lock bucket_lock(in->mutex);
  const auto found = in->objects.find(key);
  if (found == in->objects.end()) return StoreStatus::no_key;
  std::swap(dropped, found->second);
  arena_.uncharge(charge_of(key));
  in->objects.erase(found);
  objects_.fetch_sub(1, std::memory_order_relaxed);
  return StoreStatus::ok;
}

StoreStatus ObjectStore::list(std::string_view bucket, const ListQuery& query,
                              ListPage& page) const {
  const std::shared_lock lock(mutex_);
  const Bucket* const in = bucket_of(bucket);
  if (in == nullptr) return StoreStatus::no_bucket;
  if (query.max_keys == 0) return StoreStatus::ok;
  const std::shared_lock bucket_lock(in->mutex);
  const auto& objects = in->objects;
  auto at = query.after < query.prefix ? objects.lower_bound(query.prefix)
                                       : objects.upper_bound(query.after);
  // A page that ended with a common prefix goes on behind everything that begins with it.
  const auto behind = [&objects](std::string prefix) {
    while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xff) prefix.pop_back();
    if (prefix.empty()) return objects.end();
    ++prefix.back();
    return objects.lower_bound(prefix);
  };
  if (!query.delimiter.empty() && query.after.size() > query.prefix.size() &&
      query.after.starts_with(query.prefix) && query.after.ends_with(query.delimiter)) {
    at = behind(query.after);
  }
  while (at != objects.end() && at->first.starts_with(query.prefix)) {
    if (page.objects.size() + page.common_prefixes.size() >= query.max_keys) {
      page.truncated = true;
      break;
    }
    const std::size_t cut = query.delimiter.empty()
                                ? std::string::npos
                                : at->first.find(query.delimiter, query.prefix.size());
    if (cut != std::string::npos) {
      page.last = at->first.substr(0, cut + query.delimiter.size());
      page.common_prefixes.push_back(page.last);
      at = behind(page.last);
    } else {
      page.last = at->first;
      page.objects.push_back({at->first, at->second});
      ++at;
    }
  }
  return StoreStatus::ok;
}

}  // namespace loadline::serve
