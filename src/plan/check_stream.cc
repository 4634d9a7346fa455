#include "plan/check_stream.h"

#include <algorithm>
#include <string_view>

namespace loadline::plan {
namespace {

using Verdict = Result<void>;

Verdict refuse(std::string path, std::string what) {
  return fail(ErrorCode::bad_input, std::move(what), std::move(path));
}

bool is_one_name(std::string_view name) {
  const auto unfit = [](char c) { return c == '/' || c == '\0'; };
  return !name.empty() && name != "." && name != ".." && std::ranges::none_of(name, unfit);
}

Verdict check_small_files(const StreamIo& stream, const std::string& path) {
  const bool by_name = stream.action == StreamAction::put ||
                       (stream.action == StreamAction::remove && stream.prefix.empty());
  if (by_name && stream.puts.empty()) return refuse(path + ".puts", "names no file");
  if (!by_name && !stream.puts.empty()) {
    return refuse(path + ".puts", "only put has small files, and remove without a prefix");
  }
  for (std::size_t i = 0; i < stream.puts.size(); ++i) {
    if (is_one_name(stream.puts[i].name)) continue;
    return refuse(path + ".puts[" + std::to_string(i) + "].name", "is no name of a file");
  }
  return {};
}

// The files of the list are its only end.
Verdict check_end(const Job& job, const std::string& path) {
  StopRule without = job.stop;
  without.one_pass = false;
  if (without == StopRule()) return {};
  return refuse(path + ".stop", "a job on streams ends with its last file and has no other limit");
}

}  // namespace

Verdict check_stream(const Job& job, const std::string& path) {
  const StreamIo& stream = *job.stream;
  const std::string here = path + ".stream";
  if (stream.folder.empty()) return refuse(here + ".folder", "is empty");
  if (!stream.prefix.empty() && !is_one_name(stream.prefix)) {
    return refuse(here + ".prefix", "is no beginning of a file's name");
  }
  if (moves_files(stream.action)) {
    if (stream.files < 1 || stream.files > k_stream_files_max) {
      return refuse(here + ".files", "must be from 1 to " + std::to_string(k_stream_files_max));
    }
    if (stream.buffer.count() < 1 || stream.buffer.count() > k_stream_buffer_max) {
      return refuse(here + ".buffer_bytes",
                    "must be from 1 to " + std::to_string(k_stream_buffer_max));
    }
  }
  constexpr std::uint64_t k_size_max = INT64_MAX;
  if (stream.size.count() > k_size_max) return refuse(here + ".size_bytes", "is too large");
  if (stream.skip.count() > k_size_max) return refuse(here + ".skip_bytes", "is too large");
  if (stream.verify && !is_read(stream.action)) {
    return refuse(here + ".verify", "only reads are compared");
  }
  if (Verdict v = check_small_files(stream, here); !v) return v;
  if (Verdict v = check_end(job, path); !v) return v;
  if (job.pace.arrival == Arrival::poisson) {
    return refuse(path + ".pace.arrival", "calls of a stream come at a constant rate or at once");
  }
  return {};
}

}  // namespace loadline::plan
