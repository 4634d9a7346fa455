#include "dialects/fio/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace loadline::dialects::fio {
namespace {

using std::string_view;

std::unexpected<Error> bad(std::string what) { return fail(ErrorCode::bad_input, std::move(what)); }

// Reads a value by the type of the member it goes to. One call each for every kind of slot.
class Setter {
 public:
  Setter(const Option& option, string_view text, JobOptions& job, const SetContext& context)
      : option_(option), text_(text), job_(job), context_(context) {}

  Result<void> operator()(Dropped form) const {
    if (form == Dropped::flag || (form == Dropped::set_flag && !text_.empty())) {
      return checked(parse_flag(text_));
    }
    return form == Dropped::number ? checked(parse_signed(text_, context_.values)) : Result<void>();
  }
  Result<void> operator()(Custom custom) const { return custom.set(job_, text_, context_); }

  Result<void> operator()(Pick pick) const {
    for (const Choice& choice : option_.choices) {
      if (choice.word == text_) {
        pick.set(job_, choice.value);
        return {};
      }
    }
    std::string words;
    for (const Choice& choice : option_.choices) {
      if (!words.empty()) words += ", ";
      words += choice.word;
    }
    return bad("valid values: " + words);
  }

  Result<void> operator()(SetFlag flag) const {
    if (text_.empty()) {
      job_.*flag.member = true;
      return {};
    }
    return store(flag.member, parse_flag(text_));
  }
  Result<void> operator()(Member<bool> member) const { return store(member, parse_flag(text_)); }

  Result<void> operator()(Milliseconds slot) const { return store(slot.member, milliseconds()); }
  Result<void> operator()(OptionalMilliseconds slot) const {
    return store(slot.member, milliseconds());
  }
  Result<void> operator()(Microseconds slot) const {
    const auto number = within<std::int64_t>(text_);
    if (!number) return std::unexpected(number.error());
    if (*number < 0 || *number > INT64_MAX / 1000) return bad("the time is out of range");
    job_.*slot.member = Duration::microseconds(*number);
    return {};
  }

  template <typename T>
    requires std::is_integral_v<T>
  Result<void> operator()(Member<T> member) const {
    return store(member, within<T>(text_));
  }
  template <typename T>
    requires std::is_integral_v<T>
  Result<void> operator()(Member<std::optional<T>> member) const {
    return store(member, within<T>(text_));
  }
  Result<void> operator()(Member<Bytes> member) const { return store(member, bytes(text_)); }
  Result<void> operator()(Member<std::optional<Bytes>> member) const {
    return store(member, bytes(text_));
  }
  Result<void> operator()(Member<Duration> member) const {
    return store(member, parse_time(text_, option_.bare));
  }
  Result<void> operator()(Member<std::optional<Duration>> member) const {
    return store(member, parse_time(text_, option_.bare));
  }
  Result<void> operator()(Member<DurationRange> member) const {
    return store(member, parse_time_range(text_, option_.bare));
  }
  Result<void> operator()(Member<std::string> member) const {
    job_.*member = std::string(text_);
    return {};
  }
  Result<void> operator()(Member<Size> member) const {
    return store(member, parse_size(text_, context_.values));
  }
  Result<void> operator()(Member<std::optional<Size>> member) const {
    return store(member, parse_size(text_, context_.values));
  }
  Result<void> operator()(Member<std::optional<ByteRange>> member) const {
    const auto range = parse_byte_range(text_, context_.values);
    if (!range) return std::unexpected(range.error());
    const auto bounded = bounds(static_cast<std::int64_t>(range->low.count()));
    if (!bounded) return bounded;
    job_.*member = *range;
    return {};
  }

  Result<void> operator()(Member<PerDirection<Bytes>> member) const {
    return each(member, [this](string_view text) { return bytes(text); });
  }
  Result<void> operator()(Member<PerDirection<std::optional<Bytes>>> member) const {
    return each(member, [this](string_view text) { return bytes(text); });
  }
  Result<void> operator()(Member<PerDirection<std::uint32_t>> member) const {
    return each(member, [this](string_view text) { return within<std::uint32_t>(text); });
  }
  Result<void> operator()(Member<PerDirection<std::uint64_t>> member) const {
    return each(member, [this](string_view text) { return within<std::uint64_t>(text); });
  }
  Result<void> operator()(Member<PerDirection<Duration>> member) const {
    return each(member, [this](string_view text) { return parse_time(text, option_.bare); });
  }

