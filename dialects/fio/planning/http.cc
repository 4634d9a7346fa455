// ioengine=http with http_mode=s3: the s3 target, an object a block.
#include <algorithm>
#include <array>

#include "base/secret.h"
#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {

plan::TargetSpec http_target_of(const JobOptions& job) {
  using Tls = EngineOptions::Http::Tls;
  const EngineOptions::Http& http = job.http;
  plan::TargetSpec target{.type = "s3"};
  target::Parameters& set = target.parameters;
  set.set("endpoint", (http.https == Tls::off ? "http://" : "https://") + http.host);
  set.set("path_style_access", "true");
  set.set("aws_region", http.s3_region);
  if (!http.s3_keyid.empty()) set.set("accesskey", http.s3_keyid);
  if (!http.s3_key.empty()) set.set("secretkey", http.s3_key);
  if (http.https == Tls::insecure) set.set("no_verify_ssl", "true");
  if (http.s3_storage_class != "STANDARD") set.set("storage_class", http.s3_storage_class);
  set.set("blocks", "true");
  return target;
}

void check_http(const JobOptions& job, Findings& findings) {
  if (job.engine != Engine::http) return;
  if (!job.http.s3_sse_customer_key.empty()) {
    findings.refuse(job, "http_s3_sse_customer_key is not supported: no keys are sent along");
  }
  for (const std::string& name : job.filenames) {
    const std::size_t slash = name.find('/', 1);
    if (name.starts_with('/') && slash != std::string::npos && slash + 1 < name.size()) continue;
    findings.error(job, name + " names no object: give filename=/BUCKET/OBJECT");
  }
  if (job.filenames.empty()) findings.error(job, "ioengine=http needs filename=/BUCKET/OBJECT");
}

std::vector<GivenOption> without_secrets(std::vector<GivenOption> options) {
  static constexpr std::array<std::string_view, 4> k_secret = {
      "http_s3_key", "http_pass", "http_s3_sse_customer_key", "http_swift_auth_token"};
  for (GivenOption& option : options) {
    if (std::ranges::find(k_secret, option.name) != k_secret.end()) option.value = Secret::k_mask;
  }
  return options;
}

}  // namespace loadline::dialects::fio
