#include "dialects/fio/job_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialects/fio/expression.h"
#include "dialects/fio/value_parser.h"

namespace loadline::dialects::fio {
namespace {

using std::string_view;
using Level = plan::Diagnostic::Level;

constexpr std::size_t k_name_max = 255;
constexpr int k_include_depth_max = 8;
constexpr std::size_t k_includes_max = 1000;
constexpr std::size_t k_findings_max = 20;
constexpr std::size_t k_text_max = 16U << 20U;
constexpr string_view k_byte_order_mark = "\xef\xbb\xbf";  // some editors begin a text with it

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string() : path.substr(0, slash + 1);
}

// Where the first byte stands that no text has; npos in text of any encoding of one byte.
std::size_t first_no_text(string_view text) {
  const auto no_text = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7f || (byte < 0x20 && (byte < '\t' || byte > '\r'));
  };
  const auto found = std::ranges::find_if(text, no_text);
  return found == text.end() ? text.npos : static_cast<std::size_t>(found - text.begin());
}

class JobFileReader {
 public:
  explicit JobFileReader(const Surroundings& world) : world_(world) {}

  JobFile read(const std::string& path) {
    const auto text = world_.read_file(path);
    if (!text) {
      error({.file = {}, .line = 0, .column = 0},
            fmt::format("unable to open '{}' job file: {}", path, text.error().what));
    } else {
      lines(path, *text, 0);
    }
    return std::move(out_);
  }

