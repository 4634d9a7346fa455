#include "targets/hadoop/vm_options.h"

#include <gmock/gmock.h>

namespace loadline::targets::hadoop {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ShellWords, keep_what_is_quoted) {
  EXPECT_THAT(*shell_words(""), ElementsAre());
  EXPECT_THAT(*shell_words("  -Xmx1g\t-ea\n"), ElementsAre("-Xmx1g", "-ea"));
  EXPECT_THAT(*shell_words("-Da='b c' \"-De=f g\" h\\ i"),
              ElementsAre("-Da=b c", "-De=f g", "h i"));
  EXPECT_THAT(*shell_words(R"("a\"b" "c\d" '\' '')"), ElementsAre("a\"b", "c\\d", "\\", ""));
}

TEST(ShellWords, refuse_a_quote_that_is_left_open) {
  for (const std::string_view bad : {"'a", "\"a", "a\\"}) {
    const auto words = shell_words(bad);
    ASSERT_FALSE(words.has_value()) << bad;
    EXPECT_EQ(words.error().context, "jvm_options");
  }
}

TEST(VmOptions, give_half_the_memory_within_bounds) {
  const auto with = [](std::uint64_t gib) {
    return vm_options({.class_path = "x", .memory = Bytes(gib << 30), .user = {}});
  };
  EXPECT_THAT(with(8), Contains("-Xmx4096m"));
  EXPECT_THAT(with(0), Contains("-Xmx256m"));
  EXPECT_THAT(with(1024), Contains("-Xmx30720m")) << "references stay short";
}

TEST(VmOptions, end_with_the_users_own) {
  const auto options =
      vm_options({.class_path = "a:b", .memory = Bytes(1 << 30), .user = {"-Xmx9g"}});
  EXPECT_EQ(options.front(), "-Djava.class.path=a:b");
  EXPECT_EQ(options.back(), "-Xmx9g");
  EXPECT_THAT(options, Contains("-Xrs"));
  EXPECT_THAT(options, Contains("--add-opens=java.base/java.lang=ALL-UNNAMED"));
}

TEST(VmOptions, name_no_modules_to_a_java_without_them) {
  const auto options = vm_options({.class_path = "a", .modules = false, .user = {}});
  EXPECT_THAT(options, Not(Contains(HasSubstr("--add-opens"))));
}

}  // namespace
}  // namespace loadline::targets::hadoop
