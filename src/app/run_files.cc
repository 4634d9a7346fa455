#include "app/run_files.h"

#include <cerrno>
#include <fstream>

#include "app/tables.h"
#include "app/workload_file.h"
#include "report/html.h"

namespace loadline::app {

Result<std::string> write_html_report(const store::StoredRun& run) {
  auto html = report::html_report(run);
  if (!html) return propagate(html);
  const std::filesystem::path path = run.folder() / k_html_file;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << *html;
  file.close();
  if (!file) return fail_errno(errno, "cannot write the report", path.string());
  return path.string();
}

Result<void> write_reports(store::Archive& archive, const std::string& run) {
  auto stored = archive.load(run);
  if (!stored) return propagate(stored);
  const std::vector<report::Dialect> dialects = dialects::all();
  if (const report::Dialect* dialect = find_dialect(dialects, stored->plan().dialect)) {
    const auto classic = dialect->write_classic_report(*stored);
    if (!classic) return classic;
  }
  const auto html = write_html_report(*stored);
  if (!html) return std::unexpected(html.error());
  return {};
}

}  // namespace loadline::app
