#include "engine/write_map.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/unique_fd.h"
#include "engine/block_checksum.h"

namespace loadline::engine {
namespace {

constexpr std::uint32_t k_magic = 0x4c565331;  // "LVS1" read from the top
constexpr std::size_t k_head = 4 + 4 + 8 + 8 + 8 + 8;
constexpr std::uint64_t k_units_max = std::uint64_t{1} << 36;  // of one file
constexpr const char* k_damaged = "is damaged, or belongs to a job of other files or sizes";
constexpr const char* k_not_ours = "is no state of a verified job; remove it or give another name";

// Seven bits a byte, the lowest first; the top bit says that more follow.
void put_number(std::string& out, std::uint64_t n) {
  for (; n >= 0x80; n >>= 7U) out += static_cast<char>((n & 0x7fU) | 0x80U);
  out += static_cast<char>(n);
}

// Signed differences: the sign in the lowest bit.
std::uint64_t folded(std::int64_t n) {
  return n < 0 ? (static_cast<std::uint64_t>(-(n + 1)) << 1U) + 1
               : static_cast<std::uint64_t>(n) << 1U;
}
std::int64_t unfolded(std::uint64_t n) {
  const auto half = static_cast<std::int64_t>(n >> 1U);
  return (n & 1U) != 0 ? -half - 1 : half;
}

class Numbers {
 public:
  explicit Numbers(std::span<const std::byte> text) : text_(text) {}
  std::uint64_t next() {
    std::uint64_t n = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == text_.size()) break;
      const auto byte = std::to_integer<std::uint64_t>(text_[at_++]);
      n |= (byte & 0x7fU) << shift;
      if (byte < 0x80) return n;
    }
    fine_ = false;
    return 0;
  }
  bool done() const { return at_ == text_.size(); }
  bool fine() const { return fine_; }

 private:
  std::span<const std::byte> text_;
  std::size_t at_ = 0;
  bool fine_ = true;
};

template <typename Word>
void put_word(std::string& out, Word word) {
  out.append(reinterpret_cast<const char*>(&word), sizeof word);
}

template <typename Word>
Word word_at(std::string_view text, std::size_t at) {
  Word word{};
  std::memcpy(&word, text.data() + at, sizeof word);
  return word;
}