 private:
  template <typename T>
  static Result<void> checked(const Result<T>& value) {
    if (!value) return std::unexpected(value.error());
    return {};
  }

  template <typename M, typename T>
  Result<void> store(M member, const Result<T>& value) const {
    if (!value) return std::unexpected(value.error());
    job_.*member = *value;
    return {};
  }

  template <typename T, typename Read>
  Result<void> each(Member<PerDirection<T>> member, Read read) const {
    const auto parts = split_directions(text_, true, context_.values);
    if (!parts) return std::unexpected(parts.error());
    PerDirection<T> values = job_.*member;
    for (const Direction d : k_directions) {
      if ((*parts)[d].empty()) continue;
      const auto value = read((*parts)[d]);
      if (!value) return std::unexpected(value.error());
      values[d] = *value;
    }
    job_.*member = values;
    return {};
  }

  Result<void> bounds(std::int64_t number) const {
    if (number < option_.min) {
      return bad(fmt::format("min value out of range: {} ({} min)", number, option_.min));
    }
    if (number > option_.max) {
      return bad(fmt::format("max value out of range: {} ({} max)", number, option_.max));
    }
    return {};
  }

  // The whole number, inside the option's bounds and those of T.
  template <typename T>
  Result<T> within(string_view text) const {
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      if (!text.starts_with('-')) {
        const auto large = parse_number(text, context_.values);
        if (!large || *large > static_cast<std::uint64_t>(INT64_MAX)) return large;
      }
    }
    const auto number = parse_signed(text, context_.values);
    if (!number) return std::unexpected(number.error());
    const auto bounded = bounds(*number);
    if (!bounded) return std::unexpected(bounded.error());
    using Limits = std::numeric_limits<T>;
    if (std::cmp_less(*number, Limits::min())) {
      return bad(fmt::format("min value out of range: {} ({} min)", *number, Limits::min()));
    }
    if (std::cmp_greater(*number, Limits::max())) {
      return bad(fmt::format("max value out of range: {} ({} max)", *number, Limits::max()));
    }
    return static_cast<T>(*number);
  }

  Result<Bytes> bytes(string_view text) const {
    const auto number = within<std::uint64_t>(text);
    if (!number) return std::unexpected(number.error());
    return Bytes(*number);
  }

  Result<Duration> milliseconds() const {
    const std::string low = lower(text_);
    if (low.ends_with("ms") || low.ends_with("msec") || low.ends_with('s')) {
      return bad(fmt::format("'{}': this is a plain number of milliseconds, e.g. 500", text_));
    }
    const auto number = within<std::int64_t>(text_);
    if (!number) return std::unexpected(number.error());
    if (*number < 0 || *number > INT64_MAX / 1'000'000) return bad("the time is out of range");
    return Duration::milliseconds(*number);
  }

  const Option& option_;
  string_view text_;
  JobOptions& job_;
  const SetContext& context_;
};

}  // namespace

bool Option::takes_optional_value() const {
  if (const auto* dropped = std::get_if<Dropped>(&slot)) return *dropped == Dropped::set_flag;
  return std::holds_alternative<SetFlag>(slot);
}

bool Option::belongs_to(string_view engine) const {
  if (engines.empty()) return true;
  for (std::size_t at = 0; at <= engines.size();) {
    const std::size_t end = std::min(engines.find(',', at), engines.size());
    if (engines.substr(at, end - at) == engine) return true;
    at = end + 1;
  }
  return false;
}

std::vector<const Option*> all_options() {
  std::vector<const Option*> out;
  for (const auto part : {file_options(), work_options(), process_options(), data_options(),
                          report_options(), engine_options()}) {
    for (const Option& option : part) out.push_back(&option);
  }
  return out;
}

const Option* find_option(string_view name, string_view engine) {
  const Option* other = nullptr;
  for (const auto part : {file_options(), work_options(), process_options(), data_options(),
                          report_options(), engine_options()}) {
    for (const Option& option : part) {
      if (option.name != name && (option.alias.empty() || option.alias != name)) continue;
      if (option.belongs_to(engine)) return &option;
      if (other == nullptr) other = &option;
    }
  }
  return other;
}

Result<void> set_option(const Option& option, string_view value, JobOptions& job,
                        const SetContext& context) {
  return std::visit(Setter(option, value, job, context), option.slot);
}

}  // namespace loadline::dialects::fio
