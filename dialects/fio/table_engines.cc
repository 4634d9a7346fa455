// The engines, and the options that belong to one of them.
#include <array>

#include "dialects/fio/option_setters.h"

namespace loadline::dialects::fio {
namespace {

using J = JobOptions;
using std::string_view;

constexpr string_view k_elsewhere = "the engine it belongs to is not supported";
constexpr string_view k_prio = "priorities of single I/Os are not supported";

constexpr std::array k_tls = {Choice{"off", 0, "plain HTTP"}, Choice{"on", 1, "HTTPS"},
                              Choice{"insecure", 2, "HTTPS, any certificate"}};
constexpr std::array k_http_modes = {Choice{"webdav", 0, "WebDAV"}, Choice{"swift", 1, "Swift"},
                                     Choice{"s3", 2, "S3"}};
constexpr std::array k_stats = {Choice{"stat", 0, "stat(2)"}, Choice{"lstat", 1, "lstat(2)"},
                                Choice{"statx", 2, "statx(2)"}};

void set_https(J& job, int value) { job.http.https = static_cast<EngineOptions::Http::Tls>(value); }
void set_http_mode(J& job, int value) {
  job.http.mode = static_cast<EngineOptions::Http::Mode>(value);
}

template <std::string EngineOptions::Http::* member>
Result<void> set_http(J& job, string_view text, const SetContext&) {
  job.http.*member = std::string(text);
  return {};
}

Result<void> set_http_verbose(J& job, string_view text, const SetContext& context) {
  const auto level = parse_number(text, context.values);
  if (!level) return std::unexpected(level.error());
  if (*level > 2) return fail(ErrorCode::bad_input, "max value out of range (2 max)");
  job.http.verbose = static_cast<std::uint32_t>(*level);
  return {};
}

Result<void> set_sqthread_cpu(J& job, string_view text, const SetContext& context) {
  const auto cpu = parse_number(text, context.values);
  if (!cpu) return std::unexpected(cpu.error());
  if (*cpu >= context.world->cpus) {
    return fail(ErrorCode::bad_input, "there is no such CPU on this machine");
  }
  job.sqthread_poll_cpu = static_cast<std::uint32_t>(*cpu);
  job.sqthread_poll = true;
  return {};
}

using Http = EngineOptions::Http;

constexpr Option of(string_view engines, string_view name, Slot slot, string_view help) {
  return {.name = name, .slot = slot, .help = help, .engines = engines};
}
constexpr Option foreign(string_view engines, string_view name, Dropped form) {
  return {.name = name,
          .slot = form,
          .help = "option of an engine that is not supported",
          .refused = k_elsewhere,
          .engines = engines};
}

constexpr string_view k_rings = "io_uring,io_uring_cmd";
constexpr string_view k_ring_aio = "io_uring,io_uring_cmd,libaio";
constexpr string_view k_net = "net,netsplice";

constexpr Option k_engines[] = {
    of("io_uring,io_uring_cmd,pvsync2,sg,xnvme", "hipri", SetFlag{&J::hipri}, "polled I/O"),
    {.name = "hipri_percentage",
     .slot = &J::hipri_percentage,
     .help = "percent of polled I/O",
     .min = 0,
     .max = 100,
     .engines = "pvsync2"},
    of(k_rings, "fixedbufs", SetFlag{&J::fixedbufs}, "registered buffers"),
    of(k_rings, "registerfiles", SetFlag{&J::registerfiles}, "registered files"),
    of(k_rings, "sqthread_poll", SetFlag{&J::sqthread_poll}, "a kernel thread submits"),
    of(k_rings, "sqthread_poll_cpu", Custom{set_sqthread_cpu}, "the processor of that thread"),
    of(k_rings, "nonvectored", &J::nonvectored, "read and write instead of readv and writev"),
    of(k_rings, "force_async", Custom{set_force_async}, "every so many I/Os by a kernel thread"),
    of("io_uring,io_uring_cmd,pvsync2", "uncached", SetFlag{&J::uncached}, "RWF_UNCACHED"),
    of("io_uring,io_uring_cmd,libaio,pvsync2", "nowait", &J::nowait, "RWF_NOWAIT"),
    of("libaio", "userspace_reap", SetFlag{&J::userspace_reap}, "reap without a system call"),
    of(k_ring_aio, "cmdprio_percentage", Custom{set_cmdprio_percentage},
       "percent of high priority"),
    {.name = "cmdprio_class",
     .slot = Dropped::text,
     .help = "class of high priority I/O",
     .refused = k_prio,
     .engines = k_ring_aio},
    {.name = "cmdprio_hint",
     .slot = Dropped::text,
     .help = "hint of high priority I/O",
     .refused = k_prio,
     .engines = k_ring_aio},
    {.name = "cmdprio",
     .slot = Dropped::text,
     .help = "level of high priority I/O",
     .refused = k_prio,
     .engines = k_ring_aio},
    {.name = "cmdprio_bssplit",
     .slot = Dropped::text,
     .help = "priorities by size",
     .refused = k_prio,
     .engines = k_ring_aio},
    foreign("io_uring_cmd,xnvme", "cmd_type", Dropped::text),
    of("mmap", "thp", &J::thp, "transparent huge pages"),
    {.name = "stat_type",
     .slot = Pick{pick<&J::stat_type>},
     .help = "which call",
     .choices = k_stats,
     .engines = "filestat,dirstat"},
    {.name = "https",
     .slot = Pick{set_https},
     .help = "encryption",
     .choices = k_tls,
     .engines = "http"},
    of("http", "http_host", Custom{set_http<&Http::host>}, "host, or host:port"),
    of("http", "http_user", Custom{set_http<&Http::user>}, "user name"),
    of("http", "http_pass", Custom{set_http<&Http::pass>}, "password"),
    of("http", "http_s3_key", Custom{set_http<&Http::s3_key>}, "S3 secret key"),
    of("http", "http_s3_keyid", Custom{set_http<&Http::s3_keyid>}, "S3 access key"),
    of("http", "http_s3_region", Custom{set_http<&Http::s3_region>}, "S3 region"),
    of("http", "http_s3_storage_class", Custom{set_http<&Http::s3_storage_class>}, "S3 class"),
    of("http", "http_s3_sse_customer_key", Custom{set_http<&Http::s3_sse_customer_key>}, "SSE-C"),
    of("http", "http_s3_sse_customer_algorithm", Custom{set_http<&Http::s3_sse_customer_algorithm>},
       "algorithm of SSE-C"),
    of("http", "http_swift_auth_token", Custom{set_http<&Http::swift_auth_token>}, "Swift token"),
    {.name = "http_mode",
     .slot = Pick{set_http_mode},
     .help = "dialect of HTTP",
     .choices = k_http_modes,
     .engines = "http"},
    of("http", "http_verbose", Custom{set_http_verbose}, "0 to 2"),
    {.name = "cpuload",
     .slot = &J::cpu_load,
     .help = "percent of a processor to burn",
     .max = 100,
     .engines = "cpuio"},
    {.name = "cpumode", .slot = Dropped::text, .help = "how; any is the same", .engines = "cpuio"},
    of("cpuio", "cpuchunks", Microseconds{&J::cpu_chunk}, "length of one burn, us"),
    of("cpuio", "exit_on_io_done", &J::exit_on_io_done, "ends when the other jobs have"),
    foreign("net,netsplice,rdma,librpma_apm_client,librpma_gpspm_client", "hostname",
            Dropped::text),
    foreign("rdma", "bindname", Dropped::text),
    foreign("net,netsplice,rdma", "port", Dropped::number),
    foreign("rdma", "verb", Dropped::text),
    foreign(k_net, "protocol", Dropped::text),
    foreign(k_net, "proto", Dropped::text),
    foreign(k_net, "nodelay", Dropped::set_flag),
    foreign(k_net, "listen", Dropped::set_flag),
    foreign(k_net, "pingpong", Dropped::set_flag),
    foreign(k_net, "interface", Dropped::text),
    foreign(k_net, "ttl", Dropped::number),
    foreign(k_net, "window_size", Dropped::number),
    foreign(k_net, "mss", Dropped::number),
    foreign("rbd,rados", "clustername", Dropped::text),
    foreign("rbd", "rbdname", Dropped::text),
    foreign("rbd,rados,dfs", "pool", Dropped::text),
    foreign("rbd,rados", "clientname", Dropped::text),
    foreign("rbd,rados", "busy_poll", Dropped::flag),
    foreign("rados", "conf", Dropped::text),
    foreign("rados", "touch_objects", Dropped::flag),
    foreign("sg", "readfua", Dropped::flag),
    foreign("sg", "writefua", Dropped::flag),
    foreign("sg", "sg_write_mode", Dropped::text),
    foreign("sg", "stream_id", Dropped::number),
    foreign("e4defrag", "donorname", Dropped::text),
    foreign("e4defrag", "inplace", Dropped::flag),
    foreign("mtd", "skip_bad", Dropped::flag),
    foreign("nbd", "uri", Dropped::text),
    of("exec", "program", &J::program, "program to run"),
    of("exec", "arguments", &J::arguments, "its arguments; %r: seconds, %n: the job's name"),
    of("exec", "grace_time", &J::grace_time, "seconds between asking it to end and killing it"),
    of("exec", "std_redirect", &J::std_redirect, "output to JOB.stdout and JOB.stderr"),
    foreign("gfapi,gfapi_async", "volume", Dropped::text),
    foreign("gfapi,gfapi_async", "brick", Dropped::text),
    foreign("gfapi,gfapi_async", "single-instance", Dropped::flag),
    foreign("libhdfs", "namenode", Dropped::text),
    foreign("libhdfs", "chunk_size", Dropped::text),
    foreign("libhdfs", "single_instance", Dropped::flag),
    foreign("libhdfs", "hdfs_use_direct", Dropped::flag),
    foreign("nfs", "nfs_url", Dropped::text),
    foreign("libiscsi", "initiator", Dropped::text),
    foreign("dfs", "cont", Dropped::text),
};

constexpr EngineName k_names[] = {
    {"psync", Engine::psync, "pread, pwrite"},
    {"sync", Engine::sync, "lseek, read, write"},
    {"vsync", Engine::vsync, "readv, writev, neighbours joined"},
    {"pvsync", Engine::pvsync, "preadv, pwritev"},
    {"pvsync2", Engine::pvsync2, "preadv2, pwritev2"},
    {"libaio", Engine::libaio, "Linux native asynchronous I/O"},
    {"io_uring", Engine::io_uring, "io_uring"},
    {"posixaio", Engine::posixaio, "POSIX asynchronous I/O"},
    {"mmap", Engine::mmap, "memory mapped files"},
    {"splice", Engine::splice, "splice and vmsplice through a pipe"},
    {"null", Engine::null, "no I/O at all"},
    {"filecreate", Engine::filecreate, "create files"},
    {"filestat", Engine::filestat, "stat files"},
    {"filedelete", Engine::filedelete, "delete files"},
    {"dircreate", Engine::dircreate, "create directories"},
    {"dirstat", Engine::dirstat, "stat directories"},
    {"dirdelete", Engine::dirdelete, "delete directories"},
    {"falloc", Engine::falloc, "fallocate"},
    {"ftruncate", Engine::ftruncate, "ftruncate"},
    {"http", Engine::http, "S3 over HTTP"},
    {"cpuio", Engine::cpuio, "burns processor time"},
    {"exec", Engine::exec, "runs a program"},
    {"net", Engine::other, ""},
    {"netsplice", Engine::other, ""},
    {"sg", Engine::other, ""},
    {"rdma", Engine::other, ""},
    {"e4defrag", Engine::other, ""},
    {"rados", Engine::other, ""},
    {"rbd", Engine::other, ""},
    {"gfapi", Engine::other, ""},
    {"gfapi_async", Engine::other, ""},
    {"libhdfs", Engine::other, ""},
    {"mtd", Engine::other, ""},
    {"nbd", Engine::other, ""},
    {"nfs", Engine::other, ""},
    {"dfs", Engine::other, ""},
    {"libiscsi", Engine::other, ""},
    {"pmemblk", Engine::other, ""},
    {"dev-dax", Engine::other, ""},
    {"libpmem", Engine::other, ""},
    {"libzbc", Engine::other, ""},
    {"libblkio", Engine::other, ""},
    {"xnvme", Engine::other, ""},
    {"libcufile", Engine::other, ""},
    {"libhipfile", Engine::other, ""},
    {"page_fault", Engine::other, ""},
    {"io_uring_cmd", Engine::other, ""},
    {"ime_psync", Engine::other, ""},
    {"ime_psyncv", Engine::other, ""},
    {"ime_aio", Engine::other, ""},
    {"external", Engine::other, ""},
    {"guasi", Engine::other, ""},
    {"cpp_null", Engine::other, ""},
    {"solarisaio", Engine::other, ""},
    {"windowsaio", Engine::other, ""},
};

}  // namespace

std::span<const Option> engine_options() { return k_engines; }
std::span<const EngineName> engine_names() { return k_names; }

}  // namespace loadline::dialects::fio