Result<std::string> read_all(int fd, const std::string& path) {
  std::string text;
  std::array<char, 65536> part{};
  while (true) {
    const ssize_t n = ::read(fd, part.data(), part.size());
    if (n < 0) return fail_errno(errno, "cannot read", path);
    if (n == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

WriteMap::WriteMap(const std::vector<FileRegion>& regions, std::uint64_t interval)
    : interval_(interval) {
  for (const FileRegion& region : regions) {
    File& file = files_.emplace_back();
    file.begin = region.begin;
    const std::uint64_t end = std::min(region.extent, region.end + (std::uint64_t{1} << 30));
    const std::uint64_t units = end > region.begin ? (end - region.begin) / interval + 1 : 1;
    file.chunks.resize(std::min<std::uint64_t>(units / k_chunk + 1, std::uint64_t{1} << 24));
  }
}

void WriteMap::note(const BlockPlace& place, std::uint32_t sequence) {
  set(place.file, (place.offset - files_[place.file].begin) / interval_, place.length / interval_,
      sequence);
}

void WriteMap::set(std::uint32_t index, std::uint64_t unit, std::uint64_t units,
                   std::uint32_t sequence) {
  File& file = files_[index];
  for (const std::uint64_t end = unit + units; unit < end; ++unit) {
    const std::uint64_t chunk = unit / k_chunk;
    if (chunk >= file.chunks.size()) file.chunks.resize(chunk + 1);
    auto& numbers = file.chunks[chunk];
    if (!numbers) {
      if (sequence == 0) continue;
      numbers = std::make_unique<Chunk>();
    }
    (*numbers)[unit % k_chunk] = sequence;
  }
}

std::uint32_t WriteMap::at(std::uint32_t file, std::uint64_t offset) const {
  const File& f = files_[file];
  return offset < f.begin ? 0 : number(file, (offset - f.begin) / interval_);
}

std::uint32_t WriteMap::number(std::uint32_t file, std::uint64_t unit) const {
  const File& f = files_[file];
  const std::uint64_t chunk = unit / k_chunk;
  if (chunk >= f.chunks.size() || !f.chunks[chunk]) return 0;
  return (*f.chunks[chunk])[unit % k_chunk];
}

std::optional<BlockPlace> WriteMap::written_after(const BlockPlace& from,
                                                  std::uint64_t longest) const {
  for (std::uint32_t i = from.file; i < files_.size(); ++i) {
    const File& file = files_[i];
    const std::uint64_t first =
        i == from.file && from.offset > file.begin ? from.offset - file.begin : 0;
    for (std::uint64_t unit = first / interval_; unit / k_chunk < file.chunks.size(); ++unit) {
      if (!file.chunks[unit / k_chunk]) {
        unit = (unit / k_chunk + 1) * k_chunk - 1;
        continue;
      }
      const std::uint64_t begin = file.begin + unit * interval_;
      if (at(i, begin) == 0) continue;
      std::uint64_t length = interval_;
      while (length + interval_ <= longest && at(i, begin + length) != 0) length += interval_;
      return BlockPlace{.file = i, .offset = begin, .length = length};
    }
  }
  return std::nullopt;
}

std::uint64_t WriteMap::same_at(std::uint32_t file, std::uint64_t unit, std::uint64_t most) const {
  const std::uint32_t sequence = number(file, unit);
  std::uint64_t n = 1;
  while (n < most && number(file, unit + n) == sequence) ++n;
  return n;
}

std::optional<WriteMap::Run> WriteMap::run_after(std::uint32_t file, std::uint64_t from) const {
  const auto place = written_after(
      {.file = file, .offset = files_[file].begin + from * interval_, .length = 0}, interval_);
  if (!place || place->file != file) return std::nullopt;
  Run run{.first = (place->offset - files_[file].begin) / interval_, .count = 1};
  run.sequence = number(file, run.first);
  run.step = same_at(file, run.first, UINT64_MAX);
  if (run.sequence == k_trimmed) return run;
  while (true) {
    const std::uint64_t next = run.first + run.step * run.count;
    if (number(file, next) != run.sequence + run.count || same_at(file, next, run.step) != run.step)
      return run;
    ++run.count;
  }
}

// A file after the other: the number of its runs, then of each how far it is behind the one before,
// its step, its count, and how its number differs from the one that follows on the last.
std::string WriteMap::encoded() const {
  std::string out;
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    std::string runs;
    std::uint64_t n = 0;
    std::uint64_t end = 0;
    std::int64_t expected = 1;
    for (auto run = run_after(file, 0); run; run = run_after(file, end)) {
      put_number(runs, run->first - end);
      put_number(runs, run->step);
      put_number(runs, run->count);
      put_number(runs, folded(run->sequence - expected));
      end = run->first + run->step * run->count;
      expected = static_cast<std::int64_t>(run->sequence) + static_cast<std::int64_t>(run->count);
      ++n;
    }
    put_number(out, n);
    out += runs;
  }
  return out;
}

Result<void> WriteMap::decode(std::span<const std::byte> text) {
  const auto bad = [] { return fail(ErrorCode::bad_input, k_damaged); };
  Numbers numbers(text);
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    const std::uint64_t most = std::min(files_[file].chunks.size() * k_chunk, k_units_max);
    std::uint64_t unit = 0;
    std::int64_t expected = 1;
    for (std::uint64_t n = numbers.next(); n > 0; --n) {
      unit += numbers.next();
      const std::uint64_t step = numbers.next();
      const std::uint64_t count = numbers.next();
      std::int64_t sequence = expected + unfolded(numbers.next());
      if (!numbers.fine()) return bad();
      // This job's part of the files may be shorter.
      for (std::uint64_t i = 0; i < count && unit < most; ++i, unit += step, ++sequence) {
        if (sequence <= 0 || sequence > UINT32_MAX) return bad();
        set(file, unit, std::min(step, most - unit), static_cast<std::uint32_t>(sequence));
      }
      expected = sequence;
    }
  }
  if (!numbers.fine() || !numbers.done()) return bad();
  return {};
}

Result<void> save_verify_state(const std::string& path, const VerifyState& state) {
  const UniqueFd old(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (old) {
    std::uint32_t magic = 0;
    const ssize_t n = ::read(old.get(), &magic, sizeof magic);
    if (n != 0 && magic != k_magic) return fail(ErrorCode::bad_input, k_not_ours, path);
  }
  std::string text;
  put_word(text, k_magic);
  put_word(text, std::uint32_t{1});
  put_word(text, state.seed);
  put_word(text, state.interval);
  put_word(text, state.files);
  put_word(text, static_cast<std::uint64_t>(state.complete ? 1 : 0));
  if (!state.complete) text += state.map;
  put_word(text, crc32c(std::as_bytes(std::span(text))));
  UniqueFd fd(::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644));
  if (!fd) return fail_errno(errno, "cannot write", path);
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(fd.get(), text.data() + at, text.size() - at);
    if (n <= 0) {
      const int error = errno;
      // Half a state is none.
      static_cast<void>(::unlink(path.c_str()));
      return fail_errno(error, "cannot write", path);
    }
    at += static_cast<std::size_t>(n);
  }
  return fd.close();
}

Result<VerifyState> load_verify_state(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return fail_errno(errno, "cannot open the state of an earlier run", path);
  auto read = read_all(fd.get(), path);
  if (!read) return propagate(read);
  const std::string& text = *read;
  if (text.size() < k_head + 4 || word_at<std::uint32_t>(text, 0) != k_magic ||
      word_at<std::uint32_t>(text, 4) != 1) {
    return fail(ErrorCode::bad_input, k_not_ours, path);
  }
  const std::size_t end = text.size() - 4;
  if (word_at<std::uint32_t>(text, end) != crc32c(std::as_bytes(std::span(text)).first(end))) {
    return fail(ErrorCode::bad_input, k_damaged, path);
  }
  return VerifyState{.seed = word_at<std::uint64_t>(text, 8),
                     .interval = word_at<std::uint64_t>(text, 16),
                     .files = word_at<std::uint64_t>(text, 24),
                     .complete = word_at<std::uint64_t>(text, 32) != 0,
                     .map = text.substr(k_head, end - k_head)};
}

}  // namespace loadline::engine
