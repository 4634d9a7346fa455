#include "targets/hadoop/jni_calls.h"

#include <cerrno>
#include <cstdint>
#include <vector>

#include "targets/hadoop/jvm.h"
#include "targets/hadoop/utf16.h"

namespace loadline::targets::hadoop {

GlobalRef::GlobalRef(JNIEnv* env, jobject local) {
  if (local == nullptr || env->GetJavaVM(&vm_) != JNI_OK) return;
  object_ = env->NewGlobalRef(local);
}

GlobalRef::~GlobalRef() {
  if (object_ != nullptr) attached(vm_).env->DeleteGlobalRef(object_);
}

Called<jobject> Calls::string(std::string_view text) {
  const std::vector<std::uint16_t> units = to_utf16(text);
  jstring made = env_->NewString(units.data(), static_cast<jsize>(units.size()));
  if (env_->ExceptionCheck()) return failed();
  return made;
}

std::string Calls::text(jobject string) {
  if (string == nullptr) return {};
  auto* java = static_cast<jstring>(string);
  std::vector<std::uint16_t> units(static_cast<std::size_t>(env_->GetStringLength(java)));
  if (!units.empty()) {
    env_->GetStringRegion(java, 0, static_cast<jsize>(units.size()), units.data());
    if (env_->ExceptionCheck()) env_->ExceptionClear();
  }
  return to_utf8(units);
}

std::string Calls::text_of(jobject of) {
  if (of == nullptr) return {};
  const auto got = object(of, java().object_text);
  return got ? text(*got) : std::string();
}

GlobalRef Calls::keep(jobject local) {
  GlobalRef kept(env_, local);
  env_->DeleteLocalRef(local);
  return kept;
}

std::unexpected<Failure> Calls::missing() {
  return std::unexpected<Failure>(failure_of(target::Outcome::unsupported, EOPNOTSUPP,
                                             "this version of Hadoop has no such call"));
}

}  // namespace loadline::targets::hadoop
