// Shared by the tests of this folder. Never part of the product.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "report/dialect.h"

namespace loadline::dialects {
report::Dialect cosbench_dialect();
}

namespace loadline::dialects::cosbench {

inline report::ParsedWorkload parse_for_test(const std::string& text,
                                             std::vector<report::Setting> settings = {}) {
  const report::WorkloadText workload{.file = "w.xml",
                                      .text = text,
                                      .settings = std::move(settings),
                                      .seed = 7,
                                      .target_types = {"mock", "none", "s3"}};
  return cosbench_dialect().parse(workload);
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "line:column: error: what (where)" of every diagnostic, one a line.
inline std::string messages(const report::ParsedWorkload& parsed) {
  std::string text;
  for (const plan::Diagnostic& diagnostic : parsed.diagnostics) {
    const std::string message = diagnostic.message();
    text += (message.starts_with("w.xml:") ? message.substr(6) : message) + "\n";
  }
  return text;
}

// A workload of one normal work, line 1 to 3 of the text.
inline std::string one_work(const std::string& work_attributes, const std::string& operations) {
  return "<workload name=\"w\"><storage type=\"mock\"/><workflow><workstage name=\"m\">\n<work " +
         work_attributes + ">\n" + operations + "</work></workstage></workflow></workload>";
}
inline std::string one_operation(const std::string& attributes) {
  return one_work("name=\"m\" workers=\"2\" totalOps=\"10\"", "<operation " + attributes + "/>");
}

}  // namespace loadline::dialects::cosbench
