#include "dialects/fio/planning/file_names.h"

#include <fmt/format.h>

namespace loadline::dialects::fio {
namespace {

constexpr std::uint64_t k_files_max = 10'000'000;

std::string behind(const std::string& directory, const std::string& name) {
  if (directory.empty()) return name;
  return directory.ends_with('/') ? directory + name : directory + "/" + name;
}

// $jobname, $jobnum, $filenum and $clientuid in fio's filename_format.
std::string made_name(const Clone& clone, std::uint64_t file) {
  std::string_view format = clone.job.filename_format;
  if (format.empty()) format = "$jobname.$jobnum.$filenum";
  std::string name;
  while (!format.empty()) {
    if (format.starts_with("$jobname")) {
      name += clone.job.name;
      format.remove_prefix(8);
    } else if (format.starts_with("$jobnum")) {
      name += std::to_string(clone.number);
      format.remove_prefix(7);
    } else if (format.starts_with("$filenum")) {
      name += std::to_string(file);
      format.remove_prefix(8);
    } else if (format.starts_with("$clientuid")) {
      name += "localhost";
      format.remove_prefix(10);
    } else {
      name += format.front();
      format.remove_prefix(1);
    }
  }
  return name;
}

// A job named like a device works on it.
bool names_a_device(const std::string& name, const FileView& view) {
  const PathKind kind = view.kind_of(name);
  return kind == PathKind::device || kind == PathKind::other;
}

}  // namespace

std::vector<std::string> file_names(const Clone& clone, const FileView& view, Findings& findings) {
  const JobOptions& job = clone.job;
  std::string directory;
  for (const std::string& each : job.directories) {
    if (clone.files_matter && view.kind_of(each) != PathKind::folder) {
      findings.error(job, fmt::format("failed parsing directory={}: {} is not a directory; make it "
                                      "first",
                                      each, each));
    }
  }
  if (!job.directories.empty()) {
    // Names that were given are the same for all clones, and so is their directory.
    const std::size_t index = job.filenames.empty() ? clone.number : 0;
    directory = job.directories[index % job.directories.size()];
  }
  std::vector<std::string> names;
  for (const std::string& name : job.filenames) {
    if (name == "-") {
      findings.refuse(job, "filename=- is not supported: standard input and output are no storage");
    }
    names.push_back(behind(directory, name));
  }
  if (!job.opendir.empty()) {
    for (std::string& name : view.files_below(behind(directory, job.opendir))) {
      names.push_back(std::move(name));
    }
    if (clone.files_matter && names.empty()) {
      findings.error(job, fmt::format("opendir={}: there is no file below it", job.opendir));
    }
  }
  if (!names.empty() || !job.opendir.empty()) return names;
  if (job.nrfiles == 1 && names_a_device(job.name, view)) return {job.name};
  if (job.nrfiles > k_files_max) {
    findings.refuse(job, fmt::format("nrfiles={} is not supported: at most {} files a job",
                                     job.nrfiles, k_files_max));
    return names;
  }
  for (std::uint64_t i = 0; i < job.nrfiles; ++i) {
    names.push_back(behind(directory, made_name(clone, i)));
  }
  return names;
}

}  // namespace loadline::dialects::fio
