#include "targets/hadoop/exception.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "target/masking.h"
#include "targets/hadoop/utf16.h"

namespace loadline::targets::hadoop {
namespace {

using target::Outcome;

constexpr int k_causes_most = 6;
constexpr int k_parents_most = 8;
constexpr std::size_t k_message_most = 300;
constexpr jint k_locals = 32;

struct Row {
  std::string_view class_name;
  Meaning meaning;
};

#define LOADLINE_HADOOP "org.apache.hadoop."
constexpr auto k_rows = std::to_array<Row>({
    {"java.io.FileNotFoundException", {Outcome::not_found, ENOENT}},
    {"java.nio.file.NoSuchFileException", {Outcome::not_found, ENOENT}},
    {LOADLINE_HADOOP "fs.PathNotFoundException", {Outcome::not_found, ENOENT}},
    {LOADLINE_HADOOP "fs.ParentNotDirectoryException", {Outcome::not_found, ENOTDIR}},
    {LOADLINE_HADOOP "fs.PathIsNotDirectoryException", {Outcome::not_found, ENOTDIR}},
    {"java.nio.file.NotDirectoryException", {Outcome::not_found, ENOTDIR}},
    {LOADLINE_HADOOP "fs.s3a.UnknownStoreException", {Outcome::not_found, ENOENT}},
    {"java.nio.file.AccessDeniedException", {Outcome::denied, EACCES}},
    {"java.lang.SecurityException", {Outcome::denied, EACCES}},
    {LOADLINE_HADOOP "security.AccessControlException", {Outcome::denied, EACCES}},
    {LOADLINE_HADOOP "fs.permission.AccessControlException", {Outcome::denied, EACCES}},
    {LOADLINE_HADOOP "security.authorize.AuthorizationException", {Outcome::denied, EACCES}},
    {LOADLINE_HADOOP "security.token.SecretManager$InvalidToken", {Outcome::denied, EACCES}},
    {LOADLINE_HADOOP "security.KerberosAuthException", {Outcome::denied, EACCES}},
    {"javax.security.sasl.SaslException", {Outcome::denied, EACCES}},
    {"javax.security.auth.login.LoginException", {Outcome::denied, EACCES}},
    {LOADLINE_HADOOP "fs.FileAlreadyExistsException", {Outcome::exists, EEXIST}},
    {LOADLINE_HADOOP "fs.PathExistsException", {Outcome::exists, EEXIST}},
    {"java.nio.file.FileAlreadyExistsException", {Outcome::exists, EEXIST}},
    {LOADLINE_HADOOP "fs.PathIsNotEmptyDirectoryException", {Outcome::not_empty, ENOTEMPTY}},
    {"java.nio.file.DirectoryNotEmptyException", {Outcome::not_empty, ENOTEMPTY}},
    // "Try later": it is busy with what we or others began.
    {LOADLINE_HADOOP "ipc.RetriableException", {Outcome::throttled, EAGAIN}},
    {LOADLINE_HADOOP "hdfs.protocol.AlreadyBeingCreatedException", {Outcome::throttled, EBUSY}},
    {LOADLINE_HADOOP "hdfs.protocol.RecoveryInProgressException", {Outcome::throttled, EBUSY}},
    {LOADLINE_HADOOP "fs.s3a.AWSServiceThrottledException", {Outcome::throttled, EAGAIN}},
    // Another has begun to write the file, or has removed it.
    {LOADLINE_HADOOP "hdfs.server.namenode.LeaseExpiredException", {Outcome::throttled, ESTALE}},
    {"java.net.SocketTimeoutException", {Outcome::timeout, ETIMEDOUT}},
    {"java.util.concurrent.TimeoutException", {Outcome::timeout, ETIMEDOUT}},
    {LOADLINE_HADOOP "net.ConnectTimeoutException", {Outcome::timeout, ETIMEDOUT}},
    {"java.net.ConnectException", {Outcome::connection, ECONNREFUSED}},
    {"java.net.NoRouteToHostException", {Outcome::connection, EHOSTUNREACH}},
    {"java.net.UnknownHostException", {Outcome::connection, EHOSTUNREACH}},
    {"java.net.SocketException", {Outcome::connection, ECONNRESET}},
    {"java.nio.channels.ClosedChannelException", {Outcome::connection, EPIPE}},
    {"java.nio.channels.UnresolvedAddressException", {Outcome::connection, EHOSTUNREACH}},
    {"javax.net.ssl.SSLException", {Outcome::connection, ECONNRESET}},
    {"java.io.EOFException", {Outcome::short_transfer, EIO}},
    {LOADLINE_HADOOP "fs.ChecksumException", {Outcome::corrupt, EBADMSG}},
    {LOADLINE_HADOOP "hdfs.protocol.QuotaExceededException", {Outcome::no_space, EDQUOT}},
    {LOADLINE_HADOOP "hdfs.protocol.ClusterStorageCapacityExceededException",
     {Outcome::no_space, EDQUOT}},
    {LOADLINE_HADOOP "util.DiskChecker$DiskOutOfSpaceException", {Outcome::no_space, ENOSPC}},
    {LOADLINE_HADOOP "hdfs.server.namenode.SafeModeException", {Outcome::server_error, EROFS}},
    {LOADLINE_HADOOP "ipc.StandbyException", {Outcome::server_error, EAGAIN}},
    {LOADLINE_HADOOP "fs.s3a.AWSStatus500Exception", {Outcome::server_error, EIO}},
    {"java.lang.IllegalArgumentException", {Outcome::invalid, EINVAL}},
    {"java.lang.IndexOutOfBoundsException", {Outcome::invalid, EINVAL}},
    {"java.net.URISyntaxException", {Outcome::invalid, EINVAL}},
    {LOADLINE_HADOOP "fs.InvalidPathException", {Outcome::invalid, EINVAL}},
    {LOADLINE_HADOOP "fs.InvalidRequestException", {Outcome::invalid, EINVAL}},
    {LOADLINE_HADOOP "fs.PathIsDirectoryException", {Outcome::invalid, EISDIR}},
    {LOADLINE_HADOOP "HadoopIllegalArgumentException", {Outcome::invalid, EINVAL}},
    {"java.lang.UnsupportedOperationException", {Outcome::unsupported, EOPNOTSUPP}},
    {LOADLINE_HADOOP "fs.UnsupportedFileSystemException", {Outcome::unsupported, EOPNOTSUPP}},
    {"java.lang.ClassNotFoundException", {Outcome::unsupported, EOPNOTSUPP}},
    {"java.lang.LinkageError", {Outcome::unsupported, EOPNOTSUPP}},
    {"java.lang.InterruptedException", {Outcome::cancelled, ECANCELED}},
    {"java.io.InterruptedIOException", {Outcome::cancelled, ECANCELED}},
    {"java.nio.channels.ClosedByInterruptException", {Outcome::cancelled, ECANCELED}},
    {"java.util.concurrent.CancellationException", {Outcome::cancelled, ECANCELED}},
    {"java.lang.OutOfMemoryError", {Outcome::io_error, ENOMEM}},
});
#undef LOADLINE_HADOOP

// Reads what an exception says of itself; whatever fails meanwhile is left out.
class Reader {
 public:
  Reader(JNIEnv* env, const Classes& classes) : env_(env), java_(classes.java), all_(classes) {}

