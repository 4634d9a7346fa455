// What one job section asks for: typed, resolved (global sections first, a later option wins), and
// with fio's own defaults where nothing was given. std::optional: no default of its own; the
// comment says what fio takes instead. The parts follow the chapters of fio's documentation; a
// job is all of them in one flat value.
//
// Ownership, threads: plain values. Units: by type, or in the name.
#pragma once

#include <string_view>

#include "dialects/fio/option_values.h"

namespace loadline::dialects::fio {

struct FileOptions {
  std::vector<std::string> filenames;    // shared by all clones; empty: generated names
  std::vector<std::string> directories;  // generated names are spread over them, clone by clone
  std::string filename_format = "$jobname.$jobnum.$filenum";
  bool unique_filename = true;
  FileKind filetype = FileKind::unspecified;
  LockFile lockfile = LockFile::none;
  std::string opendir;  // every file below it is taken
  std::uint64_t nrfiles = 1;
  std::optional<std::uint64_t> openfiles;  // else nrfiles
  FileService file_service;
  Fallocate fallocate = Fallocate::native;
  Fadvise fadvise_hint = Fadvise::by_pattern;
  WriteHint write_hint = WriteHint::none;
  bool invalidate = true;
  bool pre_read = false;
  bool overwrite = false;
  bool create_serialize = true;
  bool create_fsync = true;
  bool create_on_open = false;
  bool create_only = false;
  bool allow_file_create = true;
  bool allow_mounted_write = false;
  bool unlink = false;
  bool unlink_each_loop = false;
  bool file_append = false;
};

struct SizeOptions {
  std::optional<Size> size;     // of the region, a clone; else the file's or device's
  std::optional<Size> io_size;  // to transfer; else the region's
  std::optional<ByteRange> filesize;
  bool fill_device = false;
  Size offset;
  Size offset_increment;
  Bytes offset_align;
  std::uint64_t number_ios = 0;  // 0: no limit
  ZoneMode zonemode = ZoneMode::none;
  Bytes zonesize;
  Bytes zonerange;
  Bytes zonecapacity;
  Size zoneskip;
  std::uint64_t max_open_zones = 0;
  std::uint64_t job_max_open_zones = 0;
  bool read_beyond_wp = false;
  bool ignore_zone_limits = false;
};

struct OrderOptions {
  Rw rw = Rw::read;
  std::uint64_t rw_repeat = 1;  // `:n` of the random kinds: operations for each new offset
  std::int64_t rw_skip = 0;     // `:n` of the sequential kinds: bytes added to each offset
  RwSequencer rw_sequencer = RwSequencer::sequential;
  PerDirection<ByteRange> block_size = PerDirection<ByteRange>::all({Bytes(4096), Bytes(4096)});
  PerDirection<std::vector<SizeShare>> bssplit;   // where not empty, instead of block_size
  PerDirection<std::optional<Bytes>> blockalign;  // else the smallest block
  bool bs_unaligned = false;
  bool bs_is_seq_rand = false;
  std::uint32_t rwmixread = 50;  // percent; rwmixwrite sets it from the other side
  PerDirection<std::uint32_t> percentage_random{100, 100, 100};
  bool norandommap = false;
  bool softrandommap = false;
  bool randrepeat = true;
  std::optional<std::uint64_t> randseed;  // else 0x89
  RandomGenerator random_generator = RandomGenerator::tausworthe;
  PerDirection<Distribution> random_distribution;
};

struct DepthOptions {
  Engine engine = Engine::psync;
  std::string ioengine = "psync";  // as typed
  std::uint32_t iodepth = 1;
  std::optional<std::uint32_t> iodepth_batch;               // else 1; 0: iodepth
  std::uint32_t iodepth_batch_complete_min = 1;             // 0: poll
  std::optional<std::uint32_t> iodepth_batch_complete_max;  // else the minimum
  std::optional<std::uint32_t> iodepth_low;                 // else iodepth
  bool serialize_overlap = false;
  IoSubmitMode io_submit_mode = IoSubmitMode::inline_;
  bool direct = false;
  bool atomic = false;
  SyncMode sync = SyncMode::none;
};

struct DurabilityOptions {
  std::uint64_t fsync = 0;      // after every so many writes; 0: never
  std::uint64_t fdatasync = 0;  // likewise
  std::uint64_t write_barrier = 0;
  SyncFileRange sync_file_range;
  bool end_fsync = false;
  bool fsync_on_close = false;
  bool end_syncfs = false;
};

struct TimeOptions {
  std::uint64_t loops = 1;
  std::optional<Duration> runtime;  // 0 and none: no limit
  bool time_based = false;
  Duration ramp_time;
  Bytes ramp_size;
  DurationRange startdelay;
  std::optional<ClockSource> clocksource;
  std::optional<std::uint32_t> gtod_cpu;
};

struct PaceOptions {
  PerDirection<Bytes> rate;  // a second; 0: no limit
  PerDirection<Bytes> rate_min;
  PerDirection<std::uint64_t> rate_iops;
  PerDirection<std::uint64_t> rate_iops_min;
  RateProcess rate_process = RateProcess::linear;
  Duration rate_cycle = Duration::milliseconds(1000);
  bool rate_ignore_thinktime = false;
  Duration thinktime;
  Duration thinktime_spin;
  std::uint64_t thinkcycles = 0;
  std::uint64_t thinktime_blocks = 1;
  ThinktimeBlocks thinktime_blocks_type = ThinktimeBlocks::complete;
  Duration thinktime_iotime;
  PerDirection<Duration> max_latency;  // 0: no limit
  Duration latency_target;             // 0: off
  Duration latency_window;
  double latency_percentile = 100;
  bool latency_run = false;
  std::int64_t flow = 0;
  std::int64_t flow_id = 0;
  Duration flow_sleep;
};

struct ProcessOptions {
  std::uint32_t numjobs = 1;
  bool thread = false;  // threads instead of processes
  bool group_reporting = false;
  bool new_group = false;
  bool stonewall = false;
  std::string wait_for;  // a job's name
  bool exitall = false;
  ExitWhat exit_what = ExitWhat::group;
  bool exitall_on_error = false;
  std::vector<std::uint32_t> cpus_allowed;  // cpumask= ends here too
  CpusPolicy cpus_allowed_policy = CpusPolicy::shared;
  std::vector<std::uint32_t> numa_cpu_nodes;
  std::optional<NumaMemory> numa_mem_policy;
  std::int32_t nice = 0;
  std::optional<std::uint32_t> prio;
  std::optional<std::uint32_t> prioclass;
  std::optional<std::uint32_t> priohint;
  std::optional<std::uint32_t> uid;
  std::optional<std::uint32_t> gid;
  Bytes lockmem;
  std::string exec_prerun;
  std::string exec_postrun;
  ContinueOnError continue_on_error;
  std::vector<int> ignore_error_read;  // errno values
  std::vector<int> ignore_error_write;
  std::vector<int> ignore_error_verify;
  bool error_dump = false;
};

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
  Duration steadystate_duration;
  Duration steadystate_ramp;
  Duration steadystate_interval = Duration::seconds(1);
};

