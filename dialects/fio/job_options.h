// What one job section asks for: typed, resolved (global sections first, a later option wins), and
// with fio's own defaults where nothing was given. std::optional: no default of its own; the
// comment says what fio takes instead. The parts follow the chapters of fio's documentation; a
// job is all of them in one flat value.
//
// Ownership, threads: plain values. Units: by type, or in the name.
#pragma once

#include <string_view>

#include "dialects/fio/data_options.h"
#include "dialects/fio/option_values.h"
#include "dialects/fio/work_options.h"

namespace loadline::dialects::fio {

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
  std::uint32_t cpu_load = 0;           // cpuio: percent of a processor
  Duration cpu_chunk = Duration::milliseconds(50);
  bool exit_on_io_done = false;
  std::string program;  // exec
  std::string arguments;
  std::uint32_t grace_time = 1;  // seconds
  bool std_redirect = true;
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

// An option as it was typed, under its name of the option table (never an alias).
struct GivenOption {
  std::string name;
  std::string value;
  bool bare = false;  // a set option without a value: fio's JSON leaves these out
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
  // Of this section only, in the order they took effect.
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
