#include "engine/walk.h"

#include <algorithm>

namespace loadline::engine {
namespace {

plan::Slice slice(const std::optional<plan::Selector>& selector, bool divided, std::uint32_t worker,
                  std::uint32_t workers) {
  if (!selector) return {};
  return divided ? plan::slice_of(selector->lower, selector->upper, worker, workers)
                 : plan::Slice{selector->lower, selector->upper - selector->lower + 1};
}

}  // namespace

Walk::Walk(const plan::OpSpec& spec, std::uint32_t worker, std::uint32_t workers)
    : spec_(&spec),
      containers_(
          slice(spec.container.index, spec.division == plan::Division::container, worker, workers)),
      objects_(slice(spec.object.index, spec.division == plan::Division::object, worker, workers)),
      at_(containers_.count > 0 ? At::enter : At::end) {
  // A worker whose slice of the objects is empty leaves the containers to those that have some.
  if (spec.object.index && objects_.count == 0) at_ = At::end;
}

std::optional<WalkStep> Walk::next(bool container_missing) {
  using target::OpKind;
  while (at_ != At::end) {
    const std::int64_t container = containers_.first + container_;
    switch (at_) {
      case At::enter:
        at_ = spec_->create_containers ? At::headed : At::objects;
        if (spec_->create_containers) return WalkStep{OpKind::head_container, container};
        break;
      case At::headed:
        at_ = At::objects;
        if (container_missing) return WalkStep{OpKind::create_container, container};
        break;
      case At::objects: {
        if (object_ >= objects_.count) {
          at_ = At::leave;
          break;
        }
        WalkStep step{OpKind::write, container, objects_.first + object_};
        if (spec_->action == plan::Action::multipart_prepare) step.kind = OpKind::multipart_write;
        if (spec_->action == plan::Action::cleanup) {
          step.kind = spec_->remove_batch > 1 ? OpKind::remove_many : OpKind::remove;
          step.objects = static_cast<std::uint32_t>(
              std::min<std::int64_t>(spec_->remove_batch, objects_.count - object_));
        }
        object_ += step.objects;
        return step;
      }
      case At::leave:
        next_container();
        if (spec_->remove_containers) return WalkStep{OpKind::remove_container, container};
        break;
      case At::end: break;
    }
  }
  return std::nullopt;
}

void Walk::next_container() {
  object_ = 0;
  ++container_;
  at_ = container_ < containers_.count ? At::enter : At::end;
}

}  // namespace loadline::engine
