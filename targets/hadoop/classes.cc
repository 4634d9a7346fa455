#include "targets/hadoop/classes.h"

#include <fmt/format.h>

#include <string>

namespace loadline::targets::hadoop {
namespace {

#define LOADLINE_FS "org/apache/hadoop/fs/"

enum class Presence : bool { required, optional };

// Looks names up, and remembers the first that is missing and should not be.
class Resolver {
 public:
  explicit Resolver(JNIEnv* env) : env_(env) {}

  // A local reference, for members; null where there is none.
  jclass find(const char* name, Presence presence = Presence::required) {
    jclass found = env_->FindClass(name);
    note(found != nullptr, fmt::format("class {}", name), presence);
    return found;
  }
  jclass keep(const char* name, Presence presence = Presence::required) {
    jclass found = find(name, presence);
    return found == nullptr ? nullptr : static_cast<jclass>(env_->NewGlobalRef(found));
  }
  jmethodID method(jclass of, const char* name, const char* signature,
                   Presence presence = Presence::required) {
    if (of == nullptr) return nullptr;
    jmethodID found = env_->GetMethodID(of, name, signature);
    note(found != nullptr, fmt::format("method {}{}", name, signature), presence);
    return found;
  }
  jmethodID function(jclass of, const char* name, const char* signature,
                     Presence presence = Presence::required) {
    if (of == nullptr) return nullptr;
    jmethodID found = env_->GetStaticMethodID(of, name, signature);
    note(found != nullptr, fmt::format("static method {}{}", name, signature), presence);
    return found;
  }
  jfieldID constant(jclass of, const char* name, const char* signature,
                    Presence presence = Presence::required) {
    if (of == nullptr) return nullptr;
    jfieldID found = env_->GetStaticFieldID(of, name, signature);
    note(found != nullptr, fmt::format("field {}", name), presence);
    return found;
  }

  Result<void> result() const {
    if (missing_.empty()) return {};
    return fail(ErrorCode::not_found, missing_);
  }

 private:
  void note(bool found, std::string what, Presence presence) {
    if (found) return;
    env_->ExceptionClear();
    if (presence == Presence::required && missing_.empty()) missing_ = std::move(what);
  }

