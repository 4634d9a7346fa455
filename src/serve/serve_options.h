// How a built-in store is to run. Also what `loadline serve-s3` sets by its options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/secret.h"
#include "base/units.h"
#include "serve/delay_model.h"
#include "serve/fault_rules.h"

namespace loadline::serve {

enum class EtagKind : std::uint8_t {
  fast,  // a new number with every PUT; see etag.h
  md5,   // of the body, as S3 does it; costs about 1.5 ns a byte
};

enum class Retain : std::uint8_t {
  data,    // GETs answer with the bytes that were put
  length,  // only their number is kept; GETs answer with filler: for more data than memory
};

struct ServeKey {
  std::string access_key;
  Secret secret_key;
};

struct ServeOptions {
  std::string listen = "127.0.0.1:29998";  // address:port; port 0 takes any free one
  bool allow_remote = false;               // else only loopback addresses may be listened on
  unsigned threads = 1;                    // 1 to 64
  std::vector<ServeKey> keys;              // none: everybody is let in and nothing is checked
  Bytes memory_limit;  // of all bodies and names; zero: half of the machine's memory
  Retain retain = Retain::data;
  EtagKind etag = EtagKind::fast;
  bool create_buckets = false;  // a PUT into a missing bucket makes the bucket
  std::string server_name;      // "bucket.<server_name>" in Host names a bucket, as does
                                // "bucket.localhost"; may be empty
  std::vector<FaultRule> faults;
  DelayModel delay;
  std::uint64_t seed = 1;  // of faults, delays, ETags and upload ids
};

}  // namespace loadline::serve
