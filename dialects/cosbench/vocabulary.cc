#include "dialects/cosbench/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace loadline::dialects::cosbench {
namespace {

using namespace std::string_view_literals;
using std::string_view;
using enum OperationType::Objects;
using Sizes = OperationType::Sizes;

constexpr std::array k_elements = {"workload"sv,  "workflow"sv, "workstage"sv, "work"sv,
                                   "operation"sv, "auth"sv,     "storage"sv};

constexpr std::array k_workload_attributes = {"name"sv, "description"sv, "trigger"sv, "config"sv};
constexpr std::array k_workflow_attributes = {"config"sv};
constexpr std::array k_stage_attributes = {"name"sv, "closuredelay"sv, "trigger"sv, "config"sv};
constexpr std::array k_work_attributes = {"name"sv,     "type"sv,     "workers"sv,    "interval"sv,
                                          "division"sv, "runtime"sv,  "rampup"sv,     "rampdown"sv,
                                          "afr"sv,      "totalOps"sv, "totalBytes"sv, "driver"sv,
                                          "rate"sv,     "arrival"sv,  "config"sv};
constexpr std::array k_operation_attributes = {"type"sv, "ratio"sv, "division"sv, "config"sv,
                                               "id"sv};
constexpr std::array k_adapter_attributes = {"type"sv, "config"sv};

constexpr std::array k_workload_children = {"auth"sv, "storage"sv, "workflow"sv};
constexpr std::array k_workflow_children = {"workstage"sv};
constexpr std::array k_stage_children = {"auth"sv, "storage"sv, "work"sv};
constexpr std::array k_work_children = {"auth"sv, "storage"sv, "operation"sv};

// Name, action, sample type (section 5.3 of docs/format/cosbench-archive.md), objects, sized,
// payload.
constexpr std::array k_operations = {
    OperationType{"read", plan::Action::read, "read", required, Sizes::none, false},
    OperationType{"write", plan::Action::write, "write", required, Sizes::required, true},
    OperationType{"list", plan::Action::list, "list", optional, Sizes::none, false},
    OperationType{"delete", plan::Action::remove, "delete", required, Sizes::none, false},
    OperationType{"filewrite", plan::Action::file_write, "filewrite", files, Sizes::none, false},
    OperationType{"init", plan::Action::prepare, "write", none_by_default, Sizes::required, true},
    OperationType{"prepare", plan::Action::prepare, "write", required, Sizes::required, true},
    OperationType{"cleanup", plan::Action::cleanup, "delete", required, Sizes::none, false},
    OperationType{"dispose", plan::Action::cleanup, "delete", none_by_default, Sizes::none, false},
    OperationType{"head", plan::Action::head, "head", required, Sizes::none, false},
    OperationType{"restore", plan::Action::restore, "restore", required, Sizes::none, false},
    OperationType{"mwrite", plan::Action::multipart_write, "mwrite", required, Sizes::required,
                  true},
    OperationType{"mprepare", plan::Action::multipart_prepare, "write", required, Sizes::required,
                  true},
    OperationType{"mfilewrite", plan::Action::multipart_file_write, "mfilewrite", files,
                  Sizes::none, false},
    OperationType{"localwrite", plan::Action::file_write, "localwrite", files, Sizes::none, false},
    // Of our own: names and lengths, as NNBench and Slive use them (docs/use/metadata.md).
    OperationType{"create", plan::Action::create, "create", required, Sizes::optional, true},
    OperationType{"open", plan::Action::open, "open", required, Sizes::none, false},
    OperationType{"rename", plan::Action::rename, "rename", required, Sizes::none, false},
    OperationType{"append", plan::Action::append, "append", required, Sizes::required, true},
    OperationType{"truncate", plan::Action::truncate, "truncate", required, Sizes::optional, false},
    OperationType{"mkdir", plan::Action::make_folder, "mkdir", required, Sizes::none, false},
};

constexpr std::array k_special = {"init"sv,    "prepare"sv, "cleanup"sv,
                                  "dispose"sv, "delay"sv,   "mprepare"sv};

constexpr std::array k_storages = {"none"sv,    "mock"sv,  "swift"sv,  "s3"sv,         "oss"sv,
                                   "gcs"sv,     "ampli"sv, "cdmi"sv,   "cdmi_swift"sv, "librados"sv,
                                   "sproxyd"sv, "ecs"sv,   "openio"sv, "sio"sv,        "siov1"sv,
                                   "siov2"sv,   "gdas"sv};
constexpr std::array k_s3_storages = {"sio"sv, "siov1"sv, "siov2"sv, "gdas"sv};

constexpr std::array k_auths = {"none"sv,     "mock"sv,     "swauth"sv, "tempauth"sv,
                                "keystone"sv, "httpauth"sv, "basic"sv,  "digest"sv};

constexpr std::array k_operation_keys = {"containers"sv,
                                         "cprefix"sv,
                                         "csuffix"sv,
                                         "objects"sv,
                                         "oprefix"sv,
                                         "osuffix"sv,
                                         "sizes"sv,
                                         "content"sv,
                                         "chunked"sv,
                                         "hashCheck"sv,
                                         "createContainer"sv,
                                         "deleteContainer"sv,
                                         "name"sv,
                                         "files"sv,
                                         "fileselection"sv,
                                         "histogram"sv,
                                         "part_size"sv,
                                         "restore_days"sv,
                                         "is_range_request"sv,
                                         "file_length"sv,
                                         "chunk_length"sv,
                                         "delete_batch"sv,
                                         "newprefix"sv,
                                         "newsuffix"sv};

constexpr std::array k_storage_keys = {
    "logging"sv, "timeout"sv, "accesskey"sv, "secretkey"sv, "endpoint"sv, "path_style_access"sv,
    "proxyhost"sv, "proxyport"sv, "aws_region"sv, "no_verify_ssl"sv, "storage_class"sv,
    "part_size"sv, "restore_days"sv, "is_prefetch"sv, "is_range_request"sv, "file_length"sv,
    "chunk_length"sv, "size"sv, "delay"sv, "errors"sv, "printing"sv, "doStats"sv, "token"sv,
    "storage_url"sv, "policy"sv,
    // The storages' own, beyond COSBench.
    "endpoints"sv, "session_token"sv, "signature"sv, "payload_signing"sv, "connect_timeout"sv,
    "ca_file"sv, "cert_file"sv, "key_file"sv, "verify_etag"sv, "md5check"sv, "retry"sv,
    "list_page_size"sv, "latency"sv, "fail"sv, "remember"sv, "stall"sv, "stall_at"sv};

constexpr std::array k_auth_keys = {"logging"sv,   "retry"sv,     "caching"sv,     "token"sv,
                                    "delay"sv,     "auth_url"sv,  "url"sv,         "username"sv,
                                    "password"sv,  "timeout"sv,   "tenant_name"sv, "tenname"sv,
                                    "tenant_id"sv, "usertoken"sv, "service"sv,     "region"sv};

bool among(string_view word, Words words) { return std::ranges::find(words, word) != words.end(); }

}  // namespace

