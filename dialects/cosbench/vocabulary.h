// The words of COSBench's workloads: elements, attributes, operation and storage types, config
// keys; and the nearest word to a misspelt one.
//
// Threads: constants.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest_word.h"
#include "plan/plan.h"

namespace loadline::dialects::cosbench {

using Words = std::span<const std::string_view>;

// The elements that mean something; every other one is ignored.
Words element_names();
// The attributes an element understands, in the order COSBench archives them; empty for elements
// that mean nothing.
Words attributes_of(std::string_view element);
// The elements that mean something inside it.
Words children_of(std::string_view element);

struct OperationType {
  enum class Objects : std::uint8_t {
    required,
    optional,         // a list may name a whole container
    none_by_default,  // init, dispose: objects=r(0,0)
    files,            // objects are named after local files
  };
  std::string_view name;
  plan::Action action;
  std::string_view sample_type;  // the second half of a reported name
  Objects objects;
  enum class Sizes : std::uint8_t {
    none,
    required,
    optional,  // zero where they are not given
  };
  Sizes sizes;
  bool payload;  // looks at content, hashCheck, chunked
};

std::span<const OperationType> operation_types();
const OperationType* find_operation_type(std::string_view name);
std::vector<std::string_view> operation_type_names();

// Works of these types get one operation of their own, whatever they hold.
bool is_special_work(std::string_view type);
Words special_works();

// The types that COSBench 0.4.2 and its sine-io branch know.
Words storage_types();
Words auth_types();
// The target that a storage type means: the branch's S3 adapters (sio, siov1, siov2, gdas) are s3.
std::string_view target_of_storage(std::string_view type);

Words operation_keys();
Words storage_keys();
// Those of storage_keys() that belong to storages no build has: known, never suggested.
Words keys_without_storage();
Words auth_keys();

// "; did you mean 'X'?" or "".
std::string suggestion(std::string_view word, std::span<const std::string_view> words);

// "a, b and c".
std::string enumerate(std::span<const std::string_view> words);

}  // namespace loadline::dialects::cosbench
