#include "store/archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/output_path.h"
#include "plan/text.h"
#include "store/files.h"
#include "store/partial_result.h"
#include "store/result_text.h"
#include "store/run_folder.h"
#include "store/run_index.h"
#include "store/run_writer.h"

namespace loadline::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_id_file = ".meta";  // COSBench's: the last number given out
constexpr std::size_t k_probe_bytes = 64 << 10;
constexpr Bytes k_text_most{std::uint64_t{1} << 30};
constexpr std::size_t k_name_most = 200;

std::unexpected<Error> cannot_write(int error_number, const fs::path& folder) {
  const bool full = error_number == ENOSPC || error_number == EDQUOT;
  std::unexpected<Error> failed = fail_errno(
      error_number, full ? "no space for the archive" : "cannot write the archive", folder);
  if (error_number == EROFS) failed.error().code = ErrorCode::denied;
  return failed;
}

// Writes and removes a file, so that a full or read-only disk shows before the run and not after.
Result<void> probe(const fs::path& folder) {
  std::string name = folder / ".loadline-probe-XXXXXX";
  UniqueFd fd(::mkostemp(name.data(), O_CLOEXEC));
  if (!fd) return cannot_write(errno, folder);
  ::unlink(name.c_str());
  // Not zeros: some file systems give those away for nothing.
  const std::string block(k_probe_bytes, 'x');
  const ssize_t n = ::write(fd.get(), block.data(), block.size());
  if (n < 0) return cannot_write(errno, folder);
  if (static_cast<std::size_t>(n) < block.size()) return cannot_write(ENOSPC, folder);
  if (::fsync(fd.get()) != 0 && errno != EINVAL) return cannot_write(errno, folder);
  return {};
}

// The N of "wN" or "wN-NAME".
std::optional<std::int64_t> number_of(std::string_view name) {
  if (!name.starts_with('w')) return std::nullopt;
  std::int64_t number = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
  if (error != std::errc() || number < 1 || (stop != end && *stop != '-')) return std::nullopt;
  return number;
}

Result<std::int64_t> largest_folder(const fs::path& archive) {
  std::int64_t largest = 0;
  std::error_code error;
  for (fs::directory_iterator it(archive, error), end; !error && it != end; it.increment(error)) {
    largest = std::max(largest, number_of(it->path().filename().native()).value_or(0));
  }
  if (error) return fail_errno(error.value(), "cannot read the archive", archive);
  return largest;
}

// What .meta says; 0 where it says nothing.
Result<std::int64_t> last_number(const UniqueFd& meta, const fs::path& path) {
  std::array<char, 32> text{};
  const ssize_t n = ::pread(meta.get(), text.data(), text.size(), 0);
  if (n < 0) return fail_errno(errno, "cannot read", path);
  std::string_view digits(text.data(), static_cast<std::size_t>(n));
  while (!digits.empty() && (digits.back() == '\n' || digits.back() == ' '))
    digits.remove_suffix(1);
  if (digits.empty()) return 0;
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || stop != digits.data() + digits.size() || number < 0) {
    return fail(ErrorCode::io, "does not hold the number of the last run", path);
  }
  return number;
}

// In place, not by renaming: its lock belongs to the inode.
Result<void> put_number(const UniqueFd& meta, std::int64_t number, const fs::path& path) {
  const std::string text = std::to_string(number);
  const ssize_t n = ::pwrite(meta.get(), text.data(), text.size(), 0);
  if (n < 0) return fail_errno(errno, "cannot write", path);
  if (static_cast<std::size_t>(n) != text.size()) return fail_errno(ENOSPC, "cannot write", path);
  if (::ftruncate(meta.get(), n) != 0) return fail_errno(errno, "cannot write", path);
  return {};
}

struct NewFolder {
  std::int64_t number = 0;
  std::string name;  // wN-NAME
};

