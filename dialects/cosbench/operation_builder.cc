#include "dialects/cosbench/operation_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "dialects/cosbench/selector_text.h"
#include "dialects/cosbench/vocabulary.h"
#include "target/parameters.h"

namespace loadline::dialects::cosbench {
namespace {

using plan::Division;
using plan::Selector;
using std::string_view;
using Objects = OperationType::Objects;

constexpr string_view k_container_prefix = "mycontainers";
constexpr string_view k_object_prefix = "myobjects";
constexpr std::int64_t k_part_size = 5 << 20;  // of the sine-io branch, and S3's least

std::optional<Division> division_of(string_view word) {
  for (const Division division : {Division::none, Division::container, Division::object}) {
    if (word == plan::to_string(division)) return division;
  }
  return std::nullopt;
}

class OperationBuilder {
 public:
  OperationBuilder(const Work& work, const Operation& operation, Findings& findings)
      : work_(work), operation_(operation), findings_(findings) {}

  std::optional<plan::OpSpec> build(std::string name);

 private:
  void set_division();
  void set_names();
  void set_size();
  void warn_of_short_objects();
  void set_flags();
  void set_files();
  void set_range();
  void set_new_name();

  std::optional<Selector> name_selector(const ConfigText::Entry& entry, Division part);
  const ConfigText::Entry* required(string_view key, string_view example);
  // Keys of the sine-io branch may stand in the storage's config too.
  const ConfigText::Entry* find_also_in_storage(string_view key) const;
  bool boolean(const ConfigText::Entry* entry, bool otherwise);
  bool flag(string_view key, bool otherwise) {
    return boolean(operation_.config.find(key), otherwise);
  }
  std::int64_t integer(const ConfigText::Entry* entry, std::int64_t otherwise, std::int64_t most);
  void note_ignored(const ConfigText::Entry& entry, const std::string& ignored);
  void error(const Place& place, std::string what) {
    findings_.error(place, operation_.where, std::move(what));
    good_ = false;
  }

