#include "plan/check.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "plan/check_stream.h"
#include "plan/json_text.h"
#include "plan/plan_fields.h"

namespace loadline::plan {
namespace {

// File names that hold this text have room for a prefix and a suffix.
constexpr std::size_t k_file_name_max = 200;

using Verdict = Result<void>;

Verdict refuse(std::string path, std::string what) {
  return fail(ErrorCode::bad_input, std::move(what), std::move(path));
}

// "path[index]"
std::string element(const std::string& path, std::size_t index) {
  return std::string(path).append("[").append(std::to_string(index)).append("]");
}

// Length of the UTF-8 sequence (RFC 3629) at the start of `text`; 0 where there is none.
std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (text.size() < length) return 0;
  unsigned char least = 0x80;
  unsigned char most = 0xbf;
  if (first == 0xe0) least = 0xa0;
  if (first == 0xed) most = 0x9f;
  if (first == 0xf0) least = 0x90;
  if (first == 0xf4) most = 0x8f;
  if (byte(1) < least || byte(1) > most) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  }
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// Looks at every field for what its JSON could not give back: text that is not UTF-8, times that
// are no number of seconds, numbers that are none.
class Exactness {
 public:
  template <typename T>
  void operator()(const char* key, const T& value) {
    look(value, path_.empty() ? std::string(key) : path_ + "." + key);
  }
  template <typename T>
  void if_set(const char* key, const T& value) {
    (*this)(key, value);
  }
  // Any bytes will do.
  void hex(const char*, const std::string&) {}

  Verdict verdict;

 private:
  template <typename T>
  void look(const T& value, const std::string& path) {
    if (!verdict) return;
    if constexpr (json::HasFields<T>) {
      const std::string outer = std::exchange(path_, path);
      json::Fields<T>::visit(*this, value);
      path_ = outer;
    } else if constexpr (json::k_is_optional<T>) {
      if (value) look(*value, path);
    } else if constexpr (json::k_is_vector<T> || json::k_is_array<T>) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        look(value[i], element(path, i));
      }
    } else if constexpr (std::same_as<T, std::string>) {
      if (!is_utf8(value)) verdict = refuse(path, "is not UTF-8 text");
    } else if constexpr (std::same_as<T, target::Parameters>) {
      for (const auto& [k, v] : value.entries()) {
        if (!is_utf8(k)) verdict = refuse(path, "has a key that is not UTF-8 text");
        if (verdict) look(v, std::string(path).append(".").append(k));
      }
    } else if constexpr (std::same_as<T, Duration>) {
      if (json::duration_of(json::seconds_of(value)) != value) {
        verdict = refuse(path, "is too long to be kept to the nanosecond; use whole seconds");
      } else if (value < Duration()) {
        verdict = refuse(path, "is negative");
      }
    } else if constexpr (std::same_as<T, Rate>) {
      look(value.per_second(), path);
    } else if constexpr (std::same_as<T, double>) {
      if (!std::isfinite(value)) verdict = refuse(path, "is not a finite number");
    }
  }

  std::string path_;
};

Verdict check_file_name(const std::string& name, const std::string& path) {
  if (name.empty()) return refuse(path, "is empty");
  if (name.size() > k_file_name_max) {
    return refuse(path, "is longer than " + std::to_string(k_file_name_max) + " bytes");
  }
  const auto unfit = [](unsigned char c) { return c == '/' || c < 0x20 || c == 0x7f; };
  if (name == "." || name == ".." || std::ranges::any_of(name, unfit)) {
    return refuse(path, "becomes part of file names: no '/', no control characters");
  }
  return {};
}

Verdict check_trigger(const std::optional<Trigger>& trigger, const std::string& path) {
  if (!trigger) return {};
  return check_file_name(trigger->script, path + ".script");
}

Verdict check_bucket(const WeightedRange& bucket, const std::string& path) {
  if (bucket.lower < 0) return refuse(path + ".lower", "is negative");
  if (bucket.lower > bucket.upper) return refuse(path, "its lower bound is above the upper one");
  if (bucket.upper == INT64_MAX) return refuse(path + ".upper", "is too large");
  if (!(bucket.weight > 0)) return refuse(path + ".weight", "must be above zero");
  return {};
}

