// The fields of what is counted of a job on blocks, described once (plan/json_fields.h says how).
// docs/format/result.md says what they mean.
#pragma once

#include "plan/json_fields.h"
#include "record/block_counters.h"

namespace loadline::json {

template <>
struct Fields<record::BlockDirection> {
  static void visit(auto& v, auto& value) {
    auto& [runtime, short_transfers, errors] = value;
    v("runtime_s", runtime);
    v("short_transfers", short_transfers);
    v("errors", errors);
  }
};

template <>
struct Fields<record::BlockFailure> {
  static void visit(auto& v, auto& value) {
    auto& [error, operation, file, offset, length, text] = value;
    v("errno", error);
    v("operation", operation);
    v("file", file);
    v("offset", offset);
    v("length", length);
    v("text", text);
  }
};

template <>
struct Fields<record::SteadyReport> {
  static void visit(auto& v, auto& value) {
    auto& [attained, deviation, slope, iops, bytes_per_second, latency_ns] = value;
    v("attained", attained);
    v("deviation", deviation);
    v("slope", slope);
    v("iops", iops);
    v("bytes_per_second", bytes_per_second);
    v("latency_ns", latency_ns);
  }
};

template <>
struct Fields<record::LatencyTargetReport> {
  static void visit(auto& v, auto& value) {
    auto& [depth, found] = value;
    v("depth", depth);
    v("found", found);
  }
};

template <>
struct Fields<target::DeviceCounters> {
  static void visit(auto& v, auto& value) {
    auto& [name, reads, writes, read_merges, write_merges, read_time, write_time, queue_time, busy,
           watched] = value;
    v("name", name);
    v("reads", reads);
    v("writes", writes);
    v("read_merges", read_merges);
    v("write_merges", write_merges);
    v("read_time_s", read_time);
    v("write_time_s", write_time);
    v("queue_time_s", queue_time);
    v("busy_s", busy);
    v("watched_s", watched);
  }
};

template <>
struct Fields<target::Observed> {
  static void visit(auto& v, auto& value) {
    auto& [device_read, device_written, cached_share, unwritten_share, holes, direct_refused, depth,
           storage, devices] = value;
    v("device_read_bytes", device_read);
    v("device_written_bytes", device_written);
    v("cached_share", cached_share);
    v("unwritten_share", unwritten_share);
    v("holes_bytes", holes);
    v("direct_refused", direct_refused);
    v("depth", depth);
    v("storage", storage);
    v.if_set("devices", devices);
  }
};

template <>
struct Fields<std::pair<int, std::uint64_t>> {
  static void visit(auto& v, auto& value) {
    v("errno", value.first);
    v("times", value.second);
  }
};

template <>
struct Fields<record::BlockCounters> {
  static void visit(auto& v, auto& value) {
    auto& [depth, submits, completes, directions, sync_errors, verify_errors, verified, end_sync,
           elapsed, started, cpu_user, cpu_system, context_switches, major_faults, minor_faults,
           thread_id, signal, stop, failure, mismatches, errors, latency_target, steady, observed,
           laid_out, asked, used, unsynced, remarks] = value;
    v("depth", depth);
    v("submits", submits);
    v("completes", completes);
    v("directions", directions);
    v("sync_errors", sync_errors);
    v("verify_errors", verify_errors);
    v("verified", verified);
    v("end_sync_s", end_sync);
    v("elapsed_s", elapsed);
    v("started_s", started);
    v("cpu_user_s", cpu_user);
    v("cpu_system_s", cpu_system);
    v("context_switches", context_switches);
    v("major_faults", major_faults);
    v("minor_faults", minor_faults);
    v("thread_id", thread_id);
    v.if_set("signal", signal);
    v("stop", stop);
    v("failure", failure);
    v.if_set("mismatches", mismatches);
    v("errors", errors);
    v("latency_target", latency_target);
    v("steady", steady);
    v("observed", observed);
    v("laid_out", laid_out);
    v("asked_bytes", asked);
    v("used_bytes", used);
    v("unsynced_bytes", unsynced);
    v.if_set("remarks", remarks);
  }
};

}  // namespace loadline::json
