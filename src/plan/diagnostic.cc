#include "plan/diagnostic.h"

namespace loadline::plan {

std::string Diagnostic::message() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line) + ":" + std::to_string(column);
  if (!text.empty()) text += ": ";
  text += level == Level::error ? "error: " : "warning: ";
  text += what;
  if (!where.empty()) text += " (" + where + ")";
  return text;
}

}  // namespace loadline::plan