Verdict check_selector(const Selector& selector, const std::string& path) {
  if (selector.lower < 0) return refuse(path + ".lower", "is negative");
  if (selector.lower > selector.upper) {
    return refuse(path, "its lower bound is above the upper one");
  }
  // upper - lower + 1 must be a number too.
  if (selector.upper == INT64_MAX) return refuse(path + ".upper", "is too large");
  if (selector.kind == Selector::Kind::constant && selector.lower != selector.upper) {
    return refuse(path, "a constant has one number for both bounds");
  }
  const bool histogram = selector.kind == Selector::Kind::histogram;
  if (histogram == selector.buckets.empty()) {
    return refuse(path + ".buckets", histogram ? "a histogram needs at least one bucket"
                                               : "only a histogram has buckets");
  }
  double weights = 0;
  for (std::size_t i = 0; i < selector.buckets.size(); ++i) {
    const std::string bucket = element(path + ".buckets", i);
    if (Verdict v = check_bucket(selector.buckets[i], bucket); !v) return v;
    weights += selector.buckets[i].weight;
  }
  if (!std::isfinite(weights)) return refuse(path + ".buckets", "the weights add up to infinity");
  return {};
}

// `part` is the division that cuts this name's numbers into slices.
Verdict check_name(const OpSpec& op, const NameSpec& name, Division part, const std::string& path) {
  if (!name.index) return {};
  const std::string index = path + ".index";
  if (Verdict v = check_selector(*name.index, index); !v) return v;
  const Selector::Kind kind = name.index->kind;
  const bool random = kind == Selector::Kind::uniform || kind == Selector::Kind::histogram;
  if (is_walk(op.action) && random) {
    return refuse(index, "a walk needs a range, not random numbers");
  }
  if (op.division == part && kind == Selector::Kind::histogram) {
    return refuse(index, "a histogram cannot be divided among workers");
  }
  return {};
}

bool is_file_write(Action action) {
  return action == Action::file_write || action == Action::multipart_file_write;
}

bool is_multipart(Action action) {
  return action == Action::multipart_write || action == Action::multipart_file_write ||
         action == Action::multipart_prepare;
}

Verdict check_size(const OpSpec& op, const std::string& path) {
  const bool objects = !is_walk(op.action) || op.object.index.has_value();
  if (!op.size) {
    const bool sized = is_write(op.action) || op.action == Action::truncate;
    const bool needed = sized && !is_file_write(op.action) && objects;
    return needed ? refuse(path + ".size", "is missing, and this action writes objects")
                  : Verdict();
  }
  if (Verdict v = check_selector(op.size->value, path + ".size.value"); !v) return v;
  const std::uint64_t unit = op.size->unit.count();
  if (unit == 0) return refuse(path + ".size.unit_bytes", "must be above zero");
  const auto largest = static_cast<std::uint64_t>(op.size->value.largest());
  if (largest > static_cast<std::uint64_t>(INT64_MAX) / unit) {
    return refuse(path + ".size", "is above the largest size of 8 EiB");
  }
  return {};
}

Verdict check_files(const OpSpec& op, const std::string& path) {
  if (!is_file_write(op.action)) return {};
  if (op.files_folder.empty()) return refuse(path + ".files_folder", "is missing");
  if (!op.file_choice) return refuse(path + ".file_choice", "is missing");
  if (Verdict v = check_selector(*op.file_choice, path + ".file_choice"); !v) return v;
  if (op.file_choice->lower < 1) return refuse(path + ".file_choice", "files are counted from 1");
  return {};
}

Verdict check_range(const OpSpec& op, const std::string& path) {
  if (!op.random_range) return {};
  const std::string range = path + ".random_range";
  if (op.action != Action::read) return refuse(range, "only reads have one");
  if (op.random_range->chunk == Bytes())
    return refuse(range + ".chunk_bytes", "must be above zero");
  if (op.random_range->chunk > op.random_range->object_size) {
    return refuse(range, "the chunk is larger than the object");
  }
  return {};
}

Verdict check_new_name(const OpSpec& op, const std::string& path) {
  const std::string field = path + ".new_name";
  if (op.action != Action::rename) {
    return op.new_name == NameSpec() ? Verdict() : refuse(field, "only a rename has one");
  }
  if (op.new_name.index) return refuse(field + ".index", "the number is the object's");
  if (op.new_name.prefix == op.object.prefix && op.new_name.suffix == op.object.suffix) {
    return refuse(field, "is the object's own name");
  }
  return {};
}

bool only_in_results(Action action) {
  return action == Action::trim || action == Action::sync || action == Action::close;
}

