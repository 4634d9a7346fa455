#include "dialects/cosbench/plan_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/cosbench/operation_builder.h"
#include "dialects/cosbench/vocabulary.h"

namespace loadline::dialects::cosbench {
namespace {

using plan::Selector;
using std::string_view;

class PlanBuilder {
 public:
  PlanBuilder(const PlanOptions& options, Findings& findings)
      : options_(options), findings_(findings) {}

  plan::Plan build(const Workload& workload);

 private:
  plan::Stage build_stage(const Stage& stage);
  plan::Job build_job(const Work& work);
  plan::TargetSpec build_target(const Work& work);
  void check_parameters(const Adapter& storage, const plan::TargetSpec& target);
  void check_auth(const Adapter& auth);
  std::optional<plan::Trigger> build_trigger(const std::string& text, const Place& place,
                                             const std::string& where);
  void advise_on_pairs(const Operation& operation, const plan::OpSpec& spec);
  void advise_on_idle_workers(const Work& work, const Operation& operation,
                              const plan::OpSpec& spec);

  const PlanOptions& options_;
  Findings& findings_;
};

plan::Plan PlanBuilder::build(const Workload& workload) {
  plan::Plan plan;
  plan.name = workload.name;
  plan.description = workload.description.value_or("");
  plan.dialect = "cosbench";
  plan.seed = options_.seed;
  plan.trigger = build_trigger(workload.trigger, workload.places.of("trigger"), "workload");
  for (const Stage& stage : workload.stages) plan.stages.push_back(build_stage(stage));
  return plan;
}

plan::Stage PlanBuilder::build_stage(const Stage& stage) {
  plan::Stage planned;
  planned.id = stage.id;
  planned.name = stage.name;
  planned.delay_after = Duration::seconds(std::max<std::int64_t>(0, stage.closure_delay_s));
  planned.trigger = build_trigger(stage.trigger, stage.places.of("trigger"), stage.where);
  if (only_sleeps(stage)) {
    const auto runs = [](const Work& work) { return work.type != "delay"; };
    if (std::ranges::any_of(stage.works, runs)) {
      findings_.warning(stage.places.element(), stage.where,
                        "a stage named delay with a closuredelay sleeps; its works do not run");
    }
    if (stage.closure_delay_s == 0 && !stage.works.empty()) {
      findings_.warning(stage.places.element(), stage.where,
                        "sleeps for 0 s; give it a closuredelay in seconds");
    }
    return planned;
  }
  for (const Work& work : stage.works) {
    if (work.type != "delay") planned.jobs.push_back(build_job(work));
  }
  return planned;
}

plan::Job PlanBuilder::build_job(const Work& work) {
  plan::Job job;
  job.name = work.name;
  job.label = work.type;
  job.workers = static_cast<std::uint32_t>(std::max<std::int64_t>(1, work.workers));
  job.interval = Duration::seconds(std::max<std::int64_t>(1, work.interval_s));
  job.acceptable_failures_per_million =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(work.afr, 0, 1'000'000));
  job.driver = work.driver;
  job.target = build_target(work);
  check_auth(work.auth);
  if (work.special) {
    job.stop.one_pass = true;
  } else {
    if (work.runtime_s > 0) {
      job.stop.ramp_up = Duration::seconds(std::max<std::int64_t>(0, work.rampup_s));
      job.stop.runtime = Duration::seconds(work.runtime_s);
      job.stop.ramp_down = Duration::seconds(std::max<std::int64_t>(0, work.rampdown_s));
    }
    job.stop.total_operations =
        OpCount(static_cast<std::uint64_t>(std::max<std::int64_t>(0, work.total_ops)));
    job.stop.total_bytes =
        Bytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, work.total_bytes)));
  }
  if (work.rate) {
    job.pace.rate = Rate::per_second(*work.rate);
    job.pace.arrival = work.arrival == "poisson" ? plan::Arrival::poisson : plan::Arrival::constant;
  }
  std::vector<std::string> names = reported_names(work);
  for (std::size_t i = 0; i < work.operations.size(); ++i) {
    const Operation& operation = work.operations[i];
    auto spec = build_operation(work, operation, std::move(names[i]), findings_);
    if (!spec) continue;
    if (!plan::is_walk(spec->action)) {
      advise_on_pairs(operation, *spec);
      advise_on_idle_workers(work, operation, *spec);
    }
    job.ops.push_back(std::move(*spec));
  }
  return job;
}

