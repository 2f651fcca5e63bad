// Sinew for C++17: RAII over sinew.h, header only. Everything is in sinew.h; this adds owners,
// spans and errors. Constraints are in sinew_constraints.hpp, feet on the ground in
// sinew_grounder.hpp, the whole body in sinew_body.hpp, bodies from trackers in
// sinew_trackers.hpp, all included from here.
//
// Handles: Skeleton, Avatar, Animator, World, Grounder, Body, TrackedBody own one object each:
// move-only, destroyed with their owner. A moved-from owner holds the null handle; calls on it
// fail with SINEW_ERROR_INVALID_HANDLE.
//
// Names: object.verb(…) is sinew_object_verb(object, …); getters drop "get_". reset() of an owner
// destroys its object; sinew_grounder_reset is reset_grounding(), sinew_tracked_body_reset
// reset_tracking(), sinew_body_reset forget().
//
// Units, space: metres (or the rig's own unit), radians, quaternions x y z w; "world" and "model"
// as in sinew.h.
//
// Errors: with exceptions, a call that fails throws sinew::Error. Without (-fno-exceptions, or
// SINEW_NO_EXCEPTIONS defined before the first include), a call that would return T returns
// Expected<T>, one that would return nothing returns Result. The two flavours are in different
// inline namespaces, so files compiled either way may be linked into one program.
//
// Cost: a per-frame call is the C call and one comparison; nothing here allocates except while an
// Error is made, a skeleton's name is looked up, or debug_lines() is called.
//
// Threads: as in C, one thread per animator, world or grounder, different ones at the same time.
#ifndef SINEW_HPP
#define SINEW_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "sinew.hpp needs C++17; sinew.h needs C99 or C++11"
#endif

#include <sinew/sinew.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(SINEW_NO_EXCEPTIONS) && !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define SINEW_NO_EXCEPTIONS
#endif
#ifndef SINEW_NO_EXCEPTIONS
#include <exception>
#include <stdexcept>
#include <string>
#endif

// X11/Xlib.h defines these names of enums as macros; they are macros again behind this header.
#pragma push_macro("None")
#pragma push_macro("Status")
#undef None
#undef Status

// Shared libraries that are compiled with -fvisibility=hidden have the same type of Error and the
// same text of a refusal as the program that loads them.
#if defined(__GNUC__) && !defined(_WIN32)
#define SINEW_VISIBLE __attribute__((visibility("default")))
#else
#define SINEW_VISIBLE
#endif

namespace sinew {

/// Three floats: a point, vector or direction.
using Vec3 = SinewVec3;
/// A rotation, x y z w; slightly off unit length is normalised, zero is refused.
using Quat = SinewQuat;
/// Position, rotation and scale in the parent.
using Transform = SinewTransform;
/// How a goal ended: status, iterations, residual_m (world space, metres), residual_rad (0 … π).
using Outcome = SinewOutcome;
/// The five look-at weights, each 0 … 1.
using LookAtWeight = SinewLookAtWeight;
/// Everything an IK callback can set, in one struct; start from Animator::input() or
/// default_input().
using HumanoidInput = SinewHumanoidInput;
/// Limits of one joint; start from Animator::default_joint_limits().
using JointLimits = SinewJointLimits;
/// Compensation by the body, joint limits and blend times; start from Animator::settings() or
/// default_settings().
using HumanoidSettings = SinewHumanoidSettings;
/// Settings of the whole-body solver; start from Animator::body_solver() or
/// default_body_solver().
using BodySolverSettings = SinewBodySolverSettings;
/// Goal of an effector of the whole-body solver; all zero: free. sinew.h says what `set` means.
using BodyEffectorInput = SinewBodyEffectorInput;
/// How much a goal counts where the whole-body solver cannot meet all goals; start from
/// Animator::ik_goal_priority() or Animator::body_effector_priority().
using GoalPriority = SinewGoalPriority;
/// Joint range of a human bone, radians from the T-pose; start from default_human_range().
using HumanRange = SinewHumanRange;
/// Body part, target and times of match_target(); start from default_match_target().
using MatchTarget = SinewMatchTarget;
/// What is known about a skeleton's axes before it is mapped; start from default_mapping_hints().
using MappingHints = SinewMappingHints;
/// Joint, evidence and confidence of one human bone.
using MappedBone = SinewMappedBone;
/// Shape, sides, axes and counts of a mapping.
using MappingReport = SinewMappingReport;
/// The frame of a joint in model space.
using ModelFrame = SinewModelFrame;
/// A debug line, world space, metres.
using DebugLine = SinewDebugLine;

/// The four IK goals; numbers of Unity's AvatarIKGoal.
enum class IkGoal : std::int32_t {
  LeftFoot = SINEW_IK_GOAL_LEFT_FOOT,    ///< At the ankle.
  RightFoot = SINEW_IK_GOAL_RIGHT_FOOT,  ///< At the ankle.
  LeftHand = SINEW_IK_GOAL_LEFT_HAND,    ///< At the wrist.
  RightHand = SINEW_IK_GOAL_RIGHT_HAND,  ///< At the wrist.
};

/// Effectors of the whole-body solver beside hands and feet.
enum class BodyEffector : std::int32_t {
  Hips = SINEW_HUMAN_EFFECTOR_HIPS,                    ///< The hips.
  Chest = SINEW_HUMAN_EFFECTOR_CHEST,                  ///< The highest of spine, chest, upper chest.
  Head = SINEW_HUMAN_EFFECTOR_HEAD,                    ///< The head.
  LeftShoulder = SINEW_HUMAN_EFFECTOR_LEFT_SHOULDER,   ///< Where the upper arm begins.
  RightShoulder = SINEW_HUMAN_EFFECTOR_RIGHT_SHOULDER, ///< Where the upper arm begins.
  LeftElbow = SINEW_HUMAN_EFFECTOR_LEFT_ELBOW,         ///< Where the forearm begins.
  RightElbow = SINEW_HUMAN_EFFECTOR_RIGHT_ELBOW,       ///< Where the forearm begins.
  LeftKnee = SINEW_HUMAN_EFFECTOR_LEFT_KNEE,           ///< Where the shin begins.
  RightKnee = SINEW_HUMAN_EFFECTOR_RIGHT_KNEE,         ///< Where the shin begins.
};

/// The four bend hints; numbers of Unity's AvatarIKHint.
enum class IkHint : std::int32_t {
  LeftKnee = SINEW_IK_HINT_LEFT_KNEE,      ///< Bends the left leg.
  RightKnee = SINEW_IK_HINT_RIGHT_KNEE,    ///< Bends the right leg.
  LeftElbow = SINEW_IK_HINT_LEFT_ELBOW,    ///< Bends the left arm.
  RightElbow = SINEW_IK_HINT_RIGHT_ELBOW,  ///< Bends the right arm.
};

/// A part of the body to match; numbers of Unity's AvatarTarget.
enum class AvatarTarget : std::int32_t {
  Root = SINEW_AVATAR_TARGET_ROOT,             ///< The root transform itself.
  Body = SINEW_AVATAR_TARGET_BODY,             ///< Centre of mass and orientation of the body.
  LeftFoot = SINEW_AVATAR_TARGET_LEFT_FOOT,    ///< Left ankle.
  RightFoot = SINEW_AVATAR_TARGET_RIGHT_FOOT,  ///< Right ankle.
  LeftHand = SINEW_AVATAR_TARGET_LEFT_HAND,    ///< Left wrist.
  RightHand = SINEW_AVATAR_TARGET_RIGHT_HAND,  ///< Right wrist.
};

/// How a solve ended; status_of() makes it of an outcome.
enum class Status : std::int32_t {
  Inactive = SINEW_STATUS_INACTIVE,                   ///< No goal, or weight 0.
  Reached = SINEW_STATUS_REACHED,                     ///< The goal, at its weight, is met.
  Unreachable = SINEW_STATUS_UNREACHABLE,             ///< Out of reach; a limb points straight at it.
  Stalled = SINEW_STATUS_STALLED,                     ///< No more progress.
  OutOfIterations = SINEW_STATUS_OUT_OF_ITERATIONS,   ///< Iterations used up.
};

/// The human bones; numbers of Unity's HumanBodyBones. sinew.h lists the required ones.
enum class HumanBone : std::int32_t {
  // Trunk and legs.
  Hips = 0, LeftUpperLeg = 1, RightUpperLeg = 2, LeftLowerLeg = 3, RightLowerLeg = 4, LeftFoot = 5, RightFoot = 6,
  // Spine and head.
  Spine = 7, Chest = 8, Neck = 9, Head = 10,
  // Arms.
  LeftShoulder = 11, RightShoulder = 12, LeftUpperArm = 13, RightUpperArm = 14, LeftLowerArm = 15, RightLowerArm = 16,
  LeftHand = 17, RightHand = 18,
  // Toes, eyes, jaw.
  LeftToes = 19, RightToes = 20, LeftEye = 21, RightEye = 22, Jaw = 23,
  // Left fingers: thumb, index, middle, ring, little.
  LeftThumbProximal = 24, LeftThumbIntermediate = 25, LeftThumbDistal = 26, LeftIndexProximal = 27,
  LeftIndexIntermediate = 28, LeftIndexDistal = 29, LeftMiddleProximal = 30, LeftMiddleIntermediate = 31,
  LeftMiddleDistal = 32, LeftRingProximal = 33, LeftRingIntermediate = 34, LeftRingDistal = 35,
  LeftLittleProximal = 36, LeftLittleIntermediate = 37, LeftLittleDistal = 38,
  // Right fingers.
  RightThumbProximal = 39, RightThumbIntermediate = 40, RightThumbDistal = 41, RightIndexProximal = 42,
  RightIndexIntermediate = 43, RightIndexDistal = 44, RightMiddleProximal = 45, RightMiddleIntermediate = 46,
  RightMiddleDistal = 47, RightRingProximal = 48, RightRingIntermediate = 49, RightRingDistal = 50,
  RightLittleProximal = 51, RightLittleIntermediate = 52, RightLittleDistal = 53,
  // Between chest and neck; last because Unity added it last.
  UpperChest = 54,
};
static_assert(static_cast<int>(HumanBone::RightLittleDistal) == SINEW_HUMAN_BONE_RIGHT_LITTLE_DISTAL, "numbers of sinew.h");
static_assert(static_cast<int>(HumanBone::UpperChest) == SINEW_HUMAN_BONE_UPPER_CHEST, "numbers of sinew.h");

/// What a debug line shows.
enum class DebugPart : std::int32_t {
  Bone = SINEW_DEBUG_PART_BONE,           ///< From a joint's parent to the joint.
  Residual = SINEW_DEBUG_PART_RESIDUAL,   ///< From an effector to its goal.
  GoalAxis = SINEW_DEBUG_PART_GOAL_AXIS,  ///< An axis of a goal's frame.
  Hint = SINEW_DEBUG_PART_HINT,           ///< From a knee or elbow to its hint.
  LookAt = SINEW_DEBUG_PART_LOOK_AT,      ///< From the eyes to the look-at point.
  Body = SINEW_DEBUG_PART_BODY,           ///< The centre of mass.
};

/// For each HumanBone its joint index, or -1.
using HumanMap = std::array<std::int32_t, SINEW_HUMAN_BONE_COUNT>;

/// A mapping with its report.
struct Mapping {
  std::array<MappedBone, SINEW_HUMAN_BONE_COUNT> bones;  ///< By HumanBone.
  MappingReport report;                                  ///< What they have in common.