  jobject object(jobject of, jmethodID method) {
    if (of == nullptr || method == nullptr) return nullptr;
    jobject got = env_->CallObjectMethod(of, method);
    if (!env_->ExceptionCheck()) return got;
    env_->ExceptionClear();
    return nullptr;
  }
  std::string text(jobject of, jmethodID method) {
    auto string = static_cast<jstring>(object(of, method));
    if (string == nullptr) return {};
    std::vector<std::uint16_t> units(static_cast<std::size_t>(env_->GetStringLength(string)));
    if (!units.empty()) {
      env_->GetStringRegion(string, 0, static_cast<jsize>(units.size()), units.data());
      if (env_->ExceptionCheck()) env_->ExceptionClear();
    }
    return to_utf8(units);
  }
  // The class that a failed call of a server names, else the exception's own.
  std::string class_name(jthrowable thrown) {
    const HadoopClasses& hadoop = all_.hadoop;
    if (hadoop.remote != nullptr && env_->IsInstanceOf(thrown, hadoop.remote)) {
      std::string named = text(thrown, hadoop.remote_class);
      if (!named.empty()) return named;
    }
    return text(object(thrown, java_.object_class), java_.class_name);
  }
  // Of the class, or of the nearest parent that is known.
  std::optional<Meaning> meaning(jthrowable thrown, const std::string& named) {
    if (auto known = meaning_of(named)) return known;
    jobject type = object(thrown, java_.object_class);
    for (int i = 0; i < k_parents_most && type != nullptr; ++i) {
      if (auto known = meaning_of(text(type, java_.class_name))) return known;
      type = object(type, java_.class_parent);
    }
    return std::nullopt;
  }
  std::string message(jthrowable thrown) { return text(thrown, java_.throwable_message); }
  jthrowable cause(jthrowable thrown) {
    return static_cast<jthrowable>(object(thrown, java_.throwable_cause));
  }
  std::string place(jthrowable thrown) {
    auto trace = static_cast<jobjectArray>(object(thrown, java_.throwable_trace));
    if (trace == nullptr || env_->GetArrayLength(trace) == 0) return {};
    jobject top = env_->GetObjectArrayElement(trace, 0);
    if (env_->ExceptionCheck()) env_->ExceptionClear();
    std::string type = text(top, java_.frame_class);
    return type.substr(type.rfind('.') + 1) + "." + text(top, java_.frame_method);
  }

