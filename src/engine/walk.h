// The way of one worker through its own slice of containers (outer) and objects (inner), for
// prepare and cleanup: which step comes next.
//
// Threads: a value of one worker.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/plan.h"
#include "target/op.h"

namespace loadline::engine {

struct WalkStep {
  target::OpKind kind = target::OpKind::write;
  std::int64_t container = 0;
  std::int64_t object = 0;    // the first one, where there are several
  std::uint32_t objects = 1;  // remove_many: how many in a row
  // Steps on containers are work on the way: they are not samples.
  bool on_container() const {
    return kind == target::OpKind::head_container || kind == target::OpKind::create_container ||
           kind == target::OpKind::remove_container;
  }
};

class Walk {
 public:
  Walk() = default;
  Walk(const plan::OpSpec& spec, std::uint32_t worker, std::uint32_t workers);

  // The next step, or none at the end. `container_missing` tells how the head_container before
  // went; it is looked at only after such a step.
  std::optional<WalkStep> next(bool container_missing);

 private:
  enum class At : std::uint8_t { enter, headed, objects, leave, end };
  void next_container();

  const plan::OpSpec* spec_ = nullptr;
  plan::Slice containers_;
  plan::Slice objects_;
  std::int64_t container_ = 0;  // offsets into the slices
  std::int64_t object_ = 0;
  At at_ = At::end;
};

}  // namespace loadline::engine
