#include "store/run_index.h"

#include <string_view>

namespace loadline::store {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t k_schema_version = 1;
constexpr int k_busy_timeout_ms = 10'000;

constexpr const char* k_create =
    "CREATE TABLE IF NOT EXISTS runs ("
    " number INTEGER PRIMARY KEY,"  // the N of wN
    " name TEXT NOT NULL,"
    " dialect TEXT NOT NULL,"
    " folder TEXT NOT NULL,"         // inside the archive
    " state TEXT NOT NULL,"          // running, finished, failed, terminated, cancelled
    " started_ns INTEGER NOT NULL,"  // since 1970
    " elapsed_ns INTEGER NOT NULL,"
    " operations INTEGER NOT NULL,"  // successes
    " failures INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL,"
    " verdicts INTEGER NOT NULL)";
constexpr const char* k_put =
    "INSERT OR REPLACE INTO runs (number, name, dialect, folder, state, started_ns, elapsed_ns,"
    " operations, failures, bytes, verdicts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr const char* k_rows =
    "SELECT number, name, dialect, folder, state, started_ns, elapsed_ns, operations, failures,"
    " bytes, verdicts FROM runs ORDER BY number";

record::RunState state_of(std::string_view word) {
  using record::RunState;
  for (const RunState state :
       {RunState::finished, RunState::failed, RunState::terminated, RunState::cancelled}) {
    if (word == to_string(state)) return state;
  }
  return RunState::running;
}

std::string text_at(sqlite3_stmt* statement, int column) {
  const auto* text = sqlite3_column_text(statement, column);
  const auto length = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text), length);
}

std::uint64_t count_at(sqlite3_stmt* statement, int column) {
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement, column));
}

IndexRow row_at(sqlite3_stmt* statement) {
  return {.number = sqlite3_column_int64(statement, 0),
          .name = text_at(statement, 1),
          .dialect = text_at(statement, 2),
          .folder = text_at(statement, 3),
          .state = state_of(text_at(statement, 4)),
          .started = WallTime::from_ns(sqlite3_column_int64(statement, 5)),
          .elapsed = Duration::nanoseconds(sqlite3_column_int64(statement, 6)),
          .operations = count_at(statement, 7),
          .failures = count_at(statement, 8),
          .bytes = Bytes(count_at(statement, 9)),
          .verdicts = count_at(statement, 10)};
}

// The text outlives the statement's step.
void bind_text(sqlite3_stmt* statement, int index, std::string_view text) {
  sqlite3_bind_text(statement, index, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

void bind_count(sqlite3_stmt* statement, int index, std::uint64_t count) {
  sqlite3_bind_int64(statement, index, static_cast<std::int64_t>(count));
}

void bind(sqlite3_stmt* statement, const IndexRow& row) {
  sqlite3_bind_int64(statement, 1, row.number);
  bind_text(statement, 2, row.name);
  bind_text(statement, 3, row.dialect);
  bind_text(statement, 4, row.folder);
  bind_text(statement, 5, to_string(row.state));
  sqlite3_bind_int64(statement, 6, row.started.ns());
  sqlite3_bind_int64(statement, 7, row.elapsed.ns());
  bind_count(statement, 8, row.operations);
  bind_count(statement, 9, row.failures);
  bind_count(statement, 10, row.bytes.count());
  bind_count(statement, 11, row.verdicts);
}

}  // namespace

Result<RunIndex> RunIndex::open(const fs::path& archive) {
  Result<RunIndex> index =
      open_file(archive / k_file_name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!index) return index;
  if (Result<void> ready = index->prepare_schema(); !ready) return propagate(ready);
  return index;
}

Result<RunIndex> RunIndex::open_to_read(const fs::path& archive) {
  const fs::path file = archive / k_file_name;
  std::error_code error;
  if (!fs::exists(file, error)) {
    return fail(ErrorCode::not_found, "no archive: there is no loadline.sqlite in it", archive);
  }
  Result<RunIndex> index = open_file(file, SQLITE_OPEN_READONLY);
  if (!index) return index;
  const Result<std::int64_t> version = index->schema_version();
  if (!version) return std::unexpected(version.error());
  index->has_table_ = *version > 0;  // 0: its maker has not come to the table yet
  return index;
}

Result<RunIndex> RunIndex::open_file(const fs::path& file, int flags) {
  RunIndex index;
  index.file_ = file;
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &db, flags, nullptr);
  index.db_.reset(db);
  if (code != SQLITE_OK) return index.failed(code, "cannot open");
  sqlite3_busy_timeout(db, k_busy_timeout_ms);
  return index;
}

Result<void> RunIndex::prepare_schema() {
  const Result<std::int64_t> version = schema_version();
  if (!version) return std::unexpected(version.error());
  if (*version == k_schema_version) return {};
  // Two processes may come here at once: the second finds the table made.
  if (Result<void> r = execute("BEGIN IMMEDIATE"); !r) return r;
  if (Result<void> r = execute(k_create); !r) return r;
  if (Result<void> r = execute("PRAGMA user_version = 1"); !r) return r;
  return execute("COMMIT");
}

Result<std::int64_t> RunIndex::schema_version() {
  Result<Statement> statement = prepare("PRAGMA user_version");
  if (!statement) return propagate(statement);
  const int code = sqlite3_step(statement->get());
  if (code != SQLITE_ROW) return failed(code, "cannot read");
  const std::int64_t version = sqlite3_column_int64(statement->get(), 0);
  if (version > k_schema_version) {
    return fail(ErrorCode::unsupported,
                "was written by a newer Loadline (schema " + std::to_string(version) + ")", file_);
  }
  return version;
}

Result<void> RunIndex::put(const IndexRow& row) {
  Result<Statement> statement = prepare(k_put);
  if (!statement) return propagate(statement);
  bind(statement->get(), row);
  return finish(statement->get());
}

Result<std::vector<IndexRow>> RunIndex::rows() {
  std::vector<IndexRow> rows;
  if (!has_table_) return rows;
  Result<Statement> statement = prepare(k_rows);
  if (!statement) return propagate(statement);
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement->get())) == SQLITE_ROW) {
    rows.push_back(row_at(statement->get()));
  }
  if (code != SQLITE_DONE) return failed(code, "cannot read");
  return rows;
}

Result<void> RunIndex::execute(const char* sql) {
  Result<Statement> statement = prepare(sql);
  if (!statement) return propagate(statement);
  return finish(statement->get());
}

Result<RunIndex::Statement> RunIndex::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(db_.get(), sql, -1, &statement, nullptr);
  if (code != SQLITE_OK) return failed(code, "cannot use");
  return Statement(statement);
}

Result<void> RunIndex::finish(sqlite3_stmt* statement) {
  const int code = sqlite3_step(statement);
  if (code != SQLITE_DONE) return failed(code, "cannot write");
  return {};
}

std::unexpected<Error> RunIndex::failed(int code, const char* doing) const {
  const ErrorCode kind = code == SQLITE_READONLY || code == SQLITE_PERM || code == SQLITE_AUTH
                             ? ErrorCode::denied
                             : ErrorCode::io;
  const char* why = db_ ? sqlite3_errmsg(db_.get()) : sqlite3_errstr(code);
  return fail(kind, std::string(doing) + " the index: " + why, file_);
}

}  // namespace loadline::store
