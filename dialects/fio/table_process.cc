// Options of processes, groups, order of jobs, placement, errors and commands around a job.
#include <array>

#include "dialects/fio/option_setters.h"

namespace loadline::dialects::fio {
namespace {

using J = JobOptions;

constexpr std::array k_policies = {Choice{"shared", 0, "all clones share the set"},
                                   Choice{"split", 1, "one processor each"}};
constexpr std::array k_exits = {Choice{"group", 0, "the reporting group"},
                                Choice{"stonewall", 1, "the jobs between stonewalls"},
                                Choice{"all", 2, "every job"}};

constexpr Option k_process[] = {
    {.name = "numjobs", .slot = &J::numjobs, .help = "clones of the job", .min = 1},
    {"thread", "", SetFlag{&J::thread}, "threads instead of processes"},
    {.name = "threads", .slot = Dropped::number, .help = "of the tiobench profile; ignored"},
    {"group_reporting", "", SetFlag{&J::group_reporting}, "one report for the group"},
    {"new_group", "", SetFlag{&J::new_group}, "begin a new reporting group"},
    {"stonewall", "wait_for_previous", SetFlag{&J::stonewall}, "wait for all earlier jobs"},
    {"wait_for", "", &J::wait_for, "wait for the job of this name"},
    {"exitall", "", SetFlag{&J::exitall}, "end the others when this one ends"},
    {.name = "exit_what",
     .slot = Pick{pick<&J::exit_what>},
     .help = "which others exitall ends",
     .choices = k_exits},
    {"exitall_on_error", "", SetFlag{&J::exitall_on_error}, "end all on an error"},
    {"cpumask", "", Custom{set_cpumask}, "processors to run on, as a bit mask"},
    {"cpus_allowed", "", Custom{set_cpus_allowed}, "processors to run on, e.g. 0,2-5"},
    {.name = "cpus_allowed_policy",
     .slot = Pick{pick<&J::cpus_allowed_policy>},
     .help = "how clones take processors",
     .choices = k_policies},
    {"numa_cpu_nodes", "", Custom{set_numa_cpu_nodes}, "NUMA nodes to run on"},
    {"numa_mem_policy", "", Custom{set_numa_mem_policy}, "NUMA memory: mode[:nodes]"},
    {.name = "nice", .slot = &J::nice, .help = "nice value", .min = -20, .max = 19},
    {.name = "prio", .slot = &J::prio, .help = "I/O priority", .min = 0, .max = 7},
    {.name = "prioclass", .slot = &J::prioclass, .help = "I/O priority class", .min = 0, .max = 3},
    {.name = "priohint", .slot = &J::priohint, .help = "I/O priority hint", .min = 0, .max = 1023},
    {"uid", "", &J::uid, "run as this user"},
    {"gid", "", &J::gid, "run as this group"},
    {"lockmem", "", &J::lockmem, "lock this much memory first"},
    {.name = "comm",
     .slot = Dropped::text,
     .help = "name of the process",
     .refused = "workers are not renamed"},
    {"exec_prerun", "", &J::exec_prerun, "shell command before the job"},
    {"exec_postrun", "", &J::exec_postrun, "shell command after the job"},
    {.name = "ioscheduler",
     .slot = Dropped::text,
     .help = "switch the device's scheduler",
     .refused = "device settings are left alone; set /sys/block/DEV/queue/scheduler yourself"},
    {.name = "cgroup",
     .slot = Dropped::text,
     .help = "control group to run in",
     .refused = "control groups are not set up here; start the whole run inside one"},
    {.name = "cgroup_nodelete",
     .slot = Dropped::flag,
     .help = "keep the control group",
     .refused = "control groups are not set up here"},
    {.name = "cgroup_weight",
     .slot = Dropped::number,
     .help = "weight of the control group",
     .refused = "control groups are not set up here"},
    {.name = "gtod_cpu",
     .slot = &J::gtod_cpu,
     .help = "a processor that only reads the time",
     .refused = "reading the time is cheap here; leave it out"},
    {.name = "profile",
     .slot = Dropped::text,
     .help = "built-in set of jobs",
     .refused = "built-in sets of jobs are not supported; write the job file"},
    {.name = "gpu_dev_id",
     .slot = Dropped::text,
     .help = "GPU of cudamalloc buffers",
     .refused = "GPU memory is not supported"},
    {"continue_on_error", "", Custom{set_continue_on_error}, "errors that do not end the job"},
    {"ignore_error", "", Custom{set_ignore_error}, "errors to ignore: read,write,verify lists"},
    {"error_dump", "", &J::error_dump, "print each ignored error"},
};

}  // namespace

std::span<const Option> process_options() { return k_process; }

}  // namespace loadline::dialects::fio
