#include "drive/target_set.h"

#include <algorithm>

#include "base/check.h"
#include "base/open_files.h"

namespace loadline::drive {
namespace {

using target::OpKind;

constexpr std::uint64_t k_files_besides = 256;  // open files that belong to no slot

std::uint32_t kinds_needed(const plan::OpSpec& op) {
  const auto bit = target::Capabilities::bit;
  std::uint32_t kinds = 0;
  switch (op.action) {
    case plan::Action::read: kinds = bit(OpKind::read); break;
    case plan::Action::write:
    case plan::Action::file_write: kinds = bit(OpKind::write); break;
    case plan::Action::multipart_write:
    case plan::Action::multipart_file_write: kinds = bit(OpKind::multipart_write); break;
    case plan::Action::remove: kinds = bit(OpKind::remove); break;
    case plan::Action::list: kinds = bit(OpKind::list); break;
    case plan::Action::head: kinds = bit(OpKind::head); break;
    case plan::Action::restore: kinds = bit(OpKind::restore); break;
    case plan::Action::prepare: kinds = op.object.index ? bit(OpKind::write) : 0; break;
    case plan::Action::multipart_prepare: kinds = bit(OpKind::multipart_write); break;
    case plan::Action::cleanup:
      kinds = op.object.index ? bit(op.remove_batch > 1 ? OpKind::remove_many : OpKind::remove) : 0;
      break;
    case plan::Action::create: kinds = bit(OpKind::create); break;
    case plan::Action::open: kinds = bit(OpKind::open); break;
    case plan::Action::rename: kinds = bit(OpKind::rename); break;
    case plan::Action::append: kinds = bit(OpKind::append); break;
    case plan::Action::truncate: kinds = bit(OpKind::truncate); break;
    case plan::Action::make_folder: kinds = bit(OpKind::make_folder); break;
    case plan::Action::trim:
    case plan::Action::sync:
    case plan::Action::close: check_failed("only results have these");
  }
  if (op.create_containers) kinds |= bit(OpKind::head_container) | bit(OpKind::create_container);
  if (op.remove_containers) kinds |= bit(OpKind::remove_container);
  return kinds;
}

std::string place_of(const plan::Stage& stage, const plan::Job& job) {
  return "stage " + stage.name + ", work " + job.name;
}

Result<void> check_capabilities(const plan::OpSpec& op, const target::Capabilities& can,
                                const std::string& type, const std::string& place) {
  const auto refuse = [&](const std::string& what) {
    std::string text = "storage " + type + " cannot do " + what;
    if (!can.not_supported_hint.empty()) text += ": " + can.not_supported_hint;
    return fail(ErrorCode::unsupported, std::move(text), place + ", operation " + op.name);
  };
  const std::uint32_t needed = kinds_needed(op);
  for (std::size_t i = 0; i < target::k_op_kinds; ++i) {
    const auto kind = static_cast<OpKind>(i);
    if ((needed & target::Capabilities::bit(kind)) != 0 && !can.can(kind)) {
      return refuse(std::string(to_string(kind)));
    }
  }
  if (op.random_range && !can.range_reads) return refuse("reads of a range");
  return {};
}

Result<void> check_stream(const plan::StreamIo& stream, const target::Capabilities& can,
                          const std::string& type, const std::string& place) {
  OpKind kind = OpKind::write;
  if (plan::is_read(stream.action)) kind = OpKind::read;
  if (stream.action == plan::StreamAction::truncate) kind = OpKind::truncate;
  if (stream.action == plan::StreamAction::remove) kind = OpKind::remove;
  if (can.block_io && can.can(kind)) return {};
  std::string what = "streams";
  if (can.block_io) what = std::string(to_string(kind));
  return fail(ErrorCode::unsupported, "storage " + type + " cannot do " + what, place);
}

// Of a job on streams: its folder, and whether it may be missing before the run.
void add_folder(const plan::StreamIo& stream, std::size_t room, std::vector<std::string>& used,
                std::vector<std::string>& created) {
  const auto add = [&](std::vector<std::string>& names) {
    if (std::ranges::find(names, stream.folder) == names.end()) names.push_back(stream.folder);
  };
  if (used.size() < room) add(used);
  const bool removes = stream.action == plan::StreamAction::remove;
  if (plan::makes_files(stream.action) || removes) add(created);
}

// The first container names of an operation, at most `room`.
void add_containers(const plan::OpSpec& op, std::size_t room, std::vector<std::string>& names) {
  if (!op.container.index) return;
  std::vector<plan::WeightedRange> ranges = op.container.index->buckets;
  if (ranges.empty()) ranges.push_back({op.container.index->lower, op.container.index->upper, 1});
  for (const plan::WeightedRange& range : ranges) {
    for (std::int64_t i = range.lower; i <= range.upper && names.size() < room; ++i) {
      std::string name = op.container.prefix + std::to_string(i) + op.container.suffix;
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
}

}  // namespace

Result<TargetSet> TargetSet::open(const plan::Plan& plan,
                                  const std::vector<target::TargetType>& types) {
  TargetSet set;
  for (const plan::Stage& stage : plan.stages) {
    for (const plan::Job& job : stage.jobs) {
      const std::string place = place_of(stage, job);
      auto known = std::ranges::find(set.entries_, job.target, &Entry::spec);
      if (known == set.entries_.end()) {
        const auto type = std::ranges::find(types, job.target.type, &target::TargetType::name);
        if (type == types.end()) {
          return fail(ErrorCode::unsupported, "this build has no storage type " + job.target.type,
                      place);
        }
        auto opened = type->open(job.target.parameters);
        if (!opened) {
          return fail(opened.error().code, opened.error().message(),
                      place + ", storage " + job.target.type);
        }
        set.entries_.push_back({job.target, std::move(*opened)});
        known = set.entries_.end() - 1;
      }
      const target::Capabilities can = known->target->capabilities();
      if (job.block && !can.block_io) {
        return fail(ErrorCode::unsupported, "storage " + job.target.type + " has no block I/O",
                    place);
      }
      if (job.stream) {
        const auto checked = check_stream(*job.stream, can, job.target.type, place);
        if (!checked) return std::unexpected(checked.error());
      }
      for (const plan::OpSpec& op : job.ops) {
        const auto checked = check_capabilities(op, can, job.target.type, place);
        if (!checked) return std::unexpected(checked.error());
      }
    }
  }
  return set;
}

target::Target& TargetSet::of(const plan::Job& job) const {
  const auto it = std::ranges::find(entries_, job.target, &Entry::spec);
  CHECK(it != entries_.end());
  return *it->target;
}

Result<void> TargetSet::allow_open_files(const plan::Plan& plan) const {
  for (const plan::Stage& stage : plan.stages) {
    std::uint64_t workers = 0;
    std::uint64_t files = 0;
    for (const plan::Job& job : stage.jobs) {
      const std::uint64_t each = of(job).capabilities().files_per_slot;
      if (each > 0) workers += job.workers;
      files += each * job.workers;
    }
    if (files == 0) continue;
    const auto allowed = loadline::allow_open_files(files + k_files_besides);
    if (allowed) continue;
    return fail(ErrorCode::bad_input,
                std::to_string(workers) + " workers need " +
                    std::to_string(files + k_files_besides) + " open files, but " +
                    allowed.error().what,
                "stage " + stage.name);
  }
  return {};
}

Result<void> TargetSet::preflight(const plan::Plan& plan) const {
  for (const Entry& entry : entries_) {
    std::vector<std::string> used;
    std::vector<std::string> created;
    for (const plan::Stage& stage : plan.stages) {
      for (const plan::Job& job : stage.jobs) {
        if (job.target != entry.spec) continue;
        if (job.stream) add_folder(*job.stream, k_containers_asked, used, created);
        for (const plan::OpSpec& op : job.ops) {
          add_containers(op, k_containers_asked, used);
          // Removing what is not there is no mistake, so a dispose alone may find nothing.
          if (op.create_containers || op.remove_containers) {
            add_containers(op, SIZE_MAX, created);
          }
        }
      }
    }
    const auto asked = entry.target->preflight(used, created);
    if (!asked) {
      return fail(asked.error().code, asked.error().message(), "storage " + entry.spec.type);
    }
  }
  return {};
}

}  // namespace loadline::drive
