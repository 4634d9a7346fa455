// Setters of files, order, sizes of I/O, durability and goals.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dialects/fio/names.h"
#include "dialects/fio/option_setters.h"

namespace loadline::dialects::fio {
namespace {

using std::string_view;
using J = JobOptions;

std::unexpected<Error> bad(std::string what) { return fail(ErrorCode::bad_input, std::move(what)); }

// Pieces between ':' where "\:" is a colon of the name itself.
std::vector<std::string> names_between_colons(string_view text) {
  std::vector<std::string> out(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ':') {
      out.back() += text[++i];
    } else if (text[i] == ':') {
      out.emplace_back();
    } else {
      out.back() += text[i];
    }
  }
  std::erase(out, "");
  return out;
}

struct RwWord {
  string_view word;
  Rw rw;
};
constexpr std::array k_rw_words = {RwWord{"read", Rw::read},
                                   RwWord{"write", Rw::write},
                                   RwWord{"trim", Rw::trim},
                                   RwWord{"randread", Rw::randread},
                                   RwWord{"randwrite", Rw::randwrite},
                                   RwWord{"randtrim", Rw::randtrim},
                                   RwWord{"rw", Rw::readwrite},
                                   RwWord{"readwrite", Rw::readwrite},
                                   RwWord{"randrw", Rw::randrw},
                                   RwWord{"trimwrite", Rw::trimwrite},
                                   RwWord{"randtrimwrite", Rw::randtrimwrite}};

// The text up to ':' and what follows it.
struct Head {
  string_view word;
  string_view tail;
  bool has_tail = false;
};
Head head_of(string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return {text, {}, false};
  return {text.substr(0, colon), text.substr(colon + 1), true};
}

template <typename Entry, std::size_t n>
std::string words_of(const std::array<Entry, n>& entries) {
  std::string out;
  for (const Entry& entry : entries) {
    if (!out.empty()) out += ", ";
    out += entry.word;
  }
  return out;
}

Result<Bytes> block_size(string_view text, const SetContext& context) {
  const auto size = parse_number(text, context.values);
  if (!size) return std::unexpected(size.error());
  if (*size < 1) return bad(fmt::format("min value out of range: {} (1 min)", *size));
  return Bytes(*size);
}

// Fills in the shares that were left out, and makes them add up to 100.
Result<void> complete_shares(std::vector<SizeShare>& shares, const std::vector<bool>& given,
                             string_view text, const SetContext& context) {
  std::uint32_t sum = 0;
  std::uint32_t open = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    sum += shares[i].percent;
    open += given[i] ? 0 : 1;
  }
  if (sum > 100) return bad(fmt::format("'{}': the shares add up to {}, more than 100", text, sum));
  if (open == 0 && sum < 100) {
    context.values.warn(
        fmt::format("'{}': the shares add up to {}; the last size gets the rest", text, sum));
    shares.back().percent += 100 - sum;
  }
  std::uint32_t rest = 100 - std::min(sum, 100U);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (given[i]) continue;
    const std::uint32_t part = (rest + open - 1) / open;
    shares[i].percent = part;
    rest -= part;
    --open;
  }
  return {};
}

Result<std::vector<SizeShare>> size_shares(string_view text, const SetContext& context) {
  std::vector<SizeShare> shares;
  std::vector<bool> given;
  for (const string_view piece : split(text, ':')) {
    const std::size_t slash = piece.find('/');
    const auto size = block_size(piece.substr(0, slash), context);
    if (!size) return std::unexpected(size.error());
    const string_view percent = slash == piece.npos ? string_view() : piece.substr(slash + 1);
    std::uint64_t share = 0;
    if (!percent.empty()) {
      const auto number = parse_number(percent, context.values);
      if (!number) return std::unexpected(number.error());
      if (*number > 100) return bad(fmt::format("'{}': a share is 0 to 100 percent", piece));
      share = *number;
    }
    given.push_back(!percent.empty());
    shares.push_back({*size, static_cast<std::uint32_t>(share)});
  }
  if (shares.empty() || shares.size() > 64) return bad("give 1 to 64 sizes, e.g. 4k/60:64k/40");
  const auto completed = complete_shares(shares, given, text, context);
  if (!completed) return std::unexpected(completed.error());
  return shares;
}

}  // namespace