  /// The joints alone, for Avatar::create().
  HumanMap joints() const noexcept {
    HumanMap map{};
    for (std::size_t i = 0; i < map.size(); ++i) map[i] = bones[i].joint;
    return map;
  }
};

/// Status of an outcome of a goal or constraint.
constexpr Status status_of(const Outcome& outcome) noexcept { return static_cast<Status>(outcome.status); }
/// Status of a solve of a body.
constexpr Status status_of(const SinewBodyOutcome& outcome) noexcept { return static_cast<Status>(outcome.status); }
/// Status of a task of a body.
constexpr Status status_of(const SinewBodyTaskOutcome& outcome) noexcept { return static_cast<Status>(outcome.status); }

/// A pointer and a length: std::span for C++17. Converts from any array or vector, and to std::span
/// in C++20.
template <class T>
class Span {
 public:
  /// Empty.
  constexpr Span() noexcept = default;
  /// `count` elements from `data` on.
  constexpr Span(T* data, std::size_t count) noexcept : data_(data), size_(count) {}
  /// All elements of a C array.
  template <std::size_t N>
  constexpr Span(T (&array)[N]) noexcept : data_(array), size_(N) {}
  /// All elements of a contiguous container: vector, array, span, …
  template <class C, class P = decltype(std::declval<C&>().data()),
            class = std::enable_if_t<std::is_convertible<std::remove_pointer_t<P> (*)[], T (*)[]>::value>>
  constexpr Span(C&& container) noexcept : data_(container.data()), size_(container.size()) {}
  /// First element; null when empty.
  constexpr T* data() const noexcept { return data_; }
  /// Number of elements.
  constexpr std::size_t size() const noexcept { return size_; }
  /// Whether there are none.
  constexpr bool empty() const noexcept { return size_ == 0; }
  /// Element `i`; not checked.
  constexpr T& operator[](std::size_t i) const noexcept { return data_[i]; }
  /// For range-based for.
  constexpr T* begin() const noexcept { return data_; }
  /// For range-based for.
  constexpr T* end() const noexcept { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The animator's own pose buffer: one local transform per joint, at one address until the animator
/// is destroyed.
using PoseView = Span<Transform>;

/// Name and meaning of a result code, a SinewResult or an element of an array of results, for
/// example "SINEW_ERROR_BUSY: …"; valid for the life of the process.
inline const char* result_text(std::int32_t code) noexcept {
  const char* text = "unknown result code";
  (void)sinew_result_text(code, &text);
  return text;
}

namespace wrapper {

// The message of this thread's last call that a wrapper refused before the library saw it; "" after
// a later call of a wrapper that the library refused.
struct Refusal {
  char text[240];
  std::uint64_t seen;  // hash of the library's message then: another one is newer
};
SINEW_VISIBLE inline Refusal& refusal() noexcept {
  static thread_local Refusal refusal{};
  return refusal;
}
inline const char* library_error() noexcept {
  const char* text = "";
  (void)sinew_last_error(&text);
  return text;
}
inline std::uint64_t hash(const char* text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (; *text != 0; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  return hash;
}
inline SinewResult refuse(SinewResult code, const char* text) noexcept {
  Refusal& own = refusal();
  (void)std::snprintf(own.text, sizeof own.text, "%s", text);
  own.seen = hash(library_error());
  return code;
}
// "function: argument has 2 elements, not 3 (elements of other)".
inline SinewResult refuse(const char* function, const char* argument, std::size_t has, std::size_t needs,
                          const char* other) noexcept {
  char text[240];
  (void)std::snprintf(text, sizeof text, "%s: %s has %zu elements, not %zu (%s)", function, argument, has, needs, other);
  return refuse(SINEW_ERROR_LENGTH_MISMATCH, text);
}
// "function: argument is the null handle", where C takes null for "none".
inline SinewResult refuse_null(const char* function, const char* argument) noexcept {
  char text[240];
  (void)std::snprintf(text, sizeof text, "%s: %s is the null handle (moved from, or never created)", function, argument);
  return refuse(SINEW_ERROR_INVALID_HANDLE, text);
}

}  // namespace wrapper

/// Message of this thread's last failing call, with function, argument and value: that of
/// sinew_last_error, or of this layer where it refused the call itself. Valid until the thread's
/// next failing call.
inline const char* last_error() noexcept {
  const char* text = wrapper::library_error();
  const wrapper::Refusal& own = wrapper::refusal();
  return own.text[0] != 0 && own.seen == wrapper::hash(text) ? own.text : text;
}

#ifndef SINEW_NO_EXCEPTIONS
inline namespace throwing {

/// A call that failed. what() is the message of sinew_last_error: function, argument, value.
class SINEW_VISIBLE Error : public std::runtime_error {
 public:
  /// Created by the calls below with the calling thread's message.
  Error(SinewResult code, const char* message) : std::runtime_error(message), code_(code) {}
  /// The result code.
  SinewResult code() const noexcept { return code_; }

 private:
  SinewResult code_;
};

/// Return type of a call that returns a T: the T; on failure it throws.
template <class T>
using Returns = T;
/// Return type of a call without result: void; on failure it throws.
using Done = void;

namespace detail {
[[noreturn]] inline void fail(SinewResult code) {
  wrapper::refusal().text[0] = 0;
  throw Error(code, wrapper::library_error());
}
// Fails with the message of wrapper::refuse.
[[noreturn]] inline void refused(SinewResult code) { throw Error(code, wrapper::refusal().text); }
inline void done(SinewResult code) {
  if (code != SINEW_OK) fail(code);
}
template <class T>
T give(SinewResult code, T value) {
  if (code != SINEW_OK) fail(code);
  return value;
}
template <class T>
[[noreturn]] T refused(SinewResult code, T) {
  refused(code);
}
}  // namespace detail
#else  // without exceptions
inline namespace no_throw {

/// Success or failure of a call without result.
class [[nodiscard]] Result {
 public:
  /// Created by the calls below.
  Result(SinewResult code) noexcept : code_(code) {}
  /// True when the call succeeded.
  explicit operator bool() const noexcept { return code_ == SINEW_OK; }
  /// The result code; last_error() has the message until this thread's next failing call.
  SinewResult code() const noexcept { return code_; }

 private:
  SinewResult code_;
};

/// A T, or the code of the failure.
template <class T>
class [[nodiscard]] Expected {
 public:
  /// Created by the calls below: a value (when code is SINEW_OK) or a failure.
  Expected(SinewResult code, T&& value) : code_(code), value_(std::move(value)) {}
  /// True when there is a value. An Expected<bool> has no such conversion: `if (x.is_human())`
  /// would be true for every animator.
  explicit operator bool() const noexcept {
    static_assert(!std::is_same<T, bool>::value, "write has_value(), or *expected, or value_or(false)");
    return has_value();
  }
  /// True when there is a value.
  bool has_value() const noexcept { return code_ == SINEW_OK; }
  /// The value; `fallback` when the call failed. For values that are copied.
  T value_or(T fallback) const { return has_value() ? value_ : fallback; }
  /// The result code.
  SinewResult code() const noexcept { return code_; }
  /// The value; a default one (null handle, zero) when the call failed.
  T& operator*() & noexcept { return value_; }
  /// The value; a default one when the call failed.
  const T& operator*() const& noexcept { return value_; }
  /// The value, to be moved from.
  T&& operator*() && noexcept { return std::move(value_); }
  /// Member of the value.
  T* operator->() noexcept { return &value_; }
  /// Member of the value.
  const T* operator->() const noexcept { return &value_; }

 private:
  SinewResult code_;
  T value_;
};

/// Return type of a call that returns a T.
template <class T>
using Returns = Expected<T>;
/// Return type of a call without result.
using Done = Result;

namespace detail {
inline Result done(SinewResult code) noexcept {
  if (code != SINEW_OK) wrapper::refusal().text[0] = 0;
  return Result(code);
}
template <class T>
Expected<T> give(SinewResult code, T value) {
  if (code != SINEW_OK) wrapper::refusal().text[0] = 0;
  return Expected<T>(code, std::move(value));
}
// Fails with the message of wrapper::refuse.
inline Result refused(SinewResult code) noexcept { return Result(code); }
template <class T>
Expected<T> refused(SinewResult code, T value) {
  return Expected<T>(code, std::move(value));
}
}  // namespace detail
#endif

namespace detail {

// Checked once per program and flavour, before the first object is created: do header and library
// fit?
inline SinewResult abi_result() noexcept {
  static const SinewResult result = [] {
    SinewVersion v{};
    const SinewResult code = sinew_version(&v);
    return code != SINEW_OK ? code : v.abi == SINEW_ABI_VERSION ? SINEW_OK : SINEW_ERROR_STRUCT_SIZE;
  }();
  return result;
}

// Runs `make(&handle)` if the library fits the header; SINEW_ERROR_STRUCT_SIZE if it does not.
template <class T, class Handle, class Make>
Returns<T> create(Make&& make) {
  Handle handle{0};
  if (const SinewResult fits = abi_result(); fits != SINEW_OK) {
    return refused(
        wrapper::refuse(fits, "sinew.hpp: the loaded library has another SINEW_ABI_VERSION than the header"), T());
  }
  const SinewResult code = make(&handle);
  return give(code, T(handle));
}

// Runs `call(&value)` and returns the value.
template <class T, class Call>
Returns<T> out(Call&& call) {
  T value{};
  const SinewResult code = call(&value);
  return give(code, std::move(value));
}

// The same for a number that is 0 or 1.
template <class Call>
Returns<bool> flag(Call&& call) {
  std::uint32_t value = 0;
  const SinewResult code = call(&value);
  return give(code, value != 0);
}

// A length as the C functions take it; one that does not fit becomes one that no skeleton has.
constexpr std::uint32_t length(std::size_t n) noexcept {
  return n < UINT32_MAX ? static_cast<std::uint32_t>(n) : UINT32_MAX;
}

constexpr SinewHumanEffector c(BodyEffector effector) noexcept {
  return static_cast<SinewHumanEffector>(effector);
}
constexpr SinewIkGoal c(IkGoal goal) noexcept { return static_cast<SinewIkGoal>(goal); }
constexpr SinewIkHint c(IkHint hint) noexcept { return static_cast<SinewIkHint>(hint); }
constexpr SinewAvatarTarget c(AvatarTarget part) noexcept { return static_cast<SinewAvatarTarget>(part); }
constexpr SinewHumanBone c(HumanBone bone) noexcept { return static_cast<SinewHumanBone>(bone); }

// Owns one handle.
template <class Handle, SinewResult (*Destroy)(Handle), SinewResult (*IsValid)(Handle, std::uint32_t*)>
class Owner {
 public:
  /// The null handle.
  Owner() noexcept = default;
  /// Takes ownership of a handle created with the C functions.
  explicit Owner(Handle handle) noexcept : handle_(handle) {}
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  /// Leaves the other with the null handle.
  Owner(Owner&& other) noexcept : handle_(other.release()) {}
  /// Destroys what this owned; leaves the other with the null handle.
  Owner& operator=(Owner&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = other.release();
    }
    return *this;
  }
  ~Owner() { reset(); }

  /// The C handle, still owned by this.
  Handle handle() const noexcept { return handle_; }
  /// Releases ownership: returns the C handle; this becomes null.
  Handle release() noexcept { return std::exchange(handle_, Handle{0}); }
  /// Destroys the object now. Not while another thread is in a call on it: the library would
  /// refuse, and the object would stay.
  void reset() noexcept {
    if (handle_.bits != 0) (void)Destroy(release());
  }
  /// Whether the handle is valid: its object exists.
  bool is_valid() const noexcept {
    std::uint32_t valid = 0;
    return IsValid(handle_, &valid) == SINEW_OK && valid != 0;
  }
  /// Whether the handle is not null; it may still be stale.
  explicit operator bool() const noexcept { return handle_.bits != 0; }

 private:
  Handle handle_{0};
};

}  // namespace detail

/// Version of the loaded library.
inline Returns<SinewVersion> version() { return detail::out<SinewVersion>(&sinew_version); }

/// Sets where all memory of the library comes from (see SinewAllocate, SinewFree). Call it before
/// any other function of the library; it cannot be undone. `user` is passed to both and must stay
/// valid until the process ends. The callbacks must not throw. SINEW_ERROR_NOT_AVAILABLE: the
/// library has allocated already, or was built without the feature `host-allocator`.
inline Done set_allocator(SinewAllocate allocate, SinewFree free, void* user = nullptr) {
  return detail::done(sinew_set_allocator(allocate, free, user));
}

/// Runs the parts `begin` up to `end` of a job on the calling thread: what the host's tasks call
/// for a job that World::set_jobs() gave them, from any number of threads at once. Returns the code
/// in programs with exceptions, too: threads of a pool have no place to catch them. A range beyond
/// the job, run twice, or never run makes World::solve() fail with SINEW_ERROR_JOBS.
inline SinewResult run_job(SinewJob job, std::uint32_t begin, std::uint32_t end) noexcept {
  return sinew_job_run(job, begin, end);
}

/// Records all calls of the process, with their data, until it is destroyed; `sinew-replay FILE`
/// runs the file with the same bits. One line, before the objects of interest are created:
/// `sinew::Recording recording("bug.sinewlog");`
class Recording {
 public:
  /// Begins a recording to a file, which is overwritten (path: UTF-8); whether it did is `code()`.
  explicit Recording(const char* path) noexcept : code_(sinew_record_begin(path)) {}
  /// Begins a recording that `bool sink(Span<const std::uint8_t> bytes)` receives, piece by piece,
  /// from any thread that calls the library, one at a time; whether it began is `code()`. False, or
  /// an exception, ends the recording. The object must stay where it is until the recording ends.
  template <class Sink, class = std::enable_if_t<std::is_invocable_r<bool, Sink&, Span<const std::uint8_t>>::value>>
  explicit Recording(Sink& sink) noexcept
      : code_(sinew_record_begin_callback(
            [](void* user, const std::uint8_t* bytes, std::uint32_t size) noexcept -> std::uint32_t {
              Sink& to = *static_cast<Sink*>(user);
#ifndef SINEW_NO_EXCEPTIONS
              try {
                return to(Span<const std::uint8_t>(bytes, size)) ? 0 : 1;
              } catch (...) {
                return 1;
              }
#else
              return to(Span<const std::uint8_t>(bytes, size)) ? 0 : 1;
#endif
            },
            const_cast<void*>(static_cast<const volatile void*>(std::addressof(sink))))) {}
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  /// Ends the recording.
  ~Recording() {
    if (code_ == SINEW_OK) (void)sinew_record_end();
  }
  /// SINEW_OK while it runs; why it did not begin; SINEW_ERROR_NOT_AVAILABLE after its end.
  SinewResult code() const noexcept { return code_; }
  /// Ends the recording now and returns whether all of it was written.
  SinewResult end() noexcept {
    if (code_ == SINEW_OK) {
      const SinewResult ended = sinew_record_end();
      code_ = SINEW_ERROR_NOT_AVAILABLE;
      return ended;
    }
    return code_;
  }

 private:
  SinewResult code_;
};

/// Nothing given, all weights 0.
inline HumanoidInput default_input() noexcept {
  HumanoidInput input{};
  (void)sinew_humanoid_input_default(&input);
  return input;
}

/// Axes computed, right-handed model space.
inline MappingHints default_mapping_hints() noexcept {
  MappingHints hints{};
  (void)sinew_mapping_hints_default(&hints);
  return hints;
}

/// Everything off.
inline HumanoidSettings default_settings() noexcept {
  HumanoidSettings settings{};
  (void)sinew_humanoid_settings_default(&settings);
  return settings;
}

/// The whole-body solver off, with its default settings.
inline BodySolverSettings default_body_solver() noexcept {
  BodySolverSettings settings{};
  (void)sinew_body_solver_settings_default(&settings);
  return settings;
}

/// Default range of a human bone; -π … π for the hips.
inline Returns<HumanRange> default_human_range(HumanBone bone) {
  return detail::out<HumanRange>([&](HumanRange* out) { return sinew_human_range_default(detail::c(bone), out); });
}

/// A part at the origin, over the whole clip, weights 1.
inline MatchTarget default_match_target(AvatarTarget part = AvatarTarget::Root) noexcept {
  MatchTarget target{};
  (void)sinew_match_target_default(&target);
  target.part = static_cast<std::int32_t>(part);
  return target;
}

/// The bone with this name (UTF-8; case and spaces do not matter), as a number; -1 when there is
/// none.
inline Returns<std::int32_t> human_bone_from_name(const char* name) {
  return detail::out<std::int32_t>([&](std::int32_t* out) { return sinew_human_bone_from_name(name, out); });
}

/// A rig: joints with names, parents and rest transforms. May be destroyed once avatars and
/// animators are created from it.
class Skeleton : public detail::Owner<SinewSkeleton, sinew_skeleton_destroy, sinew_skeleton_is_valid> {
 public:
  using Owner::Owner;

  /// An empty definition with its size filled in.
  static SinewSkeletonDef default_def() noexcept {
    SinewSkeletonDef def{};
    (void)sinew_skeleton_def_default(&def);
    return def;
  }
  /// Creates a skeleton; everything is copied.
  static Returns<Skeleton> create(const SinewSkeletonDef& def) {
    return detail::create<Skeleton, SinewSkeleton>([&](SinewSkeleton* out) { return sinew_skeleton_create(&def, out); });
  }
  /// Creates a skeleton from arrays of one length: parents (lower index first, -1 for a root), rest
  /// transforms in the parent, names (UTF-8; empty span: none). Unequal lengths fail with
  /// SINEW_ERROR_LENGTH_MISMATCH.
  static Returns<Skeleton> create(Span<const std::int32_t> parents, Span<const Transform> rest,
                                  Span<const char* const> names = {}) {
    const bool is_rest = rest.size() != parents.size();
    if (is_rest || (!names.empty() && names.size() != parents.size()))
      return detail::refused(wrapper::refuse("sinew::Skeleton::create", is_rest ? "rest" : "names",
                                             is_rest ? rest.size() : names.size(), parents.size(),
                                             "as many as parents"),
                             Skeleton());
    SinewSkeletonDef def = default_def();
    def.joint_count = detail::length(parents.size());
    def.parents = parents.data();
    def.rest = rest.data();
    def.names = names.empty() ? nullptr : names.data();
    return create(def);
  }

  /// Number of joints.
  Returns<std::uint32_t> joint_count() const {
    return detail::out<std::uint32_t>([&](auto* out) { return sinew_skeleton_get_joint_count(handle(), out); });
  }
  /// Index of the first joint with this name (UTF-8, compared exactly); SINEW_ERROR_JOINT_NOT_FOUND
  /// when there is none.
  Returns<std::uint32_t> find_joint(const char* name) const {
    return detail::out<std::uint32_t>([&](auto* out) { return sinew_skeleton_find_joint(handle(), name, out); });
  }
  /// Index of a joint's parent, or -1 for a root.
  Returns<std::int32_t> parent(std::uint32_t joint) const {
    return detail::out<std::int32_t>([&](auto* out) { return sinew_skeleton_get_parent(handle(), joint, out); });
  }
  /// Rest transform of a joint in its parent.
  Returns<Transform> rest(std::uint32_t joint) const {
    return detail::out<Transform>([&](auto* out) { return sinew_skeleton_get_rest(handle(), joint, out); });
  }
  /// Human bones by Unity's human names ("LeftUpperLeg", "Left Thumb Proximal"; case and spaces do
  /// not matter).
  Returns<HumanMap> map_human_names() const {
    return detail::out<HumanMap>([&](HumanMap* out) {
      return sinew_skeleton_map_human_names(handle(), out->data(), SINEW_HUMAN_BONE_COUNT, nullptr);
    });
  }
  /// Human bones from any rig's names and shape.
  Returns<HumanMap> map_human_bones() const {
    return detail::out<HumanMap>([&](HumanMap* out) {
      return sinew_skeleton_map_human_bones(handle(), out->data(), SINEW_HUMAN_BONE_COUNT, nullptr);
    });
  }
  /// The same with what is known about the axes, and a report of how each bone was found.
  Returns<Mapping> map_with_report(const MappingHints& hints = default_mapping_hints()) const {
    return detail::out<Mapping>([&](Mapping* out) {
      return sinew_skeleton_map_with_report(handle(), &hints, out->bones.data(), SINEW_HUMAN_BONE_COUNT, &out->report);
    });
  }
  /// The name of a joint (UTF-8, zero-terminated).
  Returns<std::vector<char>> joint_name(std::uint32_t joint) const {
    std::vector<char> name;
    std::uint32_t length = 0;
    SinewResult code = sinew_skeleton_get_joint_name(handle(), joint, nullptr, 0, &length);
    if (code == SINEW_ERROR_BUFFER_TOO_SMALL) {
      name.resize(length);
      code = sinew_skeleton_get_joint_name(handle(), joint, name.data(), length, &length);
    }
    return detail::give(code, std::move(name));
  }
  /// That mapping in words (UTF-8, zero-terminated): a line per bone, then missing bones, then
  /// doubts.
  Returns<std::vector<char>> mapping_text(const MappingHints& hints = default_mapping_hints()) const {
    std::vector<char> text;
    std::uint32_t length = 0;
    SinewResult code = sinew_skeleton_get_mapping_text(handle(), &hints, nullptr, 0, &length);
    if (code == SINEW_ERROR_BUFFER_TOO_SMALL) {
      text.resize(length);
      code = sinew_skeleton_get_mapping_text(handle(), &hints, text.data(), length, &length);
    }
    return detail::give(code, std::move(text));
  }
};

/// The three axes of a character, model space, unit vectors.
struct Axes {
  Vec3 right;    ///< To the character's right.
  Vec3 up;       ///< From the feet to the head.
  Vec3 forward;  ///< Where the chest faces.
};

/// What a goal of hand or foot has from the T-pose.
struct GoalConstants {
  Quat rotation;        ///< Rotation of the goal's frame in its bone: goal = bone * this.
  float bottom_height;  ///< From the ankle down to the sole, metres; 0 for hands.
};

/// A ray, world space.
struct Ray {
  Vec3 origin;     ///< Metres.
  Vec3 direction;  ///< Unit.
};

/// Where a part of the body is, world space.
struct TargetPose {
  Vec3 position;  ///< Metres.
  Quat rotation;  ///< Hands and feet in Unity's goal frame.
};

/// The map from human bones to joints, with measurements of the T-pose. May be destroyed once
/// animators are created with it.
class Avatar : public detail::Owner<SinewAvatar, sinew_avatar_destroy, sinew_avatar_is_valid> {
 public:
  using Owner::Owner;

  /// Defaults: axes and T-pose computed, stretch 0.05, twist 0.5, no feet spacing. Set skeleton and
  /// human_joints.
  static SinewAvatarDef default_def() noexcept {
    SinewAvatarDef def{};
    (void)sinew_avatar_def_default(&def);
    return def;
  }
  /// Creates an avatar; everything is copied. The message of SINEW_ERROR_MISSING_BONE names the
  /// required bones that are not mapped.
  static Returns<Avatar> create(const SinewAvatarDef& def) {
    return detail::create<Avatar, SinewAvatar>([&](SinewAvatar* out) { return sinew_avatar_create(&def, out); });
  }
  /// Creates an avatar with all defaults.
  static Returns<Avatar> create(const Skeleton& skeleton, const HumanMap& human_joints) {
    SinewAvatarDef def = default_def();
    def.skeleton = skeleton.handle();
    def.human_joints = human_joints.data();
    return create(def);
  }

  /// Joint of a bone, or -1 when the avatar has no such bone.
  Returns<std::int32_t> bone_joint(HumanBone bone) const {
    return detail::out<std::int32_t>(
        [&](auto* out) { return sinew_avatar_get_bone_joint(handle(), detail::c(bone), out); });
  }
  /// Axes of the character in model space, as given or as computed.
  Returns<Axes> axes() const {
    return detail::out<Axes>(
        [&](Axes* out) { return sinew_avatar_get_axes(handle(), &out->right, &out->up, &out->forward); });
  }
  /// Copies the T-pose, as given or as computed; the length must be the joint count.
  Done get_t_pose(Span<Transform> local) const {
    return detail::done(sinew_avatar_get_t_pose(handle(), local.data(), detail::length(local.size())));
  }
  /// Range of a bone in this avatar: its own, else the default one.
  Returns<HumanRange> human_range(HumanBone bone) const {
    return detail::out<HumanRange>(
        [&](auto* out) { return sinew_avatar_get_human_range(handle(), detail::c(bone), out); });
  }
  /// Frame and sole of a goal, as measured on the T-pose.
  Returns<GoalConstants> goal_constants(IkGoal goal) const {
    return detail::out<GoalConstants>([&](GoalConstants* out) {
      return sinew_avatar_get_goal_constants(handle(), detail::c(goal), &out->rotation, &out->bottom_height);
    });
  }
  /// Height of the centre of mass above the soles in the T-pose, metres.
  Returns<float> human_scale() const {
    return detail::out<float>([&](auto* out) { return sinew_avatar_get_human_scale(handle(), out); });
  }
};

/// One character: a pose, its goals and constraints, and the outcome of the last solve. One thread
/// at a time.
class Animator : public detail::Owner<SinewAnimator, sinew_animator_destroy, sinew_animator_is_valid> {
 public:
  /// The null handle.
  Animator() noexcept = default;
  /// Takes ownership of a handle created with the C functions.
  explicit Animator(SinewAnimator handle) noexcept : Owner(handle) {
    Transform* data = nullptr;
    std::uint32_t count = 0;
    if (handle.bits != 0 && sinew_animator_get_pose_buffer(handle, &data, &count) == SINEW_OK) pose_ = {data, count};
  }

  /// Creates an animator in the rest pose, with an identity root, all weights 0.
  static Returns<Animator> create(const SinewAnimatorDef& def) {
    return detail::create<Animator, SinewAnimator>([&](SinewAnimator* out) { return sinew_animator_create(&def, out); });
  }
  /// An empty definition with its size filled in; set skeleton, and avatar for a humanoid.
  static SinewAnimatorDef default_def() noexcept {
    SinewAnimatorDef def{};
    (void)sinew_animator_def_default(&def);
    return def;
  }
  /// Creates an animator for a rig that is not a humanoid.
  static Returns<Animator> create(const Skeleton& skeleton) {
    SinewAnimatorDef def = default_def();
    def.skeleton = skeleton.handle();
    return create(def);
  }
  /// Creates an animator for a humanoid. An avatar with the null handle fails with
  /// SINEW_ERROR_INVALID_HANDLE.
  static Returns<Animator> create(const Skeleton& skeleton, const Avatar& avatar) {
    if (!avatar) return detail::refused(wrapper::refuse_null("sinew::Animator::create", "avatar"), Animator());
    SinewAnimatorDef def = default_def();
    def.skeleton = skeleton.handle();
    def.avatar = avatar.handle();
    return create(def);
  }

  // --- pose ---

  /// The pose buffer, one local transform per joint: write the animation there, solve(), read the
  /// result there. It stays where it is until the object is destroyed or released. Do not touch it
  /// while another thread solves this animator.
  PoseView pose() const noexcept { return handle().bits != 0 ? pose_ : PoseView(); }
  /// Copies a pose into the buffer; an invalid number or a wrong length refuses the whole pose.
  Done set_pose(Span<const Transform> local) {
    return detail::done(sinew_animator_set_pose(handle(), local.data(), detail::length(local.size())));
  }
  /// Copies the pose buffer; the length must be the joint count.
  Done get_pose(Span<Transform> local) const {
    return detail::done(sinew_animator_get_pose(handle(), local.data(), detail::length(local.size())));
  }
  /// Resets the pose buffer to the rest pose.
  Done reset_pose() { return detail::done(sinew_animator_reset_pose(handle())); }
  /// Sets the root transform, from model to world space. Scale may be uneven or negative, not zero.
  Done set_root(const Transform& world) { return detail::done(sinew_animator_set_root(handle(), &world)); }
  /// The root transform. Default: the identity.
  Returns<Transform> root() const { return out<Transform>(&sinew_animator_get_root); }
  /// World position of a joint, from pose buffer and root.
  Returns<Vec3> joint_position(std::uint32_t joint) const {
    return detail::out<Vec3>([&](Vec3* v) { return sinew_animator_get_joint_world(handle(), joint, v, nullptr); });
  }
  /// World orientation of a joint, from pose buffer and root.
  Returns<Quat> joint_rotation(std::uint32_t joint) const {
    return detail::out<Quat>([&](Quat* q) { return sinew_animator_get_joint_world(handle(), joint, nullptr, q); });
  }

  /// Computes the model frames of all joints from the pose buffer; the length must be the joint
  /// count.
  Done get_model_frames(Span<ModelFrame> frames) const {
    return detail::done(sinew_animator_get_model_frames(handle(), frames.data(), detail::length(frames.size())));
  }

  /// Computes the matrices of all joints in model space: 12 or 16 numbers each, by the layout.
  Done get_model_matrices(SinewMatrixLayout layout, Span<float> numbers) const {
    return matrices("sinew::Animator::get_model_matrices", &sinew_animator_get_model_matrices, layout, numbers);
  }
  /// Computes the matrices of all joints in world space.
  Done get_world_matrices(SinewMatrixLayout layout, Span<float> numbers) const {
    return matrices("sinew::Animator::get_world_matrices", &sinew_animator_get_world_matrices, layout, numbers);
  }

  // --- solve ---

  /// Sets how many steps of work a solve may take; then it ends with its best pose so far. At most
  /// SINEW_MAX_WORK, the default.
  Done set_max_work(std::uint32_t steps) { return detail::done(sinew_animator_set_max_work(handle(), steps)); }
  /// How many steps of work a solve may take.
  Returns<std::uint32_t> max_work() const { return out<std::uint32_t>(&sinew_animator_get_max_work); }
  /// Sets or clears the flag that ends solves early; from any thread at any time.
  Done set_cancelled(bool cancelled) const {
    return detail::done(sinew_animator_set_cancelled(handle(), cancelled ? 1 : 0));
  }
  /// Hash of pose, input and state between frames.
  Returns<std::uint64_t> hash() const { return out<std::uint64_t>(&sinew_animator_hash); }
  /// The constraints, in the order in which a solve comes to them.
  Returns<std::vector<SinewConstraint>> constraints() const {
    std::vector<SinewConstraint> handles;
    std::uint32_t count = 0;
    SinewResult code = sinew_animator_get_constraints(handle(), nullptr, 0, &count);
    if (code == SINEW_ERROR_BUFFER_TOO_SMALL) {
      handles.resize(count);
      code = sinew_animator_get_constraints(handle(), handles.data(), count, &count);
    }
    return detail::give(code, std::move(handles));
  }

  /// Sets the share of their iterations that chain constraints and the whole-body solver make,
  /// 0 … 1; default 1.
  Done set_iteration_scale(float scale) { return detail::done(sinew_animator_set_iteration_scale(handle(), scale)); }
  /// The share of their iterations that chain constraints and the whole-body solver make.
  Returns<float> iteration_scale() const { return out<float>(&sinew_animator_get_iteration_scale); }

  /// Solves the pose in the buffer. An unreachable goal is not an error: see ik_outcome().
  Done solve() { return detail::done(sinew_animator_solve(handle())); }
  /// Solves many animators in order; `results` (as long, or empty) receives each code. Fails with
  /// the first failing code, after having solved the others.
  static Done solve_batch(Span<const SinewAnimator> animators, Span<std::int32_t> results = {}) {
    if (!results.empty() && results.size() != animators.size())
      return detail::refused(wrapper::refuse("sinew::Animator::solve_batch", "results", results.size(),
                                             animators.size(), "as many as animators"));
    return detail::done(sinew_animator_solve_batch(animators.data(), detail::length(animators.size()), results.data()));
  }
  /// Outcome of the last solve for a hand or foot.
  Returns<Outcome> ik_outcome(IkGoal goal) const { return out<Outcome>(&sinew_animator_get_ik_outcome, detail::c(goal)); }
  /// Outcome of the last solve for the look-at.
  Returns<Outcome> look_at_outcome() const { return out<Outcome>(&sinew_animator_get_look_at_outcome); }

  // --- goals: world space (or the goal's space), metres; they stay until changed; weights are
  // clamped to 0 … 1 ---

  /// Sets the goal position of a hand (wrist) or foot (ankle).
  Done set_ik_position(IkGoal goal, const Vec3& world) {
    return detail::done(sinew_animator_set_ik_position(handle(), detail::c(goal), &world));
  }
  /// The goal position set since the last solve, else that of the animation.
  Returns<Vec3> ik_position(IkGoal goal) const { return out<Vec3>(&sinew_animator_get_ik_position, detail::c(goal)); }
  /// Sets the goal rotation of a hand or foot: X to its right, Y out of its back, Z along fingers
  /// or toes.
  Done set_ik_rotation(IkGoal goal, const Quat& world) {
    return detail::done(sinew_animator_set_ik_rotation(handle(), detail::c(goal), &world));
  }
  /// The value set since the last solve, else that of the animation.
  Returns<Quat> ik_rotation(IkGoal goal) const { return out<Quat>(&sinew_animator_get_ik_rotation, detail::c(goal)); }
  /// Sets the goal rotation as rotation of the joint, in the joint's axes: the same goal in another
  /// frame.
  Done set_ik_rotation_bone(IkGoal goal, const Quat& world) {
    return detail::done(sinew_animator_set_ik_rotation_bone(handle(), detail::c(goal), &world));
  }
  /// The value set since the last solve, else that of the animation.
  Returns<Quat> ik_rotation_bone(IkGoal goal) const {
    return out<Quat>(&sinew_animator_get_ik_rotation_bone, detail::c(goal));
  }
  /// Sets the position weight, 0 (animated position) … 1 (at the goal).
  Done set_ik_position_weight(IkGoal goal, float weight) {
    return detail::done(sinew_animator_set_ik_position_weight(handle(), detail::c(goal), weight));
  }
  /// The position weight.
  Returns<float> ik_position_weight(IkGoal goal) const {
    return out<float>(&sinew_animator_get_ik_position_weight, detail::c(goal));
  }
  /// Sets the rotation weight, 0 (rotation before IK) … 1 (goal rotation).
  Done set_ik_rotation_weight(IkGoal goal, float weight) {
    return detail::done(sinew_animator_set_ik_rotation_weight(handle(), detail::c(goal), weight));
  }
  /// The rotation weight.
  Returns<float> ik_rotation_weight(IkGoal goal) const {
    return out<float>(&sinew_animator_get_ik_rotation_weight, detail::c(goal));
  }
  /// Sets the hint of a knee or elbow: the point it bends towards. Only swivels the limb.
  Done set_ik_hint_position(IkHint hint, const Vec3& world) {
    return detail::done(sinew_animator_set_ik_hint_position(handle(), detail::c(hint), &world));
  }
  /// The hint set since the last solve, else the animated position of the joint.
  Returns<Vec3> ik_hint_position(IkHint hint) const {
    return out<Vec3>(&sinew_animator_get_ik_hint_position, detail::c(hint));
  }
  /// Sets the hint weight, 0 (bend of the animation) … 1 (faces the hint).
  Done set_ik_hint_position_weight(IkHint hint, float weight) {
    return detail::done(sinew_animator_set_ik_hint_position_weight(handle(), detail::c(hint), weight));
  }
  /// The hint weight.
  Returns<float> ik_hint_position_weight(IkHint hint) const {
    return out<float>(&sinew_animator_get_ik_hint_position_weight, detail::c(hint));
  }

  /// Sets the space in which position, rotation and hint of a hand or foot are given: that of a
  /// joint as the frame has left it when the limb is solved, or world space with -1, the default.
  /// Refused: a joint on or below the goal's own limb, and limbs that would follow one another in a
  /// circle. May allocate.
  Done set_ik_goal_space(IkGoal goal, std::int32_t joint) {
    return detail::done(sinew_animator_set_ik_goal_space(handle(), detail::c(goal), joint));
  }
  /// The joint in whose space a goal is given; -1 for world space.
  Returns<std::int32_t> ik_goal_space(IkGoal goal) const {
    return out<std::int32_t>(&sinew_animator_get_ik_goal_space, detail::c(goal));
  }
  /// Sets the point of a hand or foot that its goal position is for (palm, sole, tip of a weapon),
  /// in the space of the wrist or ankle joint; default zero: the joint. May allocate.
  Done set_ik_effector_point(IkGoal goal, const Vec3& point) {
    return detail::done(sinew_animator_set_ik_effector_point(handle(), detail::c(goal), &point));
  }
  /// The point that the goal position is for.
  Returns<Vec3> ik_effector_point(IkGoal goal) const {
    return out<Vec3>(&sinew_animator_get_ik_effector_point, detail::c(goal));
  }

  // --- look-at ---

  /// Sets the point to look at, world space, metres.
  Done set_look_at_position(const Vec3& world) {
    return detail::done(sinew_animator_set_look_at_position(handle(), &world));
  }
  /// The point set since the last solve, else one metre ahead of the animated gaze.
  Returns<Vec3> look_at_position() const { return out<Vec3>(&sinew_animator_get_look_at_position); }
  /// The ray along which the character looks in the pose buffer: from the middle of the eyes where
  /// the head faces.
  Returns<Ray> gaze() const {
    return detail::out<Ray>([&](Ray* ray) { return sinew_animator_get_gaze(handle(), &ray->origin, &ray->direction); });
  }
  /// Sets the global weight, the fractions of spine, head and eyes, and the clamp (0 free … 1 no
  /// turn); Unity's defaults.
  Done set_look_at_weight(float weight, float body = 0.0f, float head = 1.0f, float eyes = 0.0f, float clamp = 0.5f) {
    return detail::done(sinew_animator_set_look_at_weight(handle(), weight, body, head, eyes, clamp));
  }
  /// The five weights.
  Returns<LookAtWeight> look_at_weight() const { return out<LookAtWeight>(&sinew_animator_get_look_at_weight); }

  // --- body and bones ---

  /// Sets the goal position of the centre of mass, world space, metres.
  Done set_body_position(const Vec3& world) { return detail::done(sinew_animator_set_body_position(handle(), &world)); }
  /// The value set since the last solve, else that of the animation.
  Returns<Vec3> body_position() const { return out<Vec3>(&sinew_animator_get_body_position); }
  /// Sets the goal rotation of the body about its centre of mass, world space.
  Done set_body_rotation(const Quat& world) { return detail::done(sinew_animator_set_body_rotation(handle(), &world)); }
  /// The value set since the last solve, else that of the animation.
  Returns<Quat> body_rotation() const { return out<Quat>(&sinew_animator_get_body_rotation); }
  /// Clears the goals of body position and rotation.
  Done clear_body() { return detail::done(sinew_animator_clear_body(handle())); }
  /// Overrides a bone's local rotation (in its parent joint) before anything else is solved.
  Done set_bone_local_rotation(HumanBone bone, const Quat& local) {
    return detail::done(sinew_animator_set_bone_local_rotation(handle(), detail::c(bone), &local));
  }
  /// The override, else the rotation of the animation.
  Returns<Quat> bone_local_rotation(HumanBone bone) const {
    return out<Quat>(&sinew_animator_get_bone_local_rotation, detail::c(bone));
  }
  /// Clears all bone rotation overrides.
  Done clear_bone_local_rotations() { return detail::done(sinew_animator_clear_bone_local_rotations(handle())); }

  // --- compensation by the body, blending; all off by default ---

  /// Sets how the body compensates for hands and feet, and blend times. Allocates when a blend time
  /// or limits_enabled changes.
  Done set_settings(const HumanoidSettings& settings) {
    return detail::done(sinew_animator_set_settings(handle(), &settings));
  }
  /// The settings, clamped.
  Returns<HumanoidSettings> settings() const { return out<HumanoidSettings>(&sinew_animator_get_settings); }
  /// Switches the whole-body solver on or off, with its settings. Allocates.
  Done set_body_solver(const BodySolverSettings& settings) {
    return detail::done(sinew_animator_set_body_solver(handle(), &settings));
  }
  /// The settings of the whole-body solver, clamped.
  Returns<BodySolverSettings> body_solver() const {
    return out<BodySolverSettings>(&sinew_animator_get_body_solver);
  }
  /// Sets the goal of an effector of the whole-body solver.
  Done set_body_effector(BodyEffector effector, const BodyEffectorInput& input) {
    return detail::done(sinew_animator_set_body_effector(handle(), detail::c(effector), &input));
  }
  /// The goal of an effector as set.
  Returns<BodyEffectorInput> body_effector(BodyEffector effector) const {
    return out<BodyEffectorInput>(&sinew_animator_get_body_effector, detail::c(effector));
  }
  /// Sets how much the goal of a hand or foot counts where the whole-body solver cannot meet all
  /// goals. Allocates the first time, and where it changes a level while the solver is on.
  Done set_ik_goal_priority(IkGoal goal, const GoalPriority& priority) {
    return detail::done(sinew_animator_set_ik_goal_priority(handle(), detail::c(goal), &priority));
  }
  /// How much the goal of a hand or foot counts.
  Returns<GoalPriority> ik_goal_priority(IkGoal goal) const {
    return out<GoalPriority>(&sinew_animator_get_ik_goal_priority, detail::c(goal));
  }
  /// Sets how much the goal of an effector counts; see set_ik_goal_priority().
  Done set_body_effector_priority(BodyEffector effector, const GoalPriority& priority) {
    return detail::done(sinew_animator_set_body_effector_priority(handle(), detail::c(effector), &priority));
  }
  /// How much the goal of an effector counts.
  Returns<GoalPriority> body_effector_priority(BodyEffector effector) const {
    return out<GoalPriority>(&sinew_animator_get_body_effector_priority, detail::c(effector));
  }
  /// How the whole-body solver ended in the last solve; metres of model space.
  Returns<SinewBodyOutcome> body_outcome() const { return out<SinewBodyOutcome>(&sinew_animator_get_body_outcome); }
  /// How an effector ended in the last solve.
  Returns<Outcome> body_effector_outcome(BodyEffector effector) const {
    return out<Outcome>(&sinew_animator_get_body_effector_outcome, detail::c(effector));
  }
  /// Advances the time of blends and of the whole-body solver in track mode, seconds: once per
  /// frame, before solve().
  Done advance(float dt_s) { return detail::done(sinew_animator_advance(handle(), dt_s)); }
  /// Resets everything that lasts between frames, as if the animator had never been solved.
  Done reset_state() { return detail::done(sinew_animator_reset_state(handle())); }
  /// Everything that lasts between frames; see restore().
  Returns<std::vector<std::uint8_t>> snapshot() const {
    std::vector<std::uint8_t> bytes;
    std::uint32_t size = 0;
    SinewResult code = sinew_animator_snapshot(handle(), nullptr, 0, &size);
    if (code == SINEW_ERROR_BUFFER_TOO_SMALL) {
      bytes.resize(size);
      code = sinew_animator_snapshot(handle(), bytes.data(), size, &size);
    }
    return detail::give(code, std::move(bytes));
  }
  /// Replaces everything that lasts between frames by a snapshot of an animator of the same rig and
  /// settings, with the whole-body solver on or off as here.
  Done restore(Span<const std::uint8_t> bytes) {
    return detail::done(sinew_animator_restore(handle(), bytes.data(), detail::length(bytes.size())));
  }
  /// Starts a blend to the values that are set for the goal from now on.
  Done inertialize(IkGoal goal) { return detail::done(sinew_animator_inertialize(handle(), detail::c(goal))); }
  /// Whether a goal is blending.
  Returns<bool> is_inertializing(IkGoal goal) const {
    return detail::flag(
        [&](std::uint32_t* value) { return sinew_animator_get_is_inertializing(handle(), detail::c(goal), value); });
  }
  /// Starts a switch of the look-at: the position set from now on is another target.
  Done inertialize_look_at() { return detail::done(sinew_animator_inertialize_look_at(handle())); }
  /// Whether a switch of the look-at is under way.
  Returns<bool> is_look_at_inertializing() const {
    return detail::flag(
        [&](std::uint32_t* value) { return sinew_animator_get_is_look_at_inertializing(handle(), value); });
  }

  // --- matching ---

  /// The root transform for the frame from one normalised clip time to another that brings the part
  /// to the target at its end time; pass it to set_root().
  Returns<Transform> match_target(const MatchTarget& target, float from_time, float to_time) const {
    return detail::out<Transform>(
        [&](Transform* root) { return sinew_animator_match_target(handle(), &target, from_time, to_time, root); });
  }
  /// Position and rotation of a body part, from pose buffer and root.
  Returns<TargetPose> target_pose(AvatarTarget part) const {
    return detail::out<TargetPose>([&](TargetPose* at) {
      return sinew_animator_get_target_pose(handle(), detail::c(part), &at->position, &at->rotation);
    });
  }
  /// Sets goals, hints and look-at to the pose, so that raising weights afterwards changes nothing.
  Done match_goals_from_pose() { return detail::done(sinew_animator_match_goals_from_pose(handle())); }
  /// Solves and bakes the result: all humanoid weights become 0.
  Done match_pose_from_goals() { return detail::done(sinew_animator_match_pose_from_goals(handle())); }

  // --- all at once ---

  /// Sets goals, hints, look-at and body, and replaces all values set before; an invalid number
  /// refuses the whole input.
  Done set_input(const HumanoidInput& input) { return detail::done(sinew_animator_set_input(handle(), &input)); }
  /// Goals, hints, look-at and body as set.
  Returns<HumanoidInput> input() const { return out<HumanoidInput>(&sinew_animator_get_input); }
  /// Resets the humanoid input; all weights 0.
  Done reset_ik() { return detail::done(sinew_animator_reset_ik(handle())); }

  // --- facts of the avatar ---

  /// Whether the animator has an avatar.
  Returns<bool> is_human() const {
    return detail::flag([&](std::uint32_t* value) { return sinew_animator_get_is_human(handle(), value); });
  }
  /// Height of the centre of mass above the soles in the T-pose, metres; 1 without avatar.
  Returns<float> human_scale() const { return out<float>(&sinew_animator_get_human_scale); }
  /// Distance from the left ankle down to the sole in the T-pose, metres.
  Returns<float> left_feet_bottom_height() const { return out<float>(&sinew_animator_get_left_feet_bottom_height); }
  /// Distance from the right ankle down to the sole in the T-pose, metres.
  Returns<float> right_feet_bottom_height() const { return out<float>(&sinew_animator_get_right_feet_bottom_height); }
  /// Joint of a bone, or -1.
  Returns<std::int32_t> bone_joint(HumanBone bone) const {
    return out<std::int32_t>(&sinew_animator_get_bone_joint, detail::c(bone));
  }

  // --- joint limits; sinew_constraints.hpp has the constraints that obey them ---

  /// A free ball joint.
  static JointLimits default_joint_limits() noexcept {
    JointLimits limits{};
    (void)sinew_joint_limits_default(&limits);
    return limits;
  }
  /// Overrides the limits of a joint for all constraints and, where limits are enabled in the
  /// settings, for humanoid goals; an invalid number refuses all of them. May allocate.
  Done set_joint_limits(std::uint32_t joint, const JointLimits& limits) {
    return detail::done(sinew_animator_set_joint_limits(handle(), joint, &limits));
  }
  /// Clears the override: the human range of the joint's bone counts again where limits are
  /// enabled.
  Done clear_joint_limits(std::uint32_t joint) {
    return detail::done(sinew_animator_set_joint_limits(handle(), joint, nullptr));
  }
  /// The override of a joint's limits; the default limits where there is none.
  Returns<JointLimits> joint_limits(std::uint32_t joint) const {
    return out<JointLimits>(&sinew_animator_get_joint_limits, joint);
  }
  /// How far a joint of the pose is beyond its limits, radians: its override, else its human
  /// range, whether or not limits are enabled.
  Returns<float> joint_violation(std::uint32_t joint) const {
    return out<float>(&sinew_animator_get_joint_violation, joint);
  }

  // --- debug drawing ---

  /// Calls `line(const Vec3& from, const Vec3& to, DebugPart part)` (world space, metres) for
  /// bones, goals, residuals, hints and line of sight. An exception it throws stops the drawing and
  /// is thrown again here.
  template <class Line>
  Done draw(Line&& line) const {
    using Drawer = Drawing<std::remove_reference_t<Line>>;
    Drawer drawing{std::addressof(line)};
    const SinewResult code = sinew_animator_draw(handle(), &Drawer::draw, &drawing);
#ifndef SINEW_NO_EXCEPTIONS
    if (drawing.error) std::rethrow_exception(drawing.error);
#endif
    return detail::done(code);
  }
  /// The same lines as a vector.
  Returns<std::vector<DebugLine>> debug_lines() const {
    std::vector<DebugLine> lines;
    std::uint32_t count = 0;
    SinewResult code = sinew_animator_get_debug_lines(handle(), nullptr, 0, &count);
    if (code == SINEW_ERROR_BUFFER_TOO_SMALL) {
      lines.resize(count);
      code = sinew_animator_get_debug_lines(handle(), lines.data(), count, &count);
    }
    return detail::give(code, std::move(lines));
  }

 private:
  using GetMatrices = SinewResult(SinewAnimator, SinewMatrixLayout, float*, std::uint32_t);
  Done matrices(const char* name, GetMatrices* get, SinewMatrixLayout layout, Span<float> numbers) const {
    const bool is_square = layout == SINEW_MATRIX_LAYOUT_COLUMNS4X4 || layout == SINEW_MATRIX_LAYOUT_ROWS4X4;
    const std::size_t size = is_square ? 16 : 12;
    if (numbers.size() % size != 0)
      return detail::refused(wrapper::refuse(name, "numbers", numbers.size(), numbers.size() / size * size,
                                             is_square ? "a multiple of 16" : "a multiple of 12"));
    return detail::done(get(handle(), layout, numbers.data(), detail::length(numbers.size() / size)));
  }

  template <class Line>
  struct Drawing {
    Line* line;
#ifndef SINEW_NO_EXCEPTIONS
    std::exception_ptr error{};
#endif
    static void draw(void* user, const Vec3* from, const Vec3* to, std::int32_t part) {
      auto* self = static_cast<Drawing*>(user);
#ifndef SINEW_NO_EXCEPTIONS
      if (self->error) return;
      try {
        (*self->line)(*from, *to, static_cast<DebugPart>(part));
      } catch (...) {
        self->error = std::current_exception();  // must not unwind through the library
      }
#else
      (*self->line)(*from, *to, static_cast<DebugPart>(part));
#endif
    }
  };

  // A getter of sinew.h whose last parameter is the out-pointer.
  template <class T, class Function, class... Args>
  Returns<T> out(Function function, Args... args) const {
    return detail::out<T>([&](T* value) { return function(handle(), args..., value); });
  }

  PoseView pose_;
};

/// Counts of a World's solve, in numbers of animators.
using WorldReport = SinewWorldReport;
/// Inputs and outputs of a call, by row; start from World::default_frame().
using WorldFrame = SinewWorldFrame;

/// Which pose arrays a World keeps.
enum class PoseArrays : std::int32_t {
  None = SINEW_POSE_ARRAYS_NONE,                           ///< None.
  Locals = SINEW_POSE_ARRAYS_LOCALS,                       ///< Local transforms.
  LocalsAndFrames = SINEW_POSE_ARRAYS_LOCALS_AND_FRAMES,   ///< Also the joints' frames in model space.
};
/// Where an animator's pose is in a world's arrays.
using WorldArrays = SinewWorldArrays;

/// How often and how well a World solves an animator.
enum class Lod : std::int32_t {
  Full = SINEW_LOD_FULL,                                 ///< In every call, with all iterations.
  ReducedIterations = SINEW_LOD_REDUCED_ITERATIONS,      ///< In every call, with a fraction of the iterations.
  EveryNth = SINEW_LOD_EVERY_NTH,                        ///< In every n-th call, interpolated in between.
  Off = SINEW_LOD_OFF,                                   ///< Never.
};
/// Level of detail of an animator in a World.
struct LevelOfDetail {
  Lod lod;              ///< The level.
  float fraction;       ///< Of the iterations: as set with ReducedIterations, 0 with Off, else 1.
  std::uint32_t calls;  ///< Per solve: n with EveryNth, 0 with Off, else 1.
};

/// A set of animators that one call solves. An animator belongs to at most one world; the two may
/// be destroyed in any order. One thread at a time: while it is solved, every other call on it
/// fails with SINEW_ERROR_BUSY, joining and leaving too.
class World : public detail::Owner<SinewWorld, sinew_world_destroy, sinew_world_is_valid> {
 public:
  using Owner::Owner;

  /// Creates an empty world that solves on the calling thread.
  static Returns<World> create() {
    return detail::create<World, SinewWorld>([](SinewWorld* out) { return sinew_world_create(out); });
  }
  /// Adds an animator and returns its row, which it keeps until it leaves or is destroyed.
  Returns<std::uint32_t> join(Animator& animator) {
    return detail::out<std::uint32_t>([&](auto* out) { return sinew_world_join(handle(), animator.handle(), out); });
  }
  /// Removes an animator; its pose and goals are kept.
  Done leave(Animator& animator) { return detail::done(sinew_world_leave(handle(), animator.handle())); }
  /// Number of animators.
  Returns<std::uint32_t> count() const {
    return detail::out<std::uint32_t>([&](auto* out) { return sinew_world_get_count(handle(), out); });
  }
  /// Hash of all animators and their rows.
  Returns<std::uint64_t> hash() const {
    return detail::out<std::uint64_t>([&](auto* out) { return sinew_world_hash(handle(), out); });
  }
  /// Number of rows that arrays must have.
  Returns<std::uint32_t> row_count() const {
    return detail::out<std::uint32_t>([&](auto* out) { return sinew_world_get_row_count(handle(), out); });
  }
  /// Row of an animator.
  Returns<std::uint32_t> row(const Animator& animator) const {
    return detail::out<std::uint32_t>([&](auto* out) { return sinew_world_get_row(handle(), animator.handle(), out); });
  }
  /// The animator in a row, 0 … row_count() - 1: its C handle, null where the row is free. A
  /// destroyed animator is in its row until the next solve().
  Returns<SinewAnimator> animator(std::uint32_t row) const {
    return detail::out<SinewAnimator>([&](auto* out) { return sinew_world_get_animator(handle(), row, out); });
  }
  /// Solves an animator in every call, with all iterations: the default.
  Done set_lod_full(const Animator& animator) {
    return detail::done(sinew_world_set_lod_full(handle(), animator.handle()));
  }
  /// Solves an animator in every call, with a fraction of the iterations, above 0 and at most 1.
  Done set_lod_iterations(const Animator& animator, float fraction) {
    return detail::done(sinew_world_set_lod_iterations(handle(), animator.handle(), fraction));
  }
  /// Solves an animator in every n-th call, n = `calls`, and interpolates in between.
  Done set_lod_interval(const Animator& animator, std::uint32_t calls) {
    return detail::done(sinew_world_set_lod_interval(handle(), animator.handle(), calls));
  }
  /// Skips an animator.
  Done set_lod_off(const Animator& animator) {
    return detail::done(sinew_world_set_lod_off(handle(), animator.handle()));
  }
  /// Level of detail of an animator.
  Returns<LevelOfDetail> lod(const Animator& animator) const {
    return detail::out<LevelOfDetail>([&](LevelOfDetail* out) {
      std::int32_t lod = 0;
      const SinewResult code = sinew_world_get_lod(handle(), animator.handle(), &lod, &out->fraction, &out->calls);
      out->lod = static_cast<Lod>(lod);
      return code;
    });
  }
  /// Sets which poses the world keeps as structures of arrays, for SINEW_POSE_LAYOUT_SOA. They
  /// start in the rest pose. Allocates.
  Done set_arrays(PoseArrays which) {
    return detail::done(sinew_world_set_arrays(handle(), static_cast<SinewPoseArrays>(which)));
  }
  /// Where an animator's pose is in the arrays (SinewWorldArrays defines the layout).
  Returns<WorldArrays> arrays(const Animator& animator) const {
    return detail::out<WorldArrays>([&](auto* out) { return sinew_world_get_arrays(handle(), animator.handle(), out); });
  }
  /// Sets for how long a call may start new solves, seconds; below 0: no limit. `clock` NULL: the
  /// system's.
  Done set_budget(float seconds, SinewClock clock = nullptr, void* user = nullptr) {
    return detail::done(sinew_world_set_budget(handle(), seconds, clock, user));
  }
  /// Makes the host's job system solve (see sinew_world_set_jobs); both NULL: the calling thread.
  /// The callbacks must not throw.
  Done set_jobs(SinewEnqueue enqueue, SinewWait wait, void* user) {
    return detail::done(sinew_world_set_jobs(handle(), enqueue, wait, user));
  }
  /// The same with an object that has `void* enqueue(SinewJob job, std::uint32_t count,
  /// std::uint32_t grain)`, which starts tasks that run_job() ranges of 0 … count, and `void
  /// wait(void* task)`, which returns when those tasks have returned; `task` is what enqueue()
  /// returned. The object must stay where it is until other jobs are set or the world is
  /// destroyed. An exception that leaves one of the two ends the process.
  template <class Jobs>
  Done set_jobs(Jobs& jobs) {
    return set_jobs(
        [](void* user, SinewJob job, std::uint32_t count, std::uint32_t grain) noexcept -> void* {
          return static_cast<Jobs*>(user)->enqueue(job, count, grain);
        },
        [](void* user, void* task) noexcept { static_cast<Jobs*>(user)->wait(task); }, std::addressof(jobs));
  }
  /// Solves on the calling thread again, as by default: the end of set_jobs() and set_threads().
  Done clear_jobs() { return set_jobs(nullptr, nullptr, nullptr); }
  /// Makes a pool of threads solve; 0 or 1: the calling thread.
  Done set_threads(std::uint32_t count) { return detail::done(sinew_world_set_threads(handle(), count)); }

  /// A frame with all arrays NULL.
  static WorldFrame default_frame() noexcept {
    WorldFrame frame{};
    (void)sinew_world_frame_default(&frame);
    return frame;
  }
  /// Solves all animators from their own pose buffers. Fails with the code of the first that fails,
  /// after having solved the others; the message names its row.
  Returns<WorldReport> solve() {
    return detail::out<WorldReport>([&](auto* out) { return sinew_world_solve(handle(), nullptr, out); });
  }
  /// Solves all animators from the frame's arrays. Where one fails, WorldFrame::out_results has the
  /// code of each row.
  Returns<WorldReport> solve(const WorldFrame& frame) {
    return detail::out<WorldReport>([&](auto* out) { return sinew_world_solve(handle(), &frame, out); });
  }
  /// The same; `report` is written whenever animators were solved, also where this fails because
  /// some of them did.
  Done solve(const WorldFrame& frame, WorldReport& report) {
    return detail::done(sinew_world_solve(handle(), &frame, &report));
  }
};

// --- kernels: no skeleton, no animator; docs/batch.md ---

/// A limb by vectors; start from default_two_bone_job().
using TwoBoneJob = SinewTwoBoneJob;
/// The turns of its joints.
using TwoBoneResult = SinewTwoBoneResult;
/// A limb by local transforms; start from default_joint_limb_job().
using JointLimbJob = SinewJointLimbJob;
/// The new local rotations of its joints.
using JointLimbResult = SinewJointLimbResult;
/// Where a limb's joints are in a list of records.
using LimbPlaces = SinewLimbPlaces;
/// A ray and its target; start from default_aim_job().
using AimJob = SinewAimJob;
/// The turn of its joint.
using AimResult = SinewAimResult;

/// A job with defaults.
inline TwoBoneJob default_two_bone_job() noexcept {
  TwoBoneJob job{};
  (void)sinew_two_bone_job_default(&job);
  return job;
}
/// A job with defaults.
inline JointLimbJob default_joint_limb_job() noexcept {
  JointLimbJob job{};
  (void)sinew_joint_limb_job_default(&job);
  return job;
}
/// A job with defaults.
inline AimJob default_aim_job() noexcept {
  AimJob job{};
  (void)sinew_aim_job_default(&job);
  return job;
}
/// A chain of arrays with default settings; set its arrays, `def.ends` and `def.end_count`.
inline SinewChainJob default_chain_job() noexcept {
  SinewChainJob job{};
  (void)sinew_chain_job_default(&job);
  return job;
}
/// Solves a chain of arrays as a constraint with weight 1 does; the result replaces the pose, whose
/// length must be `job.joint_count`.
inline Returns<Outcome> solve(const SinewChainJob& job, Span<Transform> pose) {
  if (pose.size() != job.joint_count)
    return detail::refused(
        wrapper::refuse("sinew::solve", "pose", pose.size(), job.joint_count, "job.joint_count"), Outcome{});
  return detail::out<Outcome>([&](Outcome* out) { return sinew_chain_solve(&job, pose.data(), out); });
}
/// Computes the model frames of a pose of arrays; all three must have one length.
inline Done compute_model_frames(Span<const std::int32_t> parents, Span<const Transform> pose, Span<ModelFrame> frames) {
  const bool is_parents = parents.size() != pose.size();
  if (is_parents || frames.size() != pose.size())
    return detail::refused(wrapper::refuse("sinew::compute_model_frames", is_parents ? "parents" : "frames",
                                           is_parents ? parents.size() : frames.size(), pose.size(),
                                           "as many as pose"));
  return detail::done(
      sinew_model_frames_compute(parents.data(), pose.data(), detail::length(pose.size()), frames.data()));
}
/// Solves one limb.
inline Returns<TwoBoneResult> solve(const TwoBoneJob& job) {
  return detail::out<TwoBoneResult>([&](auto* out) { return sinew_two_bone_solve(&job, out); });
}
/// Solves one limb.
inline Returns<JointLimbResult> solve(const JointLimbJob& job) {
  return detail::out<JointLimbResult>([&](auto* out) { return sinew_joint_limb_solve(&job, out); });
}
/// Solves one ray.
inline Returns<AimResult> solve(const AimJob& job) {
  return detail::out<AimResult>([&](auto* out) { return sinew_aim_solve(&job, out); });
}
/// Solves many limbs; `results` must be as long as `jobs`.
inline Done solve_batch(Span<const TwoBoneJob> jobs, Span<TwoBoneResult> results) {
  if (jobs.size() != results.size())
    return detail::refused(
        wrapper::refuse("sinew::solve_batch", "results", results.size(), jobs.size(), "as many as jobs"));
  return detail::done(
      sinew_two_bone_solve_batch(jobs.data(), detail::length(jobs.size()), results.data()));
}
/// Solves many limbs; `results` must be as long as `jobs`.
inline Done solve_batch(Span<const JointLimbJob> jobs, Span<JointLimbResult> results) {
  if (jobs.size() != results.size())
    return detail::refused(
        wrapper::refuse("sinew::solve_batch", "results", results.size(), jobs.size(), "as many as jobs"));
  return detail::done(
      sinew_joint_limb_solve_batch(jobs.data(), detail::length(jobs.size()), results.data()));
}
/// Solves many rays; `results` must be as long as `jobs`.
inline Done solve_batch(Span<const AimJob> jobs, Span<AimResult> results) {
  if (jobs.size() != results.size())
    return detail::refused(
        wrapper::refuse("sinew::solve_batch", "results", results.size(), jobs.size(), "as many as jobs"));
  return detail::done(
      sinew_aim_solve_batch(jobs.data(), detail::length(jobs.size()), results.data()));
}
/// Solves many limbs in place; `places` must be as long as `jobs`, `beyond` too, or empty.
inline Done solve_records(Span<Transform> records, Span<const LimbPlaces> places,
                          Span<const JointLimbJob> jobs, Span<float> beyond = {}) {
  const bool is_places = jobs.size() != places.size();
  if (is_places || (!beyond.empty() && beyond.size() != jobs.size()))
    return detail::refused(wrapper::refuse("sinew::solve_records", is_places ? "places" : "beyond",
                                           is_places ? places.size() : beyond.size(), jobs.size(),
                                           "as many as jobs"));
  return detail::done(sinew_joint_limb_solve_records(
      records.data(), detail::length(records.size()), places.data(), jobs.data(),
      detail::length(jobs.size()), beyond.empty() ? nullptr : beyond.data()));
}

}  // namespace throwing, or no_throw
}  // namespace sinew

#include "sinew_constraints.hpp"
#include "sinew_grounder.hpp"
#include "sinew_body.hpp"
#include "sinew_trackers.hpp"

#undef SINEW_VISIBLE
#pragma pop_macro("Status")
#pragma pop_macro("None")

#endif  // SINEW_HPP
