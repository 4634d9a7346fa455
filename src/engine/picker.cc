#include "engine/picker.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"

namespace loadline::engine {
namespace {

using Kind = plan::Selector::Kind;

Draw compile(const std::optional<plan::Selector>& selector, bool divided, std::uint32_t workers) {
  return Draw(selector.value_or(plan::Selector::constant(0)), divided && selector.has_value(),
              workers);
}

constexpr std::size_t k_digits_most = 20;

}  // namespace

Draw::Draw(const plan::Selector& selector, bool divided, std::uint32_t workers)
    : selector_(selector),
      divided_(divided && (selector.kind == Kind::uniform || selector.kind == Kind::range)),
      workers_(workers),
      range_(static_cast<std::uint64_t>(selector.upper - selector.lower) + 1) {
  double total = 0;
  for (const plan::WeightedRange& bucket : selector_.buckets) {
    total += bucket.weight;
    cumulative_.push_back(total);
  }
}

bool Draw::uses_shared_cursor() const {
  return selector_.kind == Kind::sequence || (selector_.kind == Kind::range && !divided_);
}

bool Draw::has_work(std::uint32_t worker) const {
  return !divided_ || plan::slice_of(selector_.lower, selector_.upper, worker, workers_).count > 0;
}

std::int64_t Draw::draw(std::uint32_t worker, std::uint64_t shared, std::uint64_t own,
                        Rng& rng) const {
  plan::Slice slice{.first = selector_.lower, .count = static_cast<std::int64_t>(range_)};
  if (divided_) slice = plan::slice_of(selector_.lower, selector_.upper, worker, workers_);
  const auto count = static_cast<std::uint64_t>(slice.count);
  switch (selector_.kind) {
    case Kind::constant: return selector_.lower;
    case Kind::uniform: return slice.first + static_cast<std::int64_t>(rng.below(count));
    case Kind::range:
      return slice.first + static_cast<std::int64_t>((divided_ ? own : shared) % count);
    case Kind::sequence: return selector_.lower + static_cast<std::int64_t>(shared % range_);
    case Kind::histogram: return from_histogram(rng);
  }
  return selector_.lower;
}

std::int64_t Draw::from_histogram(Rng& rng) const {
  const double point = rng.unit() * cumulative_.back();
  const auto it = std::ranges::upper_bound(cumulative_, point);
  const auto index =
      std::min(static_cast<std::size_t>(it - cumulative_.begin()), cumulative_.size() - 1);
  const plan::WeightedRange& bucket = selector_.buckets[index];
  const auto width = static_cast<std::uint64_t>(bucket.upper - bucket.lower) + 1;
  return bucket.lower + static_cast<std::int64_t>(rng.below(width));
}

void NameBuffer::set(const plan::NameSpec& spec, std::int64_t number) {
  if (spec_ != &spec) {
    begin(spec);
  } else if (number_ == number) {
    return;
  }
  number_ = number;
  char* digits = text_.data() + spec.prefix.size();
  char* end = std::to_chars(digits, digits + k_digits_most, number).ptr;
  if (!spec.suffix.empty()) end = std::ranges::copy(spec.suffix, end).out;
  size_ = static_cast<std::size_t>(end - text_.data());
}

void NameBuffer::begin(const plan::NameSpec& spec) {
  spec_ = &spec;
  text_.resize(std::max(text_.size(), spec.prefix.size() + k_digits_most + spec.suffix.size()));
  std::ranges::copy(spec.prefix, text_.begin());
}

void NameBuffer::assign(std::string_view text) {
  spec_ = nullptr;
  text_.assign(text.begin(), text.end());
  size_ = text.size();
}

OpPicker::OpPicker(const plan::OpSpec& spec, std::uint32_t workers, std::size_t files)
    : spec_(&spec),
      container_(
          compile(spec.container.index, spec.division == plan::Division::container, workers)),
      object_(compile(spec.object.index, spec.division == plan::Division::object, workers)),
      shared_(std::make_unique<std::atomic<std::uint64_t>>(0)) {
  if (spec.size) size_ = Draw(spec.size->value, false, workers);
  if (spec.file_choice) {
    plan::Selector choice = *spec.file_choice;
    const auto last = static_cast<std::int64_t>(files);
    choice.upper = std::min(choice.upper, last);
    choice.lower = std::min(choice.lower, choice.upper);
    file_ = Draw(choice, false, workers);
  }
  shared_needed_ = container_.uses_shared_cursor() || object_.uses_shared_cursor() ||
                   (spec.size && size_.uses_shared_cursor()) ||
                   (spec.file_choice && file_.uses_shared_cursor());
}

bool OpPicker::has_work(std::uint32_t worker) const {
  return container_.has_work(worker) && object_.has_work(worker);
}

OpPicker::Choice OpPicker::pick(std::uint32_t worker, std::uint64_t& own_cursor, Rng& rng) {
  const std::uint64_t shared =
      shared_needed_ ? shared_->fetch_add(1, std::memory_order_relaxed) : 0;
  const std::uint64_t own = own_cursor++;
  Choice choice;
  choice.container = container_.draw(worker, shared, own, rng);
  choice.object = object_.draw(worker, shared, own, rng);
  if (spec_->size) {
    const std::int64_t units = size_.draw(worker, shared, own, rng);
    choice.size = spec_->size->unit * static_cast<std::uint64_t>(units);
  }
  if (spec_->file_choice) {
    choice.file = static_cast<std::size_t>(file_.draw(worker, shared, own, rng)) - 1;
  }
  return choice;
}

Bytes OpPicker::pick_size(Rng& rng) {
  CHECK(spec_->size.has_value());
  const std::uint64_t shared =
      size_.uses_shared_cursor() ? shared_->fetch_add(1, std::memory_order_relaxed) : 0;
  return spec_->size->unit * static_cast<std::uint64_t>(size_.draw(0, shared, 0, rng));
}

MixPicker::MixPicker(const std::vector<plan::OpSpec>& ops) : single_(ops.size() == 1) {
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    table_.insert(table_.end(), ops[i].share_percent, i);
  }
  CHECK(!table_.empty());
}

}  // namespace loadline::engine