Result<void> set_filename(J& job, string_view text, const SetContext&) {
  job.filenames = names_between_colons(text);
  return {};
}

Result<void> set_directory(J& job, string_view text, const SetContext&) {
  job.directories = names_between_colons(text);
  return {};
}

Result<void> set_file_service(J& job, string_view text, const SetContext& context) {
  struct Word {
    string_view word;
    FileServiceKind kind;
  };
  static constexpr std::array k_words = {Word{"random", FileServiceKind::random},
                                         Word{"roundrobin", FileServiceKind::roundrobin},
                                         Word{"sequential", FileServiceKind::sequential},
                                         Word{"zipf", FileServiceKind::zipf},
                                         Word{"pareto", FileServiceKind::pareto},
                                         Word{"normal", FileServiceKind::normal},
                                         Word{"gauss", FileServiceKind::normal}};
  const Head head = head_of(text);
  const auto* found = std::ranges::find(k_words, head.word, &Word::word);
  if (found == k_words.end()) return bad("valid values: " + words_of(k_words));
  FileService service;
  service.kind = found->kind;
  const bool skewed = found->kind >= FileServiceKind::zipf;
  if (skewed) {
    // A distribution over files without its parameter takes the usual ones.
    service.parameter = found->kind == FileServiceKind::zipf     ? 1.1
                        : found->kind == FileServiceKind::pareto ? 0.2
                                                                 : 0;
    if (head.has_tail) {
      const auto number = parse_decimal(head.tail);
      if (!number) return std::unexpected(number.error());
      service.parameter = *number;
    }
  } else if (head.has_tail) {
    const auto every = parse_number(head.tail, context.values);
    if (!every) return std::unexpected(every.error());
    if (*every < 1) return bad("the number of I/Os on a file before the next is 1 or more");
    service.switch_after = *every;
  }
  job.file_service = service;
  return {};
}

Result<void> set_ioengine(J& job, string_view text, const SetContext&) {
  const Head head = head_of(text);
  for (const EngineName& entry : engine_names()) {
    if (entry.name != head.word) continue;
    job.engine = entry.engine;
    job.ioengine = std::string(text);
    return {};
  }
  std::vector<string_view> names;
  for (const EngineName& entry : engine_names()) names.push_back(entry.name);
  const auto near = nearest_name(head.word, names);
  return bad(fmt::format("engine {} not loadable{}", text,
                         near ? fmt::format("; did you mean {}?", *near)
                              : std::string("; --enghelp lists the engines")));
}

Result<void> set_rw(J& job, string_view text, const SetContext& context) {
  const Head head = head_of(text);
  const auto* found = std::ranges::find(k_rw_words, head.word, &RwWord::word);
  if (found == k_rw_words.end()) return bad("valid values: " + words_of(k_rw_words));
  const bool random = head.word.starts_with("rand");
  std::uint64_t repeat = 1;
  std::int64_t skip = 0;
  if (head.has_tail && random) {
    const auto number = parse_number(head.tail, context.values);
    if (!number) return std::unexpected(number.error());
    if (*number < 1) return bad("the number of I/Os for each new offset is 1 or more");
    repeat = *number;
  } else if (head.has_tail) {
    const auto number = parse_signed(head.tail, context.values);
    if (!number) return std::unexpected(number.error());
    skip = *number;
  }
  job.rw = found->rw;
  job.rw_repeat = repeat;
  job.rw_skip = skip;
  return {};
}

