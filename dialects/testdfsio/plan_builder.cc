#include "dialects/testdfsio/plan_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "dialects/testdfsio/configuration.h"
#include "dialects/testdfsio/sequence_file.h"
#include "dialects/testdfsio/storage.h"
#include "dialects/testdfsio/value_text.h"
#include "target/masking.h"

namespace loadline::dialects::testdfsio {
namespace {

constexpr std::string_view k_base_key = "test.build.data";
constexpr std::string_view k_base_default = "/benchmarks/TestDFSIO";
constexpr std::string_view k_maps_key = "mapreduce.local.map.tasks.maximum";
constexpr std::string_view k_control = "io_control";
constexpr std::string_view k_data = "io_data";
constexpr std::string_view k_file = "test_io_";
constexpr std::string_view k_control_file = "in_file_test_io_";
constexpr std::string_view k_reduced = "part-00000";
constexpr std::string_view k_success = "_SUCCESS";
constexpr std::array<std::string_view, 5> k_results{"io_write", "io_append", "io_read",
                                                    "io_random_read", "io_truncate"};
constexpr std::uint32_t k_files_per_core = 4;
// So that what one command wrote another can verify.
constexpr std::uint64_t k_data_seed = 1;

std::string_view results_folder(Operation operation) {
  switch (operation) {
    case Operation::append: return "io_append";
    case Operation::read: return "io_read";
    case Operation::read_random:
    case Operation::read_backward:
    case Operation::read_skip: return "io_random_read";
    case Operation::truncate: return "io_truncate";
    default: return "io_write";
  }
}

Result<std::uint32_t> concurrency_of(const Options& options, const Configuration& configuration,
                                     const Surroundings& world) {
  constexpr std::uint64_t k_most = 1U << 20U;
  std::uint64_t most = std::uint64_t{k_files_per_core} * world.cores;
  if (const auto maps = configuration.value(k_maps_key)) {
    const auto count = count_value(k_maps_key, *maps, 1, k_most);
    if (!count) return std::unexpected(count.error());
    most = *count;
  }
  if (options.own.concurrency) most = *options.own.concurrency;
  if (options.sequential) most = 1;
  if (options.operation != Operation::clean) most = std::min(most, options.files);
  return static_cast<std::uint32_t>(std::min(most, k_most));
}

// Makes the jobs of one command.
class Builder {
 public:
  Builder(const Options& options, const RunSource& source, plan::TargetSpec target,
          std::string base)
      : options_(options), source_(source), target_(std::move(target)), base_(std::move(base)) {}

  std::vector<plan::Stage> run() const {
    std::vector<plan::Stage> stages;
    stages.push_back(stage(k_stage_old_control, {removal(k_control, k_control_file)}));
    if (source_.control_files) stages.push_back(stage(k_stage_control, {control_files()}));
    std::vector<plan::Job> old;
    if (options_.operation == Operation::write) old.push_back(removal(k_data, k_file));
    old.push_back(removal_of_results(results_folder(options_.operation)));
    stages.push_back(stage(k_stage_old_data, std::move(old)));
    stages.push_back(stage(k_stage_run, {operation()}));
    return stages;
  }

  // Only what such commands make; the folders go where nothing else is in them.
  std::vector<plan::Stage> clean() const {
    std::vector<plan::Job> jobs{removal(k_control, k_control_file), removal(k_data, k_file)};
    for (const std::string_view folder : k_results) jobs.push_back(removal_of_results(folder));
    return {stage(k_stage_clean, std::move(jobs)),
            stage(k_stage_clean_base, {removal("", k_file)})};
  }

 private:
  static plan::Stage stage(std::string_view id, std::vector<plan::Job> jobs) {
    return {.id = std::string(id), .name = std::string(id), .jobs = std::move(jobs)};
  }

  plan::Job job(std::string_view folder, std::string_view label, plan::StreamAction action) const {
    plan::Job job{.name = folder.empty() ? "base" : std::string(folder),
                  .label = std::string(label),
                  .target = target_,
                  .workers = source_.concurrency};
    job.stop.one_pass = true;
    plan::StreamIo& stream = job.stream.emplace();
    stream.action = action;
    stream.folder = folder_name(folder.empty() ? base_ : fmt::format("{}/{}", base_, folder));
    stream.keep_going = options_.own.keep_going;
    return job;
  }

  plan::Job removal(std::string_view folder, std::string_view prefix) const {
    plan::Job made = job(folder, "remove", plan::StreamAction::remove);
    made.stream->prefix = prefix;
    return made;
  }

  plan::Job removal_of_results(std::string_view folder) const {
    plan::Job made = job(folder, "remove", plan::StreamAction::remove);
    made.workers = 1;
    for (const std::string_view name : {k_reduced, k_success}) {
      made.stream->puts.push_back({.name = std::string(name), .content = {}});
    }
    return made;
  }

