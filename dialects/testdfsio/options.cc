#include "dialects/testdfsio/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ranges>

#include "base/check.h"

namespace loadline::dialects::testdfsio {
namespace {

struct OperationWords {
  Operation operation;
  std::string_view title;
  std::string_view name;
  plan::StreamAction action;
};

constexpr std::array<OperationWords, 8> k_operations{{
    {Operation::write, "write", "write", plan::StreamAction::write},
    {Operation::append, "append", "append", plan::StreamAction::append},
    {Operation::read, "read", "read", plan::StreamAction::read},
    {Operation::read_random, "random read", "read_random", plan::StreamAction::read_random},
    {Operation::read_backward, "backward read", "read_backward", plan::StreamAction::read_backward},
    {Operation::read_skip, "skip read", "read_skip", plan::StreamAction::read_skip},
    {Operation::truncate, "truncate", "truncate", plan::StreamAction::truncate},
    {Operation::clean, "", "clean", plan::StreamAction::remove},
}};

const OperationWords* words_of(Operation operation) {
  const auto* const it = std::ranges::find(k_operations, operation, &OperationWords::operation);
  return it == k_operations.end() ? nullptr : it;
}

}  // namespace

std::optional<std::string> GenericOptions::setting(std::string_view key) const {
  for (const auto& [name, value] : std::views::reverse(settings)) {
    if (name == key) return value;
  }
  return std::nullopt;
}

std::string_view title_of(Operation operation) {
  const OperationWords* const words = words_of(operation);
  return words == nullptr ? "unknown" : words->title;
}

std::string_view to_string(Operation operation) {
  const OperationWords* const words = words_of(operation);
  return words == nullptr ? "unknown" : words->name;
}

plan::StreamAction action_of(Operation operation) {
  const OperationWords* const words = words_of(operation);
  CHECK(words != nullptr);
  return words->action;
}

std::string_view to_string(Compat compat) {
  switch (compat) {
    case Compat::v2_7: return "2.7";
    case Compat::v2_8: return "2.8";
    case Compat::v3: return "3.x";
  }
  return "unknown";
}

std::string_view to_string(TargetKind kind) {
  switch (kind) {
    case TargetKind::hadoop: return "hadoop";
    case TargetKind::webhdfs: return "webhdfs";
    case TargetKind::posix: return "posix";
  }
  return "unknown";
}

bool is_read(Operation operation) {
  return operation == Operation::read || operation == Operation::read_random ||
         operation == Operation::read_backward || operation == Operation::read_skip;
}

std::optional<Compat> compat_of(std::string_view version) {
  std::array<unsigned, 3> parts{};
  std::size_t given = 0;
  while (given < parts.size() && !version.empty()) {
    const auto read =
        std::from_chars(version.data(), version.data() + version.size(), parts[given]);
    if (read.ec != std::errc()) {
      // "3.x", "2.8-vendor1"
      if (given == 0) return std::nullopt;
      break;
    }
    ++given;
    version.remove_prefix(static_cast<std::size_t>(read.ptr - version.data()));
    if (!version.starts_with('.')) break;
    version.remove_prefix(1);
  }
  if (given == 0 || parts[0] > 99) return std::nullopt;
  if (parts[0] >= 3) return Compat::v3;
  if (parts[0] < 2 || parts[1] <= 7) return Compat::v2_7;
  return parts[1] == 8 && parts[2] <= 1 ? Compat::v2_8 : Compat::v3;
}

}  // namespace loadline::dialects::testdfsio
