// Calls into Java from the calling thread, with their exceptions taken: a call gives a value or a
// Failure, and never leaves an exception pending.
//
// Ownership: objects that a call returns are local references; they go with the Frame around them.
// A GlobalRef outlives frames and threads. Threads: a Calls is of the thread that it was made for.
#pragma once

#include <jni.h>

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "targets/hadoop/classes.h"
#include "targets/hadoop/exception.h"

namespace loadline::targets::hadoop {

template <typename T>
using Called = std::expected<T, Failure>;

template <typename T>
std::unexpected<Failure> pass_on(Called<T>& failed) {
  return std::unexpected<Failure>(std::move(failed.error()));
}

// Local references made while it lives are gone after it.
class Frame {
 public:
  explicit Frame(JNIEnv* env) : env_(env), open_(env->PushLocalFrame(k_locals) == JNI_OK) {
    if (!open_) env_->ExceptionClear();  // no memory: the next call will say so
  }
  ~Frame() {
    if (open_) env_->PopLocalFrame(nullptr);
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

 private:
  static constexpr jint k_locals = 64;
  JNIEnv* env_;
  bool open_;
};

// An object that is kept. Let go of by whichever thread ends its life, which gets attached.
class GlobalRef {
 public:
  GlobalRef() = default;
  GlobalRef(JNIEnv* env, jobject local);
  GlobalRef(GlobalRef&& o) noexcept : vm_(o.vm_), object_(std::exchange(o.object_, nullptr)) {}
  GlobalRef& operator=(GlobalRef&& o) noexcept {
    std::swap(vm_, o.vm_);
    std::swap(object_, o.object_);
    return *this;
  }
  ~GlobalRef();
  jobject get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  JavaVM* vm_ = nullptr;
  jobject object_ = nullptr;
};

inline jvalue to_jvalue(bool v) { return {.z = static_cast<jboolean>(v ? JNI_TRUE : JNI_FALSE)}; }
inline jvalue to_jvalue(jshort v) { return {.s = v}; }
inline jvalue to_jvalue(jint v) { return {.i = v}; }
inline jvalue to_jvalue(jlong v) { return {.j = v}; }
inline jvalue to_jvalue(jobject v) { return {.l = v}; }

class Calls {
 public:
  Calls(JNIEnv* env, const Classes& classes) : env_(env), classes_(&classes) {}

  JNIEnv* env() const { return env_; }
  const JavaClasses& java() const { return classes_->java; }
  const HadoopClasses& hadoop() const { return classes_->hadoop; }

  template <typename... A>
  Called<void> run(jobject on, jmethodID method, A... arguments) {
    if (method == nullptr) return missing();
    const jvalue values[] = {to_jvalue(arguments)..., jvalue{}};
    env_->CallVoidMethodA(on, method, values);
    if (env_->ExceptionCheck()) [[unlikely]]
      return failed();
    return {};
  }
  template <typename... A>
  Called<jint> integer(jobject on, jmethodID method, A... arguments) {
    if (method == nullptr) return missing();
    const jvalue values[] = {to_jvalue(arguments)..., jvalue{}};
    const jint got = env_->CallIntMethodA(on, method, values);
    if (env_->ExceptionCheck()) [[unlikely]]
      return failed();
    return got;
  }
  template <typename... A>
  Called<jshort> small(jobject on, jmethodID method, A... arguments) {
    if (method == nullptr) return missing();
    const jvalue values[] = {to_jvalue(arguments)..., jvalue{}};
    const jshort got = env_->CallShortMethodA(on, method, values);
    if (env_->ExceptionCheck()) [[unlikely]]
      return failed();
    return got;
  }
  template <typename... A>
  Called<jlong> number(jobject on, jmethodID method, A... arguments) {
    if (method == nullptr) return missing();
    const jvalue values[] = {to_jvalue(arguments)..., jvalue{}};
    const jlong got = env_->CallLongMethodA(on, method, values);
    if (env_->ExceptionCheck()) [[unlikely]]
      return failed();
    return got;
  }
  template <typename... A>
  Called<bool> truth(jobject on, jmethodID method, A... arguments) {
    if (method == nullptr) return missing();
    const jvalue values[] = {to_jvalue(arguments)..., jvalue{}};
    const jboolean got = env_->CallBooleanMethodA(on, method, values);
    if (env_->ExceptionCheck()) [[unlikely]]
      return failed();
    return got == JNI_TRUE;
  }
  template <typename... A>
  Called<jobject> object(jobject on, jmethodID method, A... arguments) {
    if (method == nullptr) return missing();
    const jvalue values[] = {to_jvalue(arguments)..., jvalue{}};
    jobject got = env_->CallObjectMethodA(on, method, values);
    if (env_->ExceptionCheck()) [[unlikely]]
      return failed();
    return got;
  }
  template <typename... A>
  Called<jobject> of_class(jclass type, jmethodID function, A... arguments) {
    if (function == nullptr) return missing();
    const jvalue values[] = {to_jvalue(arguments)..., jvalue{}};
    jobject got = env_->CallStaticObjectMethodA(type, function, values);
    if (env_->ExceptionCheck()) [[unlikely]]
      return failed();
    return got;
  }
  template <typename... A>
  Called<jobject> make(jclass type, jmethodID constructor, A... arguments) {
    const jvalue values[] = {to_jvalue(arguments)..., jvalue{}};
    jobject got = env_->NewObjectA(type, constructor, values);
    if (env_->ExceptionCheck()) [[unlikely]]
      return failed();
    return got;
  }

  Called<jobject> string(std::string_view text);
  // "" of null.
  std::string text(jobject string);
  // What toString() says; "" where it fails.
  std::string text_of(jobject object);
  // A kept object; the local one is let go.
  GlobalRef keep(jobject local);

  // The pending exception. There is one.
  std::unexpected<Failure> failed() {
    return std::unexpected<Failure>(take_failure(env_, *classes_));
  }

 private:
  static std::unexpected<Failure> missing();

  JNIEnv* env_;
  const Classes* classes_;
};

}  // namespace loadline::targets::hadoop
