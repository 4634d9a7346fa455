// One operation on a storage, and what came of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/units.h"
#include "target/outcome.h"
#include "target/payload.h"

namespace loadline::target {

enum class OpKind : std::uint8_t {
  read,              // the whole object, or `range` of it
  write,             // an object of payload.size() bytes
  multipart_write,   // the same in parts of `part_size`
  remove,            // one object
  remove_many,       // every name in `objects`
  list,              // the names in a container that begin with `object` (a prefix here)
  head,              // an object's metadata
  restore,           // ask for an archived object to be brought back for `restore_days`
  create_container,  // Outcome::exists where it is there already
  head_container,    // ok or not_found
  remove_container,  // Outcome::not_empty where it still holds objects
  // On an object that Session::open_object() has opened, named by `handle`; so are read and write
  // with `memory`:
  sync,        // what was written is on stable storage, and its metadata
  sync_data,   // the data alone
  sync_range,  // `range`, by `sync_flags`
  trim,        // `range` of a device is no longer needed
  allocate,    // `range` gets its space
  truncate,    // the object ends where `range` begins; by name too
  // By name, in a container:
  create,       // an object of payload.size() bytes; Outcome::exists where it is there already
  open,         // opened for reading and closed: no data moves
  rename,       // to `new_object`; Outcome::exists where that is there, if the storage looks
  append,       // the payload, behind what the object has; not_found where it is not there
  make_folder,  // `object` is a folder afterwards, with those above it; fine where it was one
};

inline constexpr std::size_t k_op_kinds = static_cast<std::size_t>(OpKind::make_folder) + 1;

// Sends the payload.
constexpr bool has_payload(OpKind kind) {
  return kind == OpKind::write || kind == OpKind::multipart_write || kind == OpKind::create ||
         kind == OpKind::append;
}

// An object opened by one session.
enum class ObjectHandle : std::uint32_t {};
inline constexpr ObjectHandle k_no_object{UINT32_MAX};

std::string_view to_string(OpKind kind);

struct ByteRange {
  Bytes offset;
  Bytes length;
};

// What to do. A slot (a virtual worker) has at most one operation under way, so the slot names it.
// Every view in an Op stays valid and unchanged until its Completion has been reaped.
struct Op {
  OpKind kind = OpKind::read;
  std::uint32_t slot = 0;
  std::string_view container;
  std::string_view object;
  std::string_view new_object;                // rename: in the same container
  std::span<const std::string_view> objects;  // remove_many
  std::optional<ByteRange> range;             // read, truncate
  Payload payload;                            // write, multipart_write, create, append
  Bytes part_size;                            // multipart_write; above zero
  std::uint32_t restore_days = 1;             // restore
  BodySink* sink = nullptr;                   // read; may be null
  // Block I/O: an open object instead of a name, and the memory that `range` is read into or
  // written from, `range->length` long.
  ObjectHandle handle = k_no_object;
  std::uint32_t sync_flags = 0;  // sync_range: of sync_file_range(2)
  std::span<std::byte> memory;
};

// How it went. `first_byte` and `done` are stamps of the worker's clock for targets that learn them
// before reap() returns; where `done` is not stamped, the engine stamps it when reap() returns.
struct Completion {
  std::uint32_t slot = 0;
  Outcome outcome = Outcome::ok;
  std::uint16_t status = 0;   // the protocol's own code (HTTP status, errno), 0 where there is none
  std::uint16_t retries = 0;  // attempts before the one that is reported
  std::uint32_t items = 0;    // list: names seen; remove_many: names removed
  Bytes bytes;                // payload bytes moved: body received or sent, bytes of a listing
  Instant first_byte;         // of the answer's body, or of the answer where it has none
  Instant done;
  std::string_view detail;  // a failure in the store's words; valid until the next reap()
};

}  // namespace loadline::target
