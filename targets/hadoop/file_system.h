// One client of a Hadoop file system: what it can be asked, in C++. Paths are text; streams are
// objects that the caller keeps.
//
// Ownership: closed at the end of its life, streams that are open on it then fail. Threads:
// Hadoop's clients may be used from many at once; each calls with its own Calls, within a Frame.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/units.h"
#include "target/objects.h"
#include "targets/hadoop/config.h"
#include "targets/hadoop/jni_calls.h"

namespace loadline::targets::hadoop {

struct FileStatus {
  bool is_folder = false;
  Bytes size;
};

class FileSystem {
 public:
  // Makes a client of its own, never one that others share. For most file systems that does not yet
  // mean a connection. Errors: one line, with what would be right.
  static Result<FileSystem> open(Calls& calls, const Config& config);
  FileSystem(FileSystem&&) noexcept = default;
  FileSystem& operator=(FileSystem&&) = delete;
  ~FileSystem();

  const std::string& uri() const { return uri_; }
  // Its class, e.g. "org.apache.hadoop.hdfs.DistributedFileSystem".
  const std::string& class_name() const { return class_name_; }

  Called<FileStatus> status(Calls& calls, std::string_view path) const;
  // True where it made the folder, with its parents; Hadoop says so too where it was there.
  Called<bool> make_folder(Calls& calls, std::string_view path) const;
  // Never more than one: not what is in a folder. False where there was nothing.
  Called<bool> remove(Calls& calls, std::string_view path) const;
  // Each name directly in the folder, until `visit` says that it has had enough.
  Called<void> list(
      Calls& calls, std::string_view path,
      const std::function<bool(const std::string& name, bool is_folder)>& visit) const;
  Called<target::ContentSummary> content_summary(Calls& calls, std::string_view path) const;
  // False: not done, and no reason given.
  Called<bool> rename(Calls& calls, std::string_view from, std::string_view to) const;
  // Waits where it goes on in the background: until then the file cannot be appended to.
  Called<void> truncate(Calls& calls, std::string_view path, Bytes size, const Clock& clock) const;
  // Fails where the user may not write into this folder; ok where the file system cannot tell.
  Called<void> may_write(Calls& calls, std::string_view path) const;
  // Only HDFS has such a mode.
  bool in_safe_mode(Calls& calls) const;

  Called<GlobalRef> open_stream(Calls& calls, std::string_view path) const;
  enum class Existing : bool { refused, replaced };
  Called<GlobalRef> create_stream(Calls& calls, std::string_view path, Existing existing) const;
  Called<GlobalRef> append_stream(Calls& calls, std::string_view path) const;

 private:
  explicit FileSystem(const Config& config) : config_(&config) {}
  Called<jobject> path(Calls& calls, std::string_view path) const;
  Called<jobject> create(Calls& calls, jobject path, Existing existing) const;

  const Config* config_;  // the target's, which outlives it
  GlobalRef object_;
  std::string uri_;
  std::string class_name_;
};

}  // namespace loadline::targets::hadoop