 private:
  static Place place_at(const std::string& path, string_view text, std::size_t at) {
    const string_view before = text.substr(0, at);
    const std::size_t line = before.rfind('\n');
    const std::size_t begin = line == before.npos ? 0 : line + 1;
    return {path, static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1),
            static_cast<std::uint32_t>(at - begin + 1)};
  }

  void error(const Place& place, std::string what) {
    if (out_.diagnostics.size() < k_findings_max) {
      out_.diagnostics.push_back(diagnostic_at(place, Level::error, std::move(what)));
    }
  }
  void warning(const Place& place, std::string what) {
    if (out_.diagnostics.size() < k_findings_max) {
      out_.diagnostics.push_back(diagnostic_at(place, Level::warning, std::move(what)));
    }
  }

  void lines(const std::string& path, string_view text, int depth) {
    size_ += text.size();
    if (size_ > k_text_max) {
      return error({path, 0, 0}, "the job files are larger than 16 MiB together");
    }
    if (text.starts_with(k_byte_order_mark)) text.remove_prefix(k_byte_order_mark.size());
    if (const std::size_t at = first_no_text(text); at != text.npos) {
      return error(place_at(path, text, at),
                   fmt::format("{} is no job file: it holds a byte that is no text (0x{:02x})",
                               path, static_cast<unsigned char>(text[at])));
    }
    std::uint32_t number = 0;
    while (!text.empty() && !no_job_file_ && out_.diagnostics.size() < k_findings_max) {
      const std::size_t end = text.find('\n');
      line(path, ++number, text.substr(0, end), depth);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
  }

  void line(const std::string& path, std::uint32_t number, string_view raw, int depth) {
    const string_view code = raw.substr(0, raw.find_first_of(";#"));
    const std::size_t start = code.find_first_not_of(" \t\r");
    if (start == code.npos) return;
    const Place place{path, number, static_cast<std::uint32_t>(start + 1)};
    const std::string expanded = with_variables(trim(code), place);
    const string_view content = trim(expanded);
    if (content.empty()) return;
    if (content.front() == '[') return section(content, place, depth);
    if (content.starts_with("include") && content.size() > 7 &&
        (content[7] == ' ' || content[7] == '\t')) {
      return include(std::string(trim(content.substr(7))), place, depth);
    }
    option(content, place, code);
  }

  void section(string_view content, const Place& place, int depth) {
    if (depth > 0) return error(place, "an included file cannot begin a section");
    const std::size_t end = content.rfind(']');
    if (end == content.npos) return error(place, fmt::format("a ']' is missing after {}", content));
    const string_view name = content.substr(1, end - 1);
    if (!trim(content.substr(end + 1)).empty()) {
      return error(place, fmt::format("something follows the section name [{}]", name));
    }
    if (name.empty() || name.size() > k_name_max) {
      return error(place, "a section name has 1 to 255 characters");
    }
    out_.sections.push_back({.name = std::string(name), .place = place, .options = {}});
    if (out_.sections.back().is_global() && name != "global") {
      warning(place,
              fmt::format("[{}] is a global section, because its name begins with 'global'", name));
    }
  }

  void include(const std::string& path, const Place& place, int depth) {
    if (out_.sections.empty()) {
      return error(place, fmt::format("option <include {}> outside of [] job section", path));
    }
    if (++includes_ > k_includes_max) {
      return error(place, fmt::format("more than {} includes", k_includes_max));
    }
    if (depth >= k_include_depth_max) {
      return error(place, fmt::format("includes are nested more than {} deep; does {} include "
                                      "itself?",
                                      k_include_depth_max, path));
    }
    auto text = world_.read_file(path);
    std::string found = path;
    if (!text && !path.starts_with('/')) {
      found = directory_of(place.file) + path;
      text = world_.read_file(found);
    }
    if (!text) {
      return error(place,
                   fmt::format("unable to open include file '{}': {}", path, text.error().what));
    }
    lines(found, *text, depth + 1);
  }

  void option(string_view content, const Place& place, string_view code) {
    if (out_.sections.empty()) {
      // The lines below it are outside too, and once is enough.
      no_job_file_ = true;
      return error(place, fmt::format("option <{}> outside of [] job section", content));
    }
    RawOption option;
    const std::size_t equals = content.find('=');
    option.name = std::string(trim(content.substr(0, equals)));
    option.has_value = equals != content.npos;
    option.word = std::string(content);
    option.place = place;
    option.value_column = place.column;
    if (option.has_value) {
      option.value = with_keywords(trim(content.substr(equals + 1)));
      const std::size_t typed = code.find('=');
      const std::size_t value =
          typed == code.npos ? typed : code.find_first_not_of(" \t\r", typed + 1);
      if (value != code.npos) option.value_column = static_cast<std::uint32_t>(value + 1);
    }
    out_.sections.back().options.push_back(std::move(option));
  }

  std::string with_variables(string_view text, const Place& place) {
    std::string out;
    for (;;) {
      const std::size_t start = text.find("${");
      const std::size_t end = start == text.npos ? start : text.find('}', start);
      if (end == text.npos) return out.append(text);
      const std::string name(text.substr(start + 2, end - start - 2));
      out.append(text.substr(0, start));
      const auto value = world_.variable(name);
      if (value) {
        // A value cannot begin a new line.
        for (const char c : *value) out += c == '\n' ? ' ' : c;
      } else {
        warning(place, fmt::format("the environment variable {} is not set", name));
      }
      text.remove_prefix(end + 1);
    }
  }

  std::string with_keywords(string_view text) const {
    struct Keyword {
      string_view name;
      std::uint64_t value;
    };
    const Keyword keywords[] = {
        {"$pagesize", world_.page_size}, {"$mb_memory", world_.memory_mb}, {"$ncpus", world_.cpus}};
    std::string out(text);
    bool replaced = false;
    for (const Keyword& keyword : keywords) {
      const std::string value = std::to_string(keyword.value);
      for (std::size_t at = out.find(keyword.name); at != out.npos;
           at = out.find(keyword.name, at + value.size())) {
        out.replace(at, keyword.name.size(), value);
        replaced = true;
      }
    }
    if (!replaced || out.find_first_of("+-*/") == out.npos) return out;
    const auto value =
        evaluate(out, [](string_view number) { return parse_number(number, ValueContext{}); });
    return value ? std::to_string(*value) : out;  // text with a keyword in it, e.g. a path
  }

  const Surroundings& world_;
  JobFile out_;
  std::size_t size_ = 0;
  std::size_t includes_ = 0;
  bool no_job_file_ = false;
};

}  // namespace

JobFile read_job_file(const std::string& path, const Surroundings& world) {
  return JobFileReader(world).read(path);
}

}  // namespace loadline::dialects::fio
