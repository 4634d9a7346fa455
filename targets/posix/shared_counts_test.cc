#include "targets/posix/shared_counts.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "targets/posix/ledger.h"

namespace loadline::targets::posix {
namespace {

TEST(SharedCounts, are_seen_across_processes) {
  Ledger ledger;
  ledger.job_begun(3);
  EXPECT_EQ(ledger.read_from_devices(3), std::nullopt);
  const pid_t child = ::fork();
  if (child == 0) {
    ledger.session_opened(3, 8);
    ledger.account_begun(3);
    ledger.account_ended(3, 4096);
    // allowed: a copy of this test
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ledger.session_opened(3, 4);
  EXPECT_EQ(ledger.slots(3), 8U);
  EXPECT_EQ(ledger.read_from_devices(3), Bytes(4096));
}

TEST(SharedCounts, miss_the_account_that_a_process_took_along) {
  Ledger ledger;
  ledger.job_begun(3);
  const pid_t child = ::fork();
  if (child == 0) {
    ledger.account_begun(3);
    // allowed: a copy of this test
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ledger.account_begun(3);
  ledger.account_ended(3, 4096);
  EXPECT_EQ(ledger.read_from_devices(3), std::nullopt);
}

}  // namespace
}  // namespace loadline::targets::posix
