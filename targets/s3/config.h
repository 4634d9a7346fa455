// The parameters of an s3 target, read once and checked.
//
// Threads: plain values. Errors: Error.context names the parameter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aws/signer.h"
#include "base/error.h"
#include "base/units.h"
#include "net/tls.h"
#include "target/parameters.h"

namespace loadline::targets::s3 {

struct Endpoint {
  std::string name;  // as messages and proxies say it: "http://s3.example.com:9000"
  bool https = false;
  std::string host;  // without brackets
  std::uint16_t port = 80;
  std::string authority;    // the Host header in path style: host, and the port where it is unusual
  std::string base_path;    // "" or e.g. "/api/v1/s3"
  bool path_style = false;  // for every bucket
};

enum class Signature : std::uint8_t { none, v2, v4 };
enum class PayloadSigning : std::uint8_t { off, whole, streaming };

struct Config {
  std::vector<Endpoint> endpoints;
  aws::Credentials credentials;
  Signature signature = Signature::v4;
  PayloadSigning payload_signing = PayloadSigning::off;
  std::string region;
  Duration timeout;          // without a byte moved either way
  Duration connect_timeout;  // until connected, TLS included
  std::string proxy_host;    // empty: none
  std::uint16_t proxy_port = 0;
  net::TlsOptions tls;
  Bytes part_size;            // where an operation names none
  std::string storage_class;  // empty: the store's own
  bool verify_etag = false;
  std::uint16_t retry = 0;
  std::uint32_t list_page_size = 1000;
  bool blocks = false;  // jobs on blocks, an object a block (block_session.h)
};

Result<Config> read_config(const target::Parameters& parameters);

// "http://host:port/base" with every part but the host optional.
Result<Endpoint> parse_endpoint(std::string_view text, bool path_style);
// eu-west-1 of s3.eu-west-1.amazonaws.com; "" where the host does not tell.
std::string region_of_host(std::string_view host);

// What `loadline version` and the documentation list.
std::vector<target::ParameterSpec> parameter_table();

}  // namespace loadline::targets::s3
