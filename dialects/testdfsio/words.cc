#include "dialects/testdfsio/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string_view>
#include <vector>

#include "base/nearest_word.h"
#include "dialects/testdfsio/generic_options.h"
#include "dialects/testdfsio/own_options.h"
#include "dialects/testdfsio/value_text.h"

namespace loadline::dialects::testdfsio {
namespace {

constexpr std::uint64_t k_int_most = std::numeric_limits<std::int32_t>::max();

constexpr std::array<std::string_view, 18> k_words{
    "-write",       "-append",        "-read",
    "-random",      "-backward",      "-skip",
    "-truncate",    "-clean",         "-seq",
    "-compression", "-nrFiles",       "-fileSize",
    "-size",        "-skipSize",      "-bufferSize",
    "-resFile",     "-storagePolicy", "-erasureCodePolicy"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// Why the pass ended early.
struct Stop {
  int status = k_exit_usage;
  std::string text;  // lines before the usage, or of the exception
  std::string hint;  // of ours, behind it
};

// One pass over the program's own words.
class Pass {
 public:
  Pass(std::span<const std::string> words, Options& options)
      : words_(words), options_(options), any_case_(options.compat == Compat::v3) {}

  std::optional<Stop> run() {
    while (at_ < words_.size() && !stop_) {
      take(words_[at_]);
      ++at_;
    }
    if (!stop_ && !operation_) stop_ = Stop{};
    if (!stop_) settle();
    return std::move(stop_);
  }

 private:
  bool is(std::string_view word, std::string_view name) const {
    return any_case_ ? lower(word) == lower(name) : word == name;
  }
  bool begins(std::string_view word, std::string_view name) const {
    return any_case_ ? lower(word).starts_with(name) : word.starts_with(name);
  }

  void take(const std::string& word) {
    if (!take_operation(word) && !take_value(word)) unknown(word);
  }

  bool take_operation(const std::string& word) {
    if (begins(word, "-read")) {
      operation_ = Operation::read;
    } else if (is(word, "-write")) {
      operation_ = Operation::write;
    } else if (is(word, "-append")) {
      operation_ = Operation::append;
    } else if (is(word, "-random")) {
      narrow(Operation::read_random);
    } else if (is(word, "-backward")) {
      narrow(Operation::read_backward);
    } else if (is(word, "-skip")) {
      narrow(Operation::read_skip);
    } else if (lower(word) == "-truncate") {
      operation_ = Operation::truncate;
    } else if (is(word, "-clean")) {
      operation_ = Operation::clean;
    } else if (begins(word, "-seq")) {
      options_.sequential = true;
    } else {
      return false;
    }
    return true;
  }

  // Only of a plain read that was asked for before.
  void narrow(Operation kind) {
    if (operation_ == Operation::read) {
      operation_ = kind;
    } else {
      stop_ = Stop{};
    }
  }

  bool take_value(const std::string& word) {
    const bool late = options_.compat == Compat::v3;
    if (begins(word, "-compression")) {
      if (value(word)) compression_ = true;
    } else if (is(word, "-nrFiles")) {
      if (const auto* text = value(word)) keep(count_value(word, *text, 0, k_int_most), files_);
    } else if (is(word, "-size") || is(word, "-fileSize")) {
      if (const auto* text = value(word)) keep(size_value(word, *text), options_.size);
    } else if (is(word, "-skipSize")) {
      if (const auto* text = value(word)) keep(size_value(word, *text), options_.skip);
    } else if (is(word, "-bufferSize")) {
      if (const auto* text = value(word)) keep(count_value(word, *text, 0, k_int_most), buffer_);
    } else if (is(word, "-resFile")) {
      if (const auto* text = value(word)) options_.result_file = *text;
    } else if (late && is(word, "-storagePolicy")) {
      if (const auto* text = value(word)) options_.storage_policy = *text;
    } else if (late && is(word, "-erasureCodePolicy")) {
      if (value(word)) erasure_ = true;
    } else {
      return false;
    }
    return true;
  }

  const std::string* value(const std::string& word) {
    if (at_ + 1 < words_.size()) return &words_[++at_];
    exception({ErrorCode::bad_input, "its value is missing", word});
    return nullptr;
  }

  template <typename T>
  void keep(Result<T> read, T& into) {
    if (read) {
      into = *read;
    } else {
      exception(read.error());
    }
  }

  void exception(const Error& error) {
    stop_ = Stop{.status = k_exit_exception, .text = message_line(error)};
  }
  void exception(std::string_view option, std::string what) {
    exception({ErrorCode::bad_input, std::move(what), std::string(option)});
  }

  void unknown(const std::string& word) {
    stop_ = Stop{.text = fmt::format("Illegal argument: {}\n", word)};
    if (is_generic_option(word)) {
      stop_->hint = "generic options like -D stand before those of TestDFSIO";
      return;
    }
    const auto* const meant =
        std::ranges::find(k_words, lower(word), [](std::string_view name) { return lower(name); });
    if (meant != k_words.end()) {
      stop_->hint = fmt::format("{} is known in this form from Hadoop 3 on: --compat 3.x", word);
      if (*meant != word) stop_->hint += fmt::format(", or {}", *meant);
    } else if (const auto close = nearest(word, k_words)) {
      stop_->hint = fmt::format("did you mean {}?", *close);
    } else if (word == "-rootDir") {
      stop_->hint = "the folder is set by -D test.build.data=/path, in front";
    }
  }

  // What TestDFSIO would fail at much later, or never come back from.
  void settle() {
    options_.operation = *operation_;
    options_.files = files_;
    options_.buffer = Bytes(buffer_);
    if (compression_) {
      exception("-compression",
                "Loadline moves the bytes as they are and has no Hadoop codecs; "
                "--data random makes data that no storage can compress");
    } else if (erasure_) {
      exception("-erasureCodePolicy",
                "is not set by Loadline; set it on the folder before: hdfs ec -setPolicy");
    } else if (options_.sequential && *operation_ == Operation::clean) {
      exception("-seq", "does not go with -clean; TestDFSIO would clean nothing");
    } else if (*operation_ != Operation::clean && files_ == 0) {
      exception("-nrFiles", "no file is nothing to measure; 1 is the least");
    } else if (buffer_ == 0) {
      exception("-bufferSize", "a buffer of no bytes never gets done; 1 is the least");
    }
    if (*operation_ == Operation::read_skip && options_.skip == Bytes()) {
      options_.skip = options_.buffer;
    }
  }

  std::span<const std::string> words_;
  Options& options_;
  const bool any_case_;
  std::size_t at_ = 0;
  std::optional<Operation> operation_;
  std::uint64_t files_ = 1;
  std::uint64_t buffer_ = 1000000;
  bool compression_ = false;
  bool erasure_ = false;
  std::optional<Stop> stop_;
};

// --compat, else the environment, else 2.7.
Result<Compat> chosen_compat(const OwnOptions& own, const Surroundings& world) {
  constexpr const char* k_variable = "LOADLINE_TESTDFSIO_COMPAT";
  if (own.compat) return *own.compat;
  const auto named = world.variable(k_variable);
  if (!named || named->empty()) return Compat::v2_7;
  if (const auto compat = compat_of(*named)) return *compat;
  return fail(ErrorCode::bad_input, fmt::format("'{}' is none of 2.7, 2.8, 3.x", *named),
              k_variable);
}

// Contradictions among our own options and the operation.
std::optional<Error> contradiction(const Options& options) {
  const auto refuse = [](std::string_view option, std::string what) {
    return Error{ErrorCode::bad_input, std::move(what), std::string(option)};
  };
  const Operation operation = options.operation;
  if (options.own.verify && !is_read(operation)) {
    return refuse("--verify", "compares what is read; it goes with -read");
  }
  const bool moves = operation != Operation::truncate && operation != Operation::clean;
  if (options.own.rate && !moves) {
    return refuse("--rate", "limits bytes; it goes with -write, -append and -read");
  }
  return std::nullopt;
}

std::string warnings_of(const Options& options) {
  std::string text;
  if (options.skip > Bytes() && options.operation != Operation::read_skip) {
    text += "loadline: warning: -skipSize is for -skip and changes nothing here\n";
  }
  return text;
}

ParsedWords refused(Compat compat, const Error& error) {
  return {.compat = compat, .exit_status = k_exit_exception, .text = message_line(error)};
}

ParsedWords answer_of(const Stop& stop, Compat compat) {
  ParsedWords parsed{.compat = compat, .exit_status = stop.status, .text = stop.text};
  if (stop.status != k_exit_usage) return parsed;
  parsed.text += usage_text(compat);
  // Hadoop 2 ended there, without a new line.
  if (compat == Compat::v3 || !stop.hint.empty()) parsed.text += '\n';
  if (!stop.hint.empty()) parsed.text += fmt::format("loadline: {}\n", stop.hint);
  return parsed;
}

std::string help_text(Compat compat) {
  return fmt::format(
      "{}\n\nLoadline's own options, anywhere among the words:\n{}\n"
      "fs -count [-q] [-h] [-v] PATH ... counts folders, files and bytes.\n",
      usage_text(compat), own_options_help());
}

}  // namespace

std::string usage_text(Compat compat) {
  std::string text =
      "Usage: TestDFSIO [genericOptions] -read [-random | -backward | -skip [-skipSize Size]] | "
      "-write | -append | -truncate | -clean [-compression codecClassName] [-nrFiles N] "
      "[-size Size[B|KB|MB|GB|TB]] [-resFile resultFileName] [-bufferSize Bytes]";
  if (compat == Compat::v3) {
    text += " [-storagePolicy storagePolicyName] [-erasureCodePolicy erasureCodePolicyName]";
  }
  return text;
}

std::string message_line(const Error& error) {
  return fmt::format("loadline: {}\n", error.message());
}

ParsedWords parse(std::span<const std::string> words, const Surroundings& world) {
  Options options;
  if (std::ranges::find(words, "--help") != words.end()) {
    const auto compat = chosen_compat({}, world);
    return {.help = true, .text = help_text(compat ? *compat : Compat::v2_7)};
  }
  auto others = take_own_options(words, options.own);
  if (!others) return refused(Compat::v2_7, others.error());
  const auto compat = chosen_compat(options.own, world);
  if (!compat) return refused(Compat::v2_7, compat.error());
  options.compat = *compat;
  const auto generic = read_generic_options(*others, options.generic);
  if (!generic) return refused(*compat, generic.error());
  const auto program = std::span<const std::string>(*others).subspan(*generic);
  if (program.empty()) return answer_of({.text = "Missing arguments.\n"}, *compat);
  Pass pass(program, options);
  if (const auto stop = pass.run()) return answer_of(*stop, *compat);
  if (const auto error = contradiction(options)) return refused(*compat, *error);
  return {.options = options, .compat = *compat, .text = warnings_of(options)};
}

}  // namespace loadline::dialects::testdfsio
