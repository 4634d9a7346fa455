#include "serve/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace loadline::serve {

namespace {

// The statuses that the store answers with; 0 is no whole answer. The last slot takes any other.
constexpr std::array<int, 25> k_known_statuses = {0,   200, 202, 204, 206, 304, 400, 403, 404,
                                                  405, 409, 411, 412, 413, 416, 417, 431, 500,
                                                  501, 503, 505, 507, 408, 414, 429};
constexpr int k_other_status = 999;

std::string status_word(int status) { return status == 0 ? "none" : fmt::format("{}", status); }

void append_json_text(std::string& out, std::string_view text) {
  out.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    if (c >= 0 && c < ' ') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

}  // namespace

std::uint64_t ServeCounters::of(RequestKind kind, int status) const {
  const auto found = by_kind.find(kind);
  if (found == by_kind.end()) return 0;
  const auto count = found->second.by_status.find(status);
  return count == found->second.by_status.end() ? 0 : count->second;
}

std::uint64_t ServeCounters::of(RequestKind kind) const {
  const auto found = by_kind.find(kind);
  return found == by_kind.end() ? 0 : found->second.requests;
}

std::uint64_t ServeCounters::injected() const {
  std::uint64_t sum = 0;
  for (const FaultCount& fault : faults) sum += fault.injected;
  return sum;
}

std::string counters_json(const ServeCounters& counters) {
  std::string out = "{\"kinds\":{";
  const auto to = std::back_inserter(out);
  const char* comma = "";
  for (const auto& [kind, counted] : counters.by_kind) {
    fmt::format_to(to, "{}\"{}\":{{\"requests\":{},\"status\":{{", std::exchange(comma, ","),
                   to_string(kind), counted.requests);
    const char* inner = "";
    for (const auto& [status, n] : counted.by_status) {
      fmt::format_to(to, "{}\"{}\":{}", std::exchange(inner, ","), status_word(status), n);
    }
    fmt::format_to(to, "}},\"items\":{},\"bytes_in\":{},\"bytes_out\":{}}}", counted.items,
                   counted.bytes_in, counted.bytes_out);
  }
  out.append("},\"faults\":[");
  comma = "";
  for (const FaultCount& fault : counters.faults) {
    out.append(std::exchange(comma, ",")).append("{\"rule\":");
    append_json_text(out, fault.rule);
    fmt::format_to(to, ",\"matched\":{},\"injected\":{}}}", fault.matched, fault.injected);
  }
  fmt::format_to(to,
                 "],\"connections_accepted\":{},\"connections_open\":{},\"malformed\":{},"
                 "\"objects\":{},\"memory_bytes\":{}}}",
                 counters.connections_accepted, counters.connections_open, counters.malformed,
                 counters.objects, counters.memory_bytes);
  return out;
}

std::string counters_text(const ServeCounters& counters) {
  std::string out;
  const auto to = std::back_inserter(out);
  for (const auto& [kind, counted] : counters.by_kind) {
    fmt::format_to(to, "{:<20} {:>10}", to_string(kind), counted.requests);
    for (const auto& [status, n] : counted.by_status) {
      fmt::format_to(to, "  {}: {}", status_word(status), n);
    }
    if (counted.items > 0) fmt::format_to(to, "  names: {}", counted.items);
    if (counted.bytes_in > 0) fmt::format_to(to, "  bytes in: {}", counted.bytes_in);
    if (counted.bytes_out > 0) fmt::format_to(to, "  bytes out: {}", counted.bytes_out);
    out.push_back('\n');
  }
  for (const FaultCount& fault : counters.faults) {
    fmt::format_to(to, "fault {}  matched: {}  injected: {}\n", fault.rule, fault.matched,
                   fault.injected);
  }
  fmt::format_to(to, "connections {}  malformed {}  objects {}  memory {} bytes\n",
                 counters.connections_accepted, counters.malformed, counters.objects,
                 counters.memory_bytes);
  return out;
}

std::size_t ThreadCounters::status_slot(int status) {
  static_assert(k_known_statuses.size() + 1 == k_statuses);
  return static_cast<std::size_t>(std::ranges::find(k_known_statuses, status) -
                                  k_known_statuses.begin());
}

void ThreadCounters::add_to(ServeCounters& sum) const {
  sum.connections_accepted += accepted.get();
  sum.connections_open += accepted.get() - closed.get();
  sum.malformed += malformed.get();
  for (const RequestKind kind : all_request_kinds()) {
    const PerKind& from = kinds_[static_cast<std::size_t>(kind)];
    KindCounters counted;
    for (std::size_t i = 0; i < k_statuses; ++i) {
      const std::uint64_t n = from.by_status[i].get();
      if (n == 0) continue;
      counted.requests += n;
      counted.by_status[i < k_known_statuses.size() ? k_known_statuses[i] : k_other_status] += n;
    }
    counted.items = from.items.get();
    counted.bytes_in = from.bytes_in.get();
    counted.bytes_out = from.bytes_out.get();
    if (counted.requests + counted.bytes_in == 0) continue;
    KindCounters& to = sum.by_kind[kind];
    to.requests += counted.requests;
    to.items += counted.items;
    to.bytes_in += counted.bytes_in;
    to.bytes_out += counted.bytes_out;
    for (const auto& [status, n] : counted.by_status) to.by_status[status] += n;
  }
}

ServeCounters since(const ServeCounters& base, ServeCounters now) {
  now.connections_accepted -= base.connections_accepted;
  now.malformed -= base.malformed;
  for (const auto& [kind, before] : base.by_kind) {
    KindCounters& counted = now.by_kind[kind];
    counted.requests -= before.requests;
    counted.items -= before.items;
    counted.bytes_in -= before.bytes_in;
    counted.bytes_out -= before.bytes_out;
    for (const auto& [status, n] : before.by_status) {
      counted.by_status[status] -= n;
      if (counted.by_status[status] == 0) counted.by_status.erase(status);
    }
    if (counted.requests + counted.bytes_in == 0) now.by_kind.erase(kind);
  }
  return now;
}

}  // namespace loadline::serve
