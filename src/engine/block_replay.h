// The operations of a trace, in the order of their issue, for a job that repeats them.
//
// Threads: belongs to one thread. Memory does not grow with the trace.
#pragma once

#include "base/error.h"
#include "base/units.h"
#include "plan/block_io.h"
#include "record/trace.h"

namespace loadline::engine {

class BlockReplay {
 public:
  // Error: the trace cannot be read.
  static Result<BlockReplay> open(const plan::TraceSpec& spec);

  // The next operation, null at the end; stays until pop(). Error: the trace is damaged.
  Result<const record::TraceRow*> peek();
  void pop() { held_ = false; }
  // When it is due, since the job began; zero where times are not kept.
  Duration due(const record::TraceRow& row) const;

 private:
  BlockReplay(record::TraceReader reader, const plan::TraceSpec& spec);

  record::TraceReader reader_;
  record::TraceRow row_;
  bool held_ = false;
  bool at_once_ = false;
  double stretch_ = 1;  // of times
};

}  // namespace loadline::engine
