#include "target/masking.h"

#include <gtest/gtest.h>

namespace loadline::target {
namespace {

struct Case {
  const char* text;
  const char* shown;
};

TEST(Masking, hides_what_follows_a_key_that_looks_like_a_secret) {
  for (const Case& c :
       {Case{"secretkey s3cr3t", "secretkey REDACTED"},
        Case{"storage.config.secretkey:xyz", "storage.config.secretkey:REDACTED"},
        Case{"accesskey=a;secretkey=b;c", "accesskey=a;secretkey=REDACTED"},
        Case{"fs.s3a.secret.key=xyz", "fs.s3a.secret.key=REDACTED"},
        Case{"-Dfs.azure.account.key.me.net=x", "-Dfs.azure.account.key.me.net=REDACTED"},
        Case{"secret.txt is no key", "secret.txt is no key"},
        Case{"Password = x y", "Password = REDACTED"}, Case{"secretkey", "secretkey"},
        Case{"secretkey=", "secretkey="}, Case{"secrets/workload.xml", "secrets/workload.xml"},
        Case{"-Dfs.s3a.secret.key=x", "-Dfs.s3a.secret.key=REDACTED"},
        Case{"x conf.fs.azure.account.key.a.b=x", "x conf.fs.azure.account.key.a.b=REDACTED"},
        Case{"secrets.txt is a file", "secrets.txt is a file"},
        Case{"work.runtime=5", "work.runtime=5"}, Case{"", ""}}) {
    EXPECT_EQ(masked(c.text), c.shown);
  }
}

TEST(Masking, hides_the_user_info_of_urls) {
  for (const Case& c : {Case{"http://bob:pw@host:9000/v1", "http://REDACTED@host:9000/v1"},
                        Case{"a=https://u:p/@:x@h;b=1", "a=https://REDACTED@h;b=1"},
                        Case{"http://a@x,http://b@y", "http://REDACTED@x,http://REDACTED@y"},
                        Case{"http://host mail bob@host", "http://host mail bob@host"},
                        Case{"http://@host", "http://@host"}, Case{"http://", "http://"}}) {
    EXPECT_EQ(masked(c.text), c.shown);
  }
}

TEST(Masking, of_a_value_goes_by_its_key) {
  EXPECT_EQ(masked_value("secretkey", "x"), "REDACTED");
  EXPECT_EQ(masked_value("secretkey", ""), "");
  EXPECT_EQ(masked_value("auth_url", "http://u:p@h/"), "http://REDACTED@h/");
  EXPECT_EQ(masked_value("oprefix", "secret=5"), "secret=5");
}

}  // namespace
}  // namespace loadline::target
