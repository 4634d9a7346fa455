// The conformance suite on every target of this build that can hold data here.
#include "target/conformance.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/tables.h"
#include "serve/s3_server.h"

namespace loadline::target {
namespace {

std::unique_ptr<Target> open_target(std::string_view type, const Parameters& parameters) {
  const std::vector<TargetType> types = targets::all();
  const auto it = std::ranges::find(types, type, &TargetType::name);
  EXPECT_NE(it, types.end());
  auto target = it->open(parameters);
  EXPECT_TRUE(target.has_value()) << target.error().message();
  return std::move(*target);
}

class Server final : public Companion {
 public:
  explicit Server(std::unique_ptr<serve::S3Server> server) : server_(std::move(server)) {}

 private:
  std::unique_ptr<serve::S3Server> server_;
};

OpenStorage open_mock() {
  Parameters parameters;
  parameters.set("remember", "true");
  parameters.set("delay", "1");
  return {.target = open_target("mock", parameters)};
}

OpenStorage open_s3_with(const std::string& key, const std::string& value) {
  serve::ServeOptions options{.listen = "127.0.0.1:0"};
  options.keys.push_back({"AK", Secret("SK")});
  auto server = serve::S3Server::start(std::move(options));
  EXPECT_TRUE(server.has_value()) << server.error().message();
  Parameters parameters;
  parameters.set("endpoint", (*server)->url());
  parameters.set("accesskey", "AK");
  parameters.set("secretkey", "SK");
  parameters.set("list_page_size", "10");
  parameters.set(key, value);
  return {.server = std::make_unique<Server>(std::move(*server)),
          .target = open_target("s3", parameters)};
}

OpenStorage open_s3() { return open_s3_with("payload_signing", "unsigned"); }
OpenStorage open_s3_signed() { return open_s3_with("payload_signing", "signed"); }
OpenStorage open_s3_streaming() { return open_s3_with("payload_signing", "streaming"); }
OpenStorage open_s3_v2() { return open_s3_with("signature", "v2"); }

// Below /var/tmp, which is a disk where /tmp is memory; removed with what is in it.
class Folder final : public Companion {
 public:
  Folder() {
    std::string pattern = "/var/tmp/loadline-conformance-XXXXXX";
    if (const char* made = ::mkdtemp(pattern.data())) path_ = made;
  }
  ~Folder() override {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

OpenStorage open_posix() {
  auto folder = std::make_unique<Folder>();
  Parameters parameters;
  parameters.set("root", folder->path());
  return {.server = std::move(folder), .target = open_target("posix", parameters)};
}

INSTANTIATE_TEST_SUITE_P(Mock, ConformanceTest, ::testing::Values(open_mock));
INSTANTIATE_TEST_SUITE_P(Posix, ConformanceTest, ::testing::Values(open_posix));
INSTANTIATE_TEST_SUITE_P(S3, ConformanceTest, ::testing::Values(open_s3));
INSTANTIATE_TEST_SUITE_P(S3Signed, ConformanceTest, ::testing::Values(open_s3_signed));
INSTANTIATE_TEST_SUITE_P(S3Streaming, ConformanceTest, ::testing::Values(open_s3_streaming));
INSTANTIATE_TEST_SUITE_P(S3V2, ConformanceTest, ::testing::Values(open_s3_v2));

}  // namespace
}  // namespace loadline::target
