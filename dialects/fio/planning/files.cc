// Names and sizes of files, the region and the amount, and what happens to files around a job.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/rng.h"
#include "dialects/fio/planning/file_names.h"
#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

constexpr std::uint64_t k_size_seed = 0x66696c6573697a65;  // of random file sizes

plan::Extent extent_of(const Size& size, Bytes zone) {
  switch (size.unit) {
    case Size::Unit::bytes: return {.bytes = Bytes(size.amount)};
    case Size::Unit::percent: return {.percent = static_cast<std::uint32_t>(size.amount)};
    case Size::Unit::zones: return {.bytes = Bytes(size.amount * zone.count())};
  }
  return {};
}

// Whatever stands under the names is nothing to the job.
bool no_files(Engine engine) { return engine == Engine::null || engine == Engine::http; }

std::uint64_t smallest_block(const plan::BlockIo& block) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    if (block.uses[d]) least = std::min(least, block.sizes[d].min.count());
  }
  return std::max<std::uint64_t>(least, 1);
}

class FilePart {
 public:
  FilePart(const Clone& clone, const FileView& view, plan::BlockIo& block, Findings& findings)
      : clone_(clone), job_(clone.job), view_(view), block_(block), findings_(findings) {}

  void put() {
    for (std::string& name : file_names(clone_, view_, findings_)) {
      block_.files.push_back({.path = std::move(name), .size = Bytes()});
    }
    put_sizes();
    put_offset();
    put_amount();
    put_treatment();
    if (clone_.files_matter) check_size();
  }

 private:
  // filesize= names each file's size; without it size= is divided over them.
  void put_sizes() {
    if (job_.size) block_.size = extent_of(*job_.size, job_.zonesize);
    if (!job_.filesize) return;
    Rng rng = Rng::split(job_.randseed.value_or(k_size_seed), clone_.overall);
    Bytes total;
    for (plan::BlockFile& file : block_.files) {
      file.size = size_in(*job_.filesize, file.path, rng);
      total += file.size;
    }
    if (job_.size && block_.size.percent == 0 && block_.size.given()) {
      if (block_.size.bytes < total) block_.amount = block_.size;
      block_.size = {};
    }
  }

  Bytes size_in(const ByteRange& range, const std::string& path, Rng& rng) const {
    if (range.low == range.high) return range.low;
    const Bytes there(view_.size_of(path));
    if (there >= range.low && there <= range.high) return there;
    const std::uint64_t unit = smallest_block(block_);
    const std::uint64_t size =
        range.low.count() + rng.below(range.high.count() - range.low.count() + 1);
    return std::max(range.low, Bytes(size / unit * unit));
  }

  void put_offset() {
    const plan::Extent start = extent_of(job_.offset, job_.zonesize);
    const plan::Extent step = extent_of(job_.offset_increment, job_.zonesize);
    const bool mixed = start.given() && step.given() && (start.percent > 0) != (step.percent > 0);
    if (mixed) {
      findings_.refuse(job_,
                       "offset and offset_increment of which one is in percent are not "
                       "supported: give both in bytes, or both in percent");
      return;
    }
    block_.offset = {.bytes = Bytes(start.bytes.count() + clone_.number * step.bytes.count()),
                     .percent = start.percent + clone_.number * step.percent};
    if (block_.offset.percent > 100) {
      findings_.error(job_, fmt::format("clone {} would begin at {}% of the file; lower "
                                        "offset_increment or numjobs",
                                        clone_.number, block_.offset.percent));
    }
    if (block_.offset.percent > 0) align_offset();
  }

  // A share of a file whose size is known becomes whole blocks, as in fio.
  void align_offset() {
    if (block_.files.size() != 1) return;
    std::uint64_t whole = block_.files.front().size.count();
    if (whole == 0) whole = view_.size_of(block_.files.front().path);
    if (whole == 0) whole = block_.size.bytes.count();
    if (whole == 0) return;
    const std::uint64_t unit =
        job_.offset_align.count() > 0 ? job_.offset_align.count() : smallest_block(block_);
    const std::uint64_t at =
        whole / 100 * block_.offset.percent + whole % 100 * block_.offset.percent / 100;
    block_.offset = {.bytes = Bytes((at + unit - 1) / unit * unit)};
  }

  void put_amount() {
    if (job_.io_size) block_.amount = extent_of(*job_.io_size, job_.zonesize);
    block_.operations = job_.number_ios;
    block_.loops = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(job_.loops, std::numeric_limits<std::uint32_t>::max()));
    block_.time_based = job_.time_based && job_.runtime && *job_.runtime > Duration();
    block_.fill_device = job_.fill_device;
    block_.append = job_.file_append;
    if (job_.zonemode == ZoneMode::strided) {
      block_.zone_size = job_.zonesize;
      block_.zone_range = job_.zonerange.count() > 0 ? job_.zonerange : job_.zonesize;
      block_.zone_skip = extent_of(job_.zoneskip, job_.zonesize).bytes;
      // The gaps do not count: fio goes round until the whole size has been moved.
      if (!block_.amount.given()) {
        block_.amount = block_.size.given() ? block_.size : plan::Extent{.percent = 100};
      }
    }
  }

  void put_treatment() {
    const plan::FileAction action = block_.action;
    const bool makes =
        action == plan::FileAction::create || action == plan::FileAction::make_directory ||
        action == plan::FileAction::stat_directory || action == plan::FileAction::remove_directory;
    block_.lay_out = !job_.create_on_open && !no_files(job_.engine) && !makes;
    block_.overwrite = job_.overwrite;
    block_.create_only = job_.create_only;
    block_.lay_out_sync = job_.create_fsync;
    block_.may_create = job_.allow_file_create && !clone_.readonly;
    block_.read_only = clone_.readonly;
    block_.pre_read = job_.pre_read;
    block_.unlink = job_.unlink;
    block_.open_files = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(job_.openfiles.value_or(0), block_.files.size()));
  }

  // The words are fio's.
  void check_size() {
    if (block_.action != plan::FileAction::data && block_.action != plan::FileAction::allocate &&
        block_.action != plan::FileAction::truncate) {
      return;
    }
    if (job_.fill_device || (block_.size.given() && block_.size.percent == 0)) return;
    if (job_.filesize) return;
    for (const plan::BlockFile& file : block_.files) {
      const PathKind kind = no_files(job_.engine) ? PathKind::missing : view_.kind_of(file.path);
      if (kind == PathKind::device || kind == PathKind::other) return;
      if (kind == PathKind::broken_link) return;  // said when it is laid out
      if (kind == PathKind::file && view_.size_of(file.path) > 0) return;
    }
    // What an earlier stage writes is there by then.
    if (writer_before(clone_, block_) != nullptr) return;
    findings_.fail_clone(job_, fmt::format("{}: you need to specify size=", job_.name));
  }

  const Clone& clone_;
  const JobOptions& job_;
  const FileView& view_;
  plan::BlockIo& block_;
  Findings& findings_;
};

}  // namespace

void put_files(const Clone& clone, const FileView& view, plan::BlockIo& block, Findings& findings) {
  FilePart(clone, view, block, findings).put();
}

}  // namespace loadline::dialects::fio
