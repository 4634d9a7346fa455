#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace loadline {

struct StderrLog::Impl {
  // allowed: spdlog takes its sinks shared
  spdlog::logger logger{"loadline", std::make_shared<spdlog::sinks::stderr_sink_mt>()};
};

namespace {
spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return spdlog::level::debug;
    case LogLevel::info: return spdlog::level::info;
    case LogLevel::warn: return spdlog::level::warn;
    case LogLevel::error: return spdlog::level::err;
  }
  return spdlog::level::info;
}
}  // namespace

StderrLog::StderrLog(LogLevel least) : impl_(std::make_unique<Impl>()) {
  impl_->logger.set_pattern("%l %Y-%m-%dT%H:%M:%S.%e %v");
  impl_->logger.set_level(level_of(least));
}

StderrLog::~StderrLog() = default;

void StderrLog::write(LogLevel level, std::string_view component, std::string_view text) {
  impl_->logger.log(level_of(level), "{} {}", component, text);
}

}  // namespace loadline
