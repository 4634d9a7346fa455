// Traces of operations: whatever the bytes, rows that name files that are there, or a mistake.

// links: record

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/unique_fd.h"
#include "record/trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const loadline::UniqueFd fd(memfd_create("trace", MFD_CLOEXEC));
  if (write(fd.get(), data, size) != static_cast<ssize_t>(size)) return 0;
  auto reader = loadline::record::TraceReader::open("/proc/self/fd/" + std::to_string(fd.get()));
  if (!reader) return 0;
  loadline::record::TraceRow row;
  while (true) {
    const auto more = reader->next(row);
    if (!more || !*more) return 0;
    if (row.file >= reader->files().size() || row.at < loadline::Duration()) std::abort();
  }
}
