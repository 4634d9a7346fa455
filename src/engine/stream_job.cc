#include "engine/stream_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace loadline::engine {
namespace {

// Until a removal has looked, nobody knows how many there are; the first worker looks.
std::uint64_t files_of(const plan::StreamIo& stream) {
  if (stream.action == plan::StreamAction::put) return stream.puts.size();
  return stream.action == plan::StreamAction::remove ? 0 : stream.files;
}

// The number behind the prefix.
std::optional<std::uint64_t> number_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

}  // namespace

StreamJob::StreamJob(const Options& options)
    : options_(options),
      content_(options.job->stream->fill, *options.content, options.seed),
      threads_(threads_of(*options.job)),
      files_(files_of(*options.job->stream)),
      working_(threads_) {}

std::uint32_t StreamJob::threads_of(const plan::Job& job) {
  if (job.stream->action == plan::StreamAction::remove) return job.workers;
  const std::uint64_t files = std::max<std::uint64_t>(files_of(*job.stream), 1);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(job.workers, files));
}

std::optional<std::uint64_t> StreamJob::next_file() {
  if (over()) return std::nullopt;
  const std::uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
  if (number >= files_.load()) return std::nullopt;
  return number;
}

Instant StreamJob::next_call(Instant now) {
  const double rate = job().pace.rate.per_second();
  if (job().pace.arrival == plan::Arrival::closed || rate <= 0) return now;
  std::int64_t first = 0;
  if (first_call_ns_.compare_exchange_strong(first, now.ns())) first = now.ns();
  const auto before = static_cast<double>(calls_.fetch_add(1, std::memory_order_relaxed));
  return Instant::from_ns(first) + Duration::from_seconds(before / rate);
}

bool StreamJob::over() const {
  return failed_.load(std::memory_order_relaxed) || options_.stop.stop_requested() ||
         (options_.told_to_end != nullptr &&
          options_.told_to_end->load(std::memory_order_relaxed) != 0);
}

std::string_view StreamJob::reason() const {
  if (options_.stop.stop_requested()) return "the run was stopped";
  return failed_.load() ? "another file had failed" : "another job had ended";
}

Result<void> StreamJob::look_into_folder(target::Session& session) {
  const std::scoped_lock lock(mutex_);
  if (looked_) return {};
  looked_ = true;
  auto names = session.list_names(stream().folder, "");
  if (!names && names.error().code == ErrorCode::not_found) return {};
  if (!names) return propagate(names);
  folder_is_there_ = true;
  sort_out(std::move(*names));
  files_.store(doomed_.size());
  return {};
}

void StreamJob::sort_out(std::vector<std::string> names) {
  const plan::StreamIo& io = stream();
  std::vector<std::string> others;
  std::ranges::sort(names);
  for (std::string& name : names) {
    std::optional<std::uint64_t> number;
    if (io.prefix.empty()) {
      const auto put = std::ranges::find(io.puts, name, &plan::SmallFile::name);
      if (put != io.puts.end()) number = static_cast<std::uint64_t>(put - io.puts.begin());
    } else {
      number = number_in(name, io.prefix);
    }
    if (number) {
      doomed_.push_back({.name = std::move(name), .number = *number});
    } else {
      others.push_back(std::move(name));
    }
  }
  others_ = !others.empty();
  if (!others_) return;
  std::string examples = others[0];
  if (others.size() > 1) examples += ", " + others[1];
  if (others.size() > 2) examples += ", ...";
  remarks_.push_back(fmt::format("the folder {} stays: {} in it {} not of this job ({})", io.folder,
                                 others.size() == 1 ? "one name" : "some names",
                                 others.size() == 1 ? "is" : "are", examples));
}

void StreamJob::remark(std::string text) {
  const std::scoped_lock lock(mutex_);
  if (std::ranges::find(remarks_, text) == remarks_.end()) remarks_.push_back(std::move(text));
}

std::vector<std::string> StreamJob::remarks() const {
  const std::scoped_lock lock(mutex_);
  return remarks_;
}

}  // namespace loadline::engine
