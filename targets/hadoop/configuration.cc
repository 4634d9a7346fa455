#include "targets/hadoop/configuration.h"

#include <array>

namespace loadline::targets::hadoop {
namespace {

struct Setting {
  std::string_view key;
  std::string_view value;
};

// Hadoop's own defaults wait for a server that is away for up to a quarter of an hour.
constexpr auto k_patience = std::to_array<Setting>({
    {"ipc.client.connect.max.retries", "3"},
    {"ipc.client.connect.max.retries.on.timeouts", "2"},
    {"ipc.client.connect.timeout", "10000"},
});

Called<void> set(Calls& calls, jobject configuration, std::string_view key,
                 std::string_view value) {
  auto java_key = calls.string(key);
  if (!java_key) return pass_on(java_key);
  auto java_value = calls.string(value);
  if (!java_value) return pass_on(java_value);
  return calls.run(configuration, calls.hadoop().configuration_set, *java_key, *java_value);
}

// Did a file of the user's set it? What comes with Hadoop is in *-default.xml.
bool set_by_user(Calls& calls, jobject configuration, std::string_view key) {
  auto java_key = calls.string(key);
  if (!java_key) return false;
  const auto sources = calls.object(configuration, calls.hadoop().configuration_sources, *java_key);
  if (!sources || *sources == nullptr) return false;
  JNIEnv* env = calls.env();
  auto* names = static_cast<jobjectArray>(*sources);
  const jsize count = env->GetArrayLength(names);
  if (count == 0) return false;
  jobject last = env->GetObjectArrayElement(names, count - 1);
  if (env->ExceptionCheck()) {
    env->ExceptionClear();
    return false;
  }
  return calls.text(last).find("-default.xml") == std::string::npos;
}

}  // namespace

Called<jobject> make_configuration(Calls& calls, const Config& config) {
  const HadoopClasses& hadoop = calls.hadoop();
  auto made = calls.make(hadoop.configuration, hadoop.configuration_new);
  if (!made) return made;
  for (const std::string& file : config.conf_files) {
    auto text = calls.string("file://" + file);
    if (!text) return text;
    auto path = calls.make(hadoop.path, hadoop.path_new, *text);
    if (!path) return path;
    if (auto added = calls.run(*made, hadoop.configuration_add, *path); !added) {
      return pass_on(added);
    }
  }
  for (const Setting& one : k_patience) {
    if (set_by_user(calls, *made, one.key)) continue;
    if (auto done = set(calls, *made, one.key, one.value); !done) return pass_on(done);
  }
  for (const auto& [key, value] : config.settings) {
    if (auto done = set(calls, *made, key, value.reveal()); !done) return pass_on(done);
  }
  return made;
}

}  // namespace loadline::targets::hadoop
