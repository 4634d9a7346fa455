// Options of logs, percentiles and reports.
#include <array>

#include "dialects/fio/option_setters.h"

namespace loadline::dialects::fio {
namespace {

using J = JobOptions;

constexpr std::array k_windows = {Choice{"avg", 0, "the average"}, Choice{"max", 1, "the largest"},
                                  Choice{"both", 2, "average and largest"},
                                  Choice{"0", 0, "as avg"}, Choice{"1", 1, "as max"}};
constexpr std::array k_unified = {
    Choice{"none", 0, "by direction"}, Choice{"mixed", 1, "all directions in one"},
    Choice{"both", 2, "both"},         Choice{"0", 0, "as none"},
    Choice{"1", 1, "as mixed"},        Choice{"2", 2, "as both"}};
constexpr std::array k_kb_bases = {Choice{"1024", 1024, "k is 1024"},
                                   Choice{"1000", 1000, "k is 1000, kib is 1024"}};
constexpr std::array k_unit_bases = {Choice{"0", 0, "as fits the engine"}, Choice{"8", 8, "bytes"},
                                     Choice{"1", 1, "bits"}};

constexpr Option k_report[] = {
    {"per_job_logs", "", &J::per_job_logs, "the clone's number in log names"},
    {.name = "write_bw_log",
     .slot = Custom{set_bandwidth_log},
     .help = "log of bandwidths: a name prefix",
     .bare_in_file = true},
    {.name = "write_lat_log",
     .slot = Custom{set_latency_log},
     .help = "log of latencies: a name prefix",
     .bare_in_file = true},
    {.name = "write_iops_log",
     .slot = Custom{set_iops_log},
     .help = "log of IOPS: a name prefix",
     .bare_in_file = true},
    {.name = "write_hist_log",
     .slot = Custom{set_histogram_log},
     .help = "log of histograms: a name prefix",
     .bare_in_file = true},
    {.name = "log_entries", .slot = &J::log_entries, .help = "first size of a log", .min = 1024},
    {"log_avg_msec", "", OptionalMilliseconds{&J::log_avg}, "average logs over this, ms"},
    {"log_hist_msec", "", OptionalMilliseconds{&J::log_hist}, "histograms every, ms"},
    {.name = "log_hist_coarseness",
     .slot = &J::log_hist_coarseness,
     .help = "merge 2^n bins",
     .min = 0,
     .max = 6},
    {.name = "log_window_value",
     .alias = "log_max_value",
     .slot = Pick{pick<&J::log_window_value>},
     .help = "what a window logs",
     .choices = k_windows},
    {"log_offset", "", &J::log_offset, "log offsets"},
    {"log_prio", "", &J::log_prio, "log priorities in full"},
    {"log_issue_time", "", &J::log_issue_time, "log the time of issue"},
    {.name = "log_compression",
     .slot = &J::log_compression,
     .help = "compress logs in pieces",
     .min = 1024,
     .max = 512 << 20,
     .refused = "logs are written as they grow, and need no compression in memory"},
    {.name = "log_compression_cpus",
     .slot = Dropped::text,
     .help = "processors that compress",
     .refused = "logs are not compressed"},
    {.name = "log_store_compressed",
     .slot = &J::log_store_compressed,
     .help = "store logs compressed",
     .refused = "logs are not compressed; pipe them through gzip"},
    {"log_alternate_epoch", "log_unix_epoch", &J::log_alternate_epoch, "wall clock times in logs"},
    {"log_alternate_epoch_clock_id", "", &J::log_alternate_epoch_clock_id, "the clock of these"},
    {"job_start_clock_id", "", &J::job_start_clock_id, "the clock of job_start"},
    {"block_error_percentiles", "", &J::block_error_percentiles, "percentiles of block errors"},
    {"bwavgtime", "", Milliseconds{&J::bwavgtime}, "window of the bw line, ms"},
    {"iopsavgtime", "", Milliseconds{&J::iopsavgtime}, "window of the iops line, ms"},
    {"stats", "", &J::stats, "whether the job is reported"},
    {"clat_percentiles", "", &J::clat_percentiles, "percentiles of completion latency"},
    {"lat_percentiles", "", &J::lat_percentiles, "percentiles of whole latency"},
    {"slat_percentiles", "", &J::slat_percentiles, "percentiles of submission latency"},
    {"percentile_list", "", Custom{set_percentile_list}, "which percentiles, with ':' between"},
    {.name = "significant_figures",
     .slot = &J::significant_figures,
     .help = "digits of figures",
     .min = 1,
     .max = 10},
    {"disk_util", "", &J::disk_util, "figures of the devices"},
    {"gtod_reduce", "", &J::gtod_reduce, "leave out latencies and bandwidths"},
    {"disable_lat", "", &J::disable_lat, "leave out whole latencies"},
    {"disable_clat", "", &J::disable_clat, "leave out completion latencies"},
    {"disable_slat", "", &J::disable_slat, "leave out submission latencies"},
    {"disable_bw_measurement", "disable_bw", &J::disable_bw, "leave out bandwidths"},
    {.name = "unified_rw_reporting",
     .slot = Pick{pick<&J::unified_rw_reporting>},
     .help = "sums of all directions",
     .choices = k_unified},
    {.name = "kb_base",
     .slot = Pick{pick<&J::kb_base>},
     .help = "what k is; put it first",
     .choices = k_kb_bases,
     .early = true},
    {.name = "unit_base",
     .slot = Pick{pick<&J::unit_base>},
     .help = "bytes or bits in reports",
     .choices = k_unit_bases,
     .early = true},
    {"steadystate", "ss", Custom{set_steadystate}, "stop when steady: value:limit"},
    {"steadystate_duration", "ss_dur", &J::steadystate_duration, "how long it must be steady"},
    {"steadystate_ramp_time", "ss_ramp", &J::steadystate_ramp, "time before looking"},
    {"steadystate_check_interval", "ss_interval", &J::steadystate_interval, "time between values"},
};

}  // namespace

std::span<const Option> report_options() { return k_report; }

}  // namespace loadline::dialects::fio
