// A made-up world and made-up runs, for the tests of this folder. Never part of the product.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "dialects/testdfsio/plan_builder.h"
#include "dialects/testdfsio/surroundings.h"
#include "record/run_result.h"
#include "store/stored_run.h"

namespace loadline::dialects::testdfsio::testing {

struct World {
  std::map<std::string, std::string> variables{};
  std::map<std::string, std::string> files{};

  Surroundings surroundings() const {
    Surroundings made;
    made.cores = 2;
    made.variable = [all = variables](const std::string& name) -> std::optional<std::string> {
      const auto it = all.find(name);
      return it == all.end() ? std::nullopt : std::optional(it->second);
    };
    made.read_file = [all = files](const std::string& path) -> Result<std::string> {
      const auto it = all.find(path);
      if (it == all.end()) return fail(ErrorCode::not_found, "cannot read: no such file", path);
      return it->second;
    };
    return made;
  }
};

inline std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

// A folder of its own that goes away with it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "testdfsio_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline record::StreamFile stream_file(std::uint64_t number, std::uint32_t worker, Bytes bytes,
                                      std::int64_t begin_ms, std::int64_t transfer_ms) {
  return {.number = number,
          .worker = worker,
          .bytes = bytes,
          .begin = Duration::milliseconds(begin_ms),
          .transfer = Duration::milliseconds(transfer_ms)};
}

// A run of this plan in which every stage went well and no file was moved yet: the old data took
// 100 ms to remove, the rest of the stages a second each.
inline record::RunResult run_of(const plan::Plan& plan) {
  record::RunResult result;
  result.state = record::RunState::finished;
  result.ended = WallTime::from_ns(0);
  for (const plan::Stage& stage : plan.stages) {
    record::StageResult& made = result.stages.emplace_back();
    made.id = stage.id;
    made.state = record::StageState::completed;
    made.elapsed =
        stage.id == k_stage_old_data ? Duration::milliseconds(100) : Duration::seconds(1);
    for (const plan::Job& job : stage.jobs) {
      made.jobs.emplace_back().name = job.name;
    }
  }
  return result;
}

inline void set_zone_to_utc() {
  setenv("TZ", "UTC", 1);
  tzset();
}

}  // namespace loadline::dialects::testdfsio::testing
