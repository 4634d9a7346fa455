#include "targets/hadoop/file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "target/masking.h"
#include "targets/hadoop/configuration.h"
#include "targets/hadoop/jvm.h"

namespace loadline::targets::hadoop {
namespace {

// How often a truncation that goes on in the background is asked about, and for how long.
constexpr Duration k_truncate_pause = Duration::milliseconds(100);
constexpr Duration k_truncate_patience = Duration::seconds(600);

Called<jobject> uri_of(Calls& calls, const Config& config, jobject configuration) {
  if (config.uri.empty()) {
    return calls.of_class(calls.hadoop().fs, calls.hadoop().fs_default_uri, configuration);
  }
  auto text = calls.string(config.uri);
  if (!text) return text;
  return calls.of_class(calls.java().uri, calls.java().uri_create, *text);
}

std::string scheme_of(const std::string& uri) { return uri.substr(0, uri.find(':')); }

// Says what would be right where a plugin or its class is missing.
Error opening_error(const Failure& failure, const std::string& uri) {
  const std::string shown = target::masked_value("uri", uri);
  const std::string scheme = scheme_of(uri);
  if (failure.message.starts_with("No FileSystem for scheme")) {
    return {.code = ErrorCode::unsupported,
            .what = fmt::format("the class path has no file system for {}://; its jar goes into "
                                "jars=, its class into conf.fs.{}.impl=, if the jar does not name "
                                "it itself",
                                scheme, scheme),
            .context = shown};
  }
  if (failure.class_name.ends_with("ClassNotFoundException") ||
      failure.class_name.ends_with("NoClassDefFoundError")) {
    return {.code = ErrorCode::unsupported,
            .what = fmt::format("a class that this file system needs is not on the class path: {}",
                                failure.message),
            .context = shown};
  }
  return error_of(failure, "cannot open the file system", shown);
}

std::optional<std::int64_t> quota_of(jlong value) {
  if (value < 0) return std::nullopt;
  return value;
}

}  // namespace

Result<FileSystem> FileSystem::open(Calls& calls, const Config& config) {
  const Frame frame(calls.env());
  const HadoopClasses& hadoop = calls.hadoop();
  FileSystem made(config);
  auto configuration = make_configuration(calls, config);
  if (!configuration) {
    return std::unexpected(
        error_of(configuration.error(), "cannot read Hadoop's configuration", "conf"));
  }
  auto uri = uri_of(calls, config, *configuration);
  if (!uri) {
    return std::unexpected(
        error_of(uri.error(), "is no file system", config.uri.empty() ? "fs.defaultFS" : "uri"));
  }
  const std::string asked = calls.text_of(*uri);
  Called<jobject> client;
  if (config.user.empty()) {
    client = calls.of_class(hadoop.fs, hadoop.fs_new, *uri, *configuration);
  } else {
    auto user = calls.string(config.user);
    if (!user) return std::unexpected(opening_error(user.error(), asked));
    client = calls.of_class(hadoop.fs, hadoop.fs_new_user, *uri, *configuration, *user);
  }
  if (!client) return std::unexpected(opening_error(client.error(), asked));
  made.object_ = GlobalRef(calls.env(), *client);
  const auto says = calls.object(*client, hadoop.fs_uri);
  made.uri_ = target::masked_value("uri", says ? calls.text_of(*says) : asked);
  const auto type = calls.object(*client, calls.java().object_class);
  const auto name = type ? calls.object(*type, calls.java().class_name) : type;
  if (name) made.class_name_ = calls.text(*name);
  return made;
}

FileSystem::~FileSystem() {
  if (!object_) return;
  const auto vm = Jvm::running_any();
  if (vm == nullptr) return;
  Calls calls = vm->calls();
  // Nothing is lost by a failure: every stream has been closed before, and asked how that went.
  static_cast<void>(calls.run(object_.get(), calls.hadoop().fs_close));
}

Called<jobject> FileSystem::path(Calls& calls, std::string_view path) const {
  auto text = calls.string(path);
  if (!text) return text;
  return calls.make(calls.hadoop().path, calls.hadoop().path_new, *text);
}

Called<FileStatus> FileSystem::status(Calls& calls, std::string_view name) const {
  const HadoopClasses& hadoop = calls.hadoop();
  auto where = path(calls, name);
  if (!where) return pass_on(where);
  auto status = calls.object(object_.get(), hadoop.fs_status, *where);
  if (!status) return pass_on(status);
  auto folder = calls.truth(*status, hadoop.status_folder);
  if (!folder) return pass_on(folder);
  auto length = calls.number(*status, hadoop.status_length);
  if (!length) return pass_on(length);
  return FileStatus{.is_folder = *folder,
                    .size = Bytes(static_cast<std::uint64_t>(std::max<jlong>(*length, 0)))};
}

Called<bool> FileSystem::make_folder(Calls& calls, std::string_view name) const {
  auto where = path(calls, name);
  if (!where) return pass_on(where);
  return calls.truth(object_.get(), calls.hadoop().fs_mkdirs, *where);
}

Called<bool> FileSystem::remove(Calls& calls, std::string_view name) const {
  auto where = path(calls, name);
  if (!where) return pass_on(where);
  return calls.truth(object_.get(), calls.hadoop().fs_delete, *where, false);
}

Called<void> FileSystem::list(
    Calls& calls, std::string_view name,
    const std::function<bool(const std::string& name, bool is_folder)>& visit) const {
  const HadoopClasses& hadoop = calls.hadoop();
  auto where = path(calls, name);
  if (!where) return pass_on(where);
  auto entries = calls.object(object_.get(), hadoop.fs_list, *where);
  if (!entries) return pass_on(entries);
  while (true) {
    const Frame frame(calls.env());
    auto more = calls.truth(*entries, hadoop.iterator_more);
    if (!more) return pass_on(more);
    if (!*more) return {};
    auto status = calls.object(*entries, hadoop.iterator_next);
    if (!status) return pass_on(status);
    auto folder = calls.truth(*status, hadoop.status_folder);
    if (!folder) return pass_on(folder);
    auto at = calls.object(*status, hadoop.status_path);
    if (!at) return pass_on(at);
    auto last = calls.object(*at, hadoop.path_name);
    if (!last) return pass_on(last);
    if (!visit(calls.text(*last), *folder)) return {};
  }
}

Called<target::ContentSummary> FileSystem::content_summary(Calls& calls,
                                                           std::string_view name) const {
  const HadoopClasses& hadoop = calls.hadoop();
  auto where = path(calls, name);
  if (!where) return pass_on(where);
  auto summary = calls.object(object_.get(), hadoop.fs_summary, *where);
  if (!summary) return pass_on(summary);
  const auto ask = [&](jmethodID what) { return calls.number(*summary, what); };
  auto length = ask(hadoop.summary_length);
  auto files = ask(hadoop.summary_files);
  auto folders = ask(hadoop.summary_folders);
  auto space = ask(hadoop.summary_space);
  auto quota = ask(hadoop.summary_quota);
  auto space_quota = ask(hadoop.summary_space_quota);
  for (auto* got : {&length, &files, &folders, &space, &quota, &space_quota}) {
    if (!*got) return pass_on(*got);
  }
  target::ContentSummary result{.folders = static_cast<std::uint64_t>(*folders),
                                .files = static_cast<std::uint64_t>(*files),
                                .bytes = Bytes(static_cast<std::uint64_t>(*length)),
                                .quota = quota_of(*quota),
                                .quota_left = {},
                                .space_quota = quota_of(*space_quota),
                                .space_quota_left = {}};
  if (result.quota) result.quota_left = *quota - *files - *folders;
  if (result.space_quota) result.space_quota_left = *space_quota - *space;
  return result;
}

Called<bool> FileSystem::rename(Calls& calls, std::string_view from, std::string_view to) const {
  auto source = path(calls, from);
  if (!source) return pass_on(source);
  auto place = path(calls, to);
  if (!place) return pass_on(place);
  return calls.truth(object_.get(), calls.hadoop().fs_rename, *source, *place);
}

Called<void> FileSystem::truncate(Calls& calls, std::string_view name, Bytes size,
                                  const Clock& clock) const {
  auto where = path(calls, name);
  if (!where) return pass_on(where);
  auto done = calls.truth(object_.get(), calls.hadoop().fs_truncate, *where,
                          static_cast<jlong>(size.count()));
  if (!done) return pass_on(done);
  // False: the last block is being cut by its DataNodes.
  const Instant give_up = clock.now() + k_truncate_patience;
  while (!*done) {
    const Frame frame(calls.env());
    auto now = status(calls, name);
    if (!now) return pass_on(now);
    if (now->size == size) break;
    if (clock.now() >= give_up) {
      return std::unexpected(
          failure_of(target::Outcome::timeout, ETIMEDOUT, "the file does not get its new length"));
    }
    clock.sleep_until(clock.now() + k_truncate_pause);
  }
  return {};
}

Called<void> FileSystem::may_write(Calls& calls, std::string_view name) const {
  const HadoopClasses& hadoop = calls.hadoop();
  if (hadoop.fs_access == nullptr || hadoop.action_write == nullptr) return {};
  auto where = path(calls, name);
  if (!where) return pass_on(where);
  jobject action = calls.env()->GetStaticObjectField(hadoop.action, hadoop.action_write);
  auto asked = calls.run(object_.get(), hadoop.fs_access, *where, action);
  if (!asked && asked.error().meaning.outcome == target::Outcome::denied) return pass_on(asked);
  return {};
}

bool FileSystem::in_safe_mode(Calls& calls) const {
  const HadoopClasses& hadoop = calls.hadoop();
  if (hadoop.hdfs == nullptr || !calls.env()->IsInstanceOf(object_.get(), hadoop.hdfs)) {
    return false;
  }
  const auto safe = calls.truth(object_.get(), hadoop.hdfs_safe_mode);
  return safe && *safe;
}

Called<GlobalRef> FileSystem::open_stream(Calls& calls, std::string_view name) const {
  auto where = path(calls, name);
  if (!where) return pass_on(where);
  auto stream = calls.object(object_.get(), calls.hadoop().fs_open, *where,
                             static_cast<jint>(config_->buffer_size));
  if (!stream) return pass_on(stream);
  return calls.keep(*stream);
}

Called<jobject> FileSystem::create(Calls& calls, jobject where, Existing existing) const {
  const HadoopClasses& hadoop = calls.hadoop();
  const bool replaced = existing == Existing::replaced;
  const auto buffer = static_cast<jint>(config_->buffer_size);
  if (config_->block_size == 0 && config_->replication == 0) {
    return calls.object(object_.get(), hadoop.fs_create, where, replaced, buffer);
  }
  jlong block_size = config_->block_size;
  if (block_size == 0) {
    auto own = calls.number(object_.get(), hadoop.fs_block_size, where);
    if (!own) return pass_on(own);
    block_size = *own;
  }
  jshort replication = config_->replication;
  if (replication == 0) {
    auto own = calls.small(object_.get(), hadoop.fs_replication, where);
    if (!own) return pass_on(own);
    replication = *own;
  }
  return calls.object(object_.get(), hadoop.fs_create_sized, where, replaced, buffer, replication,
                      block_size);
}

Called<GlobalRef> FileSystem::create_stream(Calls& calls, std::string_view name,
                                            Existing existing) const {
  auto where = path(calls, name);
  if (!where) return pass_on(where);
  auto stream = create(calls, *where, existing);
  if (!stream) return pass_on(stream);
  if (!config_->storage_policy.empty()) {
    auto policy = calls.string(config_->storage_policy);
    if (!policy) return pass_on(policy);
    auto set = calls.run(object_.get(), calls.hadoop().fs_set_policy, *where, *policy);
    if (!set) {
      static_cast<void>(calls.run(*stream, calls.hadoop().out_close));
      return pass_on(set);
    }
  }
  return calls.keep(*stream);
}

Called<GlobalRef> FileSystem::append_stream(Calls& calls, std::string_view name) const {
  auto where = path(calls, name);
  if (!where) return pass_on(where);
  auto stream = calls.object(object_.get(), calls.hadoop().fs_append, *where,
                             static_cast<jint>(config_->buffer_size));
  if (!stream) return pass_on(stream);
  return calls.keep(*stream);
}

}  // namespace loadline::targets::hadoop