 private:
  JNIEnv* env_;
  const JavaClasses& java_;
  const Classes& all_;
};

// Servers add their stack behind the first line, and Hadoop a link to its wiki.
std::string one_line(std::string text) {
  text.resize(std::min(text.find_first_of("\r\n"), text.size()));
  text.resize(std::min(text.find("; For more details see:"), text.size()));
  text = target::masked_value("", text);
  if (text.size() <= k_message_most) return text;
  text.resize(k_message_most);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) {
    text.pop_back();
  }
  if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xc0) text.pop_back();
  return text + "...";
}

}  // namespace

std::optional<Meaning> meaning_of(std::string_view class_name) {
  const auto row = std::ranges::find(k_rows, class_name, &Row::class_name);
  if (row == k_rows.end()) return std::nullopt;
  return row->meaning;
}

std::string Failure::words() const {
  const std::string name = class_name.substr(class_name.find_last_of(".$") + 1);
  if (name.empty()) return message;
  return message.empty() ? name : name + ": " + message;
}

std::string Failure::detail() const {
  return place.empty() ? words() : words() + " (at " + place + ")";
}

Failure failure_of(Outcome outcome, int error_number, std::string message) {
  return {.meaning = {outcome, error_number}, .message = std::move(message)};
}

Failure take_failure(JNIEnv* env, const Classes& classes) {
  jthrowable thrown = env->ExceptionOccurred();
  env->ExceptionClear();
  Failure failure{.meaning = {Outcome::io_error, EIO}};
  if (thrown == nullptr || env->PushLocalFrame(k_locals * k_causes_most) != JNI_OK) {
    if (env->ExceptionCheck()) env->ExceptionClear();
    return failure;
  }
  Reader reader(env, classes);
  jthrowable at = thrown;
  for (int i = 0; i < k_causes_most && at != nullptr; ++i) {
    std::string name = reader.class_name(at);
    const auto meaning = reader.meaning(at, name);
    if (i == 0 || meaning) {
      failure.class_name = std::move(name);
      failure.message = one_line(reader.message(at));
      failure.place = reader.place(at);
    }
    if (meaning) {
      failure.meaning = *meaning;
      break;
    }
    at = reader.cause(at);
  }
  env->PopLocalFrame(nullptr);
  env->DeleteLocalRef(thrown);
  return failure;
}

Error error_of(const Failure& failure, std::string doing, std::string context) {
  Error error{.what = std::move(doing) + ": " + failure.words(),
              .context = std::move(context),
              .os_error = failure.meaning.error_number};
  switch (failure.meaning.outcome) {
    case Outcome::not_found: error.code = ErrorCode::not_found; break;
    case Outcome::denied: error.code = ErrorCode::denied; break;
    case Outcome::timeout:
    case Outcome::connection:
    case Outcome::throttled:
    case Outcome::server_error: error.code = ErrorCode::unavailable; break;
    case Outcome::unsupported: error.code = ErrorCode::unsupported; break;
    case Outcome::invalid: error.code = ErrorCode::bad_input; break;
    case Outcome::cancelled: error.code = ErrorCode::cancelled; break;
    default: error.code = ErrorCode::io; break;
  }
  return error;
}

}  // namespace loadline::targets::hadoop
