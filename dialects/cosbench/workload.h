// A workload as COSBench sees it after expansion: everything inherited is filled in, special works
// have their one operation. Words are still text; plan_builder.h turns them into a Plan, and
// archived_xml.h prints them back.
//
// Threads: plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dialects/cosbench/config_text.h"
#include "dialects/cosbench/findings.h"

namespace loadline::dialects::cosbench {

// An <auth> or <storage>; inherited whole.
struct Adapter {
  std::string type = "none";
  std::optional<ConfigText> config;  // none: the attribute is not there
  Place place;
  std::string where;
};

// The places of an element's attributes, for messages.
class Places {
 public:
  explicit Places(Place element = {}) : element_(std::move(element)) {}
  void set(const std::string& attribute, Place place) { places_[attribute] = std::move(place); }
  const Place& of(const std::string& attribute) const {
    const auto it = places_.find(attribute);
    return it == places_.end() ? element_ : it->second;
  }
  const Place& element() const { return element_; }

 private:
  Place element_;
  std::map<std::string, Place> places_;
};

struct Operation {
  std::string type;
  std::int64_t ratio = 100;
  std::string division;
  ConfigText config;  // effective: workload, workflow, workstage, work, operation joined
  std::string id;     // op1, op2, ... over the whole stage
  std::string name;   // as reported, e.g. "1-read-read"
  Places places;
  std::string where;  // "stage main, work mixed, operation 2"
};

struct Work {
  std::string name;
  std::string type = "normal";
  std::int64_t workers = 0;
  std::int64_t interval_s = 5;
  std::string division = "none";
  std::int64_t runtime_s = 0;
  std::int64_t rampup_s = 0;
  std::int64_t rampdown_s = 0;
  std::int64_t afr = 0;
  std::int64_t total_ops = 0;
  std::int64_t total_bytes = 0;
  std::string driver;
  std::optional<double> rate;  // operations per second
  std::string arrival;         // "", "constant" or "poisson"
  bool special = false;
  ConfigText config;  // effective: down to this work
  Adapter auth;
  Adapter storage;
  std::vector<Operation> operations;
  Places places;
  std::string where;
};

struct Stage {
  std::string id;  // s1-init
  std::string name;
  std::int64_t closure_delay_s = 0;
  std::string trigger;
  ConfigText config;
  Adapter auth;
  Adapter storage;
  std::vector<Work> works;
  Places places;
  std::string where;
};

struct Workload {
  std::string name;
  std::optional<std::string> description;
  std::string trigger;
  ConfigText config;           // of the workload alone
  ConfigText workflow_config;  // joined
  Adapter auth;
  Adapter storage;
  std::vector<Stage> stages;
  Places places;
};

// True where the stage sleeps instead of running: named delay with a closure delay, or of delay
// works alone.
bool only_sleeps(const Stage& stage);

}  // namespace loadline::dialects::cosbench
