#include "record/op_stats.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace loadline::record {
namespace {

FailureExample* find(std::vector<FailureExample>& failures, target::Outcome outcome,
                     std::uint16_t status) {
  const auto it = std::ranges::find_if(failures, [&](const FailureExample& f) {
    return f.outcome == outcome && f.status == status;
  });
  return it == failures.end() ? nullptr : &*it;
}

}  // namespace

std::uint64_t OpStats::samples() const {
  return std::accumulate(outcomes.begin(), outcomes.end(), std::uint64_t{0});
}

void OpStats::count_failure(target::Outcome outcome, std::uint16_t status,
                            std::string_view container, std::string_view object,
                            std::string_view detail) {
  if (FailureExample* known = find(failures, outcome, status)) {
    ++known->times;
    return;
  }
  if (failures.size() >= k_failure_examples) return;
  std::string item(container);
  if (!item.empty() && !object.empty()) item += '/';
  item += object;
  failures.push_back({outcome, status, 1, std::move(item), std::string(detail)});
}

void OpStats::merge(const OpStats& other) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] += other.outcomes[i];
  bytes += other.bytes;
  items += other.items;
  retries += other.retries;
  outside += other.outside;
  container_ops += other.container_ops;
  container_failures += other.container_failures;
  service.merge(other.service);
  response.merge(other.response);
  first_byte.merge(other.first_byte);
  failed.merge(other.failed);
  submission.merge(other.submission);
  completion.merge(other.completion);
  for (const FailureExample& f : other.failures) {
    if (FailureExample* known = find(failures, f.outcome, f.status)) {
      known->times += f.times;
      // The lesser text is kept, whichever side it comes from, so that order does not matter.
      if (std::tie(f.item, f.detail) < std::tie(known->item, known->detail)) {
        known->item = f.item;
        known->detail = f.detail;
      }
    } else if (failures.size() < k_failure_examples) {
      failures.push_back(f);
    }
  }
  std::ranges::sort(failures, {},
                    [](const FailureExample& f) { return std::pair(f.outcome, f.status); });
}

void OpStats::clear() {
  outcomes.fill(0);
  bytes = Bytes();
  items = retries = outside = container_ops = container_failures = 0;
  service.clear();
  response.clear();
  first_byte.clear();
  failed.clear();
  submission.clear();
  completion.clear();
  failures.clear();
}

}  // namespace loadline::record
