#include "net/http_response.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace loadline::net {
namespace {

constexpr std::uint8_t k_interims_max = 32;
constexpr std::uint64_t k_trailer_max = k_response_head_max;

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool same_name(std::string_view name, std::string_view lower_name) {
  if (name.size() != lower_name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (lower(name[i]) != lower_name[i]) return false;
  }
  return true;
}

// The same for a name of 8 to 16 characters, letters and dashes, known when this is compiled: two
// overlapping words. Bit 0x20 tells the cases of a letter apart and nothing else here, since
// control characters have been refused.
std::uint64_t lower_word(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word | 0x2020202020202020;
}

template <std::size_t N>
bool is_name(std::string_view name, const char (&lower_name)[N]) {
  constexpr std::size_t k_size = N - 1;
  static_assert(k_size >= 8 && k_size <= 16);
  return name.size() == k_size && lower_word(name.data()) == lower_word(lower_name) &&
         lower_word(name.data() + k_size - 8) == lower_word(lower_name + k_size - 8);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Where a header line ends, and where its name does.
struct ScannedLine {
  const char* stop;   // the first control character but a tab (in a good head, CR), or the end
  const char* colon;  // the first colon or blank, or nullptr where there is none before `stop`
};

ScannedLine scan_line(const char* at, const char* end) {
  const char* colon = nullptr;
#ifdef __SSE2__
  const __m128i highest = _mm_set1_epi8('\r');
  const __m128i colons = _mm_set1_epi8(':');
  const __m128i spaces = _mm_set1_epi8(' ');
  const __m128i tabs = _mm_set1_epi8('\t');
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i tab = _mm_cmpeq_epi8(bytes, tabs);
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, highest), bytes);
    const auto controls = static_cast<unsigned>(_mm_movemask_epi8(_mm_andnot_si128(tab, low)));
    if (colon == nullptr) {
      const __m128i name_ends = _mm_or_si128(
          tab, _mm_or_si128(_mm_cmpeq_epi8(bytes, colons), _mm_cmpeq_epi8(bytes, spaces)));
      const auto mask = static_cast<unsigned>(_mm_movemask_epi8(name_ends));
      if (mask != 0) colon = at + std::countr_zero(mask);
    }
    if (controls != 0) {
      const char* const stop = at + std::countr_zero(controls);
      return {.stop = stop, .colon = colon < stop ? colon : nullptr};
    }
  }
#endif
  for (; at < end; ++at) {
    const auto c = static_cast<unsigned char>(*at);
    if (c <= '\r' && c != '\t') break;
    if (colon == nullptr && (c == ':' || c == ' ' || c == '\t')) colon = at;
  }
  return {.stop = at, .colon = colon};
}

