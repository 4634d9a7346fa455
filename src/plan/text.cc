#include "plan/text.h"

#include "plan/check.h"
#include "plan/json_reader.h"
#include "plan/json_writer.h"
#include "plan/plan_fields.h"
#include "target/masking.h"

namespace loadline::json {

// An object in the order of the workload, the values as text.
template <>
struct Codec<target::Parameters> {
  static Json write(const target::Parameters& parameters, const Writer& writer) {
    Json object = Json::object();
    for (const auto& [key, value] : parameters.entries()) {
      object[key] = writer.mask_secrets() ? target::masked_value(key, value) : value;
    }
    return object;
  }
  static void read(const Json& json, target::Parameters& parameters, Reader& reader) {
    if (!json.is_object()) return reader.fail("is not an object");
    for (const auto& [key, value] : json.items()) {
      const Reader::Step step(reader, key);
      std::string text;
      reader.read(value, text);
      parameters.set(key, std::move(text));
    }
  }
};

// The whole text: the version comes first.
struct Document {
  int plan_version = plan::k_text_version;
  plan::Plan plan;
};

template <>
struct Fields<Document> {
  static void visit(auto& v, auto& document) {
    v("plan_version", document.plan_version);
    Fields<plan::Plan>::visit(v, document.plan);
  }
};

}  // namespace loadline::json

namespace loadline::plan {

std::string to_text(const Plan& plan, Secrets secrets) {
  const json::Writer writer({.mask_secrets = secrets == Secrets::masked});
  return json::print(writer.write(json::Document{.plan = plan}));
}

Result<Plan> from_text(std::string_view text) {
  Result<json::Json> parsed = json::parse(text);
  if (!parsed) return propagate(parsed);
  Result<void> version = json::check_version(*parsed, "plan_version", k_text_version, "plan");
  if (!version) return propagate(version);
  json::Document document;
  json::Reader reader(json::Unknown::refused);
  reader.read(*parsed, document);
  if (reader.failed()) return std::unexpected(reader.error());
  if (Result<void> sound = check(document.plan); !sound) return propagate(sound);
  return std::move(document.plan);
}

}  // namespace loadline::plan
