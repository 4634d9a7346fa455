// The storage contract: everything the engine knows of a storage. A target performs operations. It
// knows no plan, keeps no counters, writes no log lines per operation, and reads the clock only to
// stamp its completions.
//
// A Target is opened once per job; a Session belongs to one worker thread and is never shared, so
// neither needs locks. The conformance suite (target/conformance.h) runs on every target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/secret.h"
#include "base/units.h"
#include "target/objects.h"
#include "target/op.h"
#include "target/parameters.h"

namespace loadline::target {

// What a worker thread tells the session it opens.
struct WorkerContext {
  WorkerId worker{};
  std::uint32_t job = 0;         // index in the stage: whose Watch counts what the session does
  std::uint32_t slots = 1;       // operations name slots 0..slots-1
  const Clock* clock = nullptr;  // outlives the session; for stamps and for waiting in reap()
  std::uint64_t seed = 0;        // for randomness of the target's own
  std::uint32_t reap_min = 1;    // reap() waits for so many; zero: it never waits
};

enum class Submitted : std::uint8_t {
  accepted,
  full,  // nothing was taken; reap first, then submit again
};

// Threads: used by its worker thread alone.
class Session {
 public:
  virtual ~Session() = default;
  // Starts an operation. Never blocks for the storage.
  [[nodiscard]] virtual Submitted submit(const Op& op) = 0;
  // Waits until at least one operation has ended or `deadline` has passed, and returns how many
  // completions it wrote. An accepted operation completes exactly once, whatever happens. Where
  // submit() gathers (Capabilities), an empty `into` only hands over what was gathered.
  [[nodiscard]] virtual std::size_t reap(std::span<Completion> into, Instant deadline) = 0;
  // Ends every operation under way soon with Outcome::cancelled; reap them as usual.
  virtual void cancel() = 0;

  // Block I/O, for targets whose Capabilities say so. May block; never called with operations under
  // way on the object. The handle is valid until close_object() or the session's end.
  virtual Result<OpenedObject> open_object(std::string_view name, const OpenMode& mode);
  virtual Result<void> close_object(ObjectHandle handle);
  // The names directly in a container that begin with `prefix`, in any order. May block.
  virtual Result<std::vector<std::string>> list_names(std::string_view container,
                                                      std::string_view prefix);
  // The memory that operations are going to use, once and before the first; it outlives them.
  virtual Result<void> use_memory(std::span<std::byte> memory);
};

// What a target can do; a plan that asks for more is refused before anything is touched.
struct Capabilities {
  std::uint32_t kinds = 0;  // bit 1 << OpKind
  bool blocking = false;    // a session carries one slot: the engine gives every slot a thread
  bool range_reads = false;
  bool block_io = false;             // open_object() and operations by handle
  bool block_io_waits = false;       // those end inside submit(): one at a time, whatever the depth
  bool gathers = false;              // submit() gathers them, the next reap() hands them over
  bool hand_over_waits = false;      // and that does their work: best one at a time
  bool own_descriptors = false;      // whatever works for a session is its thread or the kernel
  std::uint32_t files_per_slot = 0;  // descriptors that a session holds for each of its slots
  bool remembers_data = true;        // false for stores that make bytes up: nothing to verify
  std::string not_supported_hint;    // one clause, added to the refusal

  static constexpr std::uint32_t bit(OpKind kind) { return 1U << static_cast<unsigned>(kind); }
  bool can(OpKind kind) const { return (kinds & bit(kind)) != 0; }
};

// Threads: open_session may be called from several threads at once.
class Target {
 public:
  virtual ~Target() = default;
  virtual Capabilities capabilities() const = 0;
  // Asks the storage, before the run, whether it can be reached, lets us in, and whether these
  // containers may be used. `created_by_run` are those that an earlier stage makes: they may be
  // missing. Touches nothing.
  virtual Result<void> preflight(std::span<const std::string> containers,
                                 std::span<const std::string> created_by_run) = 0;
  virtual Result<std::unique_ptr<Session>> open_session(const WorkerContext& context) = 0;
  // Block I/O: makes the objects of one job ready, before any job of the stage starts; the facts
  // are in the order of the needs. `notice` is called before data is written. Refuses what would
  // destroy data that the job did not make.
  virtual Result<std::vector<ObjectFacts>> provide(std::span<const ObjectNeed> needs,
                                                   const LayoutNotice& notice);
  // Begins to watch the storage of these objects for the job with this index in the stage; null
  // where the target cannot tell anything.
  virtual std::unique_ptr<Watch> watch(std::span<const ObjectNeed> needs, std::uint32_t job);
  // Files, folders and bytes below a path of the storage. May take long.
  virtual Result<ContentSummary> content_summary(std::string_view path);
  // What the storage says of itself, for the result's context, e.g. "Server: nginx/1.22"; or "".
  virtual std::string describe() const = 0;
};

// One type of target: what its folder offers to the generated table.
struct TargetType {
  std::string name;        // the word in a workload, e.g. "s3"
  std::string summary;     // one line for `loadline version`
  std::string built_with;  // libraries and versions, or ""
  std::vector<ParameterSpec> parameters;
  // Reads the parameters once, before the first operation; Error.context names the parameter.
  Result<std::unique_ptr<Target>> (*open)(const Parameters& parameters);
};

}  // namespace loadline::target
