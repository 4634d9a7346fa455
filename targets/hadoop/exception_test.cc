#include "targets/hadoop/exception.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace loadline::targets::hadoop {
namespace {

using target::Outcome;

TEST(MeaningOfException, covers_what_hadoop_throws) {
  struct Row {
    const char* class_name;
    Outcome outcome;
    int error_number;
  };
  const std::string hadoop = "org.apache.hadoop.";
  for (const Row& row :
       {Row{"java.io.FileNotFoundException", Outcome::not_found, ENOENT},
        {"*fs.ParentNotDirectoryException", Outcome::not_found, ENOTDIR},
        {"*security.AccessControlException", Outcome::denied, EACCES},
        {"java.nio.file.AccessDeniedException", Outcome::denied, EACCES},
        {"*fs.FileAlreadyExistsException", Outcome::exists, EEXIST},
        {"*fs.PathIsNotEmptyDirectoryException", Outcome::not_empty, ENOTEMPTY},
        {"*ipc.RetriableException", Outcome::throttled, EAGAIN},
        {"*hdfs.protocol.AlreadyBeingCreatedException", Outcome::throttled, EBUSY},
        {"*hdfs.server.namenode.LeaseExpiredException", Outcome::throttled, ESTALE},
        {"java.net.SocketTimeoutException", Outcome::timeout, ETIMEDOUT},
        {"*net.ConnectTimeoutException", Outcome::timeout, ETIMEDOUT},
        {"java.net.ConnectException", Outcome::connection, ECONNREFUSED},
        {"java.net.UnknownHostException", Outcome::connection, EHOSTUNREACH},
        {"java.io.EOFException", Outcome::short_transfer, EIO},
        {"*fs.ChecksumException", Outcome::corrupt, EBADMSG},
        {"*hdfs.protocol.QuotaExceededException", Outcome::no_space, EDQUOT},
        {"*util.DiskChecker$DiskOutOfSpaceException", Outcome::no_space, ENOSPC},
        {"*hdfs.server.namenode.SafeModeException", Outcome::server_error, EROFS},
        {"*ipc.StandbyException", Outcome::server_error, EAGAIN},
        {"java.lang.IllegalArgumentException", Outcome::invalid, EINVAL},
        {"java.lang.UnsupportedOperationException", Outcome::unsupported, EOPNOTSUPP},
        {"java.io.InterruptedIOException", Outcome::cancelled, ECANCELED},
        {"java.lang.OutOfMemoryError", Outcome::io_error, ENOMEM}}) {
    std::string name = row.class_name;
    if (name.starts_with('*')) name = hadoop + name.substr(1);
    const auto meaning = meaning_of(name);
    ASSERT_TRUE(meaning.has_value()) << name;
    EXPECT_EQ(meaning->outcome, row.outcome) << name;
    EXPECT_EQ(meaning->error_number, row.error_number) << name;
  }
}

TEST(MeaningOfException, is_open_where_a_class_says_nothing) {
  for (const char* name : {"java.io.IOException", "java.lang.RuntimeException", "a.plugin.Own"}) {
    EXPECT_FALSE(meaning_of(name).has_value()) << name;
  }
}

TEST(Failure, speaks_in_one_line) {
  const Failure failure{.meaning = {Outcome::not_found, ENOENT},
                        .class_name = "java.io.FileNotFoundException",
                        .message = "no such file",
                        .place = "DFSClient.open"};
  EXPECT_EQ(failure.words(), "FileNotFoundException: no such file");
  EXPECT_EQ(failure.detail(), "FileNotFoundException: no such file (at DFSClient.open)");
  EXPECT_EQ(failure_of(Outcome::invalid, EINVAL, "is wrong").detail(), "is wrong");
}

TEST(Failure, before_a_run_keeps_its_kind) {
  const auto code = [](Outcome outcome) {
    return error_of(failure_of(outcome, 0, "x"), "y", "z").code;
  };
  EXPECT_EQ(code(Outcome::connection), ErrorCode::unavailable);
  EXPECT_EQ(code(Outcome::denied), ErrorCode::denied);
  EXPECT_EQ(code(Outcome::not_found), ErrorCode::not_found);
  EXPECT_EQ(error_of(failure_of(Outcome::io_error, EIO, "x"), "y", "z").message(), "z: y: x");
}

}  // namespace
}  // namespace loadline::targets::hadoop
