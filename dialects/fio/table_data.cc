// Options of buffers, verification, trims, recording and replay.
#include <array>

#include "dialects/fio/option_setters.h"

namespace loadline::dialects::fio {
namespace {

using J = JobOptions;

constexpr std::array k_dedupes = {Choice{"repeat", 0, "the previous buffer"},
                                  Choice{"working_set", 1, "one of a set"}};

template <Verify kind>
constexpr Choice verify_choice(std::string_view word, std::string_view help) {
  return {word, static_cast<int>(kind), help};
}
constexpr std::array k_verifies = {
    verify_choice<Verify::none>("0", "no verification"),
    verify_choice<Verify::md5>("md5", "MD5"),
    verify_choice<Verify::crc64>("crc64", "CRC-64"),
    verify_choice<Verify::crc32>("crc32", "CRC-32"),
    verify_choice<Verify::crc32c>("crc32c-intel", "CRC-32C, as crc32c"),
    verify_choice<Verify::crc32c>("crc32c", "CRC-32C"),
    verify_choice<Verify::crc16>("crc16", "CRC-16"),
    verify_choice<Verify::crc7>("crc7", "CRC-7"),
    verify_choice<Verify::sha1>("sha1", "SHA-1"),
    verify_choice<Verify::sha256>("sha256", "SHA-256"),
    verify_choice<Verify::sha512>("sha512", "SHA-512"),
    verify_choice<Verify::sha3_224>("sha3-224", "SHA3-224"),
    verify_choice<Verify::sha3_256>("sha3-256", "SHA3-256"),
    verify_choice<Verify::sha3_384>("sha3-384", "SHA3-384"),
    verify_choice<Verify::sha3_512>("sha3-512", "SHA3-512"),
    verify_choice<Verify::xxhash>("xxhash", "xxHash"),
    verify_choice<Verify::pattern_hdr>("meta", "old name of pattern_hdr"),
    verify_choice<Verify::pattern>("pattern", "the pattern alone"),
    verify_choice<Verify::pattern_hdr>("pattern_hdr", "the pattern with a header"),
    verify_choice<Verify::null>("null", "pretend"),
};

constexpr Option k_data[] = {
    {"zero_buffers", "", SetFlag{&J::zero_buffers}, "data of zeros"},
    {"refill_buffers", "", SetFlag{&J::refill_buffers}, "new data for each write"},
    {"scramble_buffers", "", &J::scramble_buffers, "change a little of each buffer"},
    {"buffer_pattern", "", Custom{set_buffer_pattern}, "fixed data: \"text\", 0xhex, 'file'"},
    {.name = "buffer_compress_percentage",
     .slot = &J::buffer_compress_percentage,
     .help = "percent that compresses",
     .min = 0,
     .max = 100},
    {"buffer_compress_chunk", "", &J::buffer_compress_chunk, "bytes of a compressible piece"},
    {.name = "dedupe_percentage",
     .slot = &J::dedupe_percentage,
     .help = "percent of repeats",
     .min = 0,
     .max = 100},
    {"dedupe_global", "", &J::dedupe_global, "repeats across jobs"},
    {.name = "dedupe_mode",
     .slot = Pick{pick<&J::dedupe_mode>},
     .help = "what is repeated",
     .choices = k_dedupes},
    {.name = "dedupe_working_set_percentage",
     .slot = &J::dedupe_working_set_percentage,
     .help = "size of the set of repeats",
     .min = 0,
     .max = 100},
    {"mem", "iomem", Custom{set_mem}, "memory of I/O buffers"},
    {"iomem_align", "mem_align", &J::iomem_align, "alignment of I/O buffers"},
    {.name = "hugepage-size", .slot = &J::hugepage_size, .help = "size of a huge page", .min = 1},
    {.name = "verify",
     .slot = Pick{pick<&J::verify>},
     .help = "checksum of each block",
     .choices = k_verifies},
    {"do_verify", "", &J::do_verify, "read back after writing"},
    {"verify_only", "", SetFlag{&J::verify_only}, "only read back"},
    {"verify_policy", "", Custom{set_verify_policy}, "which writes are read back"},
    {.name = "verifysort", .slot = Dropped::text, .help = "outdated, ignored"},
    {.name = "verifysort_nr", .slot = Dropped::text, .help = "outdated, ignored"},
    {.name = "verify_interval",
     .slot = &J::verify_interval,
     .help = "a header every so many bytes",
     .min = 80},
    {"verify_offset", "", &J::verify_offset, "where the header stands in its interval"},
    {"verify_pattern", "", Custom{set_verify_pattern}, "as buffer_pattern, with %o for the offset"},
    {"verify_pattern_interval", "", &J::verify_pattern_interval, "begin the pattern per interval"},
    {"verify_fatal", "", &J::verify_fatal, "stop at the first mismatch"},
    {"verify_dump", "", &J::verify_dump, "write good and bad blocks to files"},
    {"verify_async", "", &J::verify_async, "threads that verify"},
    {"verify_async_cpus", "", Custom{set_verify_async_cpus}, "processors of those threads"},
    {"verify_backlog", "", &J::verify_backlog, "verify after so many writes"},
    {"verify_backlog_batch", "", &J::verify_backlog_batch, "how many are verified then"},
    {"experimental_verify", "", &J::experimental_verify, "replay the job to verify"},
    {"verify_state_load", "", &J::verify_state_load, "go on from a saved state"},
    {"verify_state_save", "", &J::verify_state_save, "save the state at the end"},
    {"verify_write_sequence", "", &J::verify_write_sequence, "check the count of writes"},
    {"verify_header_seed", "", &J::verify_header_seed, "check the seed in the header"},
    {.name = "trim_percentage",
     .slot = &J::trim_percentage,
     .help = "percent of blocks trimmed",
     .min = 0,
     .max = 100},
    {"trim_verify_zero", "", &J::trim_verify_zero, "trimmed blocks must read as zeros"},
    {"trim_backlog", "", &J::trim_backlog, "trim after so many writes"},
    {"trim_backlog_batch", "", &J::trim_backlog_batch, "how many are trimmed then"},
    {"write_iolog", "", &J::write_iolog, "record the I/O to this file"},
    {"read_iolog", "", &J::read_iolog, "replay the I/O of this file"},
    {"read_iolog_chunked", "", &J::read_iolog_chunked, "read it piece by piece"},
    {"replay_no_stall", "", &J::replay_no_stall, "ignore its times"},
    {"replay_redirect", "", &J::replay_redirect, "replay onto this file"},
    {.name = "replay_scale", .slot = &J::replay_scale, .help = "divide offsets by this", .min = 1},
    {"replay_align", "", &J::replay_align, "align offsets to this"},
    {.name = "replay_time_scale",
     .slot = &J::replay_time_scale,
     .help = "percent of the speed",
     .min = 1},
    {"replay_skip", "", Custom{set_replay_skip}, "kinds to leave out, e.g. trim,sync"},
    {.name = "merge_blktrace_file",
     .slot = Dropped::text,
     .help = "merge traces into this file",
     .refused = "block traces are not merged here; blkparse can"},
    {.name = "merge_blktrace_scalars",
     .slot = Dropped::text,
     .help = "speeds of merged traces",
     .refused = "block traces are not merged here; blkparse can"},
    {.name = "merge_blktrace_iters",
     .slot = Dropped::text,
     .help = "repeats of merged traces",
     .refused = "block traces are not merged here; blkparse can"},
};

}  // namespace

std::span<const Option> data_options() { return k_data; }

}  // namespace loadline::dialects::fio
