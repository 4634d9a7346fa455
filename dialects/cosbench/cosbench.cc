// What this folder offers to the table of dialects.
#include <string_view>

#include "dialects/cosbench/archived_xml.h"
#include "dialects/cosbench/classic_report.h"
#include "dialects/cosbench/document.h"
#include "dialects/cosbench/findings.h"
#include "dialects/cosbench/plan_builder.h"
#include "dialects/cosbench/settings.h"
#include "dialects/cosbench/workload_reader.h"
#include "report/dialect.h"

namespace loadline::dialects {
namespace cosbench {
namespace {

// XML, and no other dialect is: malformed text belongs here too, for a good message.
bool recognises(std::string_view file, std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return file.ends_with(".xml") || (first != std::string_view::npos && text[first] == '<');
}

report::ParsedWorkload parse(const report::WorkloadText& text) {
  report::ParsedWorkload parsed;
  Findings findings(text.file);
  const auto document = Document::load(text.text, findings);
  if (document) {
    apply_settings(*document, text.settings, findings);
    document->check_placeholders(findings);
  }
  if (!findings.failed()) {
    const Workload workload = read_workload(*document, findings);
    plan::Plan plan = build_plan(
        workload,
        {.seed = text.seed, .target_types = text.target_types, .check_target = text.check_target},
        findings);
    if (!findings.failed()) {
      parsed.files["workload-config.xml"] = archived_xml(workload);
      parsed.plan = std::move(plan);
    }
  }
  parsed.diagnostics = findings.take();
  return parsed;
}

}  // namespace
}  // namespace cosbench

report::Dialect cosbench_dialect() {
  return {.name = "cosbench",
          .summary = "COSBench 0.4.2 workload XML, its archive folder as output",
          .recognises = cosbench::recognises,
          .parse = cosbench::parse,
          .write_classic_report = cosbench::write_classic_report};
}

}  // namespace loadline::dialects
