// A Hadoop SequenceFile with one record, as TestDFSIO's control files are: the name of a file
// (Text) and its size (LongWritable), not compressed, version 6 of the format.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loadline::dialects::testdfsio {

// The whole file. `sync` is the 16 bytes that mark the places between records; Hadoop draws them at
// random.
std::string sequence_file(std::string_view key, std::int64_t value, std::string_view sync);

// Such a mark, made of the file's name: nothing depends on it but that it is no plausible data.
std::string sync_mark(std::string_view name);

// Hadoop's length in 1 to 9 bytes (WritableUtils.writeVLong).
std::string variable_length(std::int64_t number);

}  // namespace loadline::dialects::testdfsio
