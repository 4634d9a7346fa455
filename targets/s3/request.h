// Writes the heads of S3 requests: request line, Host, signature and the few other lines.
//
// Ownership: borrows the configuration. Threads: belongs to one. Nothing is allocated once the
// buffers are warm.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "aws/signer.h"
#include "base/clock.h"
#include "base/units.h"
#include "target/op.h"
#include "targets/s3/config.h"

namespace loadline::targets::s3 {

struct Request {
  std::string_view method;
  std::string_view bucket;         // empty: the service itself
  std::string_view key = {};       // as named, not encoded
  std::string_view query = {};     // canonical, see aws/uri.h
  std::optional<Bytes> body = {};  // Content-Length; none: no body
  std::string_view payload_hash = aws::k_unsigned_payload;
  std::optional<target::ByteRange> range = {};
  std::string_view content_md5 = {};
  bool stores = false;                // creates an object: the storage class applies
  bool only_new = false;              // and is refused where there is one of the name
  std::optional<Bytes> decoded = {};  // streaming: the length before the chunks' framing
};

class RequestWriter {
 public:
  explicit RequestWriter(const Config& config);

  // Replaces `head` by the request's.
  void write(const Request& request, const Endpoint& endpoint, WallTime now, std::string& head);

  // After write() of a streaming request: what its chunks are signed with.
  const aws::Signer& signer() const { return *signer_; }

 private:
  // Returns the Host header's value.
  std::string_view append_target(const Request& request, const Endpoint& endpoint, bool in_path,
                                 std::string& head);
  void sign(const Request& request, std::string_view host, bool in_path, WallTime now,
            std::string& head);

  const Config& config_;
  std::optional<aws::Signer> signer_;
  std::optional<aws::SignerV2> signer_v2_;
  std::string path_;
  std::string host_;
};

// Whether a bucket's name can be part of a host name.
bool fits_host_name(std::string_view bucket);

}  // namespace loadline::targets::s3
