// How far a job that can be verified came: the file that a later job takes it from.
#include <fmt/format.h>

#include <algorithm>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

constexpr auto k_write = static_cast<std::size_t>(plan::Direction::write);

// fio's names: local-NAME-0-verify.state, with the number over all jobs.
std::string state_path(const Clone& clone) {
  std::string name = fmt::format("local-{}-{}-verify.state", clone.job.name, clone.overall);
  std::ranges::replace(name, '/', '.');
  if (clone.state_folder.empty()) return name;
  return clone.state_folder + (clone.state_folder.ends_with('/') ? "" : "/") + name;
}

bool same_files(const plan::BlockIo& a, const plan::BlockIo& b) {
  return std::ranges::equal(a.files, b.files, {}, &plan::BlockFile::path, &plan::BlockFile::path);
}

bool touches(const plan::BlockIo& a, const plan::BlockIo& b) {
  return std::ranges::any_of(a.files, [&b](const plan::BlockFile& file) {
    return std::ranges::find(b.files, file.path, &plan::BlockFile::path) != b.files.end();
  });
}

// What one wrote can be read as the other's: intervals begin at the same places.
bool same_intervals(const plan::BlockIo& writer, const plan::BlockIo& reader) {
  const std::size_t read = static_cast<std::size_t>(plan::Direction::read);
  return writer.verify.checksum == reader.verify.checksum &&
         writer.verify.interval == reader.verify.interval && writer.offset == reader.offset &&
         !writer.append && writer.sizes[k_write] == reader.sizes[read] && !writer.uses[read];
}

}  // namespace

const plan::BlockIo* writer_before(const Clone& clone, const plan::BlockIo& block) {
  const plan::BlockIo* writer = nullptr;
  if (clone.so_far == nullptr) return nullptr;
  for (std::size_t s = 0; s + 1 < clone.so_far->stages.size(); ++s) {
    for (const plan::Job& job : clone.so_far->stages[s].jobs) {
      if (job.block && job.block->uses[k_write] && touches(*job.block, block)) writer = &*job.block;
    }
  }
  return writer;
}

namespace {

void choose_state(const Clone& clone, const FileView& view, plan::BlockIo& block,
                  Findings& findings) {
  const JobOptions& job = clone.job;
  plan::VerifySpec& verify = block.verify;
  if (verify.checksum == plan::Checksum::none || verify.checksum == plan::Checksum::null) return;
  const std::string path = state_path(clone);
  const bool rewrites = block.uses[k_write] && !verify.only;
  if (rewrites) {
    if (job.verify_state_save && job.engine != Engine::null) verify.state_save = path;
    return;
  }
  if (job.verify_state_load) {
    if (clone.files_matter && view.kind_of(path) != PathKind::file) {
      findings.error(job, fmt::format("verify_state_load: there is no {}; it is kept by the run "
                                      "that writes (verify_state_save=1)",
                                      path));
    }
    verify.state_load = path;
    return;
  }
  if (verify.only && clone.files_matter && view.kind_of(path) == PathKind::file) {
    findings.warn(job, fmt::format("verify_only: what {} says was written is verified", path));
    verify.state_load = path;
    return;
  }
  const plan::BlockIo* writer = writer_before(clone, block);
  if (writer && same_files(*writer, block) && same_intervals(*writer, block)) {
    verify.state_load = writer->verify.state_save;
  }
}

}  // namespace

void put_verify_state(const Clone& clone, const FileView& view, plan::BlockIo& block,
                      Findings& findings) {
  choose_state(clone, view, block, findings);
  // Who only reads verifies what it reads anyway, as in fio; a state says more than that.
  if (!block.uses[k_write] && block.verify.state_load.empty()) block.verify.only = false;
}

}  // namespace loadline::dialects::fio