Result<void> set_block_size(J& job, string_view text, const SetContext& context) {
  const auto parts = split_directions(text, true, context.values);
  if (!parts) return std::unexpected(parts.error());
  PerDirection<ByteRange> sizes = job.block_size;
  for (const Direction d : k_directions) {
    if ((*parts)[d].empty()) continue;
    const auto size = block_size((*parts)[d], context);
    if (!size) return std::unexpected(size.error());
    sizes[d] = ByteRange{*size, *size};
  }
  job.block_size = sizes;
  return {};
}

Result<void> set_block_range(J& job, string_view text, const SetContext& context) {
  const auto parts = split_directions(text, false, context.values);
  if (!parts) return std::unexpected(parts.error());
  PerDirection<ByteRange> sizes = job.block_size;
  for (const Direction d : k_directions) {
    const string_view part = (*parts)[d];
    if (part.empty()) continue;
    const auto range = parse_byte_range(part, context.values);
    if (!range) return std::unexpected(range.error());
    if (part.find_first_of("-:", 1) == part.npos) {
      return bad(
          fmt::format("'{}': a range has two ends, e.g. 4k-16k; for one size write bs=", part));
    }
    if (range->low < Bytes(1)) return bad("min value out of range: 0 (1 min)");
    sizes[d] = *range;
  }
  job.block_size = sizes;
  return {};
}

Result<void> set_bssplit(J& job, string_view text, const SetContext& context) {
  const auto parts = split_directions(text, false, context.values);
  if (!parts) return std::unexpected(parts.error());
  PerDirection<std::vector<SizeShare>> splits = job.bssplit;
  PerDirection<ByteRange> sizes = job.block_size;
  for (const Direction d : k_directions) {
    if ((*parts)[d].empty()) continue;
    const auto shares = size_shares((*parts)[d], context);
    if (!shares) return std::unexpected(shares.error());
    const auto [low, high] = std::ranges::minmax_element(*shares, {}, &SizeShare::size);
    splits[d] = *shares;
    sizes[d] = ByteRange{low->size, high->size};
  }
  job.bssplit = splits;
  job.block_size = sizes;
  return {};
}

Result<void> set_rwmixwrite(J& job, string_view text, const SetContext& context) {
  const auto percent = parse_number(text, context.values);
  if (!percent) return std::unexpected(percent.error());
  if (*percent > 100) return bad(fmt::format("max value out of range: {} (100 max)", *percent));
  job.rwmixread = static_cast<std::uint32_t>(100 - *percent);
  return {};
}

Result<void> set_randseed(J& job, string_view text, const SetContext& context) {
  const auto seed = parse_signed(text, context.values);
  if (seed) {
    job.randseed = static_cast<std::uint64_t>(*seed);
  } else {
    const auto large = parse_number(text, context.values);
    if (!large) return std::unexpected(large.error());
    job.randseed = *large;
  }
  job.randrepeat = false;
  return {};
}

Result<void> set_buffered(J& job, string_view text, const SetContext&) {
  const auto on = parse_flag(text);
  if (!on) return std::unexpected(on.error());
  job.direct = !*on;
  return {};
}

Result<void> set_sync_file_range(J& job, string_view text, const SetContext& context) {
  SyncFileRange range;
  const Head head = head_of(text);
  for (const string_view word : split(head.word, ',')) {
    if (word == "wait_before") {
      range.wait_before = true;
    } else if (word == "write") {
      range.write = true;
    } else if (word == "wait_after") {
      range.wait_after = true;
    } else {
      return bad("valid values: wait_before, write, wait_after, with ',' between, then :n");
    }
  }
  range.every = 1;
  if (head.has_tail) {
    const auto every = parse_number(head.tail, context.values);
    if (!every) return std::unexpected(every.error());
    range.every = *every;
  }
  job.sync_file_range = range;
  return {};
}

Result<void> set_latency_percentile(J& job, string_view text, const SetContext&) {
  const auto percent = parse_decimal(text);
  if (!percent) return std::unexpected(percent.error());
  if (*percent < 0 || *percent > 100) return bad("a percentile is 0 to 100");
  job.latency_percentile = *percent;
  return {};
}

}  // namespace loadline::dialects::fio
