// The fields of a BlockIo, described once (plan/json_fields.h says how). docs/format/plan.md says
// what they mean.
#pragma once

#include "plan/block_data_fields.h"
#include "plan/block_io.h"
#include "plan/json_fields.h"

namespace loadline::json {
template <>
struct Fields<plan::Extent> {
  static void visit(auto& v, auto& value) {
    auto& [bytes, percent] = value;
    v("bytes", bytes);
    v("percent", percent);
  }
};

template <>
struct Fields<plan::BlockFile> {
  static void visit(auto& v, auto& value) {
    auto& [path, size] = value;
    v("path", path);
    v("size_bytes", size);
  }
};

template <>
struct Fields<plan::Zone> {
  static void visit(auto& v, auto& value) {
    auto& [access_percent, extent] = value;
    v("access_percent", access_percent);
    v("extent", extent);
  }
};

template <>
struct Fields<plan::Distribution> {
  static void visit(auto& v, auto& value) {
    auto& [placement, parameter, centre, zones, blocks] = value;
    v("placement", placement);
    v("parameter", parameter);
    v("centre", centre);
    v("zones", zones);
    v("blocks", blocks);
  }
};

template <>
struct Fields<plan::WeightedSize> {
  static void visit(auto& v, auto& value) {
    auto& [size, percent] = value;
    v("size_bytes", size);
    v("percent", percent);
  }
};

template <>
struct Fields<plan::BlockSize> {
  static void visit(auto& v, auto& value) {
    auto& [min, max, step, split, align] = value;
    v("min_bytes", min);
    v("max_bytes", max);
    v("step_bytes", step);
    v("split", split);
    v("align_bytes", align);
  }
};

template <>
struct Fields<plan::SyncRule> {
  static void visit(auto& v, auto& value) {
    auto& [kind, every, range_flags] = value;
    v("kind", kind);
    v("every", every);
    v("range_flags", range_flags);
  }
};

template <>
struct Fields<plan::BlockRate> {
  static void visit(auto& v, auto& value) {
    auto& [operations, bytes, operations_min, bytes_min] = value;
    v("operations_per_second", operations);
    v("bytes_per_second", bytes);
    v("operations_min_per_second", operations_min);
    v("bytes_min_per_second", bytes_min);
  }
};

template <>
struct Fields<plan::ThinkTime> {
  static void visit(auto& v, auto& value) {
    auto& [pause, spin, every, counted_on_issue, io_time, moves_rate] = value;
    v("pause_s", pause);
    v("spin_s", spin);
    v("every", every);
    v("counted_on_issue", counted_on_issue);
    v("io_time_s", io_time);
    v("moves_rate", moves_rate);
  }
};

template <>
struct Fields<plan::TraceSpec> {
  static void visit(auto& v, auto& value) {
    auto& [record, replay, at_once, speed_percent] = value;
    v("record", record);
    v("replay", replay);
    v("at_once", at_once);
    v("speed_percent", speed_percent);
  }
};

template <>
struct Fields<plan::FlowRule> {
  static void visit(auto& v, auto& value) {
    auto& [weight, id, pause] = value;
    v("weight", weight);
    v("id", id);
    v("pause_s", pause);
  }
};

template <>
struct Fields<plan::ClientSpec> {
  static void visit(auto& v, auto& value) {
    auto& [own_process, user, group, io_class, io_level, io_hint, command_before, command_after] =
        value;
    v("own_process", own_process);
    v("user", user);
    v("group", group);
    v("io_class", io_class);
    v("io_level", io_level);
    v("io_hint", io_hint);
    v("command_before", command_before);
    v("command_after", command_after);
  }
};

template <>
struct Fields<plan::Tolerance> {
  static void visit(auto& v, auto& value) {
    auto& [io, verify, ignored_read, ignored_write, ignored_verify, listed] = value;
    v("io", io);
    v("verify", verify);
    v("ignored_read", ignored_read);
    v("ignored_write", ignored_write);
    v("ignored_verify", ignored_verify);
    v("listed", listed);
  }
};

template <>
struct Fields<plan::LatencyTarget> {
  static void visit(auto& v, auto& value) {
    auto& [limit, window, percentile, keep_running] = value;
    v("limit_s", limit);
    v("window_s", window);
    v("percentile", percentile);
    v("keep_running", keep_running);
  }
};

template <>
struct Fields<plan::SteadyRule> {
  static void visit(auto& v, auto& value) {
    auto& [of, slope, limit, limit_is_percent, window, ramp, interval] = value;
    v("of", of);
    v("slope", slope);
    v("limit", limit);
    v("limit_is_percent", limit_is_percent);
    v("window_s", window);
    v("ramp_s", ramp);
    v("interval_s", interval);
  }
};

template <>
struct Fields<plan::BlockIo> {
  static void visit(auto& v, auto& value) {
    auto& [action, files, file_order, file_skew, file_run, open_files, uses, read_percent,
           trim_then_write, sizes, order, random_percent, with_repetition, sequencing, sequence_by,
           offset, size, amount, operations, loops, time_based, fill_device, append, syncs,
           sync_at_end, sync_on_close, rate, poisson, rate_cycle, think, latency_max, batch_submit,
           batch_reap_min, batch_reap_max, depth_low, no_overlap, buffers, memory, verify, trims,
           tolerance, latency_target, steady, zone_size, zone_range, zone_skip, lay_out, overwrite,
           create_only, lay_out_sync, unlink, may_create, read_only, pre_read, split_latency, trace,
           group, end_of_job, end_on_error, follows, flow, client, cpus, nice, seed] = value;
    v("action", action);
    v("files", files);
    v("file_order", file_order);
    v("file_skew", file_skew);
    v("file_run", file_run);
    v("open_files", open_files);
    v("uses", uses);
    v("read_percent", read_percent);
    v("trim_then_write", trim_then_write);
    v("sizes", sizes);
    v("order", order);
    v("random_percent", random_percent);
    v("with_repetition", with_repetition);
    v("sequencing", sequencing);
    v("sequence_by", sequence_by);
    v("offset", offset);
    v("size", size);
    v("amount", amount);
    v("operations", operations);
    v("loops", loops);
    v("time_based", time_based);
    v("fill_device", fill_device);
    v("append", append);
    v("syncs", syncs);
    v("sync_at_end", sync_at_end);
    v("sync_on_close", sync_on_close);
    v("rate", rate);
    v("poisson", poisson);
    v("rate_cycle_s", rate_cycle);
    v("think", think);
    v("latency_max_s", latency_max);
    visit_queue(v, batch_submit, batch_reap_min, batch_reap_max, depth_low, no_overlap);
    v("buffers", buffers);
    v("memory", memory);
    v("verify", verify);
    v("trims", trims);
    v("tolerance", tolerance);
    v("latency_target", latency_target);
    v("steady", steady);
    v("zone_size_bytes", zone_size);
    v("zone_range_bytes", zone_range);
    v("zone_skip_bytes", zone_skip);
    v("lay_out", lay_out);
    v("overwrite", overwrite);
    v("create_only", create_only);
    v("lay_out_sync", lay_out_sync);
    v("unlink", unlink);
    v("may_create", may_create);
    v("read_only", read_only);
    v("pre_read", pre_read);
    v("split_latency", split_latency);
    v("trace", trace);
    v("group", group);
    v("end_of_job", end_of_job);
    v("end_on_error", end_on_error);
    v("follows", follows);
    v("flow", flow);
    v("client", client);
    v("cpus", cpus);
    v("nice", nice);
    v("seed", seed);
  }

 private:
  static void visit_queue(auto& v, auto& submit, auto& reap_min, auto& reap_max, auto& low,
                          auto& no_overlap) {
    v("batch_submit", submit);
    v("batch_reap_min", reap_min);
    v("batch_reap_max", reap_max);
    v("depth_low", low);
    v("no_overlap", no_overlap);
  }
};

}  // namespace loadline::json
