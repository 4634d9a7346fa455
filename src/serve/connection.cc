#include "serve/connection.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>

namespace loadline::serve {

namespace {

// Steps before the other connections have their turn: some megabytes of a body at most.
constexpr int k_steps_a_turn = 16;

}  // namespace

std::string_view LoopContext::date_line() {
  const Instant time = state.clock().now();
  if (time >= date_good_until_) {
    date_line_ = fmt::format("Date: {}\r\n", aws::http_date(WallTime::now()));
    date_good_until_ = time + Duration::seconds(1);
  }
  return date_line_;
}

Connection::~Connection() {
  // The client left in the middle of its request.
  if (exchange_ && !control_) context_.counters.request(kind_, 0);
  context_.counters.closed.add(1);
}

Connection::Progress Connection::run() {
  for (int steps = 0; steps < k_steps_a_turn; ++steps) {
    Step step = Step::over;
    switch (phase_) {
      case Phase::head: step = read_head(); break;
      case Phase::body: step = read_body(); break;
      case Phase::delay:
        step = wait_until(due_);
        if (step == Step::on) phase_ = Phase::send;
        break;
      case Phase::send: step = send_answer(); break;
      case Phase::silent: step = discard(); break;
      case Phase::drain: step = wait_until(due_) == Step::on ? Step::over : discard(); break;
    }
    if (step == Step::over) return Progress::over;
    if (step == Step::blocked) return Progress::waiting;
  }
  return Progress::more;
}

bool Connection::timer_due(std::uint32_t ticket) {
  if (!armed_ || ticket != ticket_) return false;
  armed_ = false;
  return true;
}

Connection::Step Connection::wait_until(Instant when) {
  if (now() >= when) {
    armed_ = false;
    return Step::on;
  }
  if (!armed_) {
    ticket_ = ++context_.last_ticket;
    context_.timers.set({when, slot_, ticket_});
    armed_ = true;
  }
  return Step::blocked;
}

std::size_t Connection::pace(std::uint64_t done, std::size_t most) {
  if (!has_fault(FaultKind::slow)) return most;
  const auto rate = static_cast<double>(fault_->bytes_per_second);
  const double slice = std::max(1.0, rate / 50);  // what may move at once, every 20 ms
  const double elapsed = (now() - pace_start_).as_seconds();
  const double allowed = rate * elapsed + slice - static_cast<double>(done);
  if (allowed >= 1) return std::min(most, static_cast<std::size_t>(std::min(allowed, 1e9)));
  // A round-off must not make it wait for a time that has passed.
  const double seconds = std::min(static_cast<double>(done) / rate + 1e-6, 1e6);
  if (wait_until(pace_start_ + Duration::from_seconds(seconds)) == Step::on) return 1;
  return 0;
}

// `close` is orderly: our side ends, and what the peer still sends is read for a while, since
// closing with unread input would reset the connection instead.
Connection::Step Connection::end_now(Ending ending) {
  if (ending == Ending::reset) {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    return Step::over;
  }
  ::shutdown(socket_.get(), SHUT_WR);
  due_ = now() + Duration::seconds(1);
  phase_ = Phase::drain;
  return Step::on;
}

}  // namespace loadline::serve
