#include "dialects/testdfsio/configuration.h"

#include <fmt/format.h>

#include <pugixml.hpp>

namespace loadline::dialects::testdfsio {
namespace {

constexpr std::string_view k_default_fs = "fs.defaultFS";
constexpr std::string_view k_old_default_fs = "fs.default.name";

std::string site_folder(const Surroundings& world) {
  if (const auto folder = world.variable("HADOOP_CONF_DIR"); folder && !folder->empty()) {
    return *folder;
  }
  const auto home = world.variable("HADOOP_HOME");
  return home && !home->empty() ? *home + "/etc/hadoop" : std::string();
}

}  // namespace

Result<void> Configuration::add_file(const std::string& path, const Surroundings& world) {
  const auto text = world.read_file(path);
  if (!text) return std::unexpected(text.error());
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text->data(), text->size());
  const pugi::xml_node root = document.child("configuration");
  if (!parsed || !root) {
    return fail(ErrorCode::bad_input,
                "is no configuration of Hadoop: an XML file with <configuration> is", path);
  }
  for (const pugi::xml_node property : root.children("property")) {
    const std::string_view name = property.child("name").text().get();
    if (!name.empty()) values_[std::string(name)] = property.child("value").text().get();
  }
  return {};
}

Result<Configuration> Configuration::read(const GenericOptions& options,
                                          const Surroundings& world) {
  Configuration configuration;
  if (const std::string folder = site_folder(world); !folder.empty()) {
    for (const char* name : {"/core-site.xml", "/mapred-site.xml"}) {
      // One that is missing or damaged is for Hadoop itself to complain of.
      if (!configuration.add_file(folder + name, world)) continue;
    }
  }
  for (const std::string& path : options.conf_files) {
    if (auto added = configuration.add_file(path, world); !added) {
      return fail(added.error().code, added.error().message(), "-conf");
    }
  }
  if (options.file_system) configuration.values_[std::string(k_default_fs)] = *options.file_system;
  for (const auto& [key, value] : options.settings) {
    configuration.values_[key == k_old_default_fs ? std::string(k_default_fs) : key] = value;
  }
  return configuration;
}

std::optional<std::string> Configuration::value(std::string_view key) const {
  const auto it = values_.find(key);
  if (it == values_.end() || it->second.empty()) return std::nullopt;
  if (it->second.find("${") != std::string::npos) return std::nullopt;
  return it->second;
}

std::optional<std::string> Configuration::default_file_system() const {
  const auto named = value(k_default_fs);
  return named ? named : value(k_old_default_fs);
}

}  // namespace loadline::dialects::testdfsio
