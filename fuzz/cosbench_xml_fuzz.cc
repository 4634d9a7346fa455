// COSBench workloads: whatever the text, either mistakes with their places, or a plan that passes
// its checks and comes back the same from its archived form. A first line that begins with '@' is a
// setting, PATH=VALUE.

// links: dialect_cosbench

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "plan/check.h"
#include "plan/text.h"
#include "report/dialect.h"

namespace loadline::dialects {
report::Dialect cosbench_dialect();
}

namespace {

namespace plan = loadline::plan;
namespace report = loadline::report;

void require(bool condition) {
  if (!condition) std::abort();
}

report::WorkloadText workload_of(std::string_view input) {
  report::WorkloadText workload{
      .file = "w.xml", .text = {}, .settings = {}, .target_types = {"mock", "none", "s3"}};
  if (input.starts_with('@')) {
    const std::size_t end = input.find('\n');
    const std::string_view line = input.substr(1, end == input.npos ? end : end - 1);
    const std::size_t equals = line.find('=');
    if (equals != line.npos) {
      workload.settings.push_back(
          {std::string(line.substr(0, equals)), std::string(line.substr(equals + 1))});
    }
    input.remove_prefix(end == input.npos ? input.size() : end + 1);
  }
  workload.text = input;
  return workload;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const report::Dialect dialect = loadline::dialects::cosbench_dialect();
  report::WorkloadText workload = workload_of({reinterpret_cast<const char*>(data), size});
  const report::ParsedWorkload first = dialect.parse(workload);
  if (!first.plan) {
    bool error = false;
    for (const plan::Diagnostic& diagnostic : first.diagnostics) {
      error = error || diagnostic.level == plan::Diagnostic::Level::error;
    }
    require(error);
    return 0;
  }
  require(plan::check(*first.plan).has_value());
  workload.text = first.files.at("workload-config.xml");
  workload.settings.clear();
  const report::ParsedWorkload second = dialect.parse(workload);
  require(second.plan.has_value());
  require(second.files.at("workload-config.xml") == workload.text);
  require(plan::to_text(*second.plan, plan::Secrets::masked) ==
          plan::to_text(*first.plan, plan::Secrets::masked));
  return 0;
}
