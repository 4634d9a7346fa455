#include "app/count_command.h"

#include <algorithm>
#include <memory>

#include "base/check.h"

namespace loadline::app {
namespace {

Result<std::unique_ptr<target::Target>> open(const plan::TargetSpec& spec,
                                             const std::vector<target::TargetType>& types) {
  const auto type = std::ranges::find(types, spec.type, &target::TargetType::name);
  if (type == types.end()) {
    return fail(ErrorCode::unsupported, "this build has no storage type " + spec.type);
  }
  return type->open(spec.parameters);
}

}  // namespace

int count_command(const report::CountRequest& request,
                  const std::vector<target::TargetType>& types) {
  CHECK(request.show && request.finish);
  const plan::TargetSpec* opened = nullptr;  // the last one: most requests have but one
  Result<std::unique_ptr<target::Target>> target;
  for (std::size_t i = 0; i < request.paths.size(); ++i) {
    const auto& [spec, path] = request.paths[i];
    if (opened == nullptr || *opened != spec) target = open(spec, types);
    opened = &spec;
    if (target) {
      request.show(i, (*target)->content_summary(path));
    } else {
      request.show(i, std::unexpected(target.error()));
    }
  }
  return request.finish();
}

}  // namespace loadline::app