  const Work& work_;
  const Operation& operation_;
  Findings& findings_;
  const OperationType* type_ = nullptr;
  plan::OpSpec spec_;
  bool good_ = true;
};

std::optional<plan::OpSpec> OperationBuilder::build(std::string name) {
  type_ = find_operation_type(operation_.type);
  if (!type_) {
    const auto names = operation_type_names();
    const auto near = nearest(operation_.type, names);
    error(
        operation_.places.of("type"),
        near ? fmt::format("unrecognized operation: {}; did you mean '{}'?", operation_.type, *near)
             : fmt::format("unrecognized operation: {}; there are {}", operation_.type,
                           enumerate(names)));
    return std::nullopt;
  }
  spec_.name = std::move(name);
  spec_.label = operation_.type;
  spec_.action = type_->action;
  spec_.share_percent =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(operation_.ratio, 1, 100));
  spec_.source = operation_.config.masked_text();
  set_division();
  set_names();
  set_size();
  set_flags();
  if (type_->objects == Objects::files) set_files();
  if (spec_.action == plan::Action::read) set_range();
  if (spec_.action == plan::Action::rename) set_new_name();
  if (!good_) return std::nullopt;
  return std::move(spec_);
}

void OperationBuilder::set_division() {
  const auto division = division_of(operation_.division);
  if (!division) {
    constexpr string_view k_words[] = {"none", "container", "object"};
    error(operation_.places.of("division"),
          fmt::format("unrecogized division strategy: {}; it is none, container or object{}",
                      operation_.division, suggestion(operation_.division, k_words)));
    return;
  }
  spec_.division = *division;
}

void OperationBuilder::set_names() {
  const auto text = [&](string_view key, string_view otherwise) {
    const auto* entry = operation_.config.find(key);
    return entry ? entry->value : std::string(otherwise);
  };
  spec_.container = {
      .prefix = text("cprefix", k_container_prefix), .suffix = text("csuffix", ""), .index = {}};
  if (const auto* entry = required("containers", "containers=r(1,4)")) {
    spec_.container.index = name_selector(*entry, Division::container);
  }
  if (type_->objects == Objects::files) {
    // Objects are named after the files.
    if (spec_.division == Division::object) spec_.division = Division::none;
    return;
  }
  spec_.object = {
      .prefix = text("oprefix", k_object_prefix), .suffix = text("osuffix", ""), .index = {}};
  const auto* objects = operation_.config.find("objects");
  if (!objects && type_->objects == Objects::required) {
    required("objects", "objects=r(1,100)");
  } else if (objects) {
    spec_.object.index = name_selector(*objects, Division::object);
  } else if (type_->objects == Objects::optional) {
    // A list of a whole container must not be narrowed by the default prefix.
    spec_.object = {.prefix = text("oprefix", ""), .suffix = "", .index = {}};
  }
  // Nothing to divide: prepare of no objects, a list of whole containers.
  if (spec_.division == Division::object && !spec_.object.index) spec_.division = Division::none;
  if (spec_.division == Division::container && !spec_.container.index) {
    spec_.division = Division::none;
  }
}

std::optional<Selector> OperationBuilder::name_selector(const ConfigText::Entry& entry,
                                                        Division part) {
  if (plan::is_walk(spec_.action)) {
    auto range = parse_range(entry.value);
    if (!range) {
      error(entry.place, range.error().what);
      return std::nullopt;
    }
    note_ignored(entry, range->ignored);
    if (!range->range && entry.key == "containers") {
      findings_.warning(
          entry.place, operation_.where,
          fmt::format("containers={} is no container: this does nothing", entry.value));
    }
    return range->range;
  }
  auto parsed = parse_selector(entry.value);
  if (!parsed) {
    error(entry.place, parsed.error().what);
    return std::nullopt;
  }
  note_ignored(entry, parsed->ignored);
  if (parsed->selector.kind == Selector::Kind::histogram && spec_.division == part) {
    error(entry.place, fmt::format("{}={} cannot be divided among workers; use u, r or s, or "
                                   "division=none",
                                   entry.key, entry.value));
  }
  return std::move(parsed->selector);
}

void OperationBuilder::set_size() {
  if (type_->sizes == OperationType::Sizes::none) return;
  const bool optional = type_->sizes == OperationType::Sizes::optional;
  if (optional && !operation_.config.find("sizes")) {
    spec_.size = plan::SizeSpec{.value = Selector::constant(0)};
    return;
  }
  const auto* entry = required("sizes", "sizes=c(64)KB");
  if (!entry) return;
  auto size = parse_size(entry->value);
  if (!size) {
    error(entry->place, size.error().what);
  } else if (spec_.object.index) {
    spec_.size = std::move(*size);
  }
}

void OperationBuilder::warn_of_short_objects() {
  if (!spec_.hash_trailer || !spec_.size) return;
  // A size that fits no 64 bits was refused with the selector.
  const auto largest = static_cast<std::uint64_t>(spec_.size->value.largest());
  if (spec_.size->unit * largest > Bytes(plan::k_hash_trailer)) return;
  findings_.warning(operation_.config.find("hashCheck")->place, operation_.where,
                    fmt::format("objects of up to {} bytes carry no hash: nothing will be verified",
                                plan::k_hash_trailer));
}

void OperationBuilder::set_flags() {
  using enum plan::Action;
  spec_.response_histogram = flag("histogram", true);
  const bool whole = type_->payload && spec_.action != append;  // a hash is of a whole object
  if (whole || type_->objects == Objects::files || spec_.action == read) {
    spec_.hash_trailer = flag("hashCheck", false);
    warn_of_short_objects();
  }
  if (type_->payload) {
    const auto* content = operation_.config.find("content");
    if (content && content->value == "zero") spec_.content = plan::Content::zero;
    constexpr string_view k_zero[] = {"zero"};
    if (content && content->value != "zero" && nearest(content->value, k_zero)) {
      findings_.warning(
          content->place, operation_.where,
          fmt::format("content={} means random bytes; did you mean 'zero'?", content->value));
    }
    if (flag("chunked", false) && target_of_storage(work_.storage.type) == "s3") {
      findings_.warning(operation_.config.find("chunked")->place, operation_.where,
                        "chunked is ignored: S3 wants the length of an object first");
    }
  }
  if (spec_.action == prepare || spec_.action == multipart_prepare) {
    spec_.create_containers = flag("createContainer", true);
  } else if (spec_.action == cleanup) {
    spec_.remove_containers = flag("deleteContainer", true);
    spec_.remove_batch =
        static_cast<std::uint32_t>(integer(operation_.config.find("delete_batch"), 1, 1000));
  } else if (spec_.action == restore) {
    spec_.restore_days =
        static_cast<std::uint32_t>(integer(find_also_in_storage("restore_days"), 1, INT32_MAX));
  }
  if (spec_.action == multipart_write || spec_.action == multipart_prepare ||
      spec_.action == multipart_file_write) {
    const auto* entry = find_also_in_storage("part_size");
    const std::int64_t bytes = integer(entry, k_part_size, INT64_MAX);
    spec_.part_size = Bytes(static_cast<std::uint64_t>(bytes));
    if (entry && bytes < k_part_size && target_of_storage(work_.storage.type) == "s3") {
      findings_.warning(
          entry->place, operation_.where,
          fmt::format("part_size={}: S3 refuses parts below {} bytes, but for the last", bytes,
                      k_part_size));
    }
  }
}

// The files are counted now; which one is number N is settled when the stage starts.
void OperationBuilder::set_files() {
  namespace fs = std::filesystem;
  const auto* files = required("files", "files=/path/to/folder");
  if (!files) return;
  std::error_code failure;
  const fs::path path = files->value;
  const bool single = fs::is_regular_file(path, failure);
  const fs::path folder = !single ? path : path.has_parent_path() ? path.parent_path() : ".";
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored)) names.push_back(it->path().filename().string());
  }
  if (failure || names.empty()) {
    error(files->place, fmt::format("files={}: {}", files->value,
                                    failure ? failure.message() : "there are no files in it"));
    return;
  }
  spec_.files_folder = folder.string();
  const auto count = static_cast<std::int64_t>(names.size());
  if (single) {
    const std::string name = path.filename().string();
    spec_.file_choice = Selector::constant(
        1 + std::ranges::count_if(names, [&](const std::string& other) { return other < name; }));
    return;
  }
  const auto* selection = operation_.type == "localwrite"
                              ? operation_.config.find("fileselection")
                              : required("fileselection", "fileselection=s");
  if (!selection && operation_.type != "localwrite") return;
  // Only the first letter counts in COSBench.
  const std::string letters = selection ? selection->value : "s";
  switch (letters.empty() ? '\0' : letters.front()) {
    case 'c': spec_.file_choice = Selector::constant(1); break;
    case 'u': spec_.file_choice = Selector::uniform(1, count); break;
    case 'r': spec_.file_choice = Selector::range(1, count); break;
    case 's': spec_.file_choice = Selector::sequence(1, count); break;
    default:
      error(selection->place,
            fmt::format("unrecognized distribution: {}; fileselection is s, r, u or c", letters));
  }
}