plan::TargetSpec PlanBuilder::build_target(const Work& work) {
  const Adapter& storage = work.storage;
  plan::TargetSpec target;
  target.type = target_of_storage(storage.type);
  if (storage.config) {
    for (const auto& entry : storage.config->entries()) {
      target.parameters.set(entry.key, entry.value);
    }
  }
  const auto& types = options_.target_types;
  if (std::ranges::find(types, target.type) != types.end()) check_parameters(storage, target);
  if (storage.type.empty() || std::ranges::find(types, target.type) != types.end()) return target;
  const std::vector<string_view> available(types.begin(), types.end());
  const Words known = storage_types();
  if (std::ranges::find(known, storage.type) != known.end()) {
    findings_.error(storage.place, storage.where,
                    fmt::format("storage type '{}' is not in this build; it has {}; "
                                "--set storage.type={} puts another in its place",
                                storage.type, enumerate(available),
                                available.empty() ? "TYPE" : available.front()));
  } else {
    findings_.error(storage.place, storage.where,
                    fmt::format("unrecognized storage type: {}; this build has {}{}", storage.type,
                                enumerate(available), suggestion(storage.type, available)));
  }
  return target;
}

// The storage's own opinion, at the parameter that it names.
void PlanBuilder::check_parameters(const Adapter& storage, const plan::TargetSpec& target) {
  if (!options_.check_target) return;
  const auto checked = options_.check_target(target.type, target.parameters);
  if (checked) return;
  const auto* entry = storage.config ? storage.config->find(checked.error().context) : nullptr;
  findings_.error(entry ? entry->place : storage.place, storage.where, checked.error().message());
}

void PlanBuilder::check_auth(const Adapter& auth) {
  if (auth.type.empty() || auth.type == "none" || auth.type == "mock") return;
  const Words known = auth_types();
  if (std::ranges::find(known, auth.type) == known.end()) {
    findings_.error(auth.place, auth.where,
                    fmt::format("unrecognized auth type: {}; there are {}{}", auth.type,
                                enumerate(known), suggestion(auth.type, known)));
    return;
  }
  findings_.warning(auth.place, auth.where,
                    fmt::format("auth type '{}' is not used: no storage of this build logs in that "
                                "way",
                                auth.type));
}

// name.sh(argument,...), COSBench's one form.
std::optional<plan::Trigger> PlanBuilder::build_trigger(const std::string& text, const Place& place,
                                                        const std::string& where) {
  if (text.empty()) return std::nullopt;
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  const std::size_t open = text.find('(');
  const string_view name = string_view(text).substr(0, open);
  const bool good = open != std::string::npos && text.back() == ')' && name.size() > 3 &&
                    name.ends_with(".sh") && name.front() != '.' &&
                    std::ranges::all_of(name, is_name);
  if (!good) {
    findings_.error(place, where,
                    fmt::format("illegal trigger: {}; write name.sh(argument,...)", text));
    return std::nullopt;
  }
  plan::Trigger trigger{.script = std::string(name), .arguments = {}};
  string_view rest = string_view(text).substr(open + 1, text.size() - open - 2);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    trigger.arguments.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return trigger;
}

bool steps(const std::optional<Selector>& selector) {
  return selector && selector->upper > selector->lower &&
         (selector->kind == Selector::Kind::range || selector->kind == Selector::Kind::sequence);
}

std::int64_t count_of(const Selector& selector) { return selector.upper - selector.lower + 1; }

void PlanBuilder::advise_on_pairs(const Operation& operation, const plan::OpSpec& spec) {
  const auto& containers = spec.container.index;
  const auto& objects = spec.object.index;
  if (spec.division != plan::Division::none || !steps(containers) || !steps(objects)) return;
  const std::int64_t common = std::gcd(count_of(*containers), count_of(*objects));
  if (common == 1) return;
  findings_.warning(operation.places.element(), operation.where,
                    fmt::format("containers and objects step together, as in COSBench: only one in "
                                "{} of their pairs is ever used; use u() for one of them to reach "
                                "all",
                                common));
}

void PlanBuilder::advise_on_idle_workers(const Work& work, const Operation& operation,
                                         const plan::OpSpec& spec) {
  if (spec.division == plan::Division::none) return;
  const bool by_container = spec.division == plan::Division::container;
  const auto& selector = by_container ? spec.container.index : spec.object.index;
  if (!selector) return;
  const bool divided =
      selector->kind == Selector::Kind::range || selector->kind == Selector::Kind::uniform;
  if (!divided || count_of(*selector) >= work.workers) return;
  findings_.warning(
      operation.places.element(), operation.where,
      fmt::format("{} workers divide {} {}s: {} of them stay idle", work.workers,
                  count_of(*selector), operation.division, work.workers - count_of(*selector)));
}

}  // namespace

plan::Plan build_plan(const Workload& workload, const PlanOptions& options, Findings& findings) {
  return PlanBuilder(options, findings).build(workload);
}

}  // namespace loadline::dialects::cosbench
