#include "plan/plan.h"

namespace loadline::plan {

std::string_view to_string(Action action) {
  switch (action) {
    case Action::read: return "read";
    case Action::write: return "write";
    case Action::multipart_write: return "multipart_write";
    case Action::file_write: return "file_write";
    case Action::multipart_file_write: return "multipart_file_write";
    case Action::remove: return "delete";
    case Action::list: return "list";
    case Action::head: return "head";
    case Action::restore: return "restore";
    case Action::prepare: return "prepare";
    case Action::multipart_prepare: return "multipart_prepare";
    case Action::cleanup: return "cleanup";
    case Action::create: return "create";
    case Action::open: return "open";
    case Action::rename: return "rename";
    case Action::append: return "append";
    case Action::truncate: return "truncate";
    case Action::make_folder: return "mkdir";
    case Action::trim: return "trim";
    case Action::sync: return "sync";
    case Action::close: return "close";
  }
  return "unknown";
}

std::string_view to_string(Division division) {
  switch (division) {
    case Division::none: return "none";
    case Division::container: return "container";
    case Division::object: return "object";
  }
  return "unknown";
}

std::string_view to_string(Content content) {
  switch (content) {
    case Content::random: return "random";
    case Content::zero: return "zero";
  }
  return "unknown";
}

std::string_view to_string(Arrival arrival) {
  switch (arrival) {
    case Arrival::closed: return "closed";
    case Arrival::constant: return "constant";
    case Arrival::poisson: return "poisson";
  }
  return "unknown";
}

std::string_view to_string(Selector::Kind kind) {
  switch (kind) {
    case Selector::Kind::constant: return "constant";
    case Selector::Kind::uniform: return "uniform";
    case Selector::Kind::range: return "range";
    case Selector::Kind::sequence: return "sequence";
    case Selector::Kind::histogram: return "histogram";
  }
  return "unknown";
}

bool is_walk(Action action) {
  return action == Action::prepare || action == Action::multipart_prepare ||
         action == Action::cleanup;
}

bool is_write(Action action) {
  switch (action) {
    case Action::write:
    case Action::multipart_write:
    case Action::file_write:
    case Action::multipart_file_write:
    case Action::create:
    case Action::append:
    case Action::prepare:
    case Action::multipart_prepare: return true;
    default: return false;
  }
}

}  // namespace loadline::plan