void OperationBuilder::set_range() {
  if (!boolean(find_also_in_storage("is_range_request"), false)) return;
  const auto* length = find_also_in_storage("file_length");
  const auto* chunk = find_also_in_storage("chunk_length");
  for (const auto& [entry, key] : {std::pair(length, "file_length"), {chunk, "chunk_length"}}) {
    if (!entry) {
      error(operation_.places.element(),
            fmt::format("no such key defined: {}; is_range_request needs it, in bytes", key));
    }
  }
  if (!length || !chunk) return;
  const std::int64_t object_size = integer(length, 1, INT64_MAX);
  const std::int64_t chunk_size = integer(chunk, 1, INT64_MAX);
  if (good_ && chunk_size > object_size) {
    error(chunk->place,
          fmt::format("chunk_length={} is longer than file_length={}", chunk_size, object_size));
  }
  spec_.random_range = plan::RandomRange{Bytes(static_cast<std::uint64_t>(object_size)),
                                         Bytes(static_cast<std::uint64_t>(chunk_size))};
}

void OperationBuilder::set_new_name() {
  const auto* prefix = operation_.config.find("newprefix");
  const auto* suffix = operation_.config.find("newsuffix");
  spec_.new_name = {.prefix = prefix ? prefix->value : spec_.object.prefix,
                    .suffix = suffix ? suffix->value : spec_.object.suffix,
                    .index = {}};
  if (spec_.new_name.prefix != spec_.object.prefix ||
      spec_.new_name.suffix != spec_.object.suffix) {
    return;
  }
  if (!prefix && !suffix) {
    error(operation_.places.element(),
          "no such key defined: newprefix; a rename needs it or newsuffix, like newprefix=renamed");
  } else {
    error((prefix ? prefix : suffix)->place,
          fmt::format("{}={} is the object's own name; a rename needs another",
                      (prefix ? prefix : suffix)->key, (prefix ? prefix : suffix)->value));
  }
}

