#include "dialects/cosbench/workload_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "dialects/cosbench/vocabulary.h"
#include "dialects/cosbench/word_advice.h"
#include "plan/check.h"
#include "target/masking.h"
#include "target/parameters.h"

namespace loadline::dialects::cosbench {
namespace {

using std::string_view;

// File names hold the workload's and a stage's name beside a prefix and a suffix.
constexpr std::size_t k_name_bytes_max = 180;

// What is below an element hands down to its children.
struct Inherited {
  ConfigText config;
  Adapter auth;
  Adapter storage;
};

class Reader {
 public:
  Reader(const Document& document, Findings& findings) : document_(document), findings_(findings) {}

  Workload read();

 private:
  Stage read_stage(pugi::xml_node node, std::size_t position, const Inherited& above);
  Work read_work(pugi::xml_node node, std::size_t position, const std::string& stage_where,
                 const Inherited& above);
  void read_numbers(pugi::xml_node node, Work& work);
  void read_pace(pugi::xml_node node, Work& work);
  void read_operations(pugi::xml_node node, Work& work);
  Operation read_operation(pugi::xml_node node, std::size_t position, const Work& work);
  void expand_special(Work& work);
  void check_limits(const Work& work);
  void check_file_name(const std::string& name, string_view of, const Place& place,
                       string_view where);

  Inherited inherit(pugi::xml_node node, const std::string& where, const Inherited& above);
  std::optional<Adapter> read_adapter(pugi::xml_node parent, const char* element,
                                      const std::string& where);
  ConfigText read_config(pugi::xml_node node, const std::string& where);
  Places places_of(pugi::xml_node node);
  // `most` is what the original's type holds: an int or a long.
  std::int64_t integer(pugi::xml_node node, const char* attribute, std::int64_t otherwise,
                       const std::string& where, std::int64_t most = INT32_MAX);
  std::int64_t not_negative(pugi::xml_node node, const char* attribute, string_view title,
                            const std::string& where, std::int64_t most = INT32_MAX,
                            std::int64_t stand_in = 0);

