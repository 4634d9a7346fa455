// What blocks hold, whether it is checked, and which failures do not end the job.
#include <algorithm>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

constexpr std::size_t k_offset_bytes = 8;  // of one %o

// Hex digits; "%o" for the eight bytes of an offset.
std::string pattern_text(const Pattern& pattern) {
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < pattern.bytes.size();) {
    if (std::ranges::find(pattern.offsets, i) != pattern.offsets.end()) {
      text += "%o";
      i += k_offset_bytes;
      continue;
    }
    const auto byte = static_cast<unsigned char>(pattern.bytes[i++]);
    text += k_digits[byte >> 4U];
    text += k_digits[byte & 15U];
  }
  return text;
}

plan::BufferSpec buffers_of(const JobOptions& job) {
  plan::BufferSpec buffers;
  if (job.zero_buffers) {
    buffers.fill = plan::BufferFill::zero;
  } else if (job.buffer_pattern) {
    buffers.fill = plan::BufferFill::pattern;
    buffers.pattern = pattern_text(*job.buffer_pattern);
  } else if (job.refill_buffers) {
    buffers.fill = plan::BufferFill::fresh;
  } else if (!job.scramble_buffers) {
    buffers.fill = plan::BufferFill::same;
  }
  if (job.buffer_compress_percentage) {
    buffers.compress_percent = *job.buffer_compress_percentage;
    buffers.compress_chunk = job.buffer_compress_chunk;
  }
  buffers.dedupe_percent = job.dedupe_percentage;
  if (job.dedupe_percentage == 0) return buffers;
  if (job.dedupe_mode == DedupeMode::working_set) {
    buffers.dedupe_set_percent = job.dedupe_working_set_percentage;
    buffers.dedupe_global = job.dedupe_global;
  }
  return buffers;
}

plan::Checksum checksum_of(Verify verify) {
  using To = plan::Checksum;
  switch (verify) {
    case Verify::none: return To::none;
    case Verify::md5: return To::md5;
    case Verify::crc64: return To::crc64;
    case Verify::crc32: return To::crc32;
    case Verify::crc32c: return To::crc32c;
    case Verify::crc16: return To::crc16;
    case Verify::crc7: return To::crc7;
    case Verify::sha1: return To::sha1;
    case Verify::sha256: return To::sha256;
    case Verify::sha512: return To::sha512;
    case Verify::sha3_224: return To::sha3_224;
    case Verify::sha3_256: return To::sha3_256;
    case Verify::sha3_384: return To::sha3_384;
    case Verify::sha3_512: return To::sha3_512;
    case Verify::xxhash: return To::xxhash;
    case Verify::pattern: return To::pattern;
    case Verify::pattern_hdr: return To::pattern_hdr;
    case Verify::null: return To::null;
  }
  return To::none;
}

plan::VerifySpec verify_of(const JobOptions& job) {
  plan::VerifySpec verify;
  verify.checksum = checksum_of(job.verify);
  if (verify.checksum == plan::Checksum::none) return verify;
  verify.read_back = job.do_verify;
  verify.only = job.verify_only;
  verify.fatal = job.verify_fatal;
  verify.dump = job.verify_dump;
  verify.interval = job.verify_interval.value_or(Bytes());
  verify.backlog = job.verify_backlog;
  verify.backlog_batch = job.verify_backlog_batch.value_or(0);
  verify.check_sequence = job.verify_write_sequence;
  verify.check_seed = job.verify_header_seed;
  verify.header_offset = job.verify_offset.value_or(Bytes());
  verify.threads = job.verify_async;
  if (job.verify_pattern) verify.pattern = pattern_text(*job.verify_pattern);
  return verify;
}

plan::TrimRule trims_of(const JobOptions& job) {
  if (!writes(job.rw)) return {};
  return {.percent = job.trim_percentage,
          .backlog = job.trim_backlog,
          .batch = job.trim_backlog_batch.value_or(0),
          .expect_zero = job.trim_verify_zero};
}

}  // namespace

void put_data(const Clone& clone, plan::BlockIo& block, Findings&) {
  const JobOptions& job = clone.job;
  block.buffers = buffers_of(job);
  block.verify = verify_of(job);
  block.trims = trims_of(job);
  const ContinueOnError& on = job.continue_on_error;
  block.tolerance = {.io = {on.read, on.write, on.write},
                     .verify = on.verify,
                     .ignored_read = job.ignore_error_read,
                     .ignored_write = job.ignore_error_write,
                     .ignored_verify = job.ignore_error_verify,
                     .listed = job.error_dump};
  block.split_latency = !job.disable_slat && !job.gtod_reduce;
}

}  // namespace loadline::dialects::fio
