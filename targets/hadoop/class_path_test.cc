#include "targets/hadoop/class_path.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "targets/hadoop/double_test.h"

namespace loadline::targets::hadoop {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void touch(const std::string& path, const std::string& content = "") {
  std::ofstream(path) << content;
}

TEST(ClassPath, lists_the_jars_of_a_folder_by_name) {
  const ScratchFolder folder;
  for (const char* name : {"b.jar", "a.jar", "c.JAR", "readme.txt"}) touch(folder.file(name));
  EXPECT_THAT(expanded("/conf:" + folder.path() + "/*::/x.jar:/no/such/*"),
              ElementsAre("/conf", folder.file("a.jar"), folder.file("b.jar"), folder.file("c.JAR"),
                          "/x.jar"));
}

TEST(ClassPath, is_the_parameter_then_the_environment) {
  auto found = find_class_path({.parameter = "/p", .environment = "/e"});
  EXPECT_EQ(found->text, "/p");
  EXPECT_EQ(found->from, "hadoop_classpath");
  found = find_class_path({.environment = "/e"});
  EXPECT_EQ(found->text, "/e");
  EXPECT_EQ(found->from, "CLASSPATH");
}

TEST(ClassPath, begins_with_configuration_and_ends_with_plugins) {
  const auto found = find_class_path({.parameter = "/hadoop.jar",
                                      .conf_dir = "/etc/hadoop",
                                      .folders = {"/mine"},
                                      .jars = {"/plugin.jar", "/hadoop.jar"}});
  EXPECT_EQ(found->text, "/mine:/etc/hadoop:/hadoop.jar:/plugin.jar");
}

TEST(ClassPath, is_what_the_command_says) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.file("bin"));
  const std::string command = folder.file("bin/hadoop");
  touch(command, "#!/bin/sh\n[ \"$2\" = --glob ] && echo noise && echo /from/command:/$1\n");
  ::chmod(command.c_str(), 0755);
  const auto found = find_class_path({.hadoop_home = folder.path()});
  ASSERT_TRUE(found.has_value()) << found.error().message();
  EXPECT_EQ(found->text, "/from/command:/classpath");
}

TEST(ClassPath, says_what_was_tried) {
  const auto found = find_class_path({.command = "no-such-hadoop"});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().context, "hadoop_classpath");
  for (const char* part :
       {"CLASSPATH (not set)", "HADOOP_HOME (not set)", "no-such-hadoop classpath --glob"}) {
    EXPECT_THAT(found.error().what, HasSubstr(part));
  }
}

}  // namespace
}  // namespace loadline::targets::hadoop
