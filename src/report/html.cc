#include "report/html.h"

#include "report/html_charts.h"
#include "report/html_page.h"

namespace loadline::report {
Result<std::string> html_report(const store::StoredRun& run) {
  PageInput input{.id = run.id(),
                  .plan = run.plan(),
                  .result = run.result(),
                  .stages = series_of(run.result()),
                  .ticks_error = {}};
  const Result<void> read =
      run.for_each_tick([&](const store::TickRow& row) { add_tick(input.stages, row); });
  if (!read) input.ticks_error = read.error().message();
  return html_page(input);
}

}  // namespace loadline::report
