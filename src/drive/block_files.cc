#include "drive/block_files.h"

#include "engine/block_regions.h"

namespace loadline::drive {
namespace {

// What is made or is no file needs none to be there.
bool needs_files(const plan::BlockIo& block) {
  switch (block.action) {
    case plan::FileAction::data:
    case plan::FileAction::allocate:
    case plan::FileAction::truncate: return true;
    case plan::FileAction::stat:
    case plan::FileAction::remove: return block.lay_out;
    default: return false;
  }
}

// Waits for as long as it takes.
bool remove_one(target::Session& session, const std::string& name, const Clock& clock) {
  const target::Op op{.kind = target::OpKind::remove, .slot = 0, .object = name};
  if (session.submit(op) != target::Submitted::accepted) return false;
  target::Completion completion;
  while (session.reap({&completion, 1}, clock.now() + Duration::seconds(1)) == 0) {
  }
  return completion.outcome == target::Outcome::ok ||
         completion.outcome == target::Outcome::not_found;
}

target::MovedBytes moved_by(const record::JobResult& result) {
  target::MovedBytes moved;
  for (const record::OpResult& op : result.ops) {
    if (op.action == plan::Action::read) moved.read += op.stats.bytes;
    if (op.action == plan::Action::write) moved.written += op.stats.bytes;
  }
  return moved;
}

}  // namespace

std::vector<std::optional<Error>> BlockFiles::provide(std::uint64_t seed,
                                                      const LayoutObserver& observer,
                                                      const std::stop_token& stop) {
  std::vector<std::optional<Error>> refused;
  for (std::size_t i = 0; i < jobs_.size() && !stop.stop_requested(); ++i) {
    const plan::Job& job = stage_.jobs[i];
    if (!job.block) continue;
    refused.resize(jobs_.size());
    if (!needs_files(*job.block)) continue;
    Files& files = jobs_[i];
    // Jobs that share a file ask for the same data.
    files.needs = engine::needs_of(*job.block, seed);
    for (target::ObjectNeed& need : files.needs) need.stop = stop;
    auto facts = targets_[i]->provide(files.needs, [&](std::size_t count, Bytes bytes) {
      if (observer) observer(job, count, bytes);
    });
    if (facts) {
      files.facts = std::move(*facts);
    } else {
      refused[i] = std::move(facts.error());
    }
  }
  return refused;
}

void BlockFiles::watch() {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].facts.empty()) continue;
    jobs_[i].watch = targets_[i]->watch(jobs_[i].needs, static_cast<std::uint32_t>(i));
  }
}

void BlockFiles::finish(std::vector<record::JobResult>& results) {
  Bytes read_by_all;
  Bytes written_by_all;
  for (const record::JobResult& result : results) {
    if (!result.block) continue;
    const target::MovedBytes moved = moved_by(result);
    read_by_all += moved.read;
    written_by_all += moved.written;
  }
  for (std::size_t i = 0; i < jobs_.size() && i < results.size(); ++i) {
    Files& files = jobs_[i];
    record::JobResult& result = results[i];
    if (!result.block) continue;
    for (std::size_t f = 0; f < files.facts.size(); ++f) {
      if (files.facts[f].laid_out) result.block->laid_out.push_back(files.needs[f].name);
    }
    if (!files.watch) continue;
    target::MovedBytes moved = moved_by(result);
    moved.read_by_all = read_by_all;
    moved.written_by_all = written_by_all;
    moved.unsynced = result.block->unsynced.value_or(moved.written);
    result.block->observed = files.watch->finish(moved);
    files.watch.reset();
  }
}

std::vector<std::string> BlockFiles::remove(const Clock& clock) {
  std::vector<std::string> left;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const plan::Job& job = stage_.jobs[i];
    if (!job.block || !job.block->unlink) continue;
    std::unique_ptr<target::Session> session;
    for (std::size_t f = 0; f < jobs_[i].facts.size(); ++f) {
      if (!jobs_[i].facts[f].made) continue;
      if (!session) {
        auto opened = targets_[i]->open_session({.slots = 1, .clock = &clock});
        if (opened) session = std::move(*opened);
      }
      const std::string& name = jobs_[i].needs[f].name;
      if (!session || !remove_one(*session, name, clock)) left.push_back(name);
    }
  }
  return left;
}

}  // namespace loadline::drive