  plan::Job control_files() const {
    plan::Job made = job(k_control, "control", plan::StreamAction::put);
    for (std::uint64_t i = 0; i < source_.files; ++i) {
      const std::string key = fmt::format("{}{}", k_file, i);
      const std::string name = fmt::format("{}{}", k_control_file, i);
      made.stream->puts.push_back(
          {.name = name,
           .content = sequence_file(key, static_cast<std::int64_t>(source_.size.count()),
                                    sync_mark(name))});
    }
    return made;
  }

  plan::Job operation() const {
    plan::Job made = job(k_data, title_of(options_.operation), action_of(options_.operation));
    plan::StreamIo& stream = *made.stream;
    stream.prefix = k_file;
    stream.files = source_.files;
    stream.size = source_.size;
    stream.buffer = source_.buffer;
    if (options_.operation == Operation::read_skip) stream.skip = source_.skip;
    stream.fill = options_.own.fill;
    stream.verify = options_.own.verify;
    if (options_.own.rate) {
      made.pace = {.arrival = plan::Arrival::constant,
                   .rate = Rate::per_second(static_cast<double>(options_.own.rate->count()) /
                                            static_cast<double>(source_.buffer.count()))};
    }
    return made;
  }

  const Options& options_;
  const RunSource& source_;
  const plan::TargetSpec target_;
  const std::string base_;  // absolute
};

std::uint64_t seed_of(const Options& options, std::uint64_t otherwise) {
  if (options.own.seed) return *options.own.seed;
  return options.own.fill == plan::StreamFill::random ? k_data_seed : otherwise;
}

}  // namespace

Result<PlannedCommand> to_plan(const Options& options, std::uint64_t seed,
                               const Surroundings& world) {
  const auto configuration = Configuration::read(options.generic, world);
  if (!configuration) return std::unexpected(configuration.error());
  const std::string base = configuration->value(k_base_key).value_or(std::string(k_base_default));
  const auto place = location_of(k_base_key, base);
  if (!place) return std::unexpected(place.error());
  if (place->path == "/") {
    return fail(ErrorCode::bad_input,
                "is the root of the storage, whose files are not for a benchmark to remove; name a "
                "folder of its own",
                std::string(k_base_key));
  }
  const auto storage = storage_at(*place, {.generic = &options.generic,
                                           .own = &options.own,
                                           .configuration = &*configuration,
                                           .world = &world,
                                           .storage_policy = options.storage_policy});
  if (!storage) return std::unexpected(storage.error());
  const auto concurrency = concurrency_of(options, *configuration, world);
  if (!concurrency) return std::unexpected(concurrency.error());
  PlannedCommand planned;
  planned.warnings = storage->warnings;
  planned.source = {.operation = options.operation,
                    .compat = options.compat,
                    .files = options.files,
                    .size = options.size,
                    .buffer = options.buffer,
                    .skip = options.skip,
                    .base = target::masked_value("uri", base),
                    .storage_policy = options.storage_policy,
                    .concurrency = std::max(*concurrency, 1U),
                    .control_files = options.files <= k_control_files_most,
                    .keep_going = options.own.keep_going};
  planned.plan = {.name = fmt::format("testdfsio-{}", to_string(options.operation)),
                  .dialect = "testdfsio",
                  .seed = seed_of(options, seed)};
  const Builder builder(options, planned.source, storage->target, place->path);
  const bool clean = options.operation == Operation::clean;
  planned.plan.stages = clean ? builder.clean() : builder.run();
  planned.plan.stages.front().jobs.front().source = planned.source.to_text();
  return planned;
}

plan::Plan reducer_output(const plan::Plan& run, const RunSource& source, const TaskSums& sums) {
  const plan::Job& measured = run.stages.back().jobs.front();
  std::string folder = measured.stream->folder;
  folder.replace(folder.rfind(k_data), k_data.size(), results_folder(source.operation));
  plan::Job job{.name = std::string(results_folder(source.operation)),
                .label = "result",
                .target = measured.target};
  job.stop.one_pass = true;
  plan::StreamIo& stream = job.stream.emplace();
  stream.action = plan::StreamAction::put;
  stream.folder = std::move(folder);
  stream.puts = {{.name = std::string(k_reduced), .content = sums.text()},
                 {.name = std::string(k_success), .content = {}}};
  plan::Plan plan{.name = "testdfsio-result", .dialect = run.dialect, .seed = run.seed};
  plan.stages.push_back({.id = "result", .name = "result", .jobs = {std::move(job)}});
  return plan;
}

}  // namespace loadline::dialects::testdfsio
