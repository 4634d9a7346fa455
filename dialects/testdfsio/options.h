// What a TestDFSIO command asks for, typed.
//
// Threads: plain values. Sizes are bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"
#include "plan/stream_io.h"

namespace loadline::dialects::testdfsio {

enum class Operation : std::uint8_t {
  write,
  append,
  read,
  read_random,
  read_backward,
  read_skip,
  truncate,
  clean,
};

// Whose options and output: 2.7 and before; 2.8.0 and 2.8.1; all later ones.
enum class Compat : std::uint8_t { v2_7, v2_8, v3 };

enum class TargetKind : std::uint8_t { hadoop, webhdfs, posix };

// Hadoop's generic options, which stand before those of the program.
struct GenericOptions {
  std::vector<std::pair<std::string, std::string>> settings;  // -D, in order
  std::vector<std::string> conf_files;
  std::vector<std::string> jars;           // -libjars
  std::optional<std::string> file_system;  // -fs

  // The last one of this key.
  std::optional<std::string> setting(std::string_view key) const;
};

// Loadline's own, each a long option.
struct OwnOptions {
  std::optional<Compat> compat;
  plan::StreamFill fill = plan::StreamFill::zero;
  bool verify = false;
  std::optional<std::uint32_t> concurrency;
  std::optional<TargetKind> target;
  std::string json;  // a path; empty: none
  std::string hadoop_classpath;
  std::string java_home;
  std::string user;
  std::string resolve;
  bool keep_going = false;
  std::optional<Bytes> rate;  // a second, of all streams together
  std::optional<std::uint64_t> seed;
};

struct Options {
  Operation operation = Operation::write;
  std::uint64_t files = 1;
  Bytes size{1U << 20U};  // of each file
  Bytes buffer{1000000};
  Bytes skip;
  std::string result_file = "TestDFSIO_results.log";
  bool sequential = false;  // -seq: one file at a time
  std::string storage_policy;
  GenericOptions generic;
  OwnOptions own;
  Compat compat = Compat::v2_7;  // own.compat, else of the environment, else this
};

// "write", "random read": the word of the result block; "clean" has none.
std::string_view title_of(Operation operation);
std::string_view to_string(Operation operation);
std::string_view to_string(Compat compat);
std::string_view to_string(TargetKind kind);
bool is_read(Operation operation);
// Of the stream that does it. Not of clean.
plan::StreamAction action_of(Operation operation);

// "2.7", "2.8.0", "3.x", "3.3.6": the layout of that version. Nothing where it is no version.
std::optional<Compat> compat_of(std::string_view version);

}  // namespace loadline::dialects::testdfsio
