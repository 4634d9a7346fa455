#include "dialects/testdfsio/run_source.h"

#include "plan/json_reader.h"
#include "plan/json_writer.h"

namespace loadline::json {

template <>
struct Fields<dialects::testdfsio::RunSource> {
  static void visit(auto& v, auto& value) {
    auto& [operation, compat, files, size, buffer, skip, base, storage_policy, concurrency,
           control_files, keep_going] = value;
    v("operation", operation);
    v("compat", compat);
    v("files", files);
    v("size_bytes", size);
    v("buffer_bytes", buffer);
    v("skip_bytes", skip);
    v("base", base);
    v.if_set("storage_policy", storage_policy);
    v("concurrency", concurrency);
    v("control_files", control_files);
    v("keep_going", keep_going);
  }
};

}  // namespace loadline::json

namespace loadline::dialects::testdfsio {

std::string RunSource::to_text() const { return json::print_line(json::Writer({}).write(*this)); }

Result<RunSource> RunSource::from_text(std::string_view text) {
  Result<json::Json> parsed = json::parse(text);
  if (!parsed) return propagate(parsed);
  RunSource source;
  json::Reader reader(json::Unknown::refused);
  reader.read(*parsed, source);
  if (reader.failed()) return std::unexpected(reader.error());
  return source;
}

std::optional<RunSource> run_source(const plan::Plan& plan) {
  if (plan.stages.empty() || plan.stages.front().jobs.empty()) return std::nullopt;
  const std::string& text = plan.stages.front().jobs.front().source;
  if (text.empty()) return std::nullopt;
  Result<RunSource> source = RunSource::from_text(text);
  if (!source) return std::nullopt;
  return std::move(*source);
}

}  // namespace loadline::dialects::testdfsio
