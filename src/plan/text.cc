#include "plan/text.h"

#include "plan/check.h"
#include "plan/plan_fields.h"

namespace loadline::json {

// An object in the order of the workload, the values as text.
template <>
struct Codec<target::Parameters> {
  static Json write(const target::Parameters& parameters, const Writer& writer) {
    Json object = Json::object();
    for (const auto& [key, value] : parameters.entries()) {
      const bool mask = writer.mask_secrets() && !value.empty() && target::is_secret_key(key);
      object[key] = mask ? std::string(Secret::k_mask) : value;
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
namespace {

// Before anything else is looked at: another version may mean something else by the same words.
Result<void> check_version(const json::Json& document) {
  constexpr const char* k_key = "plan_version";
  if (!document.is_object() || !document.contains(k_key) || !document[k_key].is_number_integer()) {
    return fail(ErrorCode::bad_input, "not a plan: there is no whole number plan_version", k_key);
  }
  const json::Json& version = document[k_key];
  if (version != k_text_version) {
    return fail(ErrorCode::bad_input,
                "version " + json::print(version, -1) + " is not known; this build reads version " +
                    std::to_string(k_text_version),
                k_key);
  }
  return {};
}

}  // namespace

std::string to_text(const Plan& plan, Secrets secrets) {
  const json::Writer writer(secrets == Secrets::masked);
  return json::print(writer.write(json::Document{.plan = plan}), 2) + "\n";
}

Result<Plan> from_text(std::string_view text) {
  Result<json::Json> parsed = json::parse(text);
  if (!parsed) return propagate(parsed);
  if (Result<void> version = check_version(*parsed); !version) return propagate(version);
  json::Document document;
  json::Reader reader(json::Unknown::refused);
  reader.read(*parsed, document);
  if (reader.failed()) return std::unexpected(reader.error());
  if (Result<void> sound = check(document.plan); !sound) return propagate(sound);
  return std::move(document.plan);
}

}  // namespace loadline::plan
