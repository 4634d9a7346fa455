// Histograms in HdrHistogram's own formats, so that its tools (HistogramLogAnalyzer, hdr-plot,
// the libraries of a dozen languages) read what Loadline measured.
//
// The bytes: HdrHistogram's V2 encoding, zlib-compressed, in base64, two significant digits, unit
// 1 ns. The lines: HistogramLogWriter's, version 1.3. Both after the reference implementation,
// https://github.com/HdrHistogram/HdrHistogram (AbstractHistogram.java, ZigZagEncoding.java,
// HistogramLogWriter.java; public domain). docs/format/hlog.md describes them.
//
// Loss: none in the buckets. Sum, minimum and maximum come back to bucket accuracy, and values past
// the top lie in the topmost bucket: HdrHistogram has no place for them.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/units.h"
#include "record/histogram.h"

namespace loadline::record {

// "HISTFAAAA..."
std::string encode_hdr(const Histogram& histogram);
// Reads two significant digits and unit 1 ns alone; others are unsupported. Never trusts a length.
Result<Histogram> decode_hdr(std::string_view base64);

// The lines that open a log; `base` is what the intervals' starts count from.
std::string hdr_log_header(WallTime base);

// One line of a log: the values of one interval under one tag.
struct HdrInterval {
  std::string tag;
  Duration start;  // since the log's base; kept to the millisecond, as `length` is
  Duration length;
  Histogram histogram;
};
// With its line end. The tag is one of hdr_tag().
std::string hdr_log_line(const std::string& tag, Duration start, Duration length,
                         const Histogram& histogram);
Result<HdrInterval> parse_hdr_log_line(std::string_view line);

// `text` with what a tag may not hold (commas, blanks, control characters) replaced by '_'.
std::string hdr_tag(std::string_view text);

}  // namespace loadline::record