// What names an object must have a number for it; a list may have a prefix alone, and a walk
// without objects is one over containers, or does nothing.
bool needs_object(Action action) {
  return !is_walk(action) && !is_file_write(action) && action != Action::list;
}

Verdict check_op(const OpSpec& op, const std::string& path) {
  if (op.name.empty()) return refuse(path + ".name", "is empty");
  if (only_in_results(op.action)) return refuse(path + ".action", "is one of results alone");
  if (op.share_percent < 1 || op.share_percent > 100) {
    return refuse(path + ".share_percent", "must be from 1 to 100");
  }
  if (Verdict v = check_name(op, op.container, Division::container, path + ".container"); !v) {
    return v;
  }
  if (Verdict v = check_name(op, op.object, Division::object, path + ".object"); !v) return v;
  if (needs_object(op.action) && !op.object.index) {
    return refuse(path + ".object.index", "is missing, and this action needs an object");
  }
  if (Verdict v = check_new_name(op, path); !v) return v;
  if (Verdict v = check_size(op, path); !v) return v;
  if (op.remove_batch < 1) return refuse(path + ".remove_batch", "must be at least 1");
  if (is_multipart(op.action) && op.part_size == Bytes()) {
    return refuse(path + ".part_size_bytes", "must be above zero");
  }
  if (Verdict v = check_range(op, path); !v) return v;
  if (op.restore_days < 1) return refuse(path + ".restore_days", "must be at least 1");
  return check_files(op, path);
}

Verdict check_ops(const Job& job, const std::string& path) {
  if (job.ops.empty()) return refuse(path + ".ops", "a job needs at least one operation");
  std::uint64_t shares = 0;
  for (std::size_t i = 0; i < job.ops.size(); ++i) {
    if (Verdict v = check_op(job.ops[i], element(path + ".ops", i)); !v) return v;
    shares += job.ops[i].share_percent;
  }
  if (shares != 100) {
    return refuse(path + ".ops", "the shares add up to " + std::to_string(shares) + ", not to 100");
  }
  return {};
}

Verdict check_stop(const Job& job, const std::string& path) {
  const StopRule& stop = job.stop;
  const bool only_walks =
      std::ranges::all_of(job.ops, [](const OpSpec& op) { return is_walk(op.action); });
  if (stop.one_pass && !only_walks) {
    return refuse(path + ".stop.one_pass", "only walks have a pass");
  }
  const bool limited = stop.runtime > Duration() || stop.total_operations > OpCount() ||
                       stop.total_bytes > Bytes() || stop.one_pass;
  if (!limited && !only_walks) {
    return refuse(path + ".stop", "no limit: set a runtime, a number of operations or of bytes");
  }
  return {};
}

Verdict check_pace(const Pace& pace, const std::string& path) {
  if (pace.arrival == Arrival::closed && pace.rate != Rate()) {
    return refuse(path + ".rate_per_second", "a closed loop has no rate");
  }
  if (pace.arrival != Arrival::closed && !(pace.rate > Rate())) {
    return refuse(path + ".rate_per_second", "must be above zero in an open loop");
  }
  return {};
}

Verdict check_block_size(const BlockSize& size, const std::string& path) {
  if (size.min == Bytes()) return refuse(path + ".min_bytes", "must be above zero");
  if (size.min > size.max) return refuse(path, "its smallest size is above the largest");
  if (size.step == Bytes()) return refuse(path + ".step_bytes", "must be above zero");
  for (const WeightedSize& part : size.split) {
    if (part.size == Bytes()) return refuse(path + ".split", "has a size of zero");
  }
  return {};
}

Verdict check_distribution(const Distribution& order, const std::string& path) {
  const double p = order.parameter;
  if (order.placement == Placement::zipf && (p <= 0 || p == 1)) {
    return refuse(path + ".parameter", "zipf's theta must be above zero and not 1");
  }
  if (order.placement == Placement::pareto && (p <= 0 || p >= 1)) {
    return refuse(path + ".parameter", "pareto's h must lie between 0 and 1");
  }
  if (order.placement == Placement::normal && (p < 0 || p > 100)) {
    return refuse(path + ".parameter", "the deviation must be from 0 to 100");
  }
  if (order.centre > 1) return refuse(path + ".centre", "must be at most 1");
  const bool zoned = order.placement == Placement::zoned || order.placement == Placement::zoned_abs;
  if (zoned && order.zones.empty()) return refuse(path + ".zones", "has no zones");
  if (order.placement == Placement::listed && order.blocks.empty()) {
    return refuse(path + ".blocks", "names no block");
  }
  return {};
}