Words element_names() { return k_elements; }

Words attributes_of(string_view element) {
  if (element == "workload") return k_workload_attributes;
  if (element == "workflow") return k_workflow_attributes;
  if (element == "workstage") return k_stage_attributes;
  if (element == "work") return k_work_attributes;
  if (element == "operation") return k_operation_attributes;
  if (element == "auth" || element == "storage") return k_adapter_attributes;
  return {};
}

Words children_of(string_view element) {
  if (element == "workload") return k_workload_children;
  if (element == "workflow") return k_workflow_children;
  if (element == "workstage") return k_stage_children;
  if (element == "work") return k_work_children;
  return {};
}

std::span<const OperationType> operation_types() { return k_operations; }

const OperationType* find_operation_type(string_view name) {
  const auto* it = std::ranges::find(k_operations, name, &OperationType::name);
  return it == k_operations.end() ? nullptr : it;
}

std::vector<string_view> operation_type_names() {
  std::vector<string_view> names;
  for (const OperationType& type : k_operations) names.push_back(type.name);
  return names;
}

bool is_special_work(string_view type) { return among(type, k_special); }
Words special_works() { return k_special; }
Words storage_types() { return k_storages; }
Words auth_types() { return k_auths; }

string_view target_of_storage(string_view type) { return among(type, k_s3_storages) ? "s3" : type; }

Words operation_keys() { return k_operation_keys; }
Words storage_keys() { return k_storage_keys; }
Words keys_without_storage() {
  static constexpr std::array k_keys = {"token"sv, "storage_url"sv, "policy"sv};
  return k_keys;
}
Words auth_keys() { return k_auth_keys; }

std::string suggestion(string_view word, std::span<const string_view> words) {
  const auto near = nearest(word, words);
  return near ? fmt::format("; did you mean '{}'?", *near) : std::string();
}

std::string enumerate(std::span<const string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace loadline::dialects::cosbench
