#include "plan/json_reader.h"

#include <algorithm>

namespace loadline::json {
namespace {

// A key from outside, fit for one line of an error message.
std::string printable(std::string_view key) {
  std::string result(key.substr(0, 64));
  std::ranges::replace_if(result, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return result;
}

}  // namespace

Reader::Step::Step(Reader& reader, std::string_view key)
    : reader_(reader), length_(reader.path_.size()) {
  if (length_ > 0) reader_.path_ += '.';
  reader_.path_ += key;
}

Reader::Step::Step(Reader& reader, std::size_t index)
    : reader_(reader), length_(reader.path_.size()) {
  reader_.path_.append("[").append(std::to_string(index)).append("]");
}

void Reader::fail(std::string what) {
  if (!error_) error_ = Error{ErrorCode::bad_input, std::move(what), path_};
}

const Json* Reader::find(const char* key) {
  if (failed()) return nullptr;
  known_.emplace_back(key);
  const auto it = object_->find(key);
  return it == object_->end() ? nullptr : &*it;
}

void Reader::read_number(const Json& json, double& into) {
  if (!json.is_number()) return fail("is not a number");
  into = json.get<double>();
}

void Reader::read_text(const Json& json, std::string& into) {
  if (!json.is_string()) return fail("is not text");
  into = json.get_ref<const std::string&>();
}

void Reader::read_duration(const Json& json, Duration& into) {
  if (const auto d = duration_of(json)) {
    into = *d;
  } else {
    fail("is not a number of seconds");
  }
}

void Reader::read_wall_time(const Json& json, WallTime& into) {
  const auto time =
      json.is_string() ? parse_iso8601(json.get_ref<const std::string&>()) : std::nullopt;
  if (!time) return fail("is not a time like 2026-11-30T16:59:47.123Z");
  into = *time;
}

void Reader::refuse_unknown(const std::vector<std::string_view>& known) {
  if (failed() || unknown_ == Unknown::ignored) return;
  for (const auto& item : object_->items()) {
    if (std::ranges::find(known, std::string_view(item.key())) != known.end()) continue;
    const Step step(*this, printable(item.key()));
    return fail("is no known field");
  }
}

}  // namespace loadline::json
