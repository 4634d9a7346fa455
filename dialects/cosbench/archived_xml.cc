#include "dialects/cosbench/archived_xml.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

namespace loadline::dialects::cosbench {
namespace {

using std::string_view;

// Start tags are folded at blanks past this column; the last attribute never moves to a line of its
// own.
constexpr std::size_t k_line_width = 72;
constexpr std::size_t k_indent = 4;

std::string escape(string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      // An attribute's line breaks and tabs come back as blanks unless they are references.
      case '\n': escaped += "&#xa;"; break;
      case '\r': escaped += "&#xd;"; break;
      case '\t': escaped += "&#x9;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

class Tag {
 public:
  explicit Tag(string_view element) : words_{fmt::format("<{}", element)} {}
  Tag& with(string_view attribute, string_view value) {
    words_.push_back(fmt::format("{}=\"{}\"", attribute, escape(value)));
    return *this;
  }
  Tag& with(string_view attribute, std::int64_t value) {
    return with(attribute, std::to_string(value));
  }
  std::string text(std::size_t depth, string_view end) const {
    std::string line(depth * k_indent, ' ');
    line += words_[0];
    std::string folded;
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const bool last = i + 1 == words_.size();
      if (!last && line.size() + 1 + words_[i].size() > k_line_width) {
        folded += line + "\n";
        line = std::string((depth + 1) * k_indent, ' ') + words_[i];
      } else {
        line += " " + words_[i];
      }
    }
    return folded + line + std::string(end) + "\n";
  }

 private:
  std::vector<std::string> words_;
};

std::string print(string_view element, const Adapter& adapter, std::size_t depth) {
  Tag tag(element);
  tag.with("type", adapter.type);
  if (adapter.config) tag.with("config", adapter.config->masked_text());
  return tag.text(depth, "/>");
}

std::string print(const Operation& operation) {
  return Tag("operation")
      .with("type", operation.type)
      .with("ratio", operation.ratio)
      .with("division", operation.division)
      .with("config", operation.config.masked_text())
      .with("id", operation.id)
      .text(4, "/>");
}

std::string print(const Work& work) {
  Tag tag("work");
  tag.with("name", work.name).with("type", work.type).with("workers", work.workers);
  tag.with("interval", work.interval_s).with("division", work.division);
  tag.with("runtime", work.runtime_s).with("rampup", work.rampup_s);
  tag.with("rampdown", work.rampdown_s).with("afr", work.afr);
  tag.with("totalOps", work.total_ops).with("totalBytes", work.total_bytes);
  if (!work.driver.empty()) tag.with("driver", work.driver);
  if (work.rate) tag.with("rate", fmt::format("{}", *work.rate)).with("arrival", work.arrival);
  tag.with("config", work.config.masked_text());
  std::string text = tag.text(3, ">");
  text += print("auth", work.auth, 4);
  text += print("storage", work.storage, 4);
  for (const Operation& operation : work.operations) text += print(operation);
  return text + "            </work>\n";
}

std::string print(const Stage& stage) {
  Tag tag("workstage");
  tag.with("name", stage.name).with("closuredelay", stage.closure_delay_s);
  if (!stage.trigger.empty()) tag.with("trigger", stage.trigger);
  tag.with("config", stage.config.masked_text());
  std::string text = tag.text(2, ">");
  text += print("auth", stage.auth, 3);
  text += print("storage", stage.storage, 3);
  for (const Work& work : stage.works) text += print(work);
  return text + "        </workstage>\n";
}

}  // namespace

std::string archived_xml(const Workload& workload) {
  Tag tag("workload");
  tag.with("name", workload.name);
  if (workload.description) tag.with("description", *workload.description);
  if (!workload.trigger.empty()) tag.with("trigger", workload.trigger);
  tag.with("config", workload.config.masked_text());
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + tag.text(0, ">");
  text += print("auth", workload.auth, 1);
  text += print("storage", workload.storage, 1);
  text += Tag("workflow").with("config", workload.workflow_config.masked_text()).text(1, ">");
  for (const Stage& stage : workload.stages) text += print(stage);
  return text + "    </workflow>\n</workload>\n";
}

}  // namespace loadline::dialects::cosbench
