// TestDFSIO command lines, and those of fs -count: a word for each line of the input. Whatever they
// are, a plan within its bounds or a mistake that is told in whole lines.

// links: dialect_testdfsio plan

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/testdfsio/command.h"
#include "dialects/testdfsio/fs_count.h"
#include "dialects/testdfsio/words.h"

namespace {

namespace testdfsio = loadline::dialects::testdfsio;

void require(bool condition) {
  if (!condition) std::abort();
}

std::vector<std::string> words_of(std::string_view input) {
  std::vector<std::string> words;
  while (!input.empty()) {
    const std::size_t end = input.find('\n');
    words.emplace_back(input.substr(0, end));
    input.remove_prefix(end == input.npos ? input.size() : end + 1);
  }
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  testdfsio::Surroundings world;
  world.cores = 4;
  world.variable = [](const std::string&) { return std::nullopt; };
  // A file of the configuration is the input itself.
  world.read_file = [input](const std::string&) { return std::string(input); };
  const std::vector<std::string> words = words_of(input);
  const std::vector<std::string> types = {"hadoop", "webhdfs", "posix"};
  const testdfsio::Answer answer =
      testdfsio::answer(words, {.seed = 1, .target_types = types}, world);
  require(!testdfsio::command_text(words).empty());
  if (answer.planned) {
    require(answer.exit_status == 0);
    const auto& plan = answer.planned->plan;
    require(testdfsio::run_source(plan) == answer.planned->source);
    for (const auto& stage : plan.stages) {
      for (const auto& job : stage.jobs) {
        require(job.workers > 0 && job.stream.has_value());
        require(!job.stream->folder.empty() && job.stream->folder.front() != '/');
        require(job.stream->buffer.count() > 0);
      }
    }
  } else {
    require(!answer.err.empty() || !answer.out.empty());
  }
  const auto count = testdfsio::parse_count(words, world);
  require(count ? !count->paths.empty() : !count.error().message().empty());
  return 0;
}
