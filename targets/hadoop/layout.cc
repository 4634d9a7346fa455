#include "targets/hadoop/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/rng.h"
#include "targets/hadoop/transfer.h"

namespace loadline::targets::hadoop {
namespace {

using target::ObjectFacts;
using target::ObjectNeed;

constexpr std::size_t k_chunk = 1 << 20;

std::unexpected<Error> refuse(const ObjectNeed& need, int error_number, std::string why) {
  return std::unexpected(
      Error{.code = error_number == ENOENT ? ErrorCode::not_found : ErrorCode::bad_input,
            .what = std::move(why),
            .context = need.name,
            .os_error = error_number});
}

// True where the file has to be made and filled.
Result<bool> decide(Calls& calls, const Config& config, const FileSystem& files,
                    const ObjectNeed& need, ObjectFacts& facts) {
  const Frame frame(calls.env());
  auto status = files.status(calls, config.path_of(need.name));
  if (status) {
    if (status->is_folder) return refuse(need, EISDIR, "is a folder, and a file is needed");
    facts.size = status->size;
    if (!need.lay_out || status->size >= need.size) return false;
    return refuse(need, EINVAL,
                  fmt::format("has {} bytes and the job needs {}; a file that is there is not "
                              "grown: remove it, or name another",
                              status->size.count(), need.size.count()));
  }
  if (status.error().meaning.outcome != target::Outcome::not_found) {
    return std::unexpected(error_of(status.error(), "cannot look at the file", need.name));
  }
  const bool may_make = need.may_create && !need.read_only;
  if (need.lay_out && may_make) return true;
  if (need.writes && may_make) return false;
  return refuse(need, ENOENT, "does not exist, and the job may not make it");
}

Called<void> write_data(Calls& calls, const ObjectNeed& need, jobject stream) {
  Transfer transfer;
  Rng rng(need.seed);
  std::vector<std::byte> chunk(k_chunk);
  for (std::uint64_t left = need.size.count(); left > 0;) {
    if (need.stop.stop_requested()) {
      return std::unexpected(failure_of(target::Outcome::cancelled, ECANCELED, "stopped"));
    }
    for (std::size_t at = 0; at < chunk.size(); at += sizeof(std::uint64_t)) {
      const std::uint64_t word = rng.next();
      std::memcpy(chunk.data() + at, &word, sizeof word);
    }
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, chunk.size()));
    auto written = transfer.write(calls, stream, std::span(chunk).first(n));
    if (!written) return written;
    left -= n;
  }
  return {};
}

Called<void> fill(Calls& calls, const FileSystem& files, const ObjectNeed& need,
                  const std::string& path) {
  const Frame frame(calls.env());
  auto stream = files.create_stream(calls, path, FileSystem::Existing::refused);
  if (!stream) return pass_on(stream);
  auto done = write_data(calls, need, stream->get());
  if (done && need.sync) done = calls.run(stream->get(), calls.hadoop().out_sync);
  auto closed = calls.run(stream->get(), calls.hadoop().out_close);
  if (done) done = std::move(closed);
  // Half a file would stand in the way of the next try.
  if (!done) static_cast<void>(files.remove(calls, path));
  return done;
}

}  // namespace

Result<std::vector<ObjectFacts>> provide_files(Calls& calls, const Config& config,
                                               const FileSystem& files,
                                               std::span<const ObjectNeed> needs,
                                               const target::LayoutNotice& notice) {
  std::vector<ObjectFacts> facts(needs.size());
  std::vector<std::size_t> to_fill;
  Bytes bytes;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    auto decided = decide(calls, config, files, needs[i], facts[i]);
    if (!decided) return propagate(decided);
    if (!*decided) continue;
    to_fill.push_back(i);
    bytes += needs[i].size;
  }
  if (!to_fill.empty() && notice) notice(to_fill.size(), bytes);
  for (const std::size_t i : to_fill) {
    auto filled = fill(calls, files, needs[i], config.path_of(needs[i].name));
    if (!filled) {
      return std::unexpected(error_of(filled.error(), "cannot lay out the file", needs[i].name));
    }
    facts[i] = {.size = needs[i].size, .made = true, .laid_out = true};
  }
  return facts;
}

}  // namespace loadline::targets::hadoop
