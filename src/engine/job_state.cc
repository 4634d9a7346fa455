#include "engine/job_state.h"

#include <algorithm>
#include <utility>

namespace loadline::engine {

Result<std::unique_ptr<JobState>> JobState::make(const plan::Job& job, const ContentPool& content,
                                                 std::uint64_t seed) {
  std::vector<std::vector<SourceFile>> files(job.ops.size());
  for (std::size_t i = 0; i < job.ops.size(); ++i) {
    if (job.ops[i].files_folder.empty()) continue;
    auto listed = list_files(job.ops[i].files_folder);
    if (!listed) return propagate(listed);
    files[i] = std::move(*listed);
  }
  return std::unique_ptr<JobState>(new JobState(job, content, seed, std::move(files)));
}

JobState::JobState(const plan::Job& job, const ContentPool& content, std::uint64_t seed,
                   std::vector<std::vector<SourceFile>> files)
    : job_(job), content_(content), seed_(seed), files_(std::move(files)), mix_(job.ops) {
  pickers_.reserve(job.ops.size());
  for (std::size_t i = 0; i < job.ops.size(); ++i) {
    pickers_.emplace_back(job.ops[i], job.workers, files_[i].size());
  }
  rank_workers();
}

void JobState::rank_workers() {
  std::vector<std::uint32_t> ranks(job_.workers, k_idle);
  for (std::uint32_t worker = 0; worker < job_.workers; ++worker) {
    const bool works = std::ranges::all_of(pickers_, [worker](const OpPicker& picker) {
      return plan::is_walk(picker.spec().action) || picker.has_work(worker);
    });
    if (works) ranks[worker] = working_++;
  }
  if (working_ < job_.workers) ranks_ = std::move(ranks);
}

std::uint64_t JobState::share_of(std::uint64_t total, std::uint32_t worker) const {
  const std::uint32_t rank = ranks_.empty() ? worker : ranks_[worker];
  if (rank == k_idle) return 0;
  return total / working_ + (rank < total % working_ ? 1 : 0);
}

bool JobState::last_to_leave(std::uint32_t op, std::int64_t container) {
  const plan::OpSpec& spec = job_.ops[op];
  if (!job_.stop.one_pass || spec.division != plan::Division::object || !spec.object.index) {
    return true;
  }
  const std::int64_t objects = spec.object.index->upper - spec.object.index->lower + 1;
  const auto walkers = static_cast<std::uint32_t>(std::min<std::int64_t>(job_.workers, objects));
  const std::scoped_lock lock(leaving_mutex_);
  return ++left_[{op, container}] == walkers;
}

void JobState::note_answer(Instant when) {
  std::int64_t known = last_answer_ns_.load(std::memory_order_relaxed);
  while (when.ns() - known >= Duration::seconds(1).ns() &&
         !last_answer_ns_.compare_exchange_weak(known, when.ns(), std::memory_order_relaxed)) {
  }
}

void JobState::give_up(std::string reason) {
  const std::scoped_lock lock(mutex_);
  if (!given_up_.exchange(true)) reason_ = std::move(reason);
}

std::string JobState::reason() const {
  const std::scoped_lock lock(mutex_);
  return reason_;
}

}  // namespace loadline::engine
