// The table of an archive's runs: one SQLite file, `loadline.sqlite` (docs/format/archive.md). The
// folders hold what was measured; this holds what `list` shows of it.
//
// Threads: belongs to one thread. Processes: any number; SQLite's own locks keep them apart, and a
// busy index is waited for.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/units.h"
#include "record/run_result.h"

namespace loadline::store {

struct IndexRow {
  std::int64_t number = 0;  // the N of wN
  std::string name;
  std::string dialect;
  std::string folder;  // name inside the archive
  record::RunState state = record::RunState::running;
  WallTime started;
  Duration elapsed;
  std::uint64_t operations = 0;
  std::uint64_t failures = 0;
  Bytes bytes;
  std::uint64_t verdicts = 0;
};

class RunIndex {
 public:
  static constexpr const char* k_file_name = "loadline.sqlite";

  // Makes the file and its table where they are missing.
  static Result<RunIndex> open(const std::filesystem::path& archive);
  // Changes nothing; not_found where there is no index.
  static Result<RunIndex> open_to_read(const std::filesystem::path& archive);

  // A row of this number is replaced.
  Result<void> put(const IndexRow& row);
  Result<std::vector<IndexRow>> rows();  // by number

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

  static Result<RunIndex> open_file(const std::filesystem::path& file, int flags);
  Result<void> prepare_schema();
  Result<std::int64_t> schema_version();
  Result<void> execute(const char* sql);
  Result<Statement> prepare(const char* sql);
  Result<void> finish(sqlite3_stmt* statement);
  std::unexpected<Error> failed(int code, const char* doing) const;

  std::unique_ptr<sqlite3, Close> db_;
  std::filesystem::path file_;
  bool has_table_ = true;
};

}  // namespace loadline::store