// Options that belong to one engine.
struct EngineOptions {
  bool hipri = false;                    // io_uring, pvsync2: polled completions
  std::uint32_t hipri_percentage = 100;  // pvsync2
  bool fixedbufs = false;                // io_uring
  bool registerfiles = false;
  bool sqthread_poll = false;
  std::optional<std::uint32_t> sqthread_poll_cpu;
  bool nonvectored = true;
  bool force_async = false;
  std::uint32_t force_async_every = 0;   // 0: never
  bool uncached = false;                 // io_uring, pvsync2
  bool nowait = false;                   // io_uring, libaio, pvsync2
  bool userspace_reap = false;           // libaio
  std::uint32_t cmdprio_percentage = 0;  // io_uring, libaio: of reads
  std::uint32_t cmdprio_percentage_write = 0;
  bool thp = false;                     // mmap
  StatType stat_type = StatType::stat;  // filestat
  struct Http {
    enum class Tls : std::uint8_t { off, on, insecure };
    enum class Mode : std::uint8_t { webdav, swift, s3 };
    Tls https = Tls::off;
    Mode mode = Mode::webdav;
    std::string host = "localhost";
    std::string user;
    std::string pass;
    std::string s3_key;
    std::string s3_keyid;
    std::string s3_region = "us-east-1";
    std::string s3_storage_class = "STANDARD";
    std::string s3_sse_customer_key;
    std::string s3_sse_customer_algorithm;
    std::string swift_auth_token;
    std::uint32_t verbose = 0;
  };
  Http http;
};

// An option as it was typed. A set option without a value has an empty one.
struct GivenOption {
  std::string name;
  std::string value;
  bool operator==(const GivenOption&) const = default;
};

struct JobOptions : FileOptions,
                    SizeOptions,
                    OrderOptions,
                    DepthOptions,
                    DurabilityOptions,
                    TimeOptions,
                    PaceOptions,
                    ProcessOptions,
                    BufferOptions,
                    VerifyOptions,
                    ReplayOptions,
                    ReportOptions,
                    EngineOptions {
  std::string name;
  std::string description;
  // The first section of a job file that is not the first file: fio puts a stonewall before it.
  bool starts_file = false;
  // Of this section only, in order, names as in the option table (never an alias).
  std::vector<GivenOption> given;
  // The same from the global sections above it.
  std::vector<GivenOption> inherited;
  // Where the section stands; the line is 0 on the command line.
  std::string file;
  std::uint32_t line = 0;

  // Whether the section or a global one set the option of this name of the table.
  bool is_given(std::string_view option) const;
};

}  // namespace loadline::dialects::fio
