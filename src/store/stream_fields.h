// What became of the files of a job on streams, and the network meanwhile, in JSON. One short list
// a file, its columns named once: a run may have millions. docs/format/result.md says what they
// mean.
#pragma once

#include <array>
#include <string>

#include "plan/json_reader.h"
#include "plan/json_writer.h"
#include "record/interface_counters.h"
#include "record/stream_files.h"
#include "store/outcome_codec.h"

namespace loadline::json {

template <>
struct Fields<record::InterfaceCounters> {
  static void visit(auto& v, auto& value) {
    auto& [name, received, sent, megabits_per_second] = value;
    v("name", name);
    v("received_bytes", received);
    v("sent_bytes", sent);
    v.if_set("megabits_per_second", megabits_per_second);
  }
};

template <>
struct Codec<record::StreamFiles> {
  static constexpr std::array<const char*, 9> k_columns = {
      "number",  "worker",      "outcome",       "bytes", "begin_ns",
      "open_ns", "transfer_ns", "short_of_size", "detail"};

  static Json write(const record::StreamFiles& files, const Writer&) {
    Json rows = Json::array();
    for (const record::StreamFile& file : files) {
      const auto& [number, worker, outcome, bytes, begin, open, transfer, short_of_size, detail] =
          file;
      rows.push_back(Json::array({number, worker, std::string(to_string(outcome)), bytes.count(),
                                  begin.ns(), open.ns(), transfer.ns(), short_of_size, detail}));
    }
    Json object = Json::object();
    object["columns"] = k_columns;
    object["rows"] = std::move(rows);
    return object;
  }

  static void read(const Json& json, record::StreamFiles& files, Reader& reader) {
    if (!json.is_object() || !json.contains("columns") || !json.contains("rows") ||
        !json["rows"].is_array()) {
      return reader.fail("is not an object of columns and rows");
    }
    if (json["columns"] != Json(k_columns)) return reader.fail("has columns that are not known");
    for (std::size_t i = 0; i < json["rows"].size() && !reader.failed(); ++i) {
      const Reader::Step rows(reader, "rows");
      const Reader::Step index(reader, i);
      read_row(json["rows"][i], files.emplace_back(), reader);
    }
  }

 private:
  static void read_row(const Json& row, record::StreamFile& file, Reader& reader) {
    if (!row.is_array() || row.size() != k_columns.size()) {
      return reader.fail("is not a list of " + std::to_string(k_columns.size()));
    }
    std::size_t column = 0;
    const auto next = [&](auto& into) { reader.read(row[column++], into); };
    const auto next_duration = [&](Duration& into) {
      std::int64_t ns = 0;
      next(ns);
      into = Duration::nanoseconds(ns);
    };
    next(file.number);
    next(file.worker);
    next(file.outcome);
    next(file.bytes);
    next_duration(file.begin);
    next_duration(file.open);
    next_duration(file.transfer);
    next(file.short_of_size);
    next(file.detail);
  }
};

}  // namespace loadline::json
