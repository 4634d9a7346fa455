// The VM's class path: hadoop_classpath of the workload, else $CLASSPATH, else what the command
// `hadoop classpath` says. The VM, unlike the command `java`, does not expand `folder/*`: that is
// done here.
//
// Threads: any; one at a time. Errors: what was tried.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace loadline::targets::hadoop {

struct ClassPathSources {
  std::string parameter;
  std::string environment;           // $CLASSPATH
  std::string hadoop_home;           // $HADOOP_HOME
  std::string conf_dir;              // $HADOOP_CONF_DIR
  std::vector<std::string> folders;  // of configuration: stand before all else
  std::vector<std::string> jars;     // of plugins: stand behind it
  std::string command = "hadoop";    // looked for in PATH where there is no $HADOOP_HOME
};

struct ClassPath {
  std::string text;  // entries between colons
  std::string from;  // e.g. "CLASSPATH"
};

Result<ClassPath> find_class_path(const ClassPathSources& sources);

// `folder/*` becomes the jars in it, by name.
std::vector<std::string> expanded(std::string_view class_path);

}  // namespace loadline::targets::hadoop
