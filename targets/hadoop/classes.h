// Every class, method and field of Java that this folder uses, looked up once when the VM starts.
// A call through one of them costs some 100 ns; looking one up by name each time costs three times
// that. What only some versions or file systems have may be null, and is marked `optional`.
//
// Ownership: the classes are global references that live as long as the VM. Threads: written once
// before any other thread sees them, then read by all.
#pragma once

#include <jni.h>

#include "base/error.h"

namespace loadline::targets::hadoop {

// Of the VM's own library.
struct JavaClasses {
  jmethodID object_class = nullptr;
  jmethodID object_text = nullptr;
  jmethodID class_name = nullptr;
  jmethodID class_parent = nullptr;
  jmethodID throwable_message = nullptr;
  jmethodID throwable_cause = nullptr;
  jmethodID throwable_trace = nullptr;
  jmethodID frame_class = nullptr;
  jmethodID frame_method = nullptr;
  jclass thread = nullptr;
  jmethodID thread_current = nullptr;  // static
  jmethodID thread_set_loader = nullptr;
  jmethodID thread_count = nullptr;  // static
  jclass loader = nullptr;
  jmethodID system_loader = nullptr;  // static
  jclass system = nullptr;
  jmethodID property = nullptr;  // static
  jmethodID set_out = nullptr;   // static
  jfieldID err = nullptr;        // static
  jmethodID buffer_position = nullptr;
  jmethodID buffer_limit = nullptr;
  jclass uri = nullptr;
  jmethodID uri_create = nullptr;  // static
};

struct HadoopClasses {
  jclass configuration = nullptr;
  jmethodID configuration_new = nullptr;
  jmethodID configuration_set = nullptr;
  jmethodID configuration_get = nullptr;
  jmethodID configuration_add = nullptr;
  jmethodID configuration_sources = nullptr;  // optional
  jclass path = nullptr;
  jmethodID path_new = nullptr;
  jmethodID path_name = nullptr;

  jclass fs = nullptr;
  jmethodID fs_new = nullptr;          // static
  jmethodID fs_new_user = nullptr;     // static
  jmethodID fs_default_uri = nullptr;  // static
  jmethodID fs_uri = nullptr;
  jmethodID fs_close = nullptr;
  jmethodID fs_create = nullptr;
  jmethodID fs_create_sized = nullptr;
  jmethodID fs_append = nullptr;
  jmethodID fs_open = nullptr;
  jmethodID fs_truncate = nullptr;  // optional
  jmethodID fs_delete = nullptr;
  jmethodID fs_rename = nullptr;
  jmethodID fs_mkdirs = nullptr;
  jmethodID fs_status = nullptr;
  jmethodID fs_list = nullptr;
  jmethodID fs_summary = nullptr;
  jmethodID fs_block_size = nullptr;
  jmethodID fs_replication = nullptr;
  jmethodID fs_set_policy = nullptr;  // optional
  jmethodID fs_access = nullptr;      // optional
  jclass action = nullptr;            // optional
  jfieldID action_write = nullptr;    // optional, static

  jmethodID out_write = nullptr;
  jmethodID out_position = nullptr;
  jmethodID out_flush = nullptr;
  jmethodID out_sync = nullptr;
  jmethodID out_close = nullptr;

  jmethodID in_read = nullptr;
  jmethodID in_read_at = nullptr;
  jmethodID in_read_buffer = nullptr;     // optional
  jmethodID in_read_buffer_at = nullptr;  // optional
  jmethodID in_seek = nullptr;
  jmethodID in_close = nullptr;

  jmethodID status_length = nullptr;
  jmethodID status_folder = nullptr;
  jmethodID status_path = nullptr;
  jmethodID iterator_more = nullptr;
  jmethodID iterator_next = nullptr;

  jmethodID summary_length = nullptr;
  jmethodID summary_files = nullptr;
  jmethodID summary_folders = nullptr;
  jmethodID summary_space = nullptr;
  jmethodID summary_quota = nullptr;
  jmethodID summary_space_quota = nullptr;

  jclass remote = nullptr;  // optional: RemoteException, which names another
  jmethodID remote_class = nullptr;
  jclass hdfs = nullptr;  // optional: DistributedFileSystem
  jmethodID hdfs_safe_mode = nullptr;
  jclass version = nullptr;  // optional
  jmethodID version_text = nullptr;
};

struct Classes {
  JavaClasses java;
  HadoopClasses hadoop;
};

// Errors name what is missing; the class path is the caller's to add. No exception is left pending.
Result<void> resolve_java(JNIEnv* env, JavaClasses& classes);
Result<void> resolve_hadoop(JNIEnv* env, HadoopClasses& classes);

}  // namespace loadline::targets::hadoop