// The next number, and its folder made, with the lock of .meta held: one process at a time.
Result<NewFolder> take_number(const fs::path& archive, const std::string& run_name) {
  const fs::path path = archive / k_id_file;
  const UniqueFd meta(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!meta) return fail_errno(errno, "cannot open", path);
  if (Result<void> locked = lock_exclusively(meta, path); !locked) return propagate(locked);
  Result<std::int64_t> last = last_number(meta, path);
  if (!last) return propagate(last);
  Result<std::int64_t> largest = largest_folder(archive);
  if (!largest) return propagate(largest);
  NewFolder folder{.number = std::max(*last, *largest) + 1, .name = {}};
  folder.name = "w" + std::to_string(folder.number) + "-" + run_name;
  if (::mkdir((archive / folder.name).c_str(), 0777) != 0) {
    return fail_errno(errno, "cannot create the run's folder", archive / folder.name);
  }
  if (Result<void> put = put_number(meta, folder.number, path); !put) return propagate(put);
  return folder;
}

Result<void> check_name(const std::string& name) {
  const bool fits = !name.empty() && name.size() <= k_name_most &&
                    name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
  if (fits) return {};
  return fail(ErrorCode::bad_input,
              "a workload's name becomes a folder's: not empty, no '/', at most " +
                  std::to_string(k_name_most) + " bytes",
              name);
}

class FolderArchive final : public Archive {
 public:
  FolderArchive(fs::path folder, RunIndex index, bool writable)
      : folder_(std::move(folder)), index_(std::move(index)), writable_(writable) {}

  Result<std::unique_ptr<RunWriter>> begin(
      const plan::Plan& plan, const std::map<std::string, std::string>& files) override;
  Result<std::vector<RunSummary>> list() override;
  Result<StoredRun> load(const std::string& run) override;

 private:
  Result<IndexRow> find(const std::string& run);
  bool vanished(const IndexRow& row) const;
  void add_up_ticks(IndexRow& row) const;
  Result<record::RunResult> partial_result(const IndexRow& row, const plan::Plan& plan) const;

  fs::path folder_;
  RunIndex index_;
  bool writable_;
};

Result<std::unique_ptr<RunWriter>> FolderArchive::begin(
    const plan::Plan& plan, const std::map<std::string, std::string>& files) {
  CHECK(writable_);
  if (Result<void> named = check_name(plan.name); !named) return propagate(named);
  Result<NewFolder> made = take_number(folder_, plan.name);
  if (!made) return propagate(made);
  Result<std::unique_ptr<RunWriter>> writer = FolderWriter::begin(folder_,
                                                                  {.number = made->number,
                                                                   .name = plan.name,
                                                                   .dialect = plan.dialect,
                                                                   .folder = made->name,
                                                                   .started = WallTime::now()},
                                                                  plan, files);
  // A run that never began leaves no folder, but its number is gone.
  std::error_code ignored;
  if (!writer) fs::remove_all(folder_ / made->name, ignored);
  return writer;
}

bool FolderArchive::vanished(const IndexRow& row) const {
  return row.state == record::RunState::running &&
         !is_being_written(folder_ / row.folder / k_ticks_file);
}

Result<std::vector<RunSummary>> FolderArchive::list() {
  Result<std::vector<IndexRow>> rows = index_.rows();
  if (!rows) return propagate(rows);
  std::vector<RunSummary> runs;
  for (IndexRow& row : *rows) {
    if (row.state == record::RunState::running) add_up_ticks(row);
    runs.push_back({.id = "w" + std::to_string(row.number),
                    .name = row.name,
                    .dialect = row.dialect,
                    .state = row.state,
                    .started = row.started,
                    .elapsed = row.elapsed,
                    .operations = row.operations,
                    .failures = row.failures,
                    .bytes = row.bytes,
                    .verdicts = row.verdicts,
                    .folder = folder_ / row.folder});
  }
  return runs;
}

