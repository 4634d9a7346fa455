// The conformance suite on the double, in each of the ways that data is found.
#include "target/conformance.h"

#include "targets/webhdfs/fixture_test.h"

namespace loadline::target {
namespace {

using targets::webhdfs::WebhdfsDouble;

OpenStorage open_with(WebhdfsDouble::Options options, targets::webhdfs::ParameterMap parameters) {
  // allowed: what OpenStorage holds
  auto server = std::make_shared<WebhdfsDouble>(std::move(options));
  auto target = targets::webhdfs_target().open(
      targets::webhdfs::parameters_for(server->uri(), std::move(parameters)));
  EXPECT_TRUE(target.has_value());
  return {.server = std::move(server), .target = std::move(*target)};
}

OpenStorage open_redirected() { return open_with({}, {}); }
OpenStorage open_noredirect() { return open_with({}, {{"noredirect", "true"}}); }
OpenStorage open_gateway() { return open_with({.gateway = true}, {{"httpfs", "true"}}); }
OpenStorage open_old() { return open_with({.pages = false}, {}); }

INSTANTIATE_TEST_SUITE_P(Redirected, ConformanceTest, ::testing::Values(open_redirected));
INSTANTIATE_TEST_SUITE_P(Noredirect, ConformanceTest, ::testing::Values(open_noredirect));
INSTANTIATE_TEST_SUITE_P(Gateway, ConformanceTest, ::testing::Values(open_gateway));
INSTANTIATE_TEST_SUITE_P(WithoutPages, ConformanceTest, ::testing::Values(open_old));

}  // namespace
}  // namespace loadline::target
