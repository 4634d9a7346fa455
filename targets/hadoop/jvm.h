// The Java VM of this process. JNI allows one a process, for its whole life, so it is started by
// the first who needs it and never ended. It is loaded from its library then: a run without Java
// touches nothing of it.
//
// Threads: start() from any thread, one at a time. A thread that calls into Java is attached by its
// first call and detached when it ends, while the VM lives on. No process may be forked off after
// the start to use it: the copy would have one thread of the VM's many.
#pragma once

#include <jni.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "targets/hadoop/classes.h"
#include "targets/hadoop/jni_calls.h"

namespace loadline::targets::hadoop {

struct VmStart {
  std::string library;               // path of libjvm.so
  std::vector<std::string> options;  // the VM's
  std::string class_path_from;       // for messages
  std::string wanted;                // what the user asked for: who asks for another is refused
};

class Jvm {
 public:
  // Errors: the library or the VM's options are wrong, the class path has no Hadoop.
  static Result<Jvm*> start(const VmStart& start);
  // The VM that runs, null where there is none yet. Error: it was started for something else, or in
  // the process that this one is a copy of.
  static Result<Jvm*> running(std::string_view wanted);
  // Whatever it was started for; null in a copy of its process too, where it cannot be used.
  static Jvm* running_any();

  // Attaches the calling thread; `name` is what Java calls it then.
  Calls calls(std::string_view name = "loadline") const;
  const Classes& classes() const { return classes_; }

 private:
  Result<void> create(const VmStart& start);
  Result<void> prepare(JNIEnv* env, const VmStart& start);

  JavaVM* vm_ = nullptr;
  Classes classes_;
};

struct AttachedThread {
  JNIEnv* env;
  bool fresh;  // attached by this call
};

// The calling thread's environment, attached as a daemon where it was not.
AttachedThread attached(JavaVM* vm, std::string_view name = "loadline");

}  // namespace loadline::targets::hadoop
