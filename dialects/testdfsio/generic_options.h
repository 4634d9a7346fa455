// Hadoop's generic options, which every tool of Hadoop reads before its own: -D k=v, -conf, -fs,
// -jt, -files, -libjars, -archives.
//
// -jt, -files, -archives and -tokenCacheFile are about tasks of a cluster; here there are none, so
// they are read and change nothing.
// Errors: bad_input; the context is the option, values of -D are never repeated.
// Threads: pure functions.
#pragma once

#include <span>
#include <string>

#include "base/error.h"
#include "dialects/testdfsio/options.h"

namespace loadline::dialects::testdfsio {

// Reads them at the front of `words` and returns how many words they were.
Result<std::size_t> read_generic_options(std::span<const std::string> words, GenericOptions& into);

// True for a word that would have been one, had it stood in front.
bool is_generic_option(std::string_view word);

}  // namespace loadline::dialects::testdfsio
