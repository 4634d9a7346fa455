// A harness with a bug: it must fail, which proves that the others could. Two bytes in a row are
// for the fuzzer to find, with no seed that has them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= 2 && data[0] == 'L' && data[1] == 'o') std::abort();
  return 0;
}
