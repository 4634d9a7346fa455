#include "drive/left_behind.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "drive/left_streams.h"

namespace loadline::drive {
namespace {

// Names from PREFIX lower SUFFIX to PREFIX upper SUFFIX.
struct Names {
  std::string prefix;
  std::string suffix;
  std::int64_t lower = 0;
  std::int64_t upper = 0;

  bool same_kind(const Names& other) const {
    return prefix == other.prefix && suffix == other.suffix;
  }
  bool operator==(const Names&) const = default;
};

std::optional<Names> names_of(const plan::NameSpec& spec) {
  if (!spec.index) return std::nullopt;
  Names names{spec.prefix, spec.suffix, spec.index->lower, spec.index->upper};
  const auto& buckets = spec.index->buckets;
  if (!buckets.empty()) {
    names.lower = std::ranges::min(buckets, {}, &plan::WeightedRange::lower).lower;
    names.upper = std::ranges::max(buckets, {}, &plan::WeightedRange::upper).upper;
  }
  return names;
}

// E.g. "s3testqwer1..2".
std::string text_of(const Names& names) {
  const std::string lower = std::to_string(names.lower);
  const std::string upper = std::to_string(names.upper);
  return names.prefix + lower + (lower == upper ? "" : ".." + upper) + names.suffix;
}

// Objects of a range in containers of a range. Files are written under names of their own: no
// range, and nothing that cleans by range covers them.
struct Block {
  Names containers;
  std::optional<Names> objects;

  bool operator==(const Block&) const = default;
};

// What remains of `from` without `taken`, appended to `rest`: at most a block on each side.
void subtract(const Block& from, const Block& taken, std::vector<Block>& rest) {
  const Names& c = from.containers;
  const Names& tc = taken.containers;
  const bool alike =
      c.same_kind(tc) && from.objects && taken.objects && from.objects->same_kind(*taken.objects);
  if (!alike || tc.lower > c.upper || tc.upper < c.lower ||
      taken.objects->lower > from.objects->upper || taken.objects->upper < from.objects->lower) {
    rest.push_back(from);
    return;
  }
  Block middle = from;
  if (tc.lower > c.lower) {
    Block below = from;
    below.containers.upper = tc.lower - 1;
    middle.containers.lower = tc.lower;
    rest.push_back(std::move(below));
  }
  if (tc.upper < c.upper) {
    Block above = from;
    above.containers.lower = tc.upper + 1;
    middle.containers.upper = tc.upper;
    rest.push_back(std::move(above));
  }
  if (taken.objects->lower > from.objects->lower) {
    rest.push_back(middle);
    rest.back().objects->upper = taken.objects->lower - 1;
  }
  if (taken.objects->upper < from.objects->upper) {
    rest.push_back(middle);
    rest.back().objects->lower = taken.objects->upper + 1;
  }
}

bool covered(const Block& block, const std::vector<Block>& removed) {
  constexpr std::size_t k_blocks_max = 10'000;  // more pieces: taken for not covered
  std::vector<Block> left = {block};
  for (const Block& taken : removed) {
    std::vector<Block> rest;
    for (const Block& piece : left) subtract(piece, taken, rest);
    left = std::move(rest);
    if (left.empty() || left.size() > k_blocks_max) break;
  }
  return left.empty();
}

// Containers as blocks of one object each.
Block as_block(const Names& containers) { return {containers, Names{}}; }

struct Written {
  Block block;
  std::uint64_t writes = 0;
};

struct Made {
  Names containers;
  std::uint64_t times = 0;
};

// Everything that counts, over all operations of the plan.
struct Tally {
  std::vector<Names> planned;  // containers that the plan cleans
  std::vector<Written> written;
  std::vector<Made> made;
  std::vector<Block> removed;  // objects, by cleanups that went through
  std::vector<Names> removed_containers;

  void note_plan(const plan::OpSpec& op);
  void note_result(const plan::OpSpec& op, const record::OpStats& stats, bool completed);
  bool was_to_go(const Names& containers) const;
};

void Tally::note_plan(const plan::OpSpec& op) {
  const auto containers = names_of(op.container);
  if (containers && op.action == plan::Action::cleanup) planned.push_back(*containers);
}

void Tally::note_result(const plan::OpSpec& op, const record::OpStats& stats, bool completed) {
  const auto containers = names_of(op.container);
  if (!containers) return;
  const Block block{*containers, names_of(op.object)};
  if (plan::is_write(op.action) && stats.successes() > 0) {
    const auto known = std::ranges::find(written, block, &Written::block);
    if (known == written.end()) {
      written.push_back({block, stats.successes()});
    } else {
      known->writes += stats.successes();
    }
  }
  if (op.create_containers && stats.container_ops > 0) {
    const auto known = std::ranges::find(made, *containers, &Made::containers);
    if (known == made.end()) {
      made.push_back({*containers, stats.container_ops});
    } else {
      known->times += stats.container_ops;
    }
  }
  if (op.action != plan::Action::cleanup || !completed) return;
  if (block.objects) removed.push_back(block);
  if (op.remove_containers && stats.container_failures == 0) {
    removed_containers.push_back(*containers);
    // Only empty ones go: whatever had been written there is gone, by whichever operation.
    const std::vector<Block> gone = {as_block(*containers)};
    std::erase_if(written,
                  [&](const Written& w) { return covered(as_block(w.block.containers), gone); });
  }
}

bool Tally::was_to_go(const Names& containers) const {
  return std::ranges::any_of(planned, [&](const Names& cleaned) {
    return cleaned.same_kind(containers) && cleaned.lower <= containers.upper &&
           cleaned.upper >= containers.lower;
  });
}

Tally tally_of(const plan::Plan& plan, const std::vector<record::StageResult>& stages) {
  Tally tally;
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    for (std::size_t j = 0; j < plan.stages[s].jobs.size(); ++j) {
      const auto& ops = plan.stages[s].jobs[j].ops;
      for (std::size_t i = 0; i < ops.size(); ++i) {
        tally.note_plan(ops[i]);
        if (s >= stages.size() || j >= stages[s].jobs.size()) continue;
        tally.note_result(ops[i], stages[s].jobs[j].ops[i].stats,
                          stages[s].state == record::StageState::completed);
      }
    }
  }
  return tally;
}

}  // namespace

std::vector<std::string> left_behind(const plan::Plan& plan,
                                     const std::vector<record::StageResult>& stages) {
  const Tally tally = tally_of(plan, stages);
  std::vector<std::string> lines;
  for (const Written& written : tally.written) {
    const Block& block = written.block;
    if (!tally.was_to_go(block.containers) || covered(block, tally.removed)) continue;
    lines.push_back("containers " + text_of(block.containers) + ": objects " +
                    (block.objects ? text_of(*block.objects) + " " : "") + "of " +
                    std::to_string(written.writes) + " writes");
  }
  std::vector<Block> removed;
  for (const Names& containers : tally.removed_containers) removed.push_back(as_block(containers));
  for (const auto& [containers, times] : tally.made) {
    if (!tally.was_to_go(containers) || covered(as_block(containers), removed)) continue;
    const auto all = static_cast<std::uint64_t>(containers.upper - containers.lower) + 1;
    lines.push_back("containers " + text_of(containers) + ": " +
                    (times < all ? std::to_string(times) + " of them are there, empty or not"
                                 : "empty or not, they are there"));
  }
  for (std::string& line : left_streams(plan, stages)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace loadline::drive
