#include "targets/posix/layout_decision.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>

namespace loadline::targets::posix {
namespace {

std::unexpected<Error> refuse(const target::ObjectNeed& need, int error_number, std::string what) {
  Error error{.code = error_number == ENOENT ? ErrorCode::not_found : ErrorCode::bad_input,
              .what = std::move(what),
              .context = need.name,
              .os_error = error_number};
  return std::unexpected(std::move(error));
}

Result<Layout> decide_missing(const FileState& state, const target::ObjectNeed& need) {
  const std::uint64_t size = need.size.count();
  if (need.read_only) {
    return refuse(need, ENOENT,
                  "file missing; --readonly forbids creating it; create it first with the same "
                  "options and --create_only=1 instead of --readonly");
  }
  if (state.under_dev) {
    return refuse(need, ENOENT, "file missing; no file is made under /dev: name a device there is");
  }
  if (!need.may_create) {
    return refuse(need, ENOENT, "file missing; allow_file_create=0 forbids creating it");
  }
  if (need.lay_out && size > 0) {
    return Layout{.step = LayoutStep::fill, .to = size, .create = true};
  }
  if (need.preallocate && size > 0) {
    return Layout{.step = LayoutStep::allocate, .to = size, .create = true};
  }
  if (need.writes) return Layout{.step = LayoutStep::create, .create = true};
  return refuse(need, ENOENT,
                size > 0 ? "file missing; create it with --create_only=1 or --rw=write"
                         : "file missing; say how large it is to be made with --size=");
}

Result<Layout> decide_short(const FileState& state, const target::ObjectNeed& need) {
  const std::uint64_t size = need.size.count();
  if (!need.lay_out && !need.preallocate) return Layout{};
  // Its name is all that is used.
  if (!need.reads && !need.writes) return Layout{};
  const std::string sizes =
      fmt::format("it has {} and the job asks for {}", size_words(state.size), size_words(size));
  if (need.read_only) {
    return refuse(need, EROFS, "refusing extend of file due to read-only: " + sizes);
  }
  if (need.lay_out) {
    if (!need.writes && !state.made_here) {
      return refuse(need, EIO,
                    fmt::format("file too small: {}; a read job never grows or rewrites a file "
                                "that it did not make: lay it out with --create_only=1 or "
                                "--rw=write, or ask for no more than it has",
                                sizes));
    }
    return Layout{.step = LayoutStep::fill, .from = state.size, .to = size};
  }
  return Layout{.step = LayoutStep::allocate, .from = state.size, .to = size};
}

}  // namespace

Result<Layout> decide_layout(const FileState& state, const target::ObjectNeed& need) {
  if (need.read_only && need.writes) {
    return refuse(need, EROFS, "the job writes or trims, and --readonly forbids that");
  }
  switch (state.kind) {
    case FileKind::missing: return decide_missing(state, need);
    case FileKind::broken_link:
      return refuse(need, ENOENT,
                    fmt::format("it is a symbolic link to {}, which is not there: make that file "
                                "first, or remove the link",
                                state.link_to));
    case FileKind::folder: return refuse(need, EISDIR, "it is a folder, not a file");
    case FileKind::other:
      return refuse(need, EINVAL, "it is neither a file nor a device: a pipe or a socket");
    case FileKind::block_device:
    case FileKind::character_device: return Layout{};
    case FileKind::regular: break;
  }
  return state.size < need.size.count() ? decide_short(state, need) : Layout{};
}

std::string size_words(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> k_units{"KiB", "MiB", "GiB", "TiB", "PiB"};
  std::uint64_t whole = bytes;
  std::size_t unit = 0;
  while (unit < k_units.size() && whole >= 1024 && whole % 1024 == 0) {
    whole /= 1024;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} bytes", bytes);
  return fmt::format("{}{} ({} bytes)", whole, k_units[unit - 1], bytes);
}

}  // namespace loadline::targets::posix
