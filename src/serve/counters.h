// What the store has done, counted by itself: the other side of what a client reports.
//
// A request is counted once, just before its answer begins, under the status it is answered with;
// or under status 0 where it gets none or only a part of one (a fault, or the client left before).
// Faults are counted by rule (fault_rules.h).
//
// Threads: each serving thread owns one ThreadCounters and is its only writer; anybody may read.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "serve/fault_rules.h"
#include "serve/request_kind.h"

namespace loadline::serve {

struct KindCounters {
  std::uint64_t requests = 0;              // the sum of by_status
  std::map<int, std::uint64_t> by_status;  // without zeros; 0: no answer, or a part of one
  std::uint64_t items = 0;      // names deleted by delete_objects, names returned by list_objects
  std::uint64_t bytes_in = 0;   // of bodies, without chunk framing
  std::uint64_t bytes_out = 0;  // of bodies, as handed to the kernel
};

struct ServeCounters {
  std::map<RequestKind, KindCounters> by_kind;  // without kinds never asked for
  std::vector<FaultCount> faults;               // in the order of the rules
  std::uint64_t connections_accepted = 0;
  std::uint64_t connections_open = 0;
  std::uint64_t malformed = 0;     // requests refused before their kind was known
  std::uint64_t objects = 0;       // in the store now
  std::uint64_t memory_bytes = 0;  // taken by them now

  // Requests of one kind answered with a status; all of one kind; all.
  std::uint64_t of(RequestKind kind, int status) const;
  std::uint64_t of(RequestKind kind) const;
  std::uint64_t injected() const;
};

// One JSON object, as GET /_loadline/counters answers: {"kinds": {"get_object": {"requests": 3,
// "status": {"200": 2, "none": 1}, "items": 0, "bytes_in": 0, "bytes_out": 204800}}, "faults":
// [{"rule": "...", "matched": 3, "injected": 1}], "connections_accepted": 1, ...}
std::string counters_json(const ServeCounters& counters);
// Lines for people: one a kind, one a rule.
std::string counters_text(const ServeCounters& counters);

// A number that one thread counts up and others read.
class Tally {
 public:
  void add(std::uint64_t n) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  void subtract(std::uint64_t n) { add(0 - n); }
  std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

class ThreadCounters {
 public:
  void request(RequestKind kind, int status) { at(kind).by_status[status_slot(status)].add(1); }
  void items(RequestKind kind, std::uint64_t n) { at(kind).items.add(n); }
  void bytes_in(RequestKind kind, std::uint64_t n) { at(kind).bytes_in.add(n); }
  void bytes_out(RequestKind kind, std::uint64_t n) { at(kind).bytes_out.add(n); }
  void not_sent(RequestKind kind, std::uint64_t n) { at(kind).bytes_out.subtract(n); }

  Tally accepted;
  Tally closed;
  Tally malformed;

  // Adds these to `sum`.
  void add_to(ServeCounters& sum) const;

 private:
  static constexpr std::size_t k_statuses = 26;
  struct PerKind {
    std::array<Tally, k_statuses> by_status;
    Tally items;
    Tally bytes_in;
    Tally bytes_out;
  };
  static std::size_t status_slot(int status);
  PerKind& at(RequestKind kind) { return kinds_[static_cast<std::size_t>(kind)]; }

  std::array<PerKind, k_request_kinds> kinds_;
};

// What has been counted since `base` was taken: for a reset without disturbing the writers.
ServeCounters since(const ServeCounters& base, ServeCounters now);

}  // namespace loadline::serve
