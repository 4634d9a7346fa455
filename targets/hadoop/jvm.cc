#include "targets/hadoop/jvm.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <memory>
#include <mutex>

#include "base/check.h"

namespace loadline::targets::hadoop {
namespace {

// What JNI makes a matter of the process.
struct Process {
  std::mutex mutex;
  std::unique_ptr<Jvm> vm;  // guarded by mutex, like all below
  std::string failed;       // a start that cannot be repeated: JNI takes one try
  std::string wanted;
  pid_t pid = -1;

  static Process& get() {
    // allowed: a VM lives as long as its process; it is never destroyed, nor is this
    static auto* process = new Process;  // NOLINT(*-owning-memory)
    return *process;
  }
};

constexpr std::size_t k_stack = 8 << 20;

// Detaches the thread that owns it at that thread's end.
struct Attachment {
  JavaVM* vm = nullptr;
  JNIEnv* env = nullptr;
  Attachment() = default;
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;
  ~Attachment() {
    if (vm != nullptr) vm->DetachCurrentThread();
  }
};

Attachment& attachment_of_thread() {
  // allowed: what is attached is the thread, whoever calls
  thread_local Attachment attachment;
  return attachment;
}

// Runs `work` to its end on a thread with a stack of its own: the calling thread's may be small, or
// grow on demand, and the VM looks at the bounds of the stack it is made on.
Result<void> on_large_stack(const std::function<Result<void>()>& work) {
  struct Job {
    const std::function<Result<void>()>* work;
    Result<void> result;
  } job{&work, {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, k_stack);
  pthread_t thread{};
  const int error = pthread_create(
      &thread, &attributes,
      [](void* given) -> void* {
        auto* mine = static_cast<Job*>(given);
        mine->result = (*mine->work)();
        return nullptr;
      },
      &job);
  pthread_attr_destroy(&attributes);
  if (error != 0) return fail_errno(error, "cannot start a thread", "Java VM");
  pthread_join(thread, nullptr);
  return job.result;
}

std::string_view words_of(jint code) {
  switch (code) {
    case JNI_EVERSION: return "it does not know JNI 1.8: Java 8 or newer would be right";
    case JNI_ENOMEM: return "there is not enough memory for it";
    case JNI_EEXIST: return "this process has one already";
    default: return "it refuses an option or failed, and says why on standard error";
  }
}

}  // namespace

AttachedThread attached(JavaVM* vm, std::string_view name) {
  Attachment& mine = attachment_of_thread();
  if (mine.env != nullptr) [[likely]]
    return {mine.env, false};
  void* env = nullptr;
  if (vm->GetEnv(&env, JNI_VERSION_1_8) == JNI_OK) return {static_cast<JNIEnv*>(env), false};
  std::string copy(name);
  JavaVMAttachArgs arguments{.version = JNI_VERSION_1_8, .name = copy.data(), .group = nullptr};
  // Fails only where memory has run out.
  CHECK(vm->AttachCurrentThreadAsDaemon(&env, &arguments) == JNI_OK);
  mine.vm = vm;
  mine.env = static_cast<JNIEnv*>(env);
  return {mine.env, true};
}

Calls Jvm::calls(std::string_view name) const {
  const AttachedThread thread = attached(vm_, name);
  Calls calls(thread.env, classes_);
  if (thread.fresh) {
    // Hadoop finds its plugins through the thread's class loader.
    const Frame frame(thread.env);
    const JavaClasses& java = classes_.java;
    const auto loader = calls.of_class(java.loader, java.system_loader);
    const auto current = calls.of_class(java.thread, java.thread_current);
    if (loader && current) {
      // Where that fails the VM's own choice stays, which is the same but for old versions.
      static_cast<void>(calls.run(*current, java.thread_set_loader, *loader));
    }
  }
  return calls;
}

Result<Jvm*> Jvm::running(std::string_view wanted) {
  Process& process = Process::get();
  const std::scoped_lock lock(process.mutex);
  if (!process.failed.empty()) return fail(ErrorCode::unsupported, process.failed);
  if (!process.vm) return nullptr;
  if (process.pid != ::getpid()) {
    return fail(ErrorCode::unsupported,
                "a Java VM cannot be used by a copy of its process: on storage hadoop the clients "
                "of jobs are threads (fio: thread=1)");
  }
  if (process.wanted != wanted) {
    return fail(ErrorCode::unsupported,
                "one run has one Java VM, and another storage of it has started that with another "
                "java_home, hadoop_classpath, jars, jvm_options or folder in conf");
  }
  return process.vm.get();
}

Jvm* Jvm::running_any() {
  Process& process = Process::get();
  const std::scoped_lock lock(process.mutex);
  return process.pid == ::getpid() ? process.vm.get() : nullptr;
}

Result<Jvm*> Jvm::start(const VmStart& start) {
  auto there = running(start.wanted);
  if (!there || *there != nullptr) return there;
  Process& process = Process::get();
  const std::scoped_lock lock(process.mutex);
  if (process.vm) return process.vm.get();
  auto vm = std::make_unique<Jvm>();
  Jvm* made = vm.get();
  const auto created = on_large_stack([&] { return made->create(start); });
  if (!created) {
    // Until the VM has been asked for, another library may be tried.
    if (made->vm_ != nullptr) process.failed = created.error().what;
    return std::unexpected(created.error());
  }
  process.pid = ::getpid();
  process.wanted = start.wanted;
  process.vm = std::move(vm);
  return made;
}

Result<void> Jvm::create(const VmStart& start) {
  // Libraries of Java ask for each other's symbols.
  void* library = ::dlopen(start.library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    const char* why = ::dlerror();
    return fail(ErrorCode::unsupported,
                fmt::format("cannot load the Java VM: {}", why != nullptr ? why : "unknown error"),
                start.library);
  }
  using Create = jint (*)(JavaVM**, void**, void*);
  auto create = reinterpret_cast<Create>(::dlsym(library, "JNI_CreateJavaVM"));
  if (create == nullptr) {
    return fail(ErrorCode::unsupported, "has no JNI_CreateJavaVM", start.library);
  }
  std::vector<std::string> words = start.options;
  std::vector<JavaVMOption> options;
  options.reserve(words.size());
  for (std::string& word : words) {
    options.push_back({.optionString = word.data(), .extraInfo = nullptr});
  }
  JavaVMInitArgs arguments{.version = JNI_VERSION_1_8,
                           .nOptions = static_cast<jint>(options.size()),
                           .options = options.data(),
                           .ignoreUnrecognized = JNI_FALSE};
  void* env = nullptr;
  JavaVM* vm = nullptr;
  const jint code = create(&vm, &env, &arguments);
  if (code != JNI_OK) {
    return fail(ErrorCode::unsupported,
                fmt::format("the Java VM does not start: {}", words_of(code)), start.library);
  }
  vm_ = vm;
  auto prepared = prepare(static_cast<JNIEnv*>(env), start);
  vm->DetachCurrentThread();
  return prepared;
}

Result<void> Jvm::prepare(JNIEnv* env, const VmStart& start) {
  const Frame frame(env);
  if (auto java = resolve_java(env, classes_.java); !java) {
    return fail(ErrorCode::unsupported, "this Java VM lacks " + java.error().what, start.library);
  }
  // What plugins print must not end up among results.
  jobject err = env->GetStaticObjectField(classes_.java.system, classes_.java.err);
  env->CallStaticVoidMethod(classes_.java.system, classes_.java.set_out, err);
  if (env->ExceptionCheck()) env->ExceptionClear();
  if (auto hadoop = resolve_hadoop(env, classes_.hadoop); !hadoop) {
    std::string class_path;
    for (const std::string& option : start.options) {
      constexpr std::string_view k_key = "-Djava.class.path=";
      if (option.starts_with(k_key)) class_path = option.substr(k_key.size());
    }
    constexpr std::size_t k_shown = 400;
    if (class_path.size() > k_shown) class_path = class_path.substr(0, k_shown) + "...";
    return fail(ErrorCode::not_found,
                fmt::format("the class path has no usable Hadoop: {} is not found, or what it "
                            "needs is not; the class path, from {}, is {}",
                            hadoop.error().what, start.class_path_from, class_path),
                "hadoop_classpath");
  }
  return {};
}

}  // namespace loadline::targets::hadoop
