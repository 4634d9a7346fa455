// Parts of JobOptions: which files, how much, in which order, how deep, how fast, by whom. The
// rules are in job_options.h.
#pragma once

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

}  // namespace loadline::dialects::fio
