#include "targets/s3/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "net/address.h"

namespace loadline::targets::s3 {
namespace {

using target::Parameters;

constexpr std::int64_t k_day_ms = 86'400'000;
constexpr std::string_view k_secret_variable = "LOADLINE_S3_SECRETKEY";
constexpr std::string_view k_region_default = "us-east-1";

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return result;
}

std::unexpected<Error> refuse(std::string_view key, std::string what) {
  return fail(ErrorCode::bad_input, std::move(what), std::string(key));
}

bool printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

template <typename T>
struct Choice {
  std::string_view word;
  T value;
};

template <typename T, std::size_t N>
Result<T> choose(const Parameters& parameters, std::string_view key, T otherwise,
                 const std::array<Choice<T>, N>& choices) {
  const std::string word = lower(trim(parameters.text(key, "")));
  if (word.empty()) return otherwise;
  std::string known;
  for (const Choice<T>& choice : choices) {
    if (choice.word == word) return choice.value;
    known.append(known.empty() ? "" : ", ").append(choice.word);
  }
  return refuse(key, "'" + word + "' is not one of " + known);
}

// An empty value counts as not given, as COSBench's samples have it.
Result<std::int64_t> integer(const Parameters& parameters, std::string_view key,
                             std::int64_t otherwise, std::int64_t least, std::int64_t most) {
  if (trim(parameters.text(key, "")).empty()) return otherwise;
  return parameters.integer(key, otherwise, least, most);
}

Result<bool> boolean(const Parameters& parameters, std::string_view key, bool otherwise) {
  if (trim(parameters.text(key, "")).empty()) return otherwise;
  return parameters.boolean(key, otherwise);
}

Duration limit_of(std::int64_t milliseconds) {
  return milliseconds == 0 ? Duration::max() : Duration::milliseconds(milliseconds);
}

// What stands before an @ may be a password.
std::string shown(std::string_view endpoint) {
  const std::size_t sign = endpoint.rfind('@');
  if (sign == std::string_view::npos) return std::string(endpoint);
  const std::size_t scheme_end = endpoint.find("://");
  const std::size_t begin = scheme_end < sign ? scheme_end + 3 : 0;
  return std::string(endpoint.substr(0, begin))
      .append(Secret::k_mask)
      .append(endpoint.substr(sign));
}

Result<void> read_credentials(const Parameters& parameters, Config& config) {
  config.credentials.access_key = trim(parameters.text("accesskey", ""));
  config.credentials.session_token = parameters.secret("session_token");
  config.credentials.secret_key = parameters.secret("secretkey");
  if (config.signature == Signature::none || config.credentials.access_key.empty()) {
    config.signature = Signature::none;
    config.credentials = {};
    return {};
  }
  if (!printable(config.credentials.access_key)) {
    return refuse("accesskey", "holds characters that no access key has");
  }
  if (config.credentials.secret_key.reveal() == Secret::k_mask) {
    return refuse("secretkey",
                  "this archived workload does not hold the secret; give it again with "
                  "--set storage.config.secretkey=... or in " +
                      std::string(k_secret_variable));
  }
  if (config.credentials.secret_key.empty()) {
    const char* from_environment = std::getenv(k_secret_variable.data());
    if (from_environment != nullptr) config.credentials.secret_key = Secret(from_environment);
  }
  if (config.credentials.secret_key.empty()) {
    return refuse("secretkey", "is missing beside accesskey; give it here or in " +
                                   std::string(k_secret_variable));
  }
  if (!printable(config.credentials.session_token.reveal())) {
    return refuse("session_token", "holds characters that no token has");
  }
  return {};
}

Result<void> read_endpoints(const Parameters& parameters, Config& config) {
  auto path_style = boolean(parameters, "path_style_access", false);
  if (!path_style) return propagate(path_style);
  const std::string_view key = parameters.has("endpoints") ? "endpoints" : "endpoint";
  std::string text = parameters.text(key, "");
  if (trim(text).empty()) text = "http://s3.amazonaws.com";
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view item = trim(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (item.empty()) continue;
    auto endpoint = parse_endpoint(item, *path_style);
    if (!endpoint) return refuse(key, endpoint.error().what);
    config.endpoints.push_back(std::move(*endpoint));
  }
  if (config.endpoints.empty()) return refuse(key, "names no endpoint");
  config.region = trim(parameters.text("aws_region", ""));
  if (config.region.empty()) config.region = region_of_host(config.endpoints.front().host);
  if (config.region.empty()) config.region = k_region_default;
  if (!printable(config.region) || config.region.find('/') != std::string::npos) {
    return refuse("aws_region", "'" + config.region + "' is not a region's name");
  }
  return {};
}

Result<void> read_network(const Parameters& parameters, Config& config) {
  auto timeout = integer(parameters, "timeout", 30'000, 0, k_day_ms);
  if (!timeout) return propagate(timeout);
  auto connect_timeout = integer(parameters, "connect_timeout", *timeout, 0, k_day_ms);
  if (!connect_timeout) return propagate(connect_timeout);
  config.timeout = limit_of(*timeout);
  config.connect_timeout = limit_of(*connect_timeout);
  auto proxy_port = integer(parameters, "proxyport", 0, 1, 65'535);
  if (!proxy_port) return propagate(proxy_port);
  const std::string proxy_host(trim(parameters.text("proxyhost", "")));
  if (!proxy_host.empty() && *proxy_port != 0) {
    config.proxy_host = proxy_host;
    config.proxy_port = static_cast<std::uint16_t>(*proxy_port);
  }
  auto no_verify = boolean(parameters, "no_verify_ssl", false);
  if (!no_verify) return propagate(no_verify);
  config.tls = {.verify = !*no_verify,
                .ca_file = parameters.text("ca_file", ""),
                .cert_file = parameters.text("cert_file", ""),
                .key_file = parameters.text("key_file", "")};
  return {};
}

Result<void> read_requests(const Parameters& parameters, Config& config) {
  // S3's own limits: parts from 5 MiB to 5 GiB; other stores take smaller ones.
  auto part_size = integer(parameters, "part_size", 5 * 1024 * 1024, 1, 5LL << 30);
  if (!part_size) return propagate(part_size);
  config.part_size = Bytes(static_cast<std::uint64_t>(*part_size));
  config.storage_class = trim(parameters.text("storage_class", ""));
  if (!printable(config.storage_class)) return refuse("storage_class", "is not one word");
  for (const std::string_view key : {"verify_etag", "md5check"}) {
    auto verify = boolean(parameters, key, false);
    if (!verify) return propagate(verify);
    config.verify_etag = config.verify_etag || *verify;
  }
  auto retry = integer(parameters, "retry", 0, 0, 1000);
  if (!retry) return propagate(retry);
  config.retry = static_cast<std::uint16_t>(*retry);
  auto page = integer(parameters, "list_page_size", 1000, 1, 1000);
  if (!page) return propagate(page);
  config.list_page_size = static_cast<std::uint32_t>(*page);
  auto blocks = boolean(parameters, "blocks", false);
  if (!blocks) return propagate(blocks);
  config.blocks = *blocks;
  for (const std::string_view ignored : {"logging", "is_prefetch"}) {
    auto value = boolean(parameters, ignored, false);
    if (!value) return propagate(value);
  }
  return {};
}

}  // namespace

Result<Config> read_config(const Parameters& parameters) {
  Config config;
  auto signature =
      choose(parameters, "signature", Signature::v4,
             std::array<Choice<Signature>, 3>{
                 {{"v4", Signature::v4}, {"v2", Signature::v2}, {"none", Signature::none}}});
  if (!signature) return propagate(signature);
  config.signature = *signature;
  auto payload =
      choose(parameters, "payload_signing", PayloadSigning::off,
             std::array<Choice<PayloadSigning>, 3>{{{"unsigned", PayloadSigning::off},
                                                    {"signed", PayloadSigning::whole},
                                                    {"streaming", PayloadSigning::streaming}}});
  if (!payload) return propagate(payload);
  config.payload_signing = *payload;
  for (const auto& read : {read_credentials, read_endpoints, read_network, read_requests}) {
    if (auto done = read(parameters, config); !done) return propagate(done);
  }
  // Only SigV4 speaks of the payload.
  if (config.signature != Signature::v4) config.payload_signing = PayloadSigning::off;
  return config;
}

Result<Endpoint> parse_endpoint(std::string_view text, bool path_style) {
  Endpoint endpoint;
  const bool plain_signs = text.find_first_of("?#@") == std::string_view::npos;
  const std::string whole = shown(text);
  const std::size_t scheme_end = text.find("://");
  if (scheme_end != std::string_view::npos) {
    const std::string scheme = lower(text.substr(0, scheme_end));
    if (scheme != "http" && scheme != "https") {
      return refuse("endpoint", "'" + whole + "' is neither http:// nor https://");
    }
    endpoint.https = scheme == "https";
    text.remove_prefix(scheme_end + 3);
  }
  endpoint.port = endpoint.https ? 443 : 80;
  const std::size_t slash = std::min(text.find('/'), text.size());
  endpoint.base_path = text.substr(slash);
  while (endpoint.base_path.ends_with('/')) endpoint.base_path.pop_back();
  text = text.substr(0, slash);

  const bool bracketed = text.starts_with('[');
  const std::size_t host_end = bracketed ? text.find(']') : std::min(text.find(':'), text.size());
  if (host_end == std::string_view::npos) {
    return refuse("endpoint", "'" + whole + "' has no ] after its address");
  }
  endpoint.host = lower(bracketed ? text.substr(1, host_end - 1) : text.substr(0, host_end));
  std::string_view port = text.substr(bracketed ? host_end + 1 : host_end);
  const bool plain = printable(endpoint.host) && printable(endpoint.base_path) && plain_signs;
  if (endpoint.host.empty() || !plain) {
    return refuse("endpoint", "'" + whole + "' is not a URL like http://host:port");
  }
  if (!port.empty()) {
    port.remove_prefix(1);
    unsigned number = 0;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (error != std::errc() || end != port.data() + port.size() || number == 0 ||
        number > 65'535) {
      return refuse("endpoint", "'" + whole + "' has no port number from 1 to 65535");
    }
    endpoint.port = static_cast<std::uint16_t>(number);
  }
  const std::string host = bracketed ? "[" + endpoint.host + "]" : endpoint.host;
  const bool usual_port = endpoint.port == (endpoint.https ? 443 : 80);
  endpoint.authority = usual_port ? host : host + ":" + std::to_string(endpoint.port);
  endpoint.name = (endpoint.https ? "https://" : "http://") + endpoint.authority;
  const bool no_subdomains = endpoint.host == "localhost" ||
                             endpoint.host.ends_with(".localhost") ||
                             net::parse_address(endpoint.host, 0).has_value();
  endpoint.path_style = path_style || no_subdomains;
  return endpoint;
}

std::string region_of_host(std::string_view host) {
  const std::size_t amazon = host.find(".amazonaws.com");
  if (amazon == std::string_view::npos) return "";
  std::string_view rest = host.substr(0, amazon);  // s3, s3.R, s3-R, s3.dualstack.R, bucket.s3.R
  const std::size_t dot = rest.rfind('.');
  std::string_view last = dot == std::string_view::npos ? rest : rest.substr(dot + 1);
  if (last.starts_with("s3-")) last.remove_prefix(3);
  if (last == "s3" || last == "external-1" || last == "accelerate" || last == "dualstack")
    return "";
  return std::string(last);
}

}  // namespace loadline::targets::s3
