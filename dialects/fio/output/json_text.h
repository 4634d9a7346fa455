// A JSON document in fio's layout: two spaces a level, `"key" : value`, floats with six places,
// keys in the order they are written.
//
// Threads: used by one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loadline::dialects::fio::output {

class JsonText {
 public:
  void begin_object(std::string_view key = {}) { open(key, '{'); }
  void end_object() { close('}'); }
  void begin_array(std::string_view key = {}) { open(key, '['); }
  void end_array() { close(']'); }
  void integer(std::string_view key, std::uint64_t value);
  void real(std::string_view key, double value);
  void text(std::string_view key, std::string_view value);

  // The whole text, with a newline at its end. All that was begun has been ended.
  std::string take();

 private:
  void open(std::string_view key, char bracket);
  void close(char bracket);
  void item(std::string_view key);
  void quoted(std::string_view text);

  std::string out_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

}  // namespace loadline::dialects::fio::output
