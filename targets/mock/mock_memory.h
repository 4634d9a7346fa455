// What a remembering mock holds: containers and the exact bytes of small objects. The in-memory
// twin of a storage that the conformance suite and whole-path tests run on.
//
// Threads: perform() from any thread.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "target/op.h"

namespace loadline::targets {

class MockMemory {
 public:
  // Performs the operation at once. Reads feed the sink.
  target::Completion perform(const target::Op& op);

 private:
  using Object = std::vector<std::byte>;
  using Container = std::map<std::string, Object, std::less<>>;

  target::Outcome on_container(const target::Op& op);
  static target::Outcome on_name(const target::Op& op, Container& container, Bytes& bytes);
  target::Outcome read(const target::Op& op, const Container& container, Bytes& bytes) const;
  static Object bytes_of(const target::Payload& payload);

  std::mutex mutex_;
  std::map<std::string, Container, std::less<>> containers_;
};

}  // namespace loadline::targets