// The index learns the sums at the end of a run alone.
void FolderArchive::add_up_ticks(IndexRow& row) const {
  if (vanished(row)) row.state = record::RunState::vanished;
  const Result<std::string> plan_text = read_file(folder_ / row.folder / k_plan_file, k_text_most);
  if (!plan_text) return;
  const Result<plan::Plan> plan = plan::from_text(*plan_text);
  if (!plan) return;
  const Result<record::RunResult> result = partial_result(row, *plan);
  if (result) add_up(*result, row);
}

Result<IndexRow> FolderArchive::find(const std::string& run) {
  Result<std::vector<IndexRow>> rows = index_.rows();
  if (!rows) return propagate(rows);
  if (run == "last") {
    if (rows->empty()) return fail(ErrorCode::not_found, "the archive holds no run", folder_);
    return rows->back();
  }
  for (IndexRow& row : *rows) {
    if (run == "w" + std::to_string(row.number) || run == row.folder) return std::move(row);
  }
  return fail(ErrorCode::not_found,
              "there is no run '" + run + "' (an id like w12, a folder's name, or last)", folder_);
}

Result<StoredRun> FolderArchive::load(const std::string& run) {
  Result<IndexRow> row = find(run);
  if (!row) return propagate(row);
  const fs::path folder = folder_ / row->folder;
  const auto in_file = [&](Error error, const char* file) {
    error.context = (folder / file).native() + (error.context.empty() ? "" : ": " + error.context);
    return std::unexpected(std::move(error));
  };
  Result<std::string> plan_text = read_file(folder / k_plan_file, k_text_most);
  if (!plan_text) return propagate(plan_text);
  Result<plan::Plan> plan = plan::from_text(*plan_text);
  if (!plan) return in_file(plan.error(), k_plan_file);
  const std::string id = "w" + std::to_string(row->number);

  Result<std::string> text = read_file(folder / k_result_file, k_text_most);
  if (!text && text.error().code != ErrorCode::not_found) return propagate(text);
  Result<record::RunResult> result = text ? from_text(*text) : partial_result(*row, *plan);
  if (!result) return in_file(result.error(), text ? k_result_file : k_ticks_file);
  return StoredRun(folder_, folder, id, std::move(*plan), std::move(*result));
}

Result<record::RunResult> FolderArchive::partial_result(const IndexRow& row,
                                                        const plan::Plan& plan) const {
  PartialResult partial(plan);
  const StoredRun ticks(folder_, folder_ / row.folder, {}, {}, {});
  const Result<void> read = ticks.for_each_tick([&](const TickRow& tick) { partial.add(tick); });
  record::RunResult result = partial.take();
  result.submitted = row.started;
  const bool gone = row.state != record::RunState::running || vanished(row);
  result.state = row.state;
  if (vanished(row)) result.state = record::RunState::vanished;
  if (gone) result.reason = "it left no result: its process was killed, or its disk was full";
  result.verdicts.push_back(
      {.id = gone ? "vanished" : "still_running",
       .level = record::Verdict::Level::warning,
       .where = {},
       .text = gone ? "the run left no result; what is shown was added up from its ticks, without "
                      "latencies and context"
                    : "the run is still going on; what is shown was added up from its ticks"});
  if (!read) {
    result.verdicts.push_back({.id = "damaged",
                               .level = record::Verdict::Level::warning,
                               .where = {},
                               .text = "ticks are missing: " + read.error().message()});
  }
  return result;
}

}  // namespace

Result<std::unique_ptr<Archive>> Archive::open(const fs::path& folder) {
  if (auto allowed = may_be_output(folder / k_id_file); !allowed) return propagate(allowed);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return cannot_write(error.value(), folder);
  if (Result<void> fit = probe(folder); !fit) return propagate(fit);
  Result<RunIndex> index = RunIndex::open(folder);
  if (!index) return propagate(index);
  return std::make_unique<FolderArchive>(folder, std::move(*index), true);
}

Result<std::unique_ptr<Archive>> Archive::open_to_read(const fs::path& folder) {
  Result<RunIndex> index = RunIndex::open_to_read(folder);
  if (!index) return propagate(index);
  return std::make_unique<FolderArchive>(folder, std::move(*index), false);
}

}  // namespace loadline::store
