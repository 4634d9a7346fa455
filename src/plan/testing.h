// Plans for tests, of this folder and of those above it. Never part of the product.
#pragma once

#include "plan/plan.h"

namespace loadline::plan::testing {

// Small and sound: one stage, one job, reads.
inline Plan small_plan() {
  OpSpec read{.name = "read", .label = "read", .action = Action::read};
  read.container = {.prefix = "c", .suffix = "", .index = Selector::constant(1)};
  read.object = {.prefix = "o", .suffix = "", .index = Selector::uniform(1, 100)};
  Job job{.name = "main", .target = {.type = "mock", .parameters = {}}, .ops = {read}};
  job.stop.runtime = Duration::seconds(5);
  return {.name = "small",
          .dialect = "cosbench",
          .stages = {{.id = "s1-main", .name = "main", .jobs = {job}}}};
}

inline OpSpec full_prepare() {
  OpSpec op{.name = "fill",
            .label = "prepare",
            .action = Action::multipart_prepare,
            .share_percent = 60,
            .division = Division::object};
  op.container = {.prefix = "c-", .suffix = ".d", .index = Selector::range(1, 3)};
  op.object = {.prefix = "o-", .suffix = ".bin", .index = Selector::sequence(0, 1'000'000)};
  op.size = SizeSpec{.value = {Selector::Kind::histogram, 1, 64, {{1, 8, 2.5}, {9, 64, 1}}},
                     .unit = Bytes(1000)};
  op.content = Content::zero;
  op.hash_trailer = true;
  op.create_containers = true;
  op.part_size = Bytes(5 << 20);
  op.response_histogram = false;
  op.source = "containers=r(1,3);objects=r(0,1000000)";
  return op;
}

inline OpSpec full_cleanup() {
  OpSpec op{.name = "empty", .label = "cleanup", .action = Action::cleanup, .share_percent = 40};
  op.division = Division::container;
  op.container = {.prefix = "c-", .suffix = "", .index = Selector::range(1, 3)};
  op.remove_containers = true;
  op.remove_batch = 1000;
  op.restore_days = 3;
  return op;
}

inline OpSpec full_read() {
  OpSpec op{.name = "part", .label = "read", .action = Action::read, .share_percent = 50};
  op.container = {.prefix = "", .suffix = "", .index = Selector::constant(7)};
  op.object = {.prefix = "\xc3\xa4 \"q\"\n", .suffix = "", .index = Selector::uniform(1, 9)};
  op.random_range = RandomRange{.object_size = Bytes(1 << 30), .chunk = Bytes(4096)};
  return op;
}

inline OpSpec full_file_write() {
  OpSpec op{.name = "files", .label = "filewrite", .action = Action::file_write};
  op.share_percent = 50;
  op.container = {.prefix = "f", .suffix = "", .index = Selector::constant(1)};
  op.files_folder = "/srv/files";
  op.file_choice = Selector::sequence(1, 12);
  return op;
}

// Sound; every field differs from its default somewhere, and secretkey holds "s3cr3t".
inline Plan full_plan() {
  Job walk{.name = "fill", .label = "prepare", .workers = 128, .ops = {full_prepare()}};
  walk.ops.push_back(full_cleanup());
  walk.target.type = "s3";
  walk.target.parameters.set("endpoint", "http://127.0.0.1:9000");
  walk.target.parameters.set("accesskey", "ak");
  walk.target.parameters.set("secretkey", "s3cr3t");
  walk.target.parameters.set("password", "");
  walk.stop.one_pass = true;
  walk.acceptable_failures_per_million = 200'000;
  walk.driver = "driver2";
  Job mix{.name = "mix", .label = "normal", .workers = 1'000'000};
  mix.ops = {full_read(), full_file_write()};
  mix.target.type = "mock";
  mix.interval = Duration::milliseconds(2500);
  mix.stop = {.ramp_up = Duration::seconds(10),
              .runtime = Duration::seconds(3600),
              .ramp_down = Duration::nanoseconds(1),
              .total_operations = OpCount(UINT64_MAX),
              .total_bytes = Bytes(UINT64_MAX)};
  mix.pace = {.arrival = Arrival::poisson, .rate = Rate::per_second(1234.5)};
  Plan plan{.name = "full", .description = "every field", .dialect = "cosbench"};
  plan.seed = UINT64_MAX;
  plan.trigger = Trigger{.script = "watch.sh", .arguments = {"a", "b c"}};
  plan.stages.push_back({.id = "s1-fill", .name = "fill", .jobs = {walk}});
  plan.stages.push_back({.id = "s2-delay", .name = "delay"});
  plan.stages[1].delay_after = Duration::seconds(60);
  plan.stages.push_back({.id = "s3-mix", .name = "mix", .jobs = {mix}});
  plan.stages[2].trigger = Trigger{.script = "drop.sh", .arguments = {}};
  return plan;
}

}  // namespace loadline::plan::testing
