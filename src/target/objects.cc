#include "target/objects.h"

#include <algorithm>

namespace loadline::target {

void DeviceCounters::widen(const DeviceCounters& other) {
  reads = std::max(reads, other.reads);
  writes = std::max(writes, other.writes);
  read_merges = std::max(read_merges, other.read_merges);
  write_merges = std::max(write_merges, other.write_merges);
  read_time = std::max(read_time, other.read_time);
  write_time = std::max(write_time, other.write_time);
  queue_time = std::max(queue_time, other.queue_time);
  busy = std::max(busy, other.busy);
  watched = std::max(watched, other.watched);
}

void DeviceCounters::add(const DeviceCounters& other) {
  reads += other.reads;
  writes += other.writes;
  read_merges += other.read_merges;
  write_merges += other.write_merges;
  read_time += other.read_time;
  write_time += other.write_time;
  queue_time += other.queue_time;
  busy += other.busy;
  watched += other.watched;
}

}  // namespace loadline::target