  JNIEnv* env_;
  std::string missing_;
};

void resolve_file_system(Resolver& r, HadoopClasses& c) {
  c.fs = r.keep(LOADLINE_FS "FileSystem");
  c.fs_new = r.function(c.fs, "newInstance",
                        "(Ljava/net/URI;Lorg/apache/hadoop/conf/Configuration;)L" LOADLINE_FS
                        "FileSystem;");
  c.fs_new_user = r.function(c.fs, "newInstance",
                             "(Ljava/net/URI;Lorg/apache/hadoop/conf/Configuration;"
                             "Ljava/lang/String;)L" LOADLINE_FS "FileSystem;");
  c.fs_default_uri =
      r.function(c.fs, "getDefaultUri", "(Lorg/apache/hadoop/conf/Configuration;)Ljava/net/URI;");
  c.fs_uri = r.method(c.fs, "getUri", "()Ljava/net/URI;");
  c.fs_close = r.method(c.fs, "close", "()V");
  c.fs_create =
      r.method(c.fs, "create", "(L" LOADLINE_FS "Path;ZI)L" LOADLINE_FS "FSDataOutputStream;");
  c.fs_create_sized =
      r.method(c.fs, "create", "(L" LOADLINE_FS "Path;ZISJ)L" LOADLINE_FS "FSDataOutputStream;");
  c.fs_append =
      r.method(c.fs, "append", "(L" LOADLINE_FS "Path;I)L" LOADLINE_FS "FSDataOutputStream;");
  c.fs_open = r.method(c.fs, "open", "(L" LOADLINE_FS "Path;I)L" LOADLINE_FS "FSDataInputStream;");
  c.fs_truncate = r.method(c.fs, "truncate", "(L" LOADLINE_FS "Path;J)Z", Presence::optional);
  c.fs_delete = r.method(c.fs, "delete", "(L" LOADLINE_FS "Path;Z)Z");
  c.fs_rename = r.method(c.fs, "rename", "(L" LOADLINE_FS "Path;L" LOADLINE_FS "Path;)Z");
  c.fs_mkdirs = r.method(c.fs, "mkdirs", "(L" LOADLINE_FS "Path;)Z");
  c.fs_status =
      r.method(c.fs, "getFileStatus", "(L" LOADLINE_FS "Path;)L" LOADLINE_FS "FileStatus;");
  c.fs_list = r.method(c.fs, "listStatusIterator",
                       "(L" LOADLINE_FS "Path;)L" LOADLINE_FS "RemoteIterator;");
  c.fs_summary =
      r.method(c.fs, "getContentSummary", "(L" LOADLINE_FS "Path;)L" LOADLINE_FS "ContentSummary;");
  c.fs_block_size = r.method(c.fs, "getDefaultBlockSize", "(L" LOADLINE_FS "Path;)J");
  c.fs_replication = r.method(c.fs, "getDefaultReplication", "(L" LOADLINE_FS "Path;)S");
  c.fs_set_policy = r.method(c.fs, "setStoragePolicy", "(L" LOADLINE_FS "Path;Ljava/lang/String;)V",
                             Presence::optional);
  c.action = r.keep(LOADLINE_FS "permission/FsAction", Presence::optional);
  c.action_write = r.constant(c.action, "WRITE_EXECUTE", "L" LOADLINE_FS "permission/FsAction;",
                              Presence::optional);
  c.fs_access =
      r.method(c.fs, "access", "(L" LOADLINE_FS "Path;L" LOADLINE_FS "permission/FsAction;)V",
               Presence::optional);
}

void resolve_streams(Resolver& r, HadoopClasses& c) {
  jclass out = r.find(LOADLINE_FS "FSDataOutputStream");
  c.out_write = r.method(out, "write", "([BII)V");
  c.out_position = r.method(out, "getPos", "()J");
  c.out_flush = r.method(out, "hflush", "()V");
  c.out_sync = r.method(out, "hsync", "()V");
  c.out_close = r.method(out, "close", "()V");

  jclass in = r.find(LOADLINE_FS "FSDataInputStream");
  c.in_read = r.method(in, "read", "([BII)I");
  c.in_read_at = r.method(in, "read", "(J[BII)I");
  c.in_read_buffer = r.method(in, "read", "(Ljava/nio/ByteBuffer;)I", Presence::optional);
  c.in_read_buffer_at = r.method(in, "read", "(JLjava/nio/ByteBuffer;)I", Presence::optional);
  c.in_seek = r.method(in, "seek", "(J)V");
  c.in_close = r.method(in, "close", "()V");
}

void resolve_facts(Resolver& r, HadoopClasses& c) {
  jclass status = r.find(LOADLINE_FS "FileStatus");
  c.status_length = r.method(status, "getLen", "()J");
  c.status_folder = r.method(status, "isDirectory", "()Z");
  c.status_path = r.method(status, "getPath", "()L" LOADLINE_FS "Path;");
  jclass iterator = r.find(LOADLINE_FS "RemoteIterator");
  c.iterator_more = r.method(iterator, "hasNext", "()Z");
  c.iterator_next = r.method(iterator, "next", "()Ljava/lang/Object;");
  jclass summary = r.find(LOADLINE_FS "ContentSummary");
  c.summary_length = r.method(summary, "getLength", "()J");
  c.summary_files = r.method(summary, "getFileCount", "()J");
  c.summary_folders = r.method(summary, "getDirectoryCount", "()J");
  c.summary_space = r.method(summary, "getSpaceConsumed", "()J");
  c.summary_quota = r.method(summary, "getQuota", "()J");
  c.summary_space_quota = r.method(summary, "getSpaceQuota", "()J");
  c.remote = r.keep("org/apache/hadoop/ipc/RemoteException", Presence::optional);
  c.remote_class = r.method(c.remote, "getClassName", "()Ljava/lang/String;", Presence::optional);
  c.hdfs = r.keep("org/apache/hadoop/hdfs/DistributedFileSystem", Presence::optional);
  c.hdfs_safe_mode = r.method(c.hdfs, "isInSafeMode", "()Z", Presence::optional);
  c.version = r.keep("org/apache/hadoop/util/VersionInfo", Presence::optional);
  c.version_text = r.function(c.version, "getVersion", "()Ljava/lang/String;", Presence::optional);
}

}  // namespace

Result<void> resolve_java(JNIEnv* env, JavaClasses& c) {
  Resolver r(env);
  jclass object = r.find("java/lang/Object");
  c.object_class = r.method(object, "getClass", "()Ljava/lang/Class;");
  c.object_text = r.method(object, "toString", "()Ljava/lang/String;");
  jclass type = r.find("java/lang/Class");
  c.class_name = r.method(type, "getName", "()Ljava/lang/String;");
  c.class_parent = r.method(type, "getSuperclass", "()Ljava/lang/Class;");
  jclass throwable = r.find("java/lang/Throwable");
  c.throwable_message = r.method(throwable, "getMessage", "()Ljava/lang/String;");
  c.throwable_cause = r.method(throwable, "getCause", "()Ljava/lang/Throwable;");
  c.throwable_trace = r.method(throwable, "getStackTrace", "()[Ljava/lang/StackTraceElement;");
  jclass frame = r.find("java/lang/StackTraceElement");
  c.frame_class = r.method(frame, "getClassName", "()Ljava/lang/String;");
  c.frame_method = r.method(frame, "getMethodName", "()Ljava/lang/String;");
  c.thread = r.keep("java/lang/Thread");
  c.thread_current = r.function(c.thread, "currentThread", "()Ljava/lang/Thread;");
  c.thread_set_loader = r.method(c.thread, "setContextClassLoader", "(Ljava/lang/ClassLoader;)V");
  c.thread_count = r.function(c.thread, "activeCount", "()I");
  c.loader = r.keep("java/lang/ClassLoader");
  c.system_loader = r.function(c.loader, "getSystemClassLoader", "()Ljava/lang/ClassLoader;");
  c.system = r.keep("java/lang/System");
  c.property = r.function(c.system, "getProperty", "(Ljava/lang/String;)Ljava/lang/String;");
  c.set_out = r.function(c.system, "setOut", "(Ljava/io/PrintStream;)V");
  c.err = r.constant(c.system, "err", "Ljava/io/PrintStream;");
  jclass buffer = r.find("java/nio/Buffer");
  c.buffer_position = r.method(buffer, "position", "(I)Ljava/nio/Buffer;");
  c.buffer_limit = r.method(buffer, "limit", "(I)Ljava/nio/Buffer;");
  c.uri = r.keep("java/net/URI");
  c.uri_create = r.function(c.uri, "create", "(Ljava/lang/String;)Ljava/net/URI;");
  return r.result();
}

Result<void> resolve_hadoop(JNIEnv* env, HadoopClasses& c) {
  Resolver r(env);
  c.configuration = r.keep("org/apache/hadoop/conf/Configuration");
  c.configuration_new = r.method(c.configuration, "<init>", "()V");
  c.configuration_set = r.method(c.configuration, "set", "(Ljava/lang/String;Ljava/lang/String;)V");
  c.configuration_get = r.method(c.configuration, "get", "(Ljava/lang/String;)Ljava/lang/String;");
  c.configuration_add = r.method(c.configuration, "addResource", "(L" LOADLINE_FS "Path;)V");
  c.configuration_sources = r.method(c.configuration, "getPropertySources",
                                     "(Ljava/lang/String;)[Ljava/lang/String;", Presence::optional);
  c.path = r.keep(LOADLINE_FS "Path");
  c.path_new = r.method(c.path, "<init>", "(Ljava/lang/String;)V");
  c.path_name = r.method(c.path, "getName", "()Ljava/lang/String;");
  resolve_file_system(r, c);
  resolve_streams(r, c);
  resolve_facts(r, c);
  return r.result();
}

#undef LOADLINE_FS

}  // namespace loadline::targets::hadoop
