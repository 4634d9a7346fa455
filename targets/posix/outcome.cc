#include "targets/posix/outcome.h"

#include <cerrno>
#include <cstring>

namespace loadline::targets::posix {

target::Outcome outcome_of_errno(int error_number) {
  using target::Outcome;
  switch (error_number) {
    case 0: return Outcome::ok;
    case ENOENT:
    case ENOTDIR: return Outcome::not_found;
    case EACCES:
    case EPERM:
    case EROFS: return Outcome::denied;
    case EEXIST: return Outcome::exists;
    case ENOTEMPTY: return Outcome::not_empty;
    case EAGAIN:
    case EBUSY: return Outcome::throttled;
    case ETIMEDOUT: return Outcome::timeout;
    case ENOTCONN:  // a FUSE mount whose server has gone
    case ECONNABORTED:
    case ECONNREFUSED:
    case ECONNRESET:
    case EPIPE:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENETDOWN:
    case ENETUNREACH: return Outcome::connection;
    case EILSEQ:
    case EBADMSG: return Outcome::corrupt;
    case ENOSPC:
    case EDQUOT: return Outcome::no_space;
    case EINVAL:
    case EBADF:
    case EFAULT:
    case EFBIG:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case EOVERFLOW:
    case ESPIPE: return Outcome::invalid;
    case EOPNOTSUPP:
    case ENOSYS:
    case ENOTTY: return Outcome::unsupported;
    case ECANCELED:
    case EINTR: return Outcome::cancelled;
    default: return Outcome::io_error;
  }
}

std::string_view errno_words(int error_number) {
  const char* words = ::strerrordesc_np(error_number);
  return words != nullptr ? words : "unknown error";
}

void note_errno(target::Completion& completion, int error_number) {
  completion.outcome = outcome_of_errno(error_number);
  completion.status = static_cast<std::uint16_t>(error_number);
  completion.detail = errno_words(error_number);
}

}  // namespace loadline::targets::posix
