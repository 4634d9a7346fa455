#include "targets/posix/outcome.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace loadline::targets::posix {
namespace {

using target::Outcome;

TEST(OutcomeOfErrno, maps_every_error_that_a_file_can_give) {
  struct Row {
    int error_number;
    Outcome outcome;
  };
  for (const Row& row : {Row{0, Outcome::ok},
                         {ENOENT, Outcome::not_found},
                         {ENOTDIR, Outcome::not_found},
                         {EACCES, Outcome::denied},
                         {EPERM, Outcome::denied},
                         {EROFS, Outcome::denied},
                         {EEXIST, Outcome::exists},
                         {ENOTEMPTY, Outcome::not_empty},
                         {EAGAIN, Outcome::throttled},
                         {EBUSY, Outcome::throttled},
                         {ETIMEDOUT, Outcome::timeout},
                         {ENOTCONN, Outcome::connection},
                         {EHOSTDOWN, Outcome::connection},
                         {EILSEQ, Outcome::corrupt},
                         {EBADMSG, Outcome::corrupt},
                         {ENOSPC, Outcome::no_space},
                         {EDQUOT, Outcome::no_space},
                         {EINVAL, Outcome::invalid},
                         {EFBIG, Outcome::invalid},
                         {ENAMETOOLONG, Outcome::invalid},
                         {EOPNOTSUPP, Outcome::unsupported},
                         {ENOSYS, Outcome::unsupported},
                         {ECANCELED, Outcome::cancelled},
                         {EIO, Outcome::io_error},
                         {ENODEV, Outcome::io_error},
                         {ESTALE, Outcome::io_error},
                         {ENOMEM, Outcome::io_error},
                         {4095, Outcome::io_error}}) {
    EXPECT_EQ(outcome_of_errno(row.error_number), row.outcome) << row.error_number;
  }
}

TEST(OutcomeOfErrno, keeps_the_number_and_the_words) {
  target::Completion completion;
  note_errno(completion, ENOSPC);
  EXPECT_EQ(completion.outcome, Outcome::no_space);
  EXPECT_EQ(completion.status, ENOSPC);
  EXPECT_EQ(completion.detail, "No space left on device");
}

}  // namespace
}  // namespace loadline::targets::posix
