#include "drive/build_info.h"

#include <fmt/format.h>

#include "build_info_values.h"

#ifdef __has_feature
#define LOADLINE_HAS_FEATURE(x) __has_feature(x)
#else
#define LOADLINE_HAS_FEATURE(x) 0
#endif

namespace loadline::drive {
namespace {

std::string compiler() {
#ifdef __clang__
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string sanitizers() {
#if defined(__SANITIZE_ADDRESS__) || LOADLINE_HAS_FEATURE(address_sanitizer)
  return "address";
#elif defined(__SANITIZE_THREAD__) || LOADLINE_HAS_FEATURE(thread_sanitizer)
  return "thread";
#elif LOADLINE_HAS_FEATURE(memory_sanitizer)
  return "memory";
#elif LOADLINE_HAS_FEATURE(undefined_behavior_sanitizer)
  return "undefined";
#else
  return {};
#endif
}

}  // namespace

std::string BuildInfo::release() const { return fmt::format("{} (commit {})", version, commit); }

std::string BuildInfo::how() const {
  std::string text = build_type.empty() ? "no build type" : build_type;
  text += ", " + compiler;
  if (!sanitizers.empty()) text += ", sanitizer: " + sanitizers;
  return text;
}

BuildInfo build_info() {
  return {.version = LOADLINE_VERSION,
          .commit = LOADLINE_COMMIT,
          .build_type = LOADLINE_BUILD_TYPE,
          .compiler = compiler(),
          .sanitizers = sanitizers()};
}

}  // namespace loadline::drive
