// Setters of the options whose values have a grammar of their own. All are of the type
// Custom::set: bad_input without the option's name.
#pragma once

#include <string_view>
#include <type_traits>

#include "dialects/fio/option_table.h"

namespace loadline::dialects::fio {

// Sets an enum member from a choice's value.
template <auto member>
void pick(JobOptions& job, int value) {
  using Enum = std::remove_reference_t<decltype(job.*member)>;
  job.*member = static_cast<Enum>(value);
}

#define FIO_SETTER(name) \
  Result<void> name(JobOptions& job, std::string_view text, const SetContext& context)

FIO_SETTER(set_filename);
FIO_SETTER(set_directory);
FIO_SETTER(set_file_service);
FIO_SETTER(set_ioengine);
FIO_SETTER(set_rw);
FIO_SETTER(set_block_size);
FIO_SETTER(set_block_range);
FIO_SETTER(set_bssplit);
FIO_SETTER(set_rwmixwrite);
FIO_SETTER(set_distribution);
FIO_SETTER(set_randseed);
FIO_SETTER(set_buffered);
FIO_SETTER(set_sync_file_range);
FIO_SETTER(set_latency_percentile);
FIO_SETTER(set_cpus_allowed);
FIO_SETTER(set_cpumask);
FIO_SETTER(set_numa_cpu_nodes);
FIO_SETTER(set_numa_mem_policy);
FIO_SETTER(set_continue_on_error);
FIO_SETTER(set_ignore_error);
FIO_SETTER(set_mem);
FIO_SETTER(set_buffer_pattern);
FIO_SETTER(set_verify_pattern);
FIO_SETTER(set_verify_async_cpus);
FIO_SETTER(set_verify_policy);
FIO_SETTER(set_replay_skip);
FIO_SETTER(set_bandwidth_log);
FIO_SETTER(set_latency_log);
FIO_SETTER(set_iops_log);
FIO_SETTER(set_histogram_log);
FIO_SETTER(set_percentile_list);
FIO_SETTER(set_steadystate);
FIO_SETTER(set_force_async);
FIO_SETTER(set_cmdprio_percentage);

#undef FIO_SETTER

// "EIO", "EILSEQ" ...: the errno value; 0 where there is no such name.
int errno_of(std::string_view name);

}  // namespace loadline::dialects::fio
