// Buckets, objects and multipart uploads in memory: what the S3 protocol means, without the
// protocol. Names are bytes, ordered as bytes.
//
// Ownership: the store owns everything in it; the arena outlives it.
// Threads: all methods may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "serve/arena.h"
#include "serve/stored_object.h"

namespace loadline::serve {

enum class StoreStatus : std::uint8_t {
  ok,
  no_bucket,
  no_key,
  no_upload,
  bucket_exists,
  bucket_not_empty,
  invalid_part,   // a part that was not uploaded, or whose ETag differs
  invalid_order,  // parts not in ascending order
  etag_mismatch,  // a conditional PUT whose condition fails
  no_space,
};

struct ListQuery {
  std::string prefix;
  std::string delimiter;
  std::string after;  // names greater than this one only
  std::size_t max_keys = 1000;
};

struct ListedObject {
  std::string key;
  ObjectPin object;
};

struct ListPage {
  std::vector<ListedObject> objects;
  std::vector<std::string> common_prefixes;
  bool truncated = false;
  std::string last;  // give it as `after` for the next page
};

struct ListedBucket {
  std::string name;
  WallTime created;
};

struct ListedPart {
  std::uint32_t number = 0;
  Bytes size;
  std::string etag;
  WallTime modified;
};

struct ListedUpload {
  std::string key;
  std::string id;
  WallTime started;
};

// One line of a CompleteMultipartUpload.
struct NamedPart {
  std::uint32_t number = 0;
  std::string etag;  // with quotes; empty where the client did not say
};

struct StoreOptions {
  bool keep_lengths_only = false;  // GETs answer with filler
  bool create_buckets = false;     // a PUT into a missing bucket makes it
  std::uint64_t seed = 1;          // of upload ids
};

class ObjectStore {
 public:
  // Fails where the arena has no room for the filler.
  static Result<std::unique_ptr<ObjectStore>> make(Arena& arena, const StoreOptions& options);

  StoreStatus create_bucket(std::string_view bucket, WallTime now);
  StoreStatus delete_bucket(std::string_view bucket);
  // ok or no_bucket; where buckets are made on the way, `for_writing` makes it.
  StoreStatus check_bucket(std::string_view bucket, bool for_writing, WallTime now);
  std::vector<ListedBucket> buckets() const;

  // A writer for the body of a PUT or of a part.
  BodyWriter write(std::optional<Bytes> expected) {
    return BodyWriter(arena_, expected, filler_ ? &*filler_ : nullptr);
  }
  // `only_if_absent`: etag_mismatch where the key exists.
  StoreStatus put(std::string_view bucket, std::string_view key,
                  std::unique_ptr<StoredObject> object, bool only_if_absent = false);
  // An empty pin where there is none; `status` says what is missing.
  ObjectPin find(std::string_view bucket, std::string_view key, StoreStatus& status) const;
  // no_key where it was not there.
  StoreStatus remove(std::string_view bucket, std::string_view key);
  StoreStatus list(std::string_view bucket, const ListQuery& query, ListPage& page) const;

  StoreStatus begin_upload(std::string_view bucket, std::string_view key, ObjectHeaders headers,
                           WallTime now, std::string& id);
  StoreStatus put_part(std::string_view bucket, std::string_view key, std::string_view id,
                       std::uint32_t number, std::string etag, WallTime now,
                       std::unique_ptr<Body> body);
  // ok where the upload is under way: asked before a part's body is taken.
  StoreStatus check_upload(std::string_view bucket, std::string_view key,
                           std::string_view id) const;
  StoreStatus complete_upload(std::string_view bucket, std::string_view key, std::string_view id,
                              std::span<const NamedPart> parts, WallTime now, std::string& etag);
  StoreStatus abort_upload(std::string_view bucket, std::string_view key, std::string_view id);
  StoreStatus list_parts(std::string_view bucket, std::string_view key, std::string_view id,
                         std::vector<ListedPart>& parts) const;
  StoreStatus list_uploads(std::string_view bucket, std::vector<ListedUpload>& uploads) const;

  std::uint64_t object_count() const { return objects_.load(std::memory_order_relaxed); }
  Bytes memory_used() const { return arena_.used(); }

 private:
  struct Part {
    std::string etag;
    WallTime modified;
    std::unique_ptr<Body> body;
  };
  struct Upload {
    std::string key;
    ObjectHeaders headers;
    WallTime started;
    std::map<std::uint32_t, Part> parts;
  };
  struct Bucket {
    WallTime created;
    mutable std::shared_mutex mutex;  // guards the two maps
    std::map<std::string, ObjectPin, std::less<>> objects;
    std::map<std::string, Upload, std::less<>> uploads;  // by id
  };
  using Buckets = std::map<std::string, std::unique_ptr<Bucket>, std::less<>>;

  ObjectStore(Arena& arena, const StoreOptions& options) : arena_(arena), options_(options) {}
  Bucket* bucket_of(std::string_view name) const;
  StoreStatus put_locked(Bucket& bucket, std::string_view key, ObjectPin& object,
                         bool only_if_absent);
  static Upload* upload_of(Bucket& bucket, std::string_view key, std::string_view id);

  Arena& arena_;
  StoreOptions options_;
  std::optional<Chunk> filler_;
  mutable std::shared_mutex mutex_;  // guards buckets_; taken before a bucket's own
  Buckets buckets_;
  std::atomic<std::uint64_t> objects_{0};
  std::atomic<std::uint64_t> upload_number_{0};
};

}  // namespace loadline::serve
