#include "targets/webhdfs/webhdfs_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "net/tls.h"
#include "targets/webhdfs/block_session.h"
#include "targets/webhdfs/object_session.h"

namespace loadline::targets::webhdfs {
namespace {

using target::OpKind;
using target::Outcome;

constexpr std::size_t k_containers_checked = 16;
constexpr Duration k_patience = Duration::seconds(30);  // of a check

bool among(std::span<const std::string> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string quoted(std::string_view path) { return "'" + std::string(path) + "'"; }

}  // namespace

Result<std::unique_ptr<target::Target>> WebhdfsTarget::open(const target::Parameters& parameters) {
  auto config = read_config(parameters);
  if (!config) return propagate(config);
  std::unique_ptr<WebhdfsTarget> target(new WebhdfsTarget(std::move(*config)));
  if (target->config_.name_nodes.front().tls) {
    auto tls = net::TlsContext::open(target->config_.tls);
    if (!tls) return propagate(tls);
    target->tls_.emplace(std::move(*tls));
  }
  target->hosts_.emplace(target->config_, target->tls_ ? &*target->tls_ : nullptr);
  return target;
}

target::Capabilities WebhdfsTarget::capabilities() const {
  target::Capabilities can;
  for (const OpKind kind :
       {OpKind::read, OpKind::write, OpKind::multipart_write, OpKind::remove, OpKind::remove_many,
        OpKind::list, OpKind::head, OpKind::create_container, OpKind::head_container,
        OpKind::remove_container, OpKind::truncate, OpKind::create, OpKind::open, OpKind::rename,
        OpKind::append, OpKind::make_folder}) {
    can.kinds |= target::Capabilities::bit(kind);
  }
  can.range_reads = true;
  can.block_io = true;
  can.block_io_waits = true;
  can.files_per_slot = 3;
  can.not_supported_hint = "HDFS over HTTP has no sync, no trim and no space set aside";
  return can;
}

Result<std::unique_ptr<target::Session>> WebhdfsTarget::open_session(
    const target::WorkerContext& context) {
  auto objects = ObjectSession::open(config_, *hosts_, server_name_, context);
  if (!objects) return propagate(objects);
  return std::make_unique<BlockSession>(std::move(*objects), config_, *hosts_, context);
}

std::string WebhdfsTarget::describe() const {
  const std::string name = server_name_.get();
  return name.empty() ? "" : "Server: " + name;
}

Result<void> WebhdfsTarget::preflight(std::span<const std::string> containers,
                                      std::span<const std::string> created_by_run) {
  Config patient = config_;
  patient.timeout = std::min(config_.timeout, k_patience);
  patient.connect_timeout = std::min(config_.connect_timeout, k_patience);
  Caller caller(patient, *hosts_, clock_, 0);
  if (auto good = check_name_nodes(caller); !good) return good;
  std::size_t checked = 0;
  for (const auto& names : {containers, created_by_run}) {
    for (const std::string& name : names) {
      // A stage that makes a container comes before those that use it.
      const bool may_be_missing = among(created_by_run, name);
      if (names.data() == created_by_run.data() && among(containers, name)) continue;
      if (++checked > k_containers_checked) return {};
      if (auto good = check_container(caller, name, may_be_missing); !good) return good;
    }
  }
  return {};
}

// Every server answers, and lets us in; one that stands by does so too.
Result<void> WebhdfsTarget::check_name_nodes(Caller& caller) {
  const std::string root = config_.root.empty() ? "/" : config_.root;
  for (std::uint32_t i = 0; i < config_.name_nodes.size(); ++i) {
    const Reply reply = caller.ask({.method = "GET", .op = "GETFILESTATUS", .path = root}, i);
    if (!caller.server().empty()) server_name_.set(caller.server());
    const bool fine = reply.good() || is_standby(reply.exception) ||
                      (reply.outcome == Outcome::not_found && !reply.exception.empty());
    if (fine) continue;
    const bool denied = reply.outcome == Outcome::denied;
    // Otherwise a web server that is no NameNode, or the wrong port.
    const std::string hint =
        reply.outcome == Outcome::not_found || reply.outcome == Outcome::invalid
            ? "; is this the HTTP port of a NameNode?"
            : "";
    return fail(denied ? ErrorCode::denied : ErrorCode::unavailable, reply.detail + hint,
                "uri, " + config_.name_nodes[i].authority);
  }
  return {};
}

Result<void> WebhdfsTarget::check_container(Caller& caller, const std::string& container,
                                            bool may_be_missing) {
  const auto path = path_of(config_, container, {});
  if (!path) return fail(ErrorCode::bad_input, "holds . or .. as a part", container);
  auto status = caller.status(*path);
  if (status && status->is_folder) return {};
  if (status) return fail(ErrorCode::bad_input, "is a file where a folder is needed", *path);
  if (status.error().code != ErrorCode::not_found) return propagate(status);
  if (may_be_missing) return {};
  return fail(ErrorCode::not_found,
              "folder " + quoted(*path) + " does not exist: create it, or let an init stage do so",
              container);
}

Result<std::vector<target::ObjectFacts>> WebhdfsTarget::provide(
    std::span<const target::ObjectNeed> needs, const target::LayoutNotice&) {
  Caller caller(config_, *hosts_, clock_, 0);
  std::vector<target::ObjectFacts> facts;
  for (const target::ObjectNeed& need : needs) {
    auto found = facts_of(caller, need);
    if (!found) return propagate(found);
    facts.push_back(*found);
  }
  return facts;
}

Result<target::ObjectFacts> WebhdfsTarget::facts_of(Caller& caller,
                                                    const target::ObjectNeed& need) {
  const auto path = path_of(config_, {}, need.name);
  if (!path) return fail(ErrorCode::bad_input, "holds . or .. as a part", need.name);
  auto status = caller.status(*path);
  const bool missing = !status && status.error().code == ErrorCode::not_found;
  if (!status && !missing) return propagate(status);
  const Bytes size = status ? status->length : Bytes();
  if (need.writes && !need.reads) return target::ObjectFacts{.size = std::max(size, need.size)};
  if (missing) {
    return fail(ErrorCode::not_found,
                "does not exist, and this storage lays no files out: write it", *path);
  }
  if (size < need.size) {
    return fail(ErrorCode::io,
                fmt::format("has {} bytes where {} are to be read, and this storage lays no files "
                            "out: write it anew",
                            size.count(), need.size.count()),
                *path);
  }
  return target::ObjectFacts{.size = size};
}

Result<target::ContentSummary> WebhdfsTarget::content_summary(std::string_view path) {
  const auto full = path_of(config_, {}, path);
  if (!full) return fail(ErrorCode::bad_input, "holds . or .. as a part", std::string(path));
  Caller caller(config_, *hosts_, clock_, 0);
  const Reply reply = caller.call({.method = "GET", .op = "GETCONTENTSUMMARY", .path = *full});
  if (!reply.good()) return std::unexpected(reply.error(*full));
  const auto summary = parse_content_summary(reply.body);
  if (summary) return *summary;
  return fail(ErrorCode::io, "the NameNode's answer is no content summary", *full);
}

}  // namespace loadline::targets::webhdfs

namespace loadline::targets {

target::TargetType webhdfs_target() {
  return {.name = "webhdfs",
          .summary = "HDFS over HTTP (WebHDFS, HttpFS), without Java",
          .built_with = net::tls_library(),
          .parameters = webhdfs::parameter_table(),
          .open = webhdfs::WebhdfsTarget::open};
}

}  // namespace loadline::targets
