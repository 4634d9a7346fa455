#include "targets/hadoop/find_java.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace loadline::targets::hadoop {
namespace {

namespace fs = std::filesystem;

// The folder's name in a Java 8.
constexpr std::string_view k_processor =
#if defined(__x86_64__)
    "amd64";
#elif defined(__aarch64__)
    "aarch64";
#elif defined(__powerpc64__)
    "ppc64le";
#else
    "unknown";
#endif

struct Layout {
  std::string below;  // the home
  bool modules;
};

std::array<Layout, 3> layouts() {
  return {{{"lib/server", true},
           {fmt::format("jre/lib/{}/server", k_processor), false},
           {fmt::format("lib/{}/server", k_processor), false}}};
}

std::vector<std::string> homes_of(const JavaPlaces& places) {
  if (!places.parameter.empty()) return {places.parameter};
  std::vector<std::string> homes;
  const auto add = [&](std::string home) {
    if (!home.empty() && std::ranges::find(homes, home) == homes.end()) {
      homes.push_back(std::move(home));
    }
  };
  add(places.environment);
  add(home_of_java(places.search_path));
  add(places.folder_of_all + "/default-java");
  std::vector<std::string> all;
  std::error_code error;
  for (fs::directory_iterator it(places.folder_of_all, error), end; !error && it != end;
       it.increment(error)) {
    all.push_back(it->path().string());
  }
  std::ranges::sort(all);
  for (std::string& home : all) add(std::move(home));
  return homes;
}

}  // namespace

std::string home_of_java(const std::string& search_path) {
  std::string_view rest = search_path;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string folder(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    if (folder.empty()) continue;
    std::error_code error;
    const fs::path java = fs::canonical(fs::path(folder) / "java", error);
    if (error || !fs::is_regular_file(java, error)) continue;
    fs::path home = java.parent_path().parent_path();
    if (home.filename() == "jre") home = home.parent_path();
    return home.string();
  }
  return {};
}

Result<JavaLibrary> find_java(const JavaPlaces& places) {
  std::vector<std::string> tried;
  for (const std::string& home : homes_of(places)) {
    for (const Layout& layout : layouts()) {
      std::string path = home + "/" + layout.below + "/libjvm.so";
      std::error_code error;
      if (fs::exists(path, error)) return JavaLibrary{std::move(path), layout.modules};
      tried.push_back(std::move(path));
    }
  }
  return fail(ErrorCode::not_found,
              fmt::format("no Java VM (libjvm.so) was found; java_home={} would be right; tried {}",
                          "/usr/lib/jvm/NAME", fmt::join(tried, ", ")),
              "java_home");
}

}  // namespace loadline::targets::hadoop
