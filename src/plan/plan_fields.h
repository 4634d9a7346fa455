// The fields of every struct of a Plan, described once: for the text (plan/text.cc) and for
// whatever must look at all of them (plan/check.cc). docs/format/plan.md says what they mean.
#pragma once

#include "plan/block_io_fields.h"
#include "plan/json_fields.h"
#include "plan/plan.h"
#include "plan/stream_io_fields.h"

namespace loadline::json {

template <>
struct Fields<plan::WeightedRange> {
  static void visit(auto& v, auto& range) {
    auto& [lower, upper, weight] = range;
    v("lower", lower);
    v("upper", upper);
    v("weight", weight);
  }
};

template <>
struct Fields<plan::Selector> {
  static void visit(auto& v, auto& selector) {
    auto& [kind, lower, upper, buckets] = selector;
    v("kind", kind);
    v("lower", lower);
    v("upper", upper);
    v.if_set("buckets", buckets);
  }
};

template <>
struct Fields<plan::NameSpec> {
  static void visit(auto& v, auto& name) {
    auto& [prefix, suffix, index] = name;
    v("prefix", prefix);
    v("suffix", suffix);
    v("index", index);
  }
};

template <>
struct Fields<plan::SizeSpec> {
  static void visit(auto& v, auto& size) {
    auto& [value, unit] = size;
    v("value", value);
    v("unit_bytes", unit);
  }
};

template <>
struct Fields<plan::RandomRange> {
  static void visit(auto& v, auto& range) {
    auto& [object_size, chunk] = range;
    v("object_size_bytes", object_size);
    v("chunk_bytes", chunk);
  }
};

template <>
struct Fields<plan::OpSpec> {
  static void visit(auto& v, auto& op) {
    auto& [name, label, action, share_percent, division, container, object, new_name, size, content,
           hash_trailer, create_containers, remove_containers, remove_batch, part_size,
           random_range, restore_days, files_folder, file_choice, response_histogram, source] = op;
    v("name", name);
    v("label", label);
    v("action", action);
    v("share_percent", share_percent);
    v("division", division);
    v("container", container);
    v("object", object);
    v.if_set("new_name", new_name);
    v("size", size);
    v("content", content);
    v("hash_trailer", hash_trailer);
    v("create_containers", create_containers);
    v("remove_containers", remove_containers);
    v("remove_batch", remove_batch);
    v("part_size_bytes", part_size);
    v("random_range", random_range);
    v("restore_days", restore_days);
    v("files_folder", files_folder);
    v("file_choice", file_choice);
    v("response_histogram", response_histogram);
    v("source", source);
  }
};

template <>
struct Fields<plan::TargetSpec> {
  static void visit(auto& v, auto& target) {
    auto& [type, parameters] = target;
    v("type", type);
    v("parameters", parameters);
  }
};

template <>
struct Fields<plan::StopRule> {
  static void visit(auto& v, auto& stop) {
    auto& [ramp_up, runtime, ramp_down, total_operations, total_bytes, one_pass] = stop;
    v("ramp_up_s", ramp_up);
    v("runtime_s", runtime);
    v("ramp_down_s", ramp_down);
    v("total_operations", total_operations);
    v("total_bytes", total_bytes);
    v("one_pass", one_pass);
  }
};

template <>
struct Fields<plan::Pace> {
  static void visit(auto& v, auto& pace) {
    auto& [arrival, rate] = pace;
    v("arrival", arrival);
    v("rate_per_second", rate);
  }
};

template <>
struct Fields<plan::Job> {
  static void visit(auto& v, auto& job) {
    auto& [name, label, target, workers, interval, stop, pace, acceptable_failures_per_million,
           driver, ops, block, stream, start_delay, after, source] = job;
    v("name", name);
    v("label", label);
    v("target", target);
    v("workers", workers);
    v("interval_s", interval);
    v("stop", stop);
    v("pace", pace);
    v("acceptable_failures_per_million", acceptable_failures_per_million);
    v("driver", driver);
    v("ops", ops);
    v("block", block);
    v("stream", stream);
    v.if_set("start_delay_s", start_delay);
    v.if_set("after", after);
    v.if_set("source", source);
  }
};

template <>
struct Fields<plan::Trigger> {
  static void visit(auto& v, auto& trigger) {
    auto& [script, arguments] = trigger;
    v("script", script);
    v("arguments", arguments);
  }
};

template <>
struct Fields<plan::Stage> {
  static void visit(auto& v, auto& stage) {
    auto& [id, name, jobs, delay_after, trigger] = stage;
    v("id", id);
    v("name", name);
    v("jobs", jobs);
    v("delay_after_s", delay_after);
    v("trigger", trigger);
  }
};

template <>
struct Fields<plan::Plan> {
  static void visit(auto& v, auto& plan) {
    auto& [name, description, dialect, seed, trigger, tick, stages] = plan;
    v("name", name);
    v("description", description);
    v("dialect", dialect);
    v("seed", seed);
    v("trigger", trigger);
    v("tick_s", tick);
    v("stages", stages);
  }
};

}  // namespace loadline::json
