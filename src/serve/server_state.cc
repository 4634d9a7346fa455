#include "serve/server_state.h"

#include <unistd.h>

namespace loadline::serve {

namespace {

Bytes half_of_memory() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return Bytes(pages * page / 2);
}

}  // namespace

ServerState::ServerState(ServeOptions options, const Clock& clock)
    : options_(std::move(options)), clock_(clock), faults_(options_.faults, options_.seed) {
  for (unsigned i = 0; i < options_.threads; ++i) {
    thread_counters_.push_back(std::make_unique<ThreadCounters>());
  }
}

Result<std::unique_ptr<ServerState>> ServerState::make(ServeOptions options, const Clock& clock) {
  if (options.memory_limit == Bytes()) options.memory_limit = half_of_memory();
  std::unique_ptr<ServerState> state(new ServerState(std::move(options), clock));
  auto arena = Arena::make(state->options_.memory_limit);
  if (!arena) return propagate(arena);
  state->arena_ = std::move(*arena);
  auto store = ObjectStore::make(*state->arena_,
                                 {.keep_lengths_only = state->options_.retain == Retain::length,
                                  .create_buckets = state->options_.create_buckets,
                                  .seed = state->options_.seed});
  if (!store) return propagate(store);
  state->store_ = std::move(*store);
  return state;
}

ServeCounters ServerState::total() const {
  ServeCounters sum;
  for (const auto& counters : thread_counters_) counters->add_to(sum);
  sum.faults = faults_.counts();
  sum.objects = store_->object_count();
  sum.memory_bytes = store_->memory_used().count();
  return sum;
}

ServeCounters ServerState::counters() const {
  const std::lock_guard lock(mutex_);
  return since(base_, total());
}

void ServerState::reset_counters() {
  const std::lock_guard lock(mutex_);
  base_ = total();
  faults_.reset();
}

Result<void> ServerState::set_faults(std::string_view lines) {
  auto rules = parse_fault_rules(lines);
  if (!rules) return propagate(rules);
  faults_.replace(std::move(*rules));
  faults_.start_pauses(clock_.now());
  return {};
}

}  // namespace loadline::serve