  const Document& document_;
  Findings& findings_;
  std::size_t operations_ = 0;  // works and operations of the whole workload
  std::size_t stage_operations_ = 0;
};

std::string text_of(pugi::xml_node node, const char* attribute, const char* otherwise = "") {
  const pugi::xml_attribute found = node.attribute(attribute);
  return found ? found.value() : otherwise;
}

Workload Reader::read() {
  const pugi::xml_node root = document_.root();
  Workload workload;
  if (string_view(root.name()) != "workload") {
    findings_.error(
        document_.place(root), "",
        fmt::format("the root element is <{}>; a workload begins with <workload>", root.name()));
    return workload;
  }
  workload.places = places_of(root);
  advise_on_words(document_, root, "", findings_);
  workload.name = text_of(root, "name");
  if (workload.name.find_first_not_of(' ') == std::string::npos) {
    findings_.error(workload.places.element(), "", "workload name cannot be empty");
  } else {
    check_file_name(workload.name, "workload", workload.places.of("name"), "");
  }
  if (root.attribute("description")) workload.description = text_of(root, "description");
  workload.trigger = text_of(root, "trigger");
  Inherited inherited = inherit(root, "workload", {});
  workload.config = inherited.config;
  workload.auth = inherited.auth;
  workload.storage = inherited.storage;
  const pugi::xml_node workflow = root.child("workflow");
  if (!workflow) {
    findings_.error(workload.places.element(), "", "workload must have its workflow");
    return workload;
  }
  advise_on_words(document_, workflow, "workflow", findings_);
  if (const pugi::xml_node second = workflow.next_sibling("workflow")) {
    findings_.warning(document_.place(second), "", "a second <workflow> is ignored");
  }
  inherited.config.join(read_config(workflow, "workflow"));
  workload.workflow_config = inherited.config;
  for (const pugi::xml_node stage : workflow.children("workstage")) {
    workload.stages.push_back(read_stage(stage, workload.stages.size() + 1, inherited));
  }
  if (workload.stages.empty()) {
    findings_.error(document_.place(workflow), "", "workflow must have stages");
  }
  return workload;
}

Stage Reader::read_stage(pugi::xml_node node, std::size_t position, const Inherited& above) {
  Stage stage;
  stage.name = text_of(node, "name");
  stage.where =
      stage.name.empty() ? fmt::format("stage {}", position) : fmt::format("stage {}", stage.name);
  stage.id = fmt::format("s{}-{}", position, stage.name);
  stage.places = places_of(node);
  advise_on_words(document_, node, stage.where, findings_);
  if (stage.name.empty()) {
    findings_.error(stage.places.element(), stage.where, "stage name cannot be empty");
  } else if (stage.name.find(';') != std::string::npos) {
    findings_.error(stage.places.of("name"), stage.where,
                    "stage name cannot contain delimiter ';'");
  } else {
    check_file_name(stage.name, "stage", stage.places.of("name"), stage.where);
  }
  stage.closure_delay_s = integer(node, "closuredelay", 0, stage.where);
  if (stage.closure_delay_s < 0) {
    findings_.error(stage.places.of("closuredelay"), stage.where,
                    "closure delay cannot be negative");
  }
  stage.trigger = text_of(node, "trigger");
  const Inherited inherited = inherit(node, stage.where, above);
  stage.config = inherited.config;
  stage.auth = inherited.auth;
  stage.storage = inherited.storage;
  stage_operations_ = 0;
  for (const pugi::xml_node work : node.children("work")) {
    stage.works.push_back(read_work(work, stage.works.size() + 1, stage.where, inherited));
  }
  if (stage.works.empty()) {
    findings_.error(stage.places.element(), stage.where, "stage must have works");
  }
  return stage;
}

Work Reader::read_work(pugi::xml_node node, std::size_t position, const std::string& stage_where,
                       const Inherited& above) {
  Work work;
  work.places = places_of(node);
  work.type = text_of(node, "type", "normal");
  work.special = is_special_work(work.type);
  work.name = text_of(node, "name");
  if (work.name.empty() && work.special) work.name = work.type;
  work.where = fmt::format("{}, work {}", stage_where,
                           work.name.empty() ? std::to_string(position) : work.name);
  operations_ += 1;
  if (operations_ > k_operations_max) {
    findings_.error(work.places.element(), "",
                    fmt::format("more than {} works and operations", k_operations_max));
    return work;
  }
  advise_on_words(document_, node, work.where, findings_);
  if (work.type.empty()) {
    findings_.error(work.places.of("type"), work.where, "work type cannot be empty");
  }
  if (work.name.empty()) {
    findings_.error(work.places.of("name"), work.where, "work name cannot be empty");
  }
  read_numbers(node, work);
  work.division = text_of(node, "division", "none");
  if (work.division.empty()) {
    findings_.error(work.places.of("division"), work.where, "work must have a default division");
  }
  work.driver = text_of(node, "driver");
  const Inherited inherited = inherit(node, work.where, above);
  work.config = inherited.config;
  work.auth = inherited.auth;
  work.storage = inherited.storage;
  if (work.special) {
    expand_special(work);
  } else {
    read_pace(node, work);
    read_operations(node, work);
    check_limits(work);
  }
  return work;
}

void Reader::read_numbers(pugi::xml_node node, Work& work) {
  // One worker stands in for a text that is no number and has been reported.
  work.workers = node.attribute("workers") ? integer(node, "workers", 1, work.where) : 0;
  const Place& workers_place = work.places.of("workers");
  if (work.type == "delay") {
    work.workers = 1;
  } else if (work.workers < 0) {
    findings_.error(workers_place, work.where, fmt::format("illegal workers: {}", work.workers));
  } else if (work.workers == 0) {
    findings_.error(workers_place, work.where, "must specify 'workers' for a work");
  } else if (work.workers > plan::k_workers_max) {
    findings_.error(
        workers_place, work.where,
        fmt::format("illegal workers: {}; {} are the limit", work.workers, plan::k_workers_max));
  }
  work.interval_s = integer(node, "interval", 5, work.where);
  if (work.interval_s <= 0) {
    findings_.error(
        work.places.of("interval"), work.where,
        fmt::format("illegal interval: {}; it is a number of seconds from 1 up", work.interval_s));
  }
  // Likewise for limits, of which there must be one.
  work.runtime_s = not_negative(node, "runtime", "runtime", work.where, INT32_MAX, 1);
  work.rampup_s = not_negative(node, "rampup", "ramp up time", work.where);
  work.rampdown_s = not_negative(node, "rampdown", "ramp down time", work.where);
  work.total_ops = not_negative(node, "totalOps", "total ops", work.where, INT32_MAX, 1);
  work.total_bytes = not_negative(node, "totalBytes", "total bytes", work.where, INT64_MAX, 1);
  work.afr = integer(node, "afr", work.special ? 0 : 200'000, work.where);
  if (work.afr < 0 || work.afr > 1'000'000) {
    findings_.error(work.places.of("afr"), work.where, "afr should be at 0 to 1000000 range");
  }
}

void Reader::read_pace(pugi::xml_node node, Work& work) {
  const std::string rate = text_of(node, "rate");
  if (node.attribute("rate")) {
    double value = 0;
    const auto [stop, error] = std::from_chars(rate.data(), rate.data() + rate.size(), value);
    const bool whole = error == std::errc() && stop == rate.data() + rate.size();
    if (whole && std::isfinite(value) && value > 0) {
      work.rate = value;
    } else {
      findings_.error(
          work.places.of("rate"), work.where,
          fmt::format("illegal rate: {}; it is a number of operations per second above 0", rate));
    }
  }
  work.arrival = text_of(node, "arrival", work.rate ? "constant" : "");
  const Place& place = work.places.of("arrival");
  const bool known = work.arrival == "constant" || work.arrival == "poisson";
  if (node.attribute("arrival") && !known) {
    findings_.error(
        place, work.where,
        fmt::format("unrecognized arrival: {}; it is constant or poisson", work.arrival));
  } else if (known && !node.attribute("rate")) {
    findings_.error(
        place, work.where,
        fmt::format("arrival={} needs a rate; add rate= operations per second", work.arrival));
  }
}

void Reader::read_operations(pugi::xml_node node, Work& work) {
  std::size_t position = 0;
  for (const pugi::xml_node child : node.children("operation")) {
    position += 1;
    operations_ += 1;
    if (operations_ > k_operations_max) {
      findings_.error(document_.place(child), "",
                      fmt::format("more than {} works and operations", k_operations_max));
      return;
    }
    Operation operation = read_operation(child, position, work);
    if (operation.ratio != 0) {
      operation.id = fmt::format("op{}", ++stage_operations_);
      work.operations.push_back(std::move(operation));
    }
  }
}

Operation Reader::read_operation(pugi::xml_node node, std::size_t position, const Work& work) {
  Operation operation;
  operation.places = places_of(node);
  operation.where = fmt::format("{}, operation {}", work.where, position);
  advise_on_words(document_, node, operation.where, findings_);
  operation.type = text_of(node, "type");
  if (operation.type.empty()) {
    findings_.error(operation.places.of("type"), operation.where, "operation type cannot be empty");
  }
  operation.ratio = integer(node, "ratio", 100, operation.where);
  if (operation.ratio < 0 || operation.ratio > 100) {
    findings_.error(
        operation.places.of("ratio"), operation.where,
        fmt::format("illegal operation ratio: {}; it is from 0 to 100", operation.ratio));
  }
  operation.division = text_of(node, "division", work.division.c_str());
  operation.config = work.config;
  operation.config.join(read_config(node, operation.where));
  return operation;
}

void Reader::check_limits(const Work& work) {
  if (work.runtime_s == 0 && work.total_ops == 0 && work.total_bytes == 0) {
    findings_.error(work.places.element(), work.where,
                    "no work limits detectd, either runtime, total ops or total bytes");
  }
  if (work.operations.empty()) {
    findings_.error(
        work.places.element(), work.where,
        fmt::format("a work must have opertations{}", suggestion(work.type, special_works())));
    return;
  }
  std::int64_t sum = 0;
  for (const Operation& operation : work.operations) sum += operation.ratio;
  if (sum != 100) {
    findings_.error(work.places.element(), work.where,
                    fmt::format("op ratio should sum to 100; it is {}", sum));
  }
}

// COSBench's rewriting: one operation, no measured time, one pass. What it puts in front of the
// config loses against any key of that name the user has given, inherited ones too.
void Reader::expand_special(Work& work) {
  const bool containers = work.type == "init" || work.type == "dispose";
  const bool delay = work.type == "delay";
  work.runtime_s = 0;
  work.total_bytes = 0;
  work.total_ops = work.workers;
  work.division = delay ? "none" : containers ? "container" : "object";
  Operation operation;
  operation.type = work.type;
  operation.division = work.division;
  operation.id = "op1";
  operation.where = work.where;
  operation.places = work.places;
  if (containers) {
    operation.config.set("objects", "r(0,0)");
    operation.config.set("sizes", "c(0)B");
  } else if (work.type == "cleanup") {
    operation.config.set("deleteContainer", "false");
  } else if (!delay) {
    operation.config.set("createContainer", "false");
  }
  operation.config.join(work.config);
  work.operations.push_back(std::move(operation));
  stage_operations_ += 1;
}

void Reader::check_file_name(const std::string& name, string_view of, const Place& place,
                             string_view where) {
  const bool control =
      std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (name == "." || name == ".." || name.find('/') != std::string::npos || control) {
    findings_.error(place, where,
                    fmt::format("{} name '{}' cannot name a file; leave out '/' and control "
                                "characters",
                                of, control ? "?" : name));
  } else if (name.size() > k_name_bytes_max) {
    findings_.error(
        place, where,
        fmt::format("{} name is longer than {} bytes; it names a file", of, k_name_bytes_max));
  }
}

Inherited Reader::inherit(pugi::xml_node node, const std::string& where, const Inherited& above) {
  Inherited inherited = above;
  inherited.config.join(read_config(node, where));
  if (auto auth = read_adapter(node, "auth", where)) inherited.auth = std::move(*auth);
  if (auto storage = read_adapter(node, "storage", where)) inherited.storage = std::move(*storage);
  return inherited;
}

std::optional<Adapter> Reader::read_adapter(pugi::xml_node parent, const char* element,
                                            const std::string& where) {
  const pugi::xml_node node = parent.child(element);
  if (!node) return std::nullopt;
  Adapter adapter;
  adapter.where = fmt::format("{}, {}", where, element);
  adapter.place = document_.place(node, "type");
  adapter.type = text_of(node, "type");
  advise_on_words(document_, node, adapter.where, findings_);
  if (adapter.type.empty()) {
    findings_.error(adapter.place, adapter.where, fmt::format("{} type cannot be empty", element));
  }
  if (node.attribute("config")) adapter.config = read_config(node, adapter.where);
  const pugi::xml_node second = node.next_sibling(element);
  if (second) {
    findings_.warning(document_.place(second), where,
                      fmt::format("a second <{}> is ignored", element));
  }
  return adapter;
}

ConfigText Reader::read_config(pugi::xml_node node, const std::string& where) {
  const char* text = node.attribute("config").as_string();
  const Place place = document_.place(node, "config");
  if (std::strlen(text) > k_config_bytes_max) {
    findings_.error(place, where,
                    fmt::format("config is longer than {} bytes", k_config_bytes_max));
    return {};
  }
  if (std::ranges::count(string_view(text), ';') >=
      static_cast<std::ptrdiff_t>(k_config_keys_max)) {
    findings_.error(place, where, fmt::format("config has more than {} keys", k_config_keys_max));
    return {};
  }
  std::vector<std::string> refused;
  ConfigText config = ConfigText::parse(text, &refused);
  const bool secret = std::ranges::any_of(
      config.entries(), [](const auto& entry) { return target::is_secret_key(entry.key); });
  for (const std::string& part : refused) {
    // It may be the rest of a secret that holds a semicolon.
    const std::string shown = secret ? std::string(Secret::k_mask) : target::masked(part);
    findings_.warning(place, where,
                      fmt::format("'{}' in config has no key=value and is ignored", shown));
  }
  for (auto& entry : config.entries()) entry.place = document_.place_of_key(node, entry.key);
  advise_on_keys(node, config, where, findings_);
  return config;
}

Places Reader::places_of(pugi::xml_node node) {
  Places places(document_.place(node));
  for (const string_view attribute : attributes_of(node.name())) {
    const std::string name(attribute);
    if (node.attribute(name.c_str())) places.set(name, document_.place(node, name.c_str()));
  }
  return places;
}

std::int64_t Reader::integer(pugi::xml_node node, const char* attribute, std::int64_t otherwise,
                             const std::string& where, std::int64_t most) {
  if (!node.attribute(attribute)) return otherwise;
  const std::string text = text_of(node, attribute);
  // Java's parseInt takes a plus sign, from_chars does not.
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' && text[1] != '-' ? 1 : 0);
  const char* end = text.data() + text.size();
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc() && stop == end && value <= most && value >= -most - 1) return value;
  findings_.error(document_.place(node, attribute), where,
                  fmt::format("For input string: \"{}\"; {} is a whole number up to {}", text,
                              attribute, most));
  return otherwise;
}

std::int64_t Reader::not_negative(pugi::xml_node node, const char* attribute, string_view title,
                                  const std::string& where, std::int64_t most,
                                  std::int64_t stand_in) {
  if (!node.attribute(attribute)) return 0;
  const std::int64_t value = integer(node, attribute, stand_in, where, most);
  if (value < 0) {
    findings_.error(document_.place(node, attribute), where,
                    fmt::format("illegal {}: {}", title, value));
  }
  return value;
}

}  // namespace

Workload read_workload(const Document& document, Findings& findings) {
  return Reader(document, findings).read();
}

}  // namespace loadline::dialects::cosbench
