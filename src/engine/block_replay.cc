#include "engine/block_replay.h"

#include <utility>

namespace loadline::engine {

BlockReplay::BlockReplay(record::TraceReader reader, const plan::TraceSpec& spec)
    : reader_(std::move(reader)), at_once_(spec.at_once) {
  if (spec.speed_percent > 0) stretch_ = 100.0 / spec.speed_percent;
}

Result<BlockReplay> BlockReplay::open(const plan::TraceSpec& spec) {
  auto reader = record::TraceReader::open(spec.replay);
  if (!reader) return propagate(reader);
  return BlockReplay(std::move(*reader), spec);
}

Result<const record::TraceRow*> BlockReplay::peek() {
  while (!held_) {
    const Result<bool> more = reader_.next(row_);
    if (!more) return std::unexpected(more.error());
    if (!*more) return nullptr;
    const bool operates = row_.kind != record::TraceKind::file &&
                          row_.kind != record::TraceKind::open &&
                          row_.kind != record::TraceKind::close;
    held_ = operates && !row_.finished;
  }
  return &row_;
}

Duration BlockReplay::due(const record::TraceRow& row) const {
  if (at_once_) return {};
  if (stretch_ == 1) return row.at;
  return Duration::from_seconds(row.at.as_seconds() * stretch_);
}

}  // namespace loadline::engine
