#include "serve/control.h"

namespace loadline::serve {

namespace {

Answer text_answer(int status, std::string text, std::string_view type = "text/plain") {
  Answer answer;
  answer.status = status;
  answer.content_type = type;
  answer.text = std::move(text);
  return answer;
}

}  // namespace

Answer control_answer(ServerState& state, std::string_view method, std::string_view path,
                      std::string_view body) {
  const std::string_view page = path.substr(k_control_prefix.size());
  const bool get = method == "GET";
  const bool post = method == "POST";
  if (page == "counters" && get) {
    return text_answer(200, counters_json(state.counters()) + "\n", "application/json");
  }
  if (page == "reset" && post) {
    state.reset_counters();
    return text_answer(200, "");
  }
  if (page == "faults" && get) {
    std::string lines;
    for (const FaultCount& fault : state.faults().counts()) lines += fault.rule + "\n";
    return text_answer(200, std::move(lines));
  }
  if (page == "faults" && post) {
    auto set = state.set_faults(body);
    return set ? text_answer(200, "") : text_answer(400, set.error().message() + "\n");
  }
  const bool known = page == "counters" || page == "reset" || page == "faults";
  return known ? text_answer(405, "method not allowed\n")
               : text_answer(404, "there are counters, reset and faults\n");
}

}  // namespace loadline::serve
