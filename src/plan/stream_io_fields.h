// The fields of a StreamIo, described once (plan/json_fields.h says how). docs/format/plan.md says
// what they mean.
#pragma once

#include "plan/json_fields.h"
#include "plan/stream_io.h"

namespace loadline::json {

template <>
struct Fields<plan::SmallFile> {
  static void visit(auto& v, auto& value) {
    auto& [name, content] = value;
    v("name", name);
    v.hex("content_hex", content);
  }
};

template <>
struct Fields<plan::StreamIo> {
  static void visit(auto& v, auto& value) {
    auto& [action, folder, prefix, files, size, buffer, skip, fill, verify, keep_going, puts] =
        value;
    v("action", action);
    v("folder", folder);
    v("prefix", prefix);
    v("files", files);
    v("size_bytes", size);
    v("buffer_bytes", buffer);
    v("skip_bytes", skip);
    v("fill", fill);
    v("verify", verify);
    v("keep_going", keep_going);
    v.if_set("puts", puts);
  }
};

}  // namespace loadline::json
