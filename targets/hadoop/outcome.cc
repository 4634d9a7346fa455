#include "targets/hadoop/outcome.h"

#include <cstdint>

namespace loadline::targets::hadoop {

void note_failure(target::Completion& completion, const Failure& failure, std::string& text) {
  completion.outcome = failure.meaning.outcome;
  completion.status = static_cast<std::uint16_t>(failure.meaning.error_number);
  text = failure.detail();
  completion.detail = text;
}

}  // namespace loadline::targets::hadoop
