// Parts of JobOptions: what is in the blocks and whether it is checked, what is recorded, replayed
// and reported. The rules are in job_options.h.
#pragma once

#include "dialects/fio/option_values.h"

namespace loadline::dialects::fio {

struct BufferOptions {
  bool zero_buffers = false;
  bool refill_buffers = false;
  bool scramble_buffers = true;
  std::optional<Pattern> buffer_pattern;
  std::optional<std::uint32_t> buffer_compress_percentage;
  Bytes buffer_compress_chunk{512};
  std::uint32_t dedupe_percentage = 0;
  DedupeMode dedupe_mode = DedupeMode::repeat;
  std::uint32_t dedupe_working_set_percentage = 5;
  bool dedupe_global = false;
  Memory mem;
  Bytes iomem_align;
  Bytes hugepage_size{2U << 20U};
};

struct VerifyOptions {
  Verify verify = Verify::none;
  bool do_verify = true;
  bool verify_only = false;
  bool experimental_verify = false;
  std::optional<Bytes> verify_interval;  // else the block
  std::optional<Bytes> verify_offset;    // else at the head of the interval
  std::optional<Pattern> verify_pattern;
  bool verify_pattern_interval = false;
  bool verify_fatal = false;
  bool verify_dump = false;
  std::uint32_t verify_async = 0;  // threads
  std::vector<std::uint32_t> verify_async_cpus;
  std::uint64_t verify_backlog = 0;                   // writes; 0: verify at the end
  std::optional<std::uint64_t> verify_backlog_batch;  // else all of verify_backlog
  bool verify_state_save = true;
  bool verify_state_load = false;
  bool verify_write_sequence = true;
  bool verify_header_seed = true;
  bool verify_fsynced_only = false;  // verify_policy=fsynced
  std::uint32_t trim_percentage = 0;
  bool trim_verify_zero = true;
  std::uint64_t trim_backlog = 0;
  std::optional<std::uint64_t> trim_backlog_batch;
};

struct ReplayOptions {
  std::string write_iolog;
  std::string read_iolog;
  bool read_iolog_chunked = false;
  bool replay_no_stall = false;
  std::string replay_redirect;
  std::uint64_t replay_scale = 1;
  Bytes replay_align;
  std::uint32_t replay_time_scale = 100;  // percent
  PerDirection<bool> replay_skip;
  bool replay_skip_sync = false;
};

struct ReportOptions {
  LogFile bandwidth_log;
  LogFile latency_log;
  LogFile iops_log;
  LogFile histogram_log;
  std::optional<Duration> log_avg;  // log_avg_msec; none or 0: one line an operation
  std::optional<Duration> log_hist;
  std::uint32_t log_hist_coarseness = 0;  // 0..6
  LogValue log_window_value = LogValue::average;
  bool log_offset = false;
  bool log_prio = false;
  bool log_issue_time = false;
  bool per_job_logs = true;
  bool log_alternate_epoch = false;
  std::int32_t log_alternate_epoch_clock_id = 0;  // CLOCK_REALTIME
  std::int32_t job_start_clock_id = 0;
  std::uint64_t log_entries = 1024;
  Bytes log_compression;
  bool log_store_compressed = false;
  Duration bwavgtime = Duration::milliseconds(500);
  Duration iopsavgtime = Duration::milliseconds(500);
  bool clat_percentiles = true;
  bool lat_percentiles = false;
  bool slat_percentiles = false;
  std::vector<double> percentile_list = {1,  5,  10, 20, 30,   40,   50,    60,   70,
                                         80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
  std::uint32_t percentile_precision = 6;  // decimals to print
  bool block_error_percentiles = false;
  std::uint32_t significant_figures = 4;
  UnifiedReporting unified_rw_reporting = UnifiedReporting::none;
  bool stats = true;
  bool disk_util = true;
  bool disable_lat = false;
  bool disable_clat = false;
  bool disable_slat = false;
  bool disable_bw = false;
  bool gtod_reduce = false;
  std::uint32_t kb_base = 1024;
  std::uint32_t unit_base = 0;  // 0: by engine, 8: bytes, 1: bits
  std::optional<SteadyState> steadystate;
  Duration steadystate_duration;  // ss_dur; 0: off
  Duration steadystate_ramp;
  Duration steadystate_interval = Duration::seconds(1);
};

}  // namespace loadline::dialects::fio
