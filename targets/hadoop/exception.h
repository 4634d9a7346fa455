// What a Java exception means for a run. Here alone a class becomes an Outcome.
//
// Threads: any attached one.
#pragma once

#include <jni.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "target/outcome.h"
#include "targets/hadoop/classes.h"

namespace loadline::targets::hadoop {

struct Meaning {
  target::Outcome outcome = target::Outcome::io_error;
  int error_number = 0;  // the errno that a file of this machine would give
};

// Of a class by its full name ("java.io.FileNotFoundException"); nothing for those that say no more
// than that something failed, and for those of others, whose parents may be known.
std::optional<Meaning> meaning_of(std::string_view class_name);

// A call into Java that failed.
struct Failure {
  Meaning meaning;
  std::string class_name;  // of the exception that tells most: the outermost, or a cause of it
  std::string message;     // its first line, credentials masked
  std::string place;       // the top of its stack, "DFSClient.checkOpen"

  // "FileNotFoundException: no such file (at DFSClient.open)", one line.
  std::string detail() const;
  // Without the place, for a user who has not come to debug Java.
  std::string words() const;
};

// Of our own making: the call was never made.
Failure failure_of(target::Outcome outcome, int error_number, std::string message);

// Takes the pending exception, of which there is one.
Failure take_failure(JNIEnv* env, const Classes& classes);

// For what fails before or around a run.
Error error_of(const Failure& failure, std::string doing, std::string context);

}  // namespace loadline::targets::hadoop
