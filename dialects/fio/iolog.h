// One line after the other of fio's text iologs, versions 2 and 3.
//
//   fio version 3 iolog                 fio version 2 iolog
//   24 FILE add                         FILE add
//   205 FILE read 4096 8192             FILE wait 300 0
//                                       FILE read 4096 8192
//
// Times are microseconds since the job began; in version 2 a wait adds to the time of what follows.
// Source: fio's documentation of the trace file format, and files of fio 3.33.
//
// Threads: belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/units.h"

namespace loadline::dialects::fio {

enum class IologAction : std::uint8_t { add, open, close, read, write, trim, sync, datasync };

std::string_view to_string(IologAction action);

struct IologEntry {
  IologAction action = IologAction::read;
  Duration at;
  std::string_view file;  // of the line that was given
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

class IologParser {
 public:
  static constexpr std::size_t k_line_max = 16 * 1024;

  explicit IologParser(std::string name) : name_(std::move(name)) {}

  // A line without its end; nothing where it says nothing to do. Error: bad_input, the context is
  // "NAME:LINE".
  Result<std::optional<IologEntry>> parse(std::string_view line);
  // Of the line that was parsed last.
  std::unexpected<Error> wrong(std::string what) const;
  bool began() const { return version_ != 0; }

 private:
  Result<std::optional<IologEntry>> head(std::string_view line);

  std::string name_;
  std::uint64_t line_ = 0;
  std::uint32_t version_ = 0;  // none seen
  std::uint64_t waited_us_ = 0;
};

}  // namespace loadline::dialects::fio
