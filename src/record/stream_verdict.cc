#include "record/stream_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline::record {
namespace {

using Level = Verdict::Level;

std::string megabytes(Bytes bytes) {
  return fmt::format("{:.4g} MB", static_cast<double>(bytes.count()) / 1e6);
}

void judge_ends(const JobResult& job, const std::string& where, std::vector<Verdict>& out) {
  const auto ended = std::ranges::count_if(job.files, &StreamFile::short_of_size);
  if (ended == 0) return;
  const auto first = std::ranges::find_if(job.files, &StreamFile::short_of_size);
  out.push_back({"short_file", Level::warning, where,
                 fmt::format("{} of {} files ended before the size that was asked for, e.g. number "
                             "{} after {} bytes: they count with what they have",
                             ended, job.files.size(), first->number, first->bytes.count())});
}

void judge_network(const StageResult& stage, const JobResult& job, const std::string& where,
                   std::vector<Verdict>& out) {
  // What several jobs share cannot be told apart.
  if (stage.jobs.size() != 1 || job.interfaces.empty()) return;
  Bytes read;
  for (const OpResult& op : job.ops) {
    if (op.action == plan::Action::read) read += op.stats.bytes;
  }
  if (read < limits::k_network_least) return;
  Bytes received;
  std::string each;
  for (const InterfaceCounters& interface : job.interfaces) {
    received += interface.received;
    each += fmt::format("{}{} {}", each.empty() ? "" : ", ", interface.name,
                        megabytes(interface.received));
  }
  const double share = static_cast<double>(received.count()) / static_cast<double>(read.count());
  if (share < limits::k_network_any) return;
  if (std::abs(share - 1) <= limits::k_network_differs) return;
  out.push_back({"network_disagrees", Level::note, where,
                 fmt::format("{} were read while the network interfaces received {} ({}): {}",
                             megabytes(read), megabytes(received), each,
                             share > 1 ? "others used the network too, or bytes came more than once"
                                       : "part of the data came from this host itself")});
}

}  // namespace

std::vector<Verdict> judge_stream(const StageResult& stage, const JobResult& job,
                                  const std::string& where) {
  std::vector<Verdict> out;
  for (const std::string& remark : job.remarks) {
    out.push_back({"remark", Level::note, where, remark});
  }
  judge_ends(job, where, out);
  judge_network(stage, job, where, out);
  return out;
}

}  // namespace loadline::record
