#include "dialects/testdfsio/result_block.h"

#include <fmt/format.h>

#include "dialects/testdfsio/java_text.h"

namespace loadline::dialects::testdfsio {
namespace {

// Where the colons stand: one column further from 2.8 on.
std::string line(Compat compat, std::string_view label, std::string_view value) {
  const int width = compat == Compat::v2_7 ? 22 : 23;
  return fmt::format("{:>{}}: {}", label, width, value);
}

}  // namespace

std::vector<std::string> lines_of(const ResultBlock& block, Compat compat) {
  const Figures figures = figures_of(block.sums, block.whole_test);
  const bool raw = compat == Compat::v2_7;
  const auto narrow = [raw](float value) {
    return raw ? java_text(value) : two_decimals(static_cast<double>(value));
  };
  const auto wide = [raw](double value) { return raw ? java_text(value) : two_decimals(value); };
  const std::string throughput =
      compat == Compat::v3 ? narrow(figures.throughput_narrow) : wide(figures.throughput);
  std::vector<std::string> lines{
      fmt::format("----- TestDFSIO ----- : {}", title_of(block.operation)),
      line(compat, "Date & time", java_date(block.ended)),
      line(compat, "Number of files", std::to_string(block.sums.tasks)),
      line(compat, "Total MBytes processed", narrow(figures.total_mb)),
      line(compat, "Throughput mb/sec", throughput)};
  if (compat == Compat::v2_8) {
    lines.push_back(line(compat, "Total Throughput mb/sec", narrow(figures.total_throughput)));
  }
  lines.push_back(line(compat, "Average IO rate mb/sec", wide(figures.average_rate)));
  lines.push_back(line(compat, "IO rate std deviation", wide(figures.deviation)));
  lines.push_back(line(compat, "Test exec time sec", narrow(figures.seconds)));
  lines.emplace_back();
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& one : lines) text.append(one).append("\n");
  return text;
}

std::string log_prefix(Compat compat, WallTime when) {
  if (compat != Compat::v3) return when.local("%y/%m/%d %H:%M:%S INFO fs.TestDFSIO: ");
  return fmt::format("{},{:03} INFO fs.TestDFSIO: ", when.local("%Y-%m-%d %H:%M:%S"),
                     when.ns() / 1'000'000 % 1000);
}

}  // namespace loadline::dialects::testdfsio
