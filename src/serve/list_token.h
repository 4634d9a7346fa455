// The continuation token of ListObjectsV2: the last name of a page in hexadecimal, so that a token
// means the same to every thread and after names have come and gone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loadline::serve {

std::string encode_list_token(std::string_view last);
std::optional<std::string> decode_list_token(std::string_view token);

}  // namespace loadline::serve
