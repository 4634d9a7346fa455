// The one table of fio's job options: names, kinds, bounds, choices, what is refused and why, help,
// and where the value goes. The command line, the job file, --cmdhelp, --showcmd and the guesses at
// misspelt names all read it.
//
// The table is constant. Threads: any. Source: fio's documentation and `fio --cmdhelp=all`.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "dialects/fio/job_options.h"
#include "dialects/fio/surroundings.h"
#include "dialects/fio/value_parser.h"

namespace loadline::dialects::fio {

struct Choice {
  std::string_view word;
  int value = 0;
  std::string_view help;
};

struct SetContext {
  ValueContext values;
  const Surroundings* world = nullptr;
};

// Where a value goes, which also says how it is read. Plain members are read by their type.
struct SetFlag {  // the value is optional
  bool JobOptions::* member = nullptr;
};
struct Milliseconds {  // a bare number of milliseconds
  Duration JobOptions::* member = nullptr;
};
struct OptionalMilliseconds {
  std::optional<Duration> JobOptions::* member = nullptr;
};
struct Microseconds {  // a bare number of microseconds
  Duration JobOptions::* member = nullptr;
};
struct Pick {  // one of Option::choices
  void (*set)(JobOptions&, int) = nullptr;
};
struct Custom {
  Result<void> (*set)(JobOptions&, std::string_view, const SetContext&) = nullptr;
};
// Read for mistakes and then dropped: of a refused or outdated option.
enum class Dropped : std::uint8_t { text, number, flag, set_flag };

template <typename T>
using Member = T JobOptions::*;

using Slot =
    std::variant<Dropped, Custom, Pick, SetFlag, Milliseconds, OptionalMilliseconds, Microseconds,
                 Member<bool>, Member<std::int32_t>, Member<std::uint32_t>, Member<std::int64_t>,
                 Member<std::uint64_t>, Member<std::optional<std::uint32_t>>,
                 Member<std::optional<std::uint64_t>>, Member<Bytes>, Member<std::optional<Bytes>>,
                 Member<Duration>, Member<std::optional<Duration>>, Member<DurationRange>,
                 Member<std::string>, Member<Size>, Member<std::optional<Size>>,
                 Member<std::optional<ByteRange>>, Member<PerDirection<Bytes>>,
                 Member<PerDirection<std::optional<Bytes>>>, Member<PerDirection<std::uint32_t>>,
                 Member<PerDirection<std::uint64_t>>, Member<PerDirection<Duration>>>;

struct Option {
  std::string_view name;
  std::string_view alias = {};
  Slot slot = Dropped::text;
  std::string_view help = {};
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  TimeUnit bare = TimeUnit::seconds;  // what a bare number of a time counts
  std::span<const Choice> choices = {};
  std::string_view refused = {};  // why a run with it is refused; empty: it is not
  std::string_view engines = {};  // comma list of those that have it; empty: every job
  bool bare_in_file = false;      // a job file may leave the value out
  bool early = false;             // takes effect before others in a section of a job file

  bool takes_optional_value() const;
  bool belongs_to(std::string_view engine) const;
};

// Parts of the table, by noun.
std::span<const Option> file_options();
std::span<const Option> work_options();
std::span<const Option> process_options();
std::span<const Option> data_options();
std::span<const Option> report_options();
std::span<const Option> engine_options();

// All parts in order.
std::vector<const Option*> all_options();

// The option of this exact name or alias; where several engines have one of that name, that of
// `engine`, else any.
const Option* find_option(std::string_view name, std::string_view engine);

// Reads `value` into `job`. Errors: bad_input, without the option's name. Warnings: in the context.
Result<void> set_option(const Option& option, std::string_view value, JobOptions& job,
                        const SetContext& context);

// Engines that fio has; an Engine::other among them is not in this program.
struct EngineName {
  std::string_view name;
  Engine engine = Engine::other;
  std::string_view help;
};
std::span<const EngineName> engine_names();

}  // namespace loadline::dialects::fio