bool parse_decimal(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Few headers matter here, and their names' lengths tell them apart from nearly all others.
bool may_frame(std::size_t name_size) {
  return name_size == 10 || name_size == 14 || name_size == 17;
}

template <typename Visit>
void for_each_word(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    visit(trim(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

}  // namespace

std::string_view ResponseHead::find(std::string_view name) const {
  for (std::string_view rest = fields; !rest.empty();) {
    const std::size_t end = rest.find("\r\n");
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
    if (line.size() > name.size() && line[name.size()] == ':' &&
        same_name(line.substr(0, name.size()), name)) {
      return trim(line.substr(name.size() + 1));
    }
  }
  return {};
}

void HttpResponseParser::start(bool to_head) {
  state_ = State::head;
  to_head_ = to_head;
  interims_ = 0;
  left_ = 0;
  kept_.clear();
  problem_ = {};
}

bool HttpResponseParser::refuse(std::string_view problem) {
  problem_ = problem;
  state_ = State::bad;
  return false;
}

HttpResponseParser::Step HttpResponseParser::feed(std::span<const std::byte> input) {
  if (state_ == State::ended) return {.event = Event::end};
  if (state_ == State::bad) return {.event = Event::bad};
  if (input.empty()) return {};
  switch (state_) {
    case State::head: return feed_head(input);
    case State::length_body:
    case State::chunk_data: return feed_counted(input);
    case State::close_body: return {.event = Event::body, .used = input.size(), .body = input};
    default: return feed_line(input);
  }
}

HttpResponseParser::Step HttpResponseParser::feed_head(std::span<const std::byte> input) {
  std::string_view text = text_of(input);
  const std::size_t before = kept_.size();
  std::size_t size = 0;
  if (before == 0) {
    size = parse_head(text);
  } else {
    // It came in pieces: parsed once, when its end is there. What was kept does not hold the end,
    // but may hold its beginning.
    constexpr std::string_view k_end = "\r\n\r\n";
    kept_.append(text.substr(0, k_response_head_max));
    text = kept_;
    const std::size_t from = before > k_end.size() ? before - k_end.size() : 0;
    if (text.find(k_end, from) != std::string_view::npos) size = parse_head(text);
  }
  if (state_ == State::bad) return {.event = Event::bad};
  if (std::max(size, size == 0 ? text.size() : 0) > k_response_head_max) {
    refuse("the response's head is too long");
    return {.event = Event::bad};
  }
  if (size == 0) {
    if (before == 0) kept_.assign(text);
    return {.event = Event::need_more, .used = input.size()};
  }
  const std::size_t used = size - before;
  if (head_.status < 200) {
    kept_.clear();
    if (head_.status == 101 || ++interims_ > k_interims_max) {
      refuse(head_.status == 101 ? "an unasked switch of protocols" : "too many interim responses");
      return {.event = Event::bad};
    }
    const Step rest = feed(input.subspan(used));
    return {.event = rest.event, .used = used + rest.used, .body = rest.body};
  }
  choose_framing();
  return {.event = Event::head, .used = used};
}

// The size of the head at the beginning of `text`; 0 where it is not all there, or was refused.
std::size_t HttpResponseParser::parse_head(std::string_view text) {
  head_ = {};
  chunked_ = false;
  close_asked_ = false;
  keep_alive_asked_ = false;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* fields = nullptr;
  for (const char* line = begin; line < end;) {
    const auto [stop, colon] = scan_line(line, end);
    if (end - stop < 2) {
      // Let the end of the input pass for the beginning of CRLF, not for anything else.
      if (stop < end && *stop != '\r') refuse("control characters in the head");
      return 0;
    }
    if (stop[0] != '\r' || stop[1] != '\n') return refuse("control characters in the head");
    if (fields == nullptr) {
      if (!parse_status_line({line, stop})) return refuse("not an HTTP/1.1 status line");
      fields = stop + 2;
    } else if (stop == line) {
      head_.fields = {fields, line};
      finish_head();
      return static_cast<std::size_t>(stop + 2 - begin);
    } else if (colon == nullptr || colon == line || *colon != ':') {
      // A blank before or behind the name folds or smuggles (RFC 9112, section 5); other
      // characters that no name should have do no harm.
      return refuse("a malformed header line");
    } else if (may_frame(static_cast<std::size_t>(colon - line)) &&
               !parse_field({line, colon}, {colon + 1, stop})) {
      return 0;
    }
    line = stop + 2;
  }
  return 0;
}

void HttpResponseParser::finish_head() {
  if (chunked_ && head_.content_length) {
    // Who framed this cannot be trusted with another request (RFC 9112, section 6.3).
    head_.content_length.reset();
    close_asked_ = true;
  }
  head_.keep_alive = http_1_0_ ? keep_alive_asked_ && !close_asked_ : !close_asked_;
}

bool HttpResponseParser::parse_status_line(std::string_view line) {
  // "HTTP/1.1 200 OK"
  if (line.size() < 12 || !line.starts_with("HTTP/1.") || line[8] != ' ') return false;
  if (line[7] != '0' && line[7] != '1') return false;
  http_1_0_ = line[7] == '0';
  if (line.size() > 12 && line[12] != ' ') return false;
  unsigned status = 0;
  for (const char c : line.substr(9, 3)) {
    if (c < '0' || c > '9') return false;
    status = status * 10 + static_cast<unsigned>(c - '0');
  }
  head_.status = static_cast<std::uint16_t>(status);
  return status >= 100;
}

bool HttpResponseParser::parse_field(std::string_view name, std::string_view value) {
  value = trim(value);
  if (is_name(name, "content-length")) {
    std::uint64_t length = 0;
    if (!parse_decimal(value, length)) return refuse("a malformed Content-Length");
    if (head_.content_length && *head_.content_length != length) {
      return refuse("two different values of Content-Length");
    }
    head_.content_length = length;
  } else if (same_name(name, "transfer-encoding")) {
    if (!same_name(value, "chunked") || chunked_) return refuse("an unknown Transfer-Encoding");
    chunked_ = true;
  } else if (is_name(name, "connection")) {
    if (is_name(value, "keep-alive")) return keep_alive_asked_ = true;
    for_each_word(value, [this](std::string_view word) {
      close_asked_ = close_asked_ || same_name(word, "close");
      keep_alive_asked_ = keep_alive_asked_ || same_name(word, "keep-alive");
    });
  }
  return true;
}

// RFC 9112, section 6.3.
void HttpResponseParser::choose_framing() {
  // The head stays where it is until the next feed(); only its space is taken back then.
  if (to_head_ || head_.status == 204 || head_.status == 304 || head_.content_length == 0U) {
    state_ = State::ended;
  } else if (chunked_) {
    state_ = State::chunk_size;
  } else if (head_.content_length) {
    state_ = State::length_body;
    left_ = *head_.content_length;
  } else {
    state_ = State::close_body;
    head_.keep_alive = false;
  }
}

HttpResponseParser::Step HttpResponseParser::feed_counted(std::span<const std::byte> input) {
  const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
  left_ -= n;
  if (left_ == 0) {
    state_ = state_ == State::length_body ? State::ended : State::chunk_data_end;
    kept_.clear();
  }
  return {.event = Event::body, .used = n, .body = input.first(n)};
}

// The lines of the chunked framing: sizes, the end of data, trailers.
HttpResponseParser::Step HttpResponseParser::feed_line(std::span<const std::byte> input) {
  if (state_ == State::chunk_size && head_.fields.data() != nullptr) {
    // First line after the head, which may have been kept here.
    head_.fields = {};
    kept_.clear();
  }
  std::size_t used = 0;
  while (used < input.size()) {
    const std::string_view text = text_of(input.subspan(used));
    const auto* newline = static_cast<const char*>(std::memchr(text.data(), '\n', text.size()));
    const std::size_t n =
        newline != nullptr ? static_cast<std::size_t>(newline - text.data()) : text.size();
    used += n;
    if (kept_.size() + n > k_chunk_line_max) {
      refuse("a line of the chunked framing is too long");
      return {.event = Event::bad};
    }
    kept_.append(text.substr(0, n));
    if (newline == nullptr) return {.event = Event::need_more, .used = used};
    ++used;
    if (!end_line()) return {.event = Event::bad};
    if (state_ == State::ended) return {.event = Event::end, .used = used};
    if (state_ == State::chunk_data) {
      const Step rest = feed(input.subspan(used));
      return {.event = rest.event, .used = used + rest.used, .body = rest.body};
    }
  }
  return {.event = Event::need_more, .used = used};
}

bool HttpResponseParser::end_line() {
  if (kept_.empty() || kept_.back() != '\r') return refuse("a chunk line without CRLF");
  kept_.pop_back();
  const std::string_view line = kept_;
  switch (state_) {
    case State::chunk_size: {
      const std::string_view digits = trim(line.substr(0, line.find(';')));
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), left_, 16);
      if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) {
        return refuse("a malformed chunk size");
      }
      state_ = left_ == 0 ? State::trailer : State::chunk_data;
      break;
    }
    case State::chunk_data_end:
      if (!line.empty()) return refuse("a chunk longer than its size");
      state_ = State::chunk_size;
      break;
    case State::trailer:
      if (line.empty()) {
        state_ = State::ended;
      } else {
        left_ += line.size();
        if (left_ > k_trailer_max) return refuse("the trailer is too long");
      }
      break;
    default: return refuse("a line out of place");
  }
  kept_.clear();
  return true;
}

HttpResponseParser::Event HttpResponseParser::finish() {
  if (state_ == State::close_body) state_ = State::ended;
  if (state_ == State::ended) return Event::end;
  if (state_ != State::bad) refuse("the connection ended inside the response");
  return Event::bad;
}

std::uint64_t HttpResponseParser::droppable() const {
  if (state_ == State::length_body) return left_;
  if (state_ == State::close_body) return std::numeric_limits<std::uint64_t>::max();
  return 0;
}

bool HttpResponseParser::dropped(std::uint64_t bytes) {
  if (state_ != State::length_body) return false;
  left_ -= std::min(left_, bytes);
  if (left_ == 0) state_ = State::ended;
  return state_ == State::ended;
}

}  // namespace loadline::net
