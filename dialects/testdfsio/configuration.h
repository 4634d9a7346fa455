// What Hadoop's configuration says, as far as this dialect has to know: -D before -fs before the
// files of -conf before core-site.xml and mapred-site.xml of HADOOP_CONF_DIR (or of etc/hadoop
// below HADOOP_HOME). What Hadoop's own classes read of it is not looked at.
//
// Errors: a file of -conf that cannot be read or is no configuration. Threads: plain value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "dialects/testdfsio/options.h"
#include "dialects/testdfsio/surroundings.h"

namespace loadline::dialects::testdfsio {

class Configuration {
 public:
  static Result<Configuration> read(const GenericOptions& options, const Surroundings& world);

  // Nothing where it is not set, is empty, or refers to other keys by ${...}.
  std::optional<std::string> value(std::string_view key) const;
  // fs.defaultFS, or by its old name.
  std::optional<std::string> default_file_system() const;

 private:
  Result<void> add_file(const std::string& path, const Surroundings& world);

  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace loadline::dialects::testdfsio
