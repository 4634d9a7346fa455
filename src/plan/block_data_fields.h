// The fields of a job's data, described once (plan/json_fields.h says how).
#pragma once

#include "plan/block_data.h"
#include "plan/json_fields.h"

namespace loadline::json {

template <>
struct Fields<plan::BufferSpec> {
  static void visit(auto& v, auto& value) {
    auto& [fill, pattern, compress_percent, compress_chunk, dedupe_percent, dedupe_set_percent,
           dedupe_global] = value;
    v("fill", fill);
    v("pattern", pattern);
    v("compress_percent", compress_percent);
    v("compress_chunk_bytes", compress_chunk);
    v("dedupe_percent", dedupe_percent);
    v("dedupe_set_percent", dedupe_set_percent);
    v("dedupe_global", dedupe_global);
  }
};

template <>
struct Fields<plan::VerifySpec> {
  static void visit(auto& v, auto& value) {
    auto& [checksum, read_back, only, fatal, dump, interval, backlog, backlog_batch, check_sequence,
           check_seed, pattern, header_offset, state_load, state_save, threads] = value;
    v("checksum", checksum);
    v("read_back", read_back);
    v("only", only);
    v("fatal", fatal);
    v("dump", dump);
    v("interval_bytes", interval);
    v("backlog", backlog);
    v("backlog_batch", backlog_batch);
    v("check_sequence", check_sequence);
    v("check_seed", check_seed);
    v("pattern", pattern);
    v("header_offset_bytes", header_offset);
    v("state_load", state_load);
    v("state_save", state_save);
    v("threads", threads);
  }
};

template <>
struct Fields<plan::TrimRule> {
  static void visit(auto& v, auto& value) {
    auto& [percent, backlog, batch, expect_zero] = value;
    v("percent", percent);
    v("backlog", backlog);
    v("batch", batch);
    v("expect_zero", expect_zero);
  }
};

template <>
struct Fields<plan::MemorySpec> {
  static void visit(auto& v, auto& value) {
    auto& [kind, file, shared, align, huge_page, locked, place, nodes] = value;
    v("kind", kind);
    v("file", file);
    v("shared", shared);
    v("align_bytes", align);
    v("huge_page_bytes", huge_page);
    v("locked_bytes", locked);
    v("place", place);
    v("nodes", nodes);
  }
};

}  // namespace loadline::json
