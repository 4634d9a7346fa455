// The table of the s3 target's parameters.
#include "targets/s3/config.h"

namespace loadline::targets::s3 {

std::vector<target::ParameterSpec> parameter_table() {
  return {
      {"accesskey", "", "access key; empty: requests are not signed"},
      {"secretkey", "", "secret key; else taken from LOADLINE_S3_SECRETKEY", true},
      {"session_token", "", "token of temporary credentials", true},
      {"endpoint", "http://s3.amazonaws.com", "URL, or several with commas between, used in turn"},
      {"endpoints", "", "the same as endpoint"},
      {"path_style_access", "false",
       "buckets in the path, not in the host name; always so for addresses and localhost"},
      {"aws_region", "", "region to sign for; default from the endpoint, else us-east-1"},
      {"signature", "v4", "v4, v2 or none"},
      {"payload_signing", "unsigned", "unsigned, signed (SHA-256 of every body) or streaming"},
      {"timeout", "30000", "ms without a byte moved either way before an operation fails; 0: none"},
      {"connect_timeout", "", "ms to connect, TLS included; default: timeout"},
      {"proxyhost", "", "HTTP proxy; used where proxyport is given too"},
      {"proxyport", "", "port of the proxy"},
      {"no_verify_ssl", "false", "accept any server certificate"},
      {"ca_file", "", "PEM file of CA certificates to trust instead of the system's"},
      {"cert_file", "", "PEM file of our own certificate, for servers that ask for one"},
      {"key_file", "", "PEM file of its key; default: in cert_file"},
      {"part_size", "5242880", "bytes of a multipart upload's part"},
      {"storage_class", "", "x-amz-storage-class of what is written"},
      {"verify_etag", "false",
       "compare the MD5 of bodies read and written with ETags that are one; also md5check"},
      {"md5check", "false", "the same as verify_etag"},
      {"retry", "0", "attempts after the first, with growing pauses; counted"},
      {"list_page_size", "1000", "keys in one page of a listing"},
      {"blocks", "false", "jobs on blocks: every block of a file /BUCKET/NAME is an object"},
      {"logging", "false", "accepted for COSBench's sake, does nothing"},
      {"is_prefetch", "false", "accepted for COSBench's sake, does nothing"},
  };
}

}  // namespace loadline::targets::s3
