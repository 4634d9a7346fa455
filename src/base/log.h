// The operators' log: one line per event on stderr, `level time component key=value`. Never inside
// the operation loop; results never go through it. Backed by spdlog in log.cc alone.
//
// Threads: safe from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace loadline {

enum class LogLevel : std::uint8_t { debug, info, warn, error };

class Log {
 public:
  virtual ~Log() = default;
  virtual void write(LogLevel level, std::string_view component, std::string_view text) = 0;

  void info(std::string_view component, std::string_view text) {
    write(LogLevel::info, component, text);
  }
  void warn(std::string_view component, std::string_view text) {
    write(LogLevel::warn, component, text);
  }
  void error(std::string_view component, std::string_view text) {
    write(LogLevel::error, component, text);
  }
};

// Writes to stderr lines at or above `least`.
class StderrLog final : public Log {
 public:
  explicit StderrLog(LogLevel least);
  ~StderrLog() override;
  void write(LogLevel level, std::string_view component, std::string_view text) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Drops everything.
class NullLog final : public Log {
 public:
  void write(LogLevel, std::string_view, std::string_view) override {}
};

}  // namespace loadline
