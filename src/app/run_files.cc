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
  errno = 0;
  file << *html;
  file.close();
  if (file) return path.string();
  const int error = errno;
  // Half a page is none.
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return fail_errno(error, "cannot write the report", path.string());
}

std::vector<Error> write_reports(const store::StoredRun& run) {
  std::vector<Error> errors;
  // First what people read: on a full disk the larger files come last.
  const auto html = write_html_report(run);
  if (!html) errors.push_back(html.error());
  const std::vector<report::Dialect> dialects = dialects::all();
  if (const report::Dialect* dialect = find_dialect(dialects, run.plan().dialect)) {
    const auto classic = dialect->write_classic_report(run);
    if (!classic) errors.push_back(classic.error());
  }
  return errors;
}

}  // namespace loadline::app