const ConfigText::Entry* OperationBuilder::required(string_view key, string_view example) {
  const auto* entry = operation_.config.find(key);
  if (!entry) {
    error(operation_.places.element(),
          fmt::format("no such key defined: {}; write it into config, like {}", key, example));
  }
  return entry;
}

const ConfigText::Entry* OperationBuilder::find_also_in_storage(string_view key) const {
  if (const auto* entry = operation_.config.find(key)) return entry;
  return work_.storage.config ? work_.storage.config->find(key) : nullptr;
}

bool OperationBuilder::boolean(const ConfigText::Entry* entry, bool otherwise) {
  if (!entry) return otherwise;
  const auto value = target::parse_boolean(entry->value);
  if (!value) {
    error(entry->place,
          fmt::format("illegal {}: {}; it is true or false", entry->key, entry->value));
  }
  return value.value_or(otherwise);
}

std::int64_t OperationBuilder::integer(const ConfigText::Entry* entry, std::int64_t otherwise,
                                       std::int64_t most) {
  if (!entry) return otherwise;
  std::int64_t value = 0;
  const char* end = entry->value.data() + entry->value.size();
  const auto [stop, failure] = std::from_chars(entry->value.data(), end, value);
  if (failure == std::errc() && stop == end && value >= 1 && value <= most) return value;
  error(entry->place, fmt::format("For input string: \"{}\"; {} is a whole number from 1 to {}",
                                  entry->value, entry->key, most));
  return otherwise;
}

void OperationBuilder::note_ignored(const ConfigText::Entry& entry, const std::string& ignored) {
  if (ignored.empty()) return;
  findings_.warning(entry.place, operation_.where,
                    fmt::format("in {}={} '{}' is ignored", entry.key, entry.value, ignored));
}

}  // namespace

std::optional<plan::OpSpec> build_operation(const Work& work, const Operation& operation,
                                            std::string name, Findings& findings) {
  return OperationBuilder(work, operation, findings).build(std::move(name));
}

std::vector<std::string> reported_names(const Work& work) {
  std::map<string_view, int> times;
  for (const Operation& operation : work.operations) times[operation.type] += 1;
  const bool repeated = std::ranges::any_of(times, [](const auto& t) { return t.second > 1; });
  std::map<string_view, int> number;
  std::vector<std::string> names;
  for (const Operation& operation : work.operations) {
    const int position = ++number[operation.type];
    std::string name = operation.type;
    const auto* entry = operation.config.find("name");
    const std::string given = entry ? entry->value.substr(0, entry->value.find('.')) : "";
    if (!given.empty()) {
      name = given;
    } else if (repeated) {
      name = fmt::format("{}-{}", position, operation.type);
    }
    const OperationType* type = find_operation_type(operation.type);
    const string_view sample = type ? type->sample_type : string_view(operation.type);
    if (name != sample) name = fmt::format("{}-{}", name, sample);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace loadline::dialects::cosbench
