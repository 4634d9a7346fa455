#include "targets/hadoop/find_java.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "targets/hadoop/double_test.h"

namespace loadline::targets::hadoop {
namespace {

using ::testing::HasSubstr;

class Homes : public ::testing::Test {
 protected:
  // A home with the library at this place.
  std::string home(const std::string& name, const std::string& below) {
    const std::string home = folder_.file(name);
    std::filesystem::create_directories(home + "/" + below);
    std::ofstream(home + "/" + below + "/libjvm.so") << "";
    return home;
  }
  JavaPlaces places() const { return {.folder_of_all = folder_.file("jvm")}; }
  ScratchFolder folder_;
};

TEST_F(Homes, of_the_parameter_come_first_and_alone) {
  JavaPlaces with = places();
  with.environment = home("environment", "lib/server");
  with.parameter = home("parameter", "lib/server");
  EXPECT_EQ(find_java(with)->path, with.parameter + "/lib/server/libjvm.so");
  with.parameter = folder_.file("none");
  EXPECT_FALSE(find_java(with).has_value());
}

TEST_F(Homes, of_java_8_have_no_modules) {
  JavaPlaces with = places();
  with.environment = home("nine", "lib/server");
  EXPECT_TRUE(find_java(with)->modules);
#if defined(__x86_64__)
  with.environment = home("eight", "jre/lib/amd64/server");
  EXPECT_FALSE(find_java(with)->modules);
#endif
}

TEST_F(Homes, are_found_by_the_command_in_the_path) {
  const std::string home_of = home("jdk", "lib/server");
  std::filesystem::create_directories(home_of + "/bin");
  std::ofstream(home_of + "/bin/java") << "";
  std::filesystem::create_directories(folder_.file("links"));
  std::filesystem::create_symlink(home_of + "/bin/java", folder_.file("links/java"));
  JavaPlaces with = places();
  with.search_path = "/no/such:" + folder_.file("links");
  EXPECT_EQ(home_of_java(with.search_path), std::filesystem::canonical(home_of).string());
  EXPECT_TRUE(find_java(with).has_value());
}

TEST_F(Homes, of_the_system_are_the_last_resort) {
  home("jvm/java-99", "lib/server");
  EXPECT_TRUE(find_java(places()).has_value());
}

TEST_F(Homes, that_were_tried_are_named) {
  JavaPlaces with = places();
  with.environment = "/no/such/home";
  const auto found = find_java(with);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().context, "java_home");
  EXPECT_THAT(found.error().what, HasSubstr("/no/such/home/lib/server/libjvm.so"));
  EXPECT_THAT(found.error().what, HasSubstr(folder_.file("jvm/default-java/lib/server")));
}

}  // namespace
}  // namespace loadline::targets::hadoop
