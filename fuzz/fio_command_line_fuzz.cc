// fio command lines: a word for each line of the input. Whatever they are, jobs or mistakes; and
// what was read without a mistake is read from its own given options as the same.

// links: fio_options

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dialects/fio/help.h"
#include "dialects/fio/parse.h"

namespace {

namespace fio = loadline::dialects::fio;

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

void add(std::vector<std::string>& words, const fio::GivenOption& option) {
  words.push_back("--" + option.name + (option.bare ? "" : "=" + option.value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fio::Surroundings world;
  world.variable = [](const std::string&) { return std::nullopt; };
  world.read_file = [](const std::string& path) -> loadline::Result<std::string> {
    return loadline::fail(loadline::ErrorCode::not_found, "not found", path);
  };
  world.cpus = 8;
  const fio::ParsedFio first =
      fio::parse(words_of({reinterpret_cast<const char*>(data), size}), world);
  require(!fio::show_command(first).empty());
  if (first.has_errors()) return 0;
  for (const fio::JobOptions& job : first.jobs) {
    std::vector<std::string> words;
    for (const fio::GivenOption& option : job.inherited) add(words, option);
    for (const fio::GivenOption& option : job.given) add(words, option);
    const fio::ParsedFio second = fio::parse(words, world);
    // An awaited job is not among these words.
    if (!job.wait_for.empty()) continue;
    require(!second.has_errors());
    require(second.jobs.size() == 1);
    require(second.jobs[0].given == job.given);
    require(second.jobs[0].block_size == job.block_size);
    require(second.jobs[0].random_distribution == job.random_distribution);
    require(second.jobs[0].percentile_list == job.percentile_list);
  }
  return 0;
}
