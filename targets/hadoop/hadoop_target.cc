#include "targets/hadoop/hadoop_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "targets/hadoop/class_path.h"
#include "targets/hadoop/find_java.h"
#include "targets/hadoop/layout.h"
#include "targets/hadoop/object_files.h"
#include "targets/hadoop/session.h"
#include "targets/hadoop/vm_options.h"

namespace loadline::targets {
namespace hadoop {
namespace {

using target::OpKind;

// Sockets to servers, and what waits for them, of one stream under way.
constexpr std::uint32_t k_files_per_slot = 8;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

std::string versions(Calls& calls) {
  std::string text;
  const HadoopClasses& hadoop = calls.hadoop();
  if (hadoop.version != nullptr) {
    const auto version = calls.of_class(hadoop.version, hadoop.version_text);
    if (version) text = fmt::format("Hadoop {}, ", calls.text(*version));
  }
  const auto key = calls.string("java.version");
  if (!key) return text + "Java";
  const auto java = calls.of_class(calls.java().system, calls.java().property, *key);
  return text + "Java " + (java ? calls.text(*java) : "");
}

}  // namespace

Result<Jvm*> start_vm(const Config& config) {
  const std::string wanted = config.vm_wanted();
  auto running = Jvm::running(wanted);
  if (!running || *running != nullptr) return running;
  auto java = find_java({.parameter = config.java_home,
                         .environment = environment("JAVA_HOME"),
                         .search_path = environment("PATH")});
  if (!java) return propagate(java);
  auto class_path = find_class_path({.parameter = config.class_path,
                                     .environment = environment("CLASSPATH"),
                                     .hadoop_home = environment("HADOOP_HOME"),
                                     .conf_dir = environment("HADOOP_CONF_DIR"),
                                     .folders = config.conf_folders,
                                     .jars = config.jars});
  if (!class_path) return propagate(class_path);
  return Jvm::start({.library = java->path,
                     .options = vm_options({.class_path = class_path->text,
                                            .modules = java->modules,
                                            .memory = machine_memory(),
                                            .user = config.jvm_options}),
                     .class_path_from = class_path->from,
                     .wanted = wanted});
}

Result<std::unique_ptr<target::Target>> HadoopTarget::open(const target::Parameters& parameters) {
  auto config = read_config(parameters);
  if (!config) return propagate(config);
  return std::unique_ptr<target::Target>(new HadoopTarget(std::move(*config)));
}

target::Capabilities HadoopTarget::capabilities() const {
  target::Capabilities can{.blocking = true,
                           .range_reads = true,
                           .block_io = true,
                           .block_io_waits = true,
                           .own_descriptors = false,  // Java's threads work for every session
                           .files_per_slot = k_files_per_slot,
                           .not_supported_hint = "a Hadoop file system has nothing of the kind"};
  for (const OpKind kind :
       {OpKind::read, OpKind::write, OpKind::multipart_write, OpKind::remove, OpKind::remove_many,
        OpKind::list, OpKind::head, OpKind::create_container, OpKind::head_container,
        OpKind::remove_container, OpKind::sync, OpKind::sync_data, OpKind::truncate, OpKind::create,
        OpKind::open, OpKind::rename, OpKind::append, OpKind::make_folder}) {
    can.kinds |= target::Capabilities::bit(kind);
  }
  return can;
}

Result<const Jvm*> HadoopTarget::connect() {
  const std::scoped_lock lock(mutex_);
  // Asked each time: a copy of the process must not use what it has inherited.
  auto vm = start_vm(config_);
  if (!vm) return propagate(vm);
  vm_ = *vm;
  if (files_) return vm_;
  Calls calls = vm_->calls();
  const Frame frame(calls.env());
  auto files = FileSystem::open(calls, config_);
  if (!files) return propagate(files);
  files_.emplace(std::move(*files));
  says_ = fmt::format("{}: {} on {}", files_->uri(), files_->class_name(), versions(calls));
  return vm_;
}

// The root itself may be missing where the run makes its containers: then what is above it counts.
Result<void> HadoopTarget::check_root(Calls& calls, bool will_make) const {
  std::string path = config_.path_of("");
  while (true) {
    const Frame frame(calls.env());
    auto status = files_->status(calls, path);
    if (status && !status->is_folder) {
      return fail(ErrorCode::bad_input, "is no folder, and containers lie in one", path);
    }
    if (status) break;
    const bool missing = status.error().meaning.outcome == target::Outcome::not_found;
    if (!missing || path == "/") {
      const target::Outcome outcome = status.error().meaning.outcome;
      const bool silent =
          outcome == target::Outcome::connection || outcome == target::Outcome::timeout;
      return std::unexpected(error_of(status.error(),
                                      silent ? "the file system does not answer" : "cannot look at",
                                      silent ? files_->uri() : path));
    }
    path = parent_of(path);
  }
  if (!will_make) return {};
  if (auto may = files_->may_write(calls, path); !may) {
    return std::unexpected(error_of(may.error(), "containers cannot be made in this folder", path));
  }
  if (files_->in_safe_mode(calls)) {
    return fail(ErrorCode::unavailable,
                "the NameNode is in safe mode and takes no writes; it leaves it by itself when its "
                "DataNodes have reported, or by `hdfs dfsadmin -safemode leave`",
                files_->uri());
  }
  return {};
}

Result<void> HadoopTarget::preflight(std::span<const std::string> containers,
                                     std::span<const std::string> created_by_run) {
  auto vm = connect();
  if (!vm) return propagate(vm);
  Calls calls = (*vm)->calls();
  if (auto root = check_root(calls, !created_by_run.empty()); !root) return root;
  for (const std::string& name : containers) {
    if (!is_safe_name(name)) {
      return fail(ErrorCode::bad_input, "a container is a folder below root, and this is none",
                  name);
    }
    if (std::ranges::find(created_by_run, name) != created_by_run.end()) continue;
    const Frame frame(calls.env());
    const std::string path = config_.path_of(name);
    auto status = files_->status(calls, path);
    if (!status) {
      return std::unexpected(error_of(status.error(), "cannot use the container's folder", path));
    }
    if (!status->is_folder) return fail(ErrorCode::bad_input, "is a file, no container", path);
  }
  return {};
}

Result<std::unique_ptr<target::Session>> HadoopTarget::open_session(
    const target::WorkerContext& context) {
  auto vm = connect();
  if (!vm) return propagate(vm);
  std::optional<FileSystem> own;
  if (config_.instance_per_thread) {
    Calls calls = (*vm)->calls();
    auto opened = FileSystem::open(calls, config_);
    if (!opened) return propagate(opened);
    own.emplace(std::move(*opened));
  }
  return std::make_unique<HadoopSession>(**vm, config_, *files_, std::move(own), context);
}

Result<std::vector<target::ObjectFacts>> HadoopTarget::provide(
    std::span<const target::ObjectNeed> needs, const target::LayoutNotice& notice) {
  auto vm = connect();
  if (!vm) return propagate(vm);
  Calls calls = (*vm)->calls();
  return provide_files(calls, config_, *files_, needs, notice);
}

Result<target::ContentSummary> HadoopTarget::content_summary(std::string_view path) {
  auto vm = connect();
  if (!vm) return propagate(vm);
  Calls calls = (*vm)->calls();
  const Frame frame(calls.env());
  auto summary = files_->content_summary(calls, config_.path_of(path));
  if (summary) return *summary;
  return std::unexpected(error_of(summary.error(), "cannot count the files", std::string(path)));
}

std::string HadoopTarget::describe() const {
  const std::scoped_lock lock(mutex_);
  return says_;
}

}  // namespace hadoop

target::TargetType hadoop_target() {
  return {.name = "hadoop",
          .summary = "HDFS and every other Hadoop file system, through Java",
          .built_with = "JNI 1.8, the Java VM is loaded when it is used",
          .parameters = hadoop::parameter_table(),
          .open = hadoop::HadoopTarget::open};
}

}  // namespace loadline::targets
