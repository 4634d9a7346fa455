// Where the Java VM's library lies: java_home of the workload, else $JAVA_HOME, else that of the
// `java` in PATH, else those of /usr/lib/jvm.
//
// Threads: pure functions of the file system. Errors: every path that was tried.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace loadline::targets::hadoop {

struct JavaPlaces {
  std::string parameter;    // java_home; where it is given nothing else counts
  std::string environment;  // $JAVA_HOME
  std::string search_path;  // $PATH
  std::string folder_of_all = "/usr/lib/jvm";
};

struct JavaLibrary {
  std::string path;  // of libjvm.so
  bool modules;      // Java 9 or newer: packages are opened by option
};

Result<JavaLibrary> find_java(const JavaPlaces& places);

// The folder that a JDK's `java` belongs to; "" where PATH has none.
std::string home_of_java(const std::string& search_path);

}  // namespace loadline::targets::hadoop
