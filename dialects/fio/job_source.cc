#include "dialects/fio/job_source.h"

#include "plan/json_reader.h"
#include "plan/json_writer.h"

namespace loadline::json {

namespace fio = dialects::fio;

template <>
struct Fields<fio::GivenOption> {
  static void visit(auto& v, auto& value) {
    auto& [name, text, bare] = value;
    v("name", name);
    v("value", text);
    v.if_set("bare", bare);
  }
};

template <>
struct Fields<fio::CommandOptions::Formats> {
  static void visit(auto& v, auto& value) {
    auto& [normal, terse, json, json_plus] = value;
    v("normal", normal);
    v("terse", terse);
    v("json", json);
    v("json_plus", json_plus);
  }
};

template <>
struct Fields<fio::RunSource> {
  static void visit(auto& v, auto& value) {
    auto& [formats, terse_version, output, eta, eta_interval, eta_newline, status_interval,
           bandwidth_log, terminal, global_options] = value;
    v("formats", formats);
    v("terse_version", terse_version);
    v.if_set("output", output);
    v("eta", eta);
    v("eta_interval_s", eta_interval);
    v("eta_newline_s", eta_newline);
    v("status_interval_s", status_interval);
    v("bandwidth_log", bandwidth_log);
    v("terminal", terminal);
    v("global_options", global_options);
  }
};

template <>
struct Fields<fio::LogFile> {
  static void visit(auto& v, auto& value) {
    auto& [on, name] = value;
    v("on", on);
    v.if_set("name", name);
  }
};

template <>
struct Fields<fio::SteadyState> {
  static void visit(auto& v, auto& value) {
    auto& [of, slope, percent, limit] = value;
    v("of", of);
    v("slope", slope);
    v("percent", percent);
    v("limit", limit);
  }
};

template <>
struct Fields<fio::ReportOptions> {
  static void visit(auto& v, auto& value) {
    auto& [bandwidth_log, latency_log, iops_log, histogram_log, log_avg, log_hist,
           log_hist_coarseness, log_window_value, log_offset, log_prio, log_issue_time,
           per_job_logs, log_alternate_epoch, log_alternate_epoch_clock_id, job_start_clock_id,
           log_entries, log_compression, log_store_compressed, bwavgtime, iopsavgtime,
           clat_percentiles, lat_percentiles, slat_percentiles, percentile_list,
           percentile_precision, block_error_percentiles, significant_figures, unified_rw_reporting,
           stats, disk_util, disable_lat, disable_clat, disable_slat, disable_bw, gtod_reduce,
           kb_base, unit_base, steadystate, steadystate_duration, steadystate_ramp,
           steadystate_interval] = value;
    v("bandwidth_log", bandwidth_log);
    v("latency_log", latency_log);
    v("iops_log", iops_log);
    v("histogram_log", histogram_log);
    v("log_avg_s", log_avg);
    v("log_hist_s", log_hist);
    v("log_hist_coarseness", log_hist_coarseness);
    v("log_window_value", log_window_value);
    v("log_offset", log_offset);
    v("log_prio", log_prio);
    v("log_issue_time", log_issue_time);
    v("per_job_logs", per_job_logs);
    v("log_alternate_epoch", log_alternate_epoch);
    v("log_alternate_epoch_clock_id", log_alternate_epoch_clock_id);
    v("job_start_clock_id", job_start_clock_id);
    v("log_entries", log_entries);
    v("log_compression", log_compression);
    v("log_store_compressed", log_store_compressed);
    v("bwavgtime_s", bwavgtime);
    v("iopsavgtime_s", iopsavgtime);
    v("clat_percentiles", clat_percentiles);
    v("lat_percentiles", lat_percentiles);
    v("slat_percentiles", slat_percentiles);
    if constexpr (requires { v.failed(); }) percentile_list.clear();
    v("percentile_list", percentile_list);
    v("percentile_precision", percentile_precision);
    v("block_error_percentiles", block_error_percentiles);
    v("significant_figures", significant_figures);
    v("unified_rw_reporting", unified_rw_reporting);
    v("stats", stats);
    v("disk_util", disk_util);
    v("disable_lat", disable_lat);
    v("disable_clat", disable_clat);
    v("disable_slat", disable_slat);
    v("disable_bw", disable_bw);
    v("gtod_reduce", gtod_reduce);
    v("kb_base", kb_base);
    v("unit_base", unit_base);
    v("steadystate", steadystate);
    v("steadystate_duration_s", steadystate_duration);
    v("steadystate_ramp_s", steadystate_ramp);
    v("steadystate_interval_s", steadystate_interval);
  }
};

template <>
struct Fields<fio::JobSource> {
  static void visit(auto& v, auto& value) {
    auto& [section, group, clone, clones, number, direction, ioengine, iodepth, thread,
           group_reporting, exitall, continue_on_error, description, given, report, latency_target,
           latency_window, latency_percentile, write_iolog, run] = value;
    v("section", section);
    v("group", group);
    v("clone", clone);
    v("clones", clones);
    v("number", number);
    v("direction", direction);
    v("ioengine", ioengine);
    v("iodepth", iodepth);
    v("thread", thread);
    v("group_reporting", group_reporting);
    v("exitall", exitall);
    v("continue_on_error", continue_on_error);
    v.if_set("description", description);
    v("given", given);
    v("report", report);
    v.if_set("latency_target_s", latency_target);
    v.if_set("latency_window_s", latency_window);
    v("latency_percentile", latency_percentile);
    v.if_set("write_iolog", write_iolog);
    v("run", run);
  }
};

}  // namespace loadline::json

namespace loadline::dialects::fio {

std::string JobSource::to_text() const { return json::print_line(json::Writer({}).write(*this)); }

Result<JobSource> JobSource::from_text(std::string_view text) {
  Result<json::Json> parsed = json::parse(text);
  if (!parsed) return propagate(parsed);
  JobSource source;
  json::Reader reader(json::Unknown::refused);
  reader.read(*parsed, source);
  if (reader.failed()) return std::unexpected(reader.error());
  return source;
}

RunSource run_source(const plan::Plan& plan) {
  for (const plan::Stage& stage : plan.stages) {
    for (const plan::Job& job : stage.jobs) {
      Result<JobSource> source = JobSource::from_text(job.source);
      if (source && source->run) return std::move(*source->run);
    }
  }
  RunSource source;
  source.formats.normal = true;
  return source;
}

std::string_view to_string(CommandOptions::Eta eta) {
  switch (eta) {
    case CommandOptions::Eta::automatic: return "auto";
    case CommandOptions::Eta::always: return "always";
    case CommandOptions::Eta::never: return "never";
  }
  return "unknown";
}

std::string_view to_string(LogValue value) {
  switch (value) {
    case LogValue::average: return "avg";
    case LogValue::max: return "max";
    case LogValue::both: return "both";
  }
  return "unknown";
}

std::string_view to_string(UnifiedReporting reporting) {
  switch (reporting) {
    case UnifiedReporting::none: return "none";
    case UnifiedReporting::mixed: return "mixed";
    case UnifiedReporting::both: return "both";
  }
  return "unknown";
}

std::string_view to_string(SteadyState::Value value) {
  switch (value) {
    case SteadyState::Value::iops: return "iops";
    case SteadyState::Value::bandwidth: return "bandwidth";
    case SteadyState::Value::latency: return "latency";
  }
  return "unknown";
}

}  // namespace loadline::dialects::fio