Verdict check_block(const Job& job, const std::string& path) {
  const BlockIo& block = *job.block;
  if (block.files.empty()) return refuse(path + ".files", "a job needs at least one file");
  for (std::size_t i = 0; i < block.files.size(); ++i) {
    if (block.files[i].path.empty()) {
      return refuse(element(path + ".files", i) + ".path", "is empty");
    }
  }
  if (std::ranges::none_of(block.uses, [](bool used) { return used; })) {
    return refuse(path + ".uses", "none of read, write and trim");
  }
  if (block.read_percent > 100) return refuse(path + ".read_percent", "must be from 0 to 100");
  for (std::size_t i = 0; i < k_directions; ++i) {
    const Verdict size = check_block_size(block.sizes[i], element(path + ".sizes", i));
    if (!size) return size;
    const Verdict order = check_distribution(block.order[i], element(path + ".order", i));
    if (!order) return order;
    if (block.random_percent[i] > 100) {
      return refuse(element(path + ".random_percent", i), "must be from 0 to 100");
    }
  }
  if (block.loops < 1) return refuse(path + ".loops", "must be at least 1");
  if (block.rate_cycle <= Duration()) return refuse(path + ".rate_cycle_s", "must be above zero");
  if (block.steady && block.steady->interval <= Duration()) {
    return refuse(path + ".steady.interval_s", "must be above zero");
  }
  if (block.time_based && job.stop.runtime == Duration()) {
    return refuse(path + ".time_based", "needs a runtime");
  }
  if (job.pace.arrival != Arrival::closed) {
    return refuse(path, "blocks are paced by their own rate");
  }
  return {};
}

Verdict check_job(const Job& job, const std::string& path) {
  if (job.name.empty()) return refuse(path + ".name", "is empty");
  if (job.target.type.empty()) return refuse(path + ".target.type", "is empty");
  if (job.workers < 1 || job.workers > k_workers_max) {
    return refuse(path + ".workers", "must be from 1 to " + std::to_string(k_workers_max));
  }
  if (job.interval <= Duration()) return refuse(path + ".interval_s", "must be above zero");
  if (job.acceptable_failures_per_million > 1'000'000) {
    return refuse(path + ".acceptable_failures_per_million", "must be from 0 to 1000000");
  }
  if (job.start_delay < Duration()) return refuse(path + ".start_delay_s", "is negative");
  if ((job.ops.empty() ? 0 : 1) + (job.block ? 1 : 0) + (job.stream ? 1 : 0) > 1) {
    return refuse(path, "a job has operations, blocks or a stream, not more than one of them");
  }
  if (job.block) return check_block(job, path + ".block");
  if (job.stream) {
    if (Verdict v = check_stream(job, path); !v) return v;
    return check_pace(job.pace, path + ".pace");
  }
  if (Verdict v = check_ops(job, path); !v) return v;
  if (Verdict v = check_stop(job, path); !v) return v;
  return check_pace(job.pace, path + ".pace");
}

Verdict check_stage(const Stage& stage, const std::string& path) {
  if (Verdict v = check_file_name(stage.id, path + ".id"); !v) return v;
  if (stage.name.empty()) return refuse(path + ".name", "is empty");
  if (Verdict v = check_trigger(stage.trigger, path + ".trigger"); !v) return v;
  for (std::size_t i = 0; i < stage.jobs.size(); ++i) {
    if (Verdict v = check_job(stage.jobs[i], element(path + ".jobs", i)); !v) return v;
  }
  return {};
}

}  // namespace

Result<void> check(const Plan& plan) {
  Exactness exactness;
  json::Fields<Plan>::visit(exactness, plan);
  if (!exactness.verdict) return exactness.verdict;
  if (Verdict v = check_file_name(plan.name, "name"); !v) return v;
  if (Verdict v = check_trigger(plan.trigger, "trigger"); !v) return v;
  if (plan.tick < Duration::milliseconds(1)) return refuse("tick_s", "must be at least 0.001");
  if (plan.stages.empty()) return refuse("stages", "a plan needs at least one stage");
  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const std::string stage = element("stages", i);
    if (Verdict v = check_stage(plan.stages[i], stage); !v) return v;
    if (!ids.insert(plan.stages[i].id).second) {
      return refuse(stage + ".id", "'" + plan.stages[i].id + "' is the id of an earlier stage");
    }
  }
  return {};
}

}  // namespace loadline::plan
