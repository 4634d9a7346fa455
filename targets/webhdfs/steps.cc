// The exchanges of each operation on an object: what is asked, and what follows from the answer.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "aws/uri.h"
#include "base/check.h"
#include "targets/webhdfs/object_session.h"

namespace loadline::targets::webhdfs {
namespace {

using target::Completion;
using target::Op;
using target::OpKind;
using target::Outcome;

constexpr std::string_view k_strange_name = "the name holds . or .. as a part";

// How often a truncation that goes on in the background is asked about, and for how long.
constexpr Duration k_truncate_pause = Duration::milliseconds(100);
constexpr Duration k_truncate_patience = Duration::seconds(600);

// Of the exchange that moves data, or asks where it is.
std::string_view method_of(OpKind kind) {
  if (kind == OpKind::append) return "POST";
  return target::has_payload(kind) ? "PUT" : "GET";
}

// Whether a folder, or one below it, may hold names that begin with the prefix.
bool may_hold(std::string_view folder, std::string_view prefix) {
  if (prefix.size() <= folder.size()) return folder.starts_with(prefix);
  return prefix.starts_with(folder) && prefix[folder.size()] == '/';
}

std::string joined(std::string_view folder, std::string_view name) {
  if (folder.empty()) return std::string(name);
  return std::string(folder).append("/").append(name);
}

}  // namespace

void ObjectSession::begin(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const Op& op = s.op;
  const bool in_folder = op.kind == OpKind::list || op.kind == OpKind::remove_many;
  auto path = path_of(config_, op.container, in_folder ? std::string_view() : op.object);
  if (!path) return refuse(slot, Outcome::invalid, k_strange_name);
  s.path = std::move(*path);
  switch (op.kind) {
    case OpKind::read:
      if (op.range && op.range->length == Bytes()) {
        return refuse(slot, Outcome::invalid, "a byte range without bytes");
      }
      s.step = Step::locate;
      break;
    case OpKind::write:
    case OpKind::multipart_write:
    case OpKind::create:
    case OpKind::append: s.step = Step::locate; break;
    // The NameNode's half of an open. A gateway would send the data: it is asked for the status.
    case OpKind::open: s.step = config_.httpfs ? Step::call : Step::locate; break;
    case OpKind::rename: {
      auto to = path_of(config_, op.container, op.new_object);
      if (!to) return refuse(slot, Outcome::invalid, k_strange_name);
      s.new_path = std::move(*to);
      s.step = Step::call;
      break;
    }
    case OpKind::create_container: s.step = Step::check_folder; break;
    case OpKind::list:
      s.step = Step::list_page;
      s.walk = std::make_unique<Walk>();
      break;
    case OpKind::remove_many:
      if (op.objects.empty()) return complete(slot, {.done = clock_.now()});
      s.step = Step::remove_next;
      break;
    case OpKind::remove:
    case OpKind::head:
    case OpKind::truncate:
    case OpKind::make_folder:
    case OpKind::head_container:
    case OpKind::remove_container: s.step = Step::call; break;
    default: return refuse(slot, Outcome::unsupported, "HDFS has no such operation over HTTP");
  }
  start_step(slot);
}

// Starts, or starts again, the exchange of the step that the slot is at.
void ObjectSession::start_step(std::uint32_t slot) {
  Slot& s = slots_[slot];
  s.collects = false;
  s.response.clear();
  switch (s.step) {
    case Step::locate: return start_locate(slot);
    case Step::check_name:
      return send_call(slot, {.method = "GET", .op = "GETFILESTATUS", .path = s.new_path});
    case Step::await_length:
    case Step::check_source:
    case Step::check_folder:
      return send_call(slot, {.method = "GET", .op = "GETFILESTATUS", .path = s.path});
    case Step::call: return start_call(slot);
    case Step::list_page: return start_list_page(slot);
    case Step::remove_next: return start_remove_next(slot);
    case Step::data: break;
  }
  CHECK(false);  // data follows from an answer
}

// The exchange goes to `node`, on one of the slot's two connections.
void ObjectSession::prepare(std::uint32_t slot, Node& node, std::uint32_t lane) {
  slots_[slot].node = &node;
  client_->use_peer(lane, node.peer());
}

void ObjectSession::send_call(std::uint32_t slot, const Call& call) {
  Slot& s = slots_[slot];
  const std::uint32_t lane = slot * 2;
  s.name_node = active_;
  prepare(slot, name_nodes_[active_], lane);
  writer_.write_call(call, config_.name_nodes[active_], client_->request_head(lane));
  client_->start(lane, {.expects_data = true});
}

void ObjectSession::start_locate(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const bool writing = target::has_payload(s.op.kind);
  const bool appends = s.op.kind == OpKind::append;
  std::string query;
  if (writing && !appends) {
    query = create_query(config_, config_.overwrite && s.op.kind != OpKind::create);
  } else if (s.op.kind == OpKind::read && s.op.range) {
    query = range_query(*s.op.range);
  }
  if (config_.noredirect) query.append("&noredirect=true");
  if (config_.httpfs && writing) query.append("&data=true");
  const Call call{.method = method_of(s.op.kind),
                  .op = appends   ? "APPEND"
                        : writing ? "CREATE"
                                  : "OPEN",
                  .path = s.path,
                  .query = query};
  if (!config_.httpfs || !writing) return send_call(slot, call);
  // A gateway takes the data with the call.
  s.step = Step::data;
  const std::uint32_t lane = slot * 2;
  s.name_node = active_;
  prepare(slot, name_nodes_[active_], lane);
  writer_.write_data_call(call, config_.name_nodes[active_], BodyForm::sized, s.op.payload.size(),
                          client_->request_head(lane));
  client_->start(lane, {.body_bytes = s.op.payload.size().count()});
}

Result<ObjectSession::Node*> ObjectSession::data_node(const Endpoint& endpoint) {
  const std::string name = name_of(endpoint, Role::data_node);
  if (const auto known = data_nodes_.find(name); known != data_nodes_.end()) return &known->second;
  auto peers = hosts_.find(endpoint, Role::data_node);
  if (!peers) return propagate(peers);
  Node node{.name = name, .count = peers->size()};
  for (std::size_t i = 0; i < peers->size(); ++i) {
    const std::size_t peer = client_->add_peer(std::move((*peers)[i]));
    if (i == 0) node.first = peer;
  }
  return &data_nodes_.emplace(name, std::move(node)).first->second;
}

void ObjectSession::start_data(std::uint32_t slot, const Location& location) {
  Slot& s = slots_[slot];
  const bool writing = target::has_payload(s.op.kind);
  std::uint32_t lane = slot * 2;
  // One that sends us to itself has kept its connection.
  if (location.endpoint == config_.name_nodes[s.name_node]) {
    prepare(slot, name_nodes_[s.name_node], lane);
  } else {
    auto node = data_node(location.endpoint);
    if (!node) {
      Completion completion{.done = clock_.now()};
      fail_with(s, completion, Outcome::connection, node.error().what);
      return complete(slot, completion);
    }
    prepare(slot, **node, ++lane);
  }
  s.step = Step::data;
  s.collects = false;
  s.response.clear();
  writer_.write_data(method_of(s.op.kind), location, writing ? BodyForm::sized : BodyForm::none,
                     s.op.payload.size(), client_->request_head(lane));
  client_->start(lane, {.body_bytes = writing ? s.op.payload.size().count() : 0,
                        .expects_data = !writing && s.op.sink != nullptr});
}

void ObjectSession::start_call(std::uint32_t slot) {
  Slot& s = slots_[slot];
  switch (s.op.kind) {
    case OpKind::make_folder:
    case OpKind::create_container: {
      const std::string query = folder_query(config_);
      return send_call(slot, {.method = "PUT", .op = "MKDIRS", .path = s.path, .query = query});
    }
    case OpKind::rename: {
      const std::string query = "&destination=" + aws::encode_component(s.new_path);
      return send_call(slot, {.method = "PUT", .op = "RENAME", .path = s.path, .query = query});
    }
    case OpKind::truncate: {
      const Bytes size = s.op.range ? s.op.range->offset : Bytes();
      const std::string query = fmt::format("&newlength={}", size.count());
      return send_call(slot, {.method = "POST", .op = "TRUNCATE", .path = s.path, .query = query});
    }
    case OpKind::remove:
    case OpKind::remove_container:
      return send_call(
          slot, {.method = "DELETE", .op = "DELETE", .path = s.path, .query = "&recursive=false"});
    default: return send_call(slot, {.method = "GET", .op = "GETFILESTATUS", .path = s.path});
  }
}

void ObjectSession::start_list_page(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const std::string path = joined(s.path, s.walk->folder);
  std::string query;
  if (lists_in_pages_ && !s.walk->after.empty()) {
    query.append("&startAfter=");
    aws::append_encoded_component(query, s.walk->after);
  }
  send_call(slot, {.method = "GET",
                   .op = lists_in_pages_ ? "LISTSTATUS_BATCH" : "LISTSTATUS",
                   .path = s.walk->folder.empty() ? s.path : path,
                   .query = query});
}

void ObjectSession::start_remove_next(std::uint32_t slot) {
  Slot& s = slots_[slot];
  const std::string_view object = s.op.objects[s.items + s.failed_items];
  const auto path = path_of(config_, s.op.container, object);
  if (!path) return refuse(slot, Outcome::invalid, k_strange_name);
  send_call(slot, {.method = "DELETE", .op = "DELETE", .path = *path, .query = "&recursive=false"});
}

void ObjectSession::advance(const net::HttpResult& result) {
  const std::uint32_t slot = result.slot / 2;
  switch (slots_[slot].step) {
    case Step::locate: return advance_locate(slot, result);
    case Step::data: return advance_data(slot, result);
    case Step::call: return advance_call(slot, result);
    case Step::check_folder: return advance_check(slot, result);
    case Step::check_source: return advance_source(slot, result);
    case Step::check_name: return advance_name(slot, result);
    case Step::await_length: return advance_length(slot, result);
    case Step::list_page: return advance_list(slot, result);
    case Step::remove_next: return advance_remove(slot, result);
  }
}

void ObjectSession::advance_locate(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  Completion completion = judge(slot, result);
  if (completion.outcome != Outcome::ok) {
    forgive_existing(s, completion);
    return complete_or_retry(slot, completion);
  }
  if (s.op.kind == OpKind::open) return complete(slot, completion);
  if (config_.noredirect && result.status < 300) {
    s.location = parse_location_answer(s.response).value_or("");
  } else if (result.status < 300) {
    fail_with(s, completion, Outcome::invalid,
              fmt::format("{}: HTTP {} where a redirect was due", s.node->name, result.status));
    return complete(slot, completion);
  }
  auto location = parse_location(s.location);
  if (!location) {
    fail_with(s, completion, Outcome::invalid, s.node->name + ": " + location.error().what);
    return complete(slot, completion);
  }
  s.first_byte = {};
  start_data(slot, *location);
}

void ObjectSession::advance_data(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  Completion completion = judge(slot, result);
  const bool good = completion.outcome == Outcome::ok;
  if (s.op.kind == OpKind::read) {
    completion.bytes = Bytes(result.body_received);
    if (good && s.op.range && completion.bytes < s.op.range->length) {
      fail_with(s, completion, Outcome::short_transfer,
                fmt::format("{}: {} of {} bytes came", s.node->name, completion.bytes.count(),
                            s.op.range->length.count()));
      return complete(slot, completion);
    }
  } else {
    completion.bytes =
        std::min(good ? s.op.payload.size() : Bytes(result.body_sent), s.op.payload.size());
    forgive_existing(s, completion);
    // Data that may have been appended before the connection was lost is not appended again.
    const bool answered = result.failure == net::HttpFailure::none;
    if (s.op.kind == OpKind::append && !answered) return complete(slot, completion);
  }
  complete_or_retry(slot, completion);
}

// A file that a job on blocks needs may be there: a path of its own, in no container.
void ObjectSession::forgive_existing(const Slot& s, Completion& completion) {
  const bool may_be_there = s.op.kind == OpKind::create && s.op.container.empty();
  if (completion.outcome != Outcome::exists || !may_be_there) return;
  completion.outcome = Outcome::ok;
  completion.detail = {};
}

void ObjectSession::advance_source(std::uint32_t slot, const net::HttpResult& result) {
  const Completion completion = judge(slot, result);
  if (completion.outcome != Outcome::ok) return complete_or_retry(slot, completion);
  slots_[slot].step = Step::check_name;
  start_step(slot);
}

void ObjectSession::advance_name(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  Completion completion = judge(slot, result);
  if (completion.outcome == Outcome::ok) {
    fail_with(s, completion, Outcome::exists, s.node->name + ": the new name is taken");
    return complete(slot, completion);
  }
  if (completion.outcome == Outcome::not_found) {
    fail_with(s, completion, Outcome::not_found,
              s.node->name + ": there is no folder for the new name");
    return complete(slot, completion);
  }
  complete_or_retry(slot, completion);
}

void ObjectSession::advance_length(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  Completion completion = judge(slot, result);
  if (completion.outcome != Outcome::ok) return complete_or_retry(slot, completion);
  const auto status = parse_file_status(s.response);
  if (status && status->length == s.op.range->offset) return complete(slot, completion);
  const Instant now = client_->time();
  if (now >= s.patience || cancelled_) {
    fail_with(s, completion, cancelled_ ? Outcome::cancelled : Outcome::timeout,
              s.node->name + ": the file does not get its new length");
    return complete(slot, completion);
  }
  waiting_.push({.due = now + k_truncate_pause, .slot = slot});
}

void ObjectSession::advance_check(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  Completion completion = judge(slot, result);
  if (completion.outcome == Outcome::not_found) {
    s.first_byte = {};
    s.step = Step::call;
    return start_step(slot);
  }
  if (completion.outcome == Outcome::ok) {
    fail_with(s, completion, Outcome::exists, "it is there already");
    return complete(slot, completion);
  }
  complete_or_retry(slot, completion);
}

void ObjectSession::advance_call(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  Completion completion = judge(slot, result);
  const bool good = completion.outcome == Outcome::ok;
  switch (s.op.kind) {
    case OpKind::create_container:
    case OpKind::make_folder:
    case OpKind::remove_container:
      if (good) judge_boolean(s, completion);
      break;
    case OpKind::rename:
    case OpKind::truncate:
      if (good) judge_boolean(s, completion);
      // Answered false, which says too little.
      if (completion.outcome == Outcome::not_found && good) {
        s.first_byte = {};
        s.patience = client_->time() + k_truncate_patience;
        s.step = s.op.kind == OpKind::rename ? Step::check_source : Step::await_length;
        return start_step(slot);
      }
      break;
    case OpKind::remove:
      if (good) judge_boolean(s, completion);
      // An object of a container is removed where it is not there; a path must be.
      if (completion.outcome == Outcome::not_found && !s.op.container.empty()) {
        completion.outcome = Outcome::ok;
        completion.detail = {};
      }
      break;
    default: {
      if (!good) break;
      const auto status = parse_file_status(s.response);
      if (!status) {
        fail_with(s, completion, Outcome::invalid, s.node->name + ": the answer is no file status");
      } else if (s.op.kind == OpKind::head_container && !status->is_folder) {
        fail_with(s, completion, Outcome::not_found, "there is a file of this name");
      } else if (s.op.kind == OpKind::open && status->is_folder) {
        fail_with(s, completion, Outcome::not_found, "there is a folder of this name");
      }
      break;
    }
  }
  complete_or_retry(slot, completion);
}

void ObjectSession::advance_list(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  Completion completion = judge(slot, result);
  const Outcome outcome = completion.outcome;
  if (lists_in_pages_ && (outcome == Outcome::invalid || outcome == Outcome::unsupported)) {
    lists_in_pages_ = false;  // an older server: all names at once
    s.walk->after.clear();
    return start_step(slot);
  }
  Listing listing;
  if (outcome == Outcome::ok) {
    auto parsed = parse_listing(s.response);
    const bool stuck = parsed && parsed->entries.empty() && parsed->remaining > 0;
    if (!parsed || stuck) {
      fail_with(s, completion, Outcome::invalid, s.node->name + ": the answer is no listing");
      return complete(slot, completion);
    }
    listing = std::move(*parsed);
  } else if (outcome != Outcome::not_found || s.walk->folder.empty()) {
    return complete_or_retry(slot, completion);
  }  // else: a folder that was removed meanwhile holds nothing
  s.bytes += result.body_received;
  take_page(slot, listing);
  if (listing.remaining > 0) {
    s.walk->after = listing.entries.back().name;
  } else if (!s.walk->folders.empty()) {
    s.walk->after.clear();
    s.walk->folder = std::move(s.walk->folders.back());
    s.walk->folders.pop_back();
  } else {
    completion.outcome = Outcome::ok;
    completion.detail = {};
    completion.items = s.items;
    completion.bytes = Bytes(s.bytes);
    return complete(slot, completion);
  }
  start_step(slot);
}

void ObjectSession::take_page(std::uint32_t slot, const Listing& listing) {
  Slot& s = slots_[slot];
  for (const FileStatus& entry : listing.entries) {
    if (entry.name.empty()) continue;  // a file was listed in place of a folder
    std::string full = joined(s.walk->folder, entry.name);
    if (!entry.is_folder) {
      if (full.starts_with(s.op.object)) ++s.items;
    } else if (may_hold(full, s.op.object)) {
      s.walk->folders.push_back(std::move(full));
    }
  }
}

void ObjectSession::advance_remove(std::uint32_t slot, const net::HttpResult& result) {
  Slot& s = slots_[slot];
  Completion completion = judge(slot, result);
  if (completion.outcome == Outcome::ok) judge_boolean(s, completion);
  if (completion.outcome == Outcome::ok || completion.outcome == Outcome::not_found) {
    ++s.items;
  } else {
    if (try_again(slot, completion)) return;
    ++s.failed_items;
    if (s.first_failure == Outcome::ok) {
      s.first_failure = completion.outcome;
      s.location = completion.detail;
    }
    // Once stopped, no further name is asked for.
    if (completion.outcome == Outcome::cancelled || cancelled_) return complete(slot, completion);
  }
  s.pauses = 0;  // `retry` is for each name
  if (s.items + s.failed_items < s.op.objects.size()) return start_step(slot);
  completion.outcome = s.first_failure;
  completion.items = s.items;
  completion.detail = {};
  if (s.failed_items > 0) {
    fail_with(s, completion, s.first_failure,
              fmt::format("{} of {} names not removed, first {}", s.failed_items,
                          s.op.objects.size(), s.location));
  }
  complete(slot, completion);
}

}  // namespace loadline::targets::webhdfs
