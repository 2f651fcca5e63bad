// The whole-body solver for C++17, on any rig; part of sinew.hpp, which includes this file at its
// end.
//
//   auto body = sinew::Body::create(skeleton, hips);                // once
//   auto hand = body.add(sinew::Body::position(hand_joint, {0.3f, 0.8f, 0.4f}));
//   hand.set_goal({0.3f, 0.7f, 0.4f});                              // each frame, world space
//   sinew::BodyOutcome outcome = body.solve(pose, dt_s);
//
// A BodyTask is a name, not an owner: copy it freely. It ends with remove(), or with its body;
// calls on it then fail with SINEW_ERROR_INVALID_HANDLE. docs/body.md says what each kind does.
#ifndef SINEW_BODY_HPP
#define SINEW_BODY_HPP

#include "sinew.hpp"

namespace sinew {

/// Settings of a body; start from Body::default_settings() or settings().
using BodySettings = SinewBodySettings;
/// A task of any kind; start from Body::default_task(), position() and so on.
using BodyTaskDef = SinewBodyTaskDef;
/// How a solve of a body ended.
using BodyOutcome = SinewBodyOutcome;
/// How one task ended.
using BodyTaskOutcome = SinewBodyTaskOutcome;
/// A joint that stays while another is dragged.
using BodyPin = SinewBodyPin;
/// A joint that is dragged; start from Body::drag_to().
using BodyDrag = SinewBodyDrag;
/// A body of a crowd with its pose and level of detail; start from Body::work().
using BodyWork = SinewBodyWork;
/// How a joint follows another; start from Body::coupling().
using JointCoupling = SinewJointCoupling;
/// Where a joint is, for functions that compute rows.
using TaskPlacement = SinewTaskPlacement;
/// Rows that such a function computes.
using TaskRows = SinewTaskRows;
/// Numbers of bodies of solve_bodies().
using BodyBatchReport = SinewBodyBatchReport;
/// A tie of two bodies, for meet(); tie() makes one.
using BodyTie = SinewBodyTie;
/// How bodies met.
using BodyMeeting = SinewBodyMeeting;

/// Kind of a task; sinew.h states which members of BodyTaskDef a kind reads.
enum class BodyTaskKind : std::int32_t {
  Position = SINEW_BODY_TASK_KIND_POSITION,                         ///< A point of a joint at a place.
  Orientation = SINEW_BODY_TASK_KIND_ORIENTATION,                   ///< A joint turned like a goal.
  Axis = SINEW_BODY_TASK_KIND_AXIS,                                 ///< An axis of a joint along a direction.
  Gaze = SINEW_BODY_TASK_KIND_GAZE,                                 ///< An axis of a joint towards a place.
  PoleVector = SINEW_BODY_TASK_KIND_POLE,                           ///< An elbow or knee on the side of a pole.
  Distance = SINEW_BODY_TASK_KIND_DISTANCE,                         ///< A point at, within or beyond a distance.
  Plane = SINEW_BODY_TASK_KIND_PLANE,                               ///< A point on a plane or on one side of it.
  RelativePosition = SINEW_BODY_TASK_KIND_RELATIVE_POSITION,        ///< A point of a joint at a point of another.
  RelativeOrientation = SINEW_BODY_TASK_KIND_RELATIVE_ORIENTATION,  ///< A joint turned with another.
  JointRotation = SINEW_BODY_TASK_KIND_JOINT_ROTATION,              ///< A joint's local rotation.
  CenterOfMass = SINEW_BODY_TASK_KIND_CENTER_OF_MASS,               ///< The centre of mass at a place.
  Support = SINEW_BODY_TASK_KIND_SUPPORT,                           ///< The centre of mass above an area.
  Host = SINEW_BODY_TASK_KIND_HOST,                                 ///< Rows that a function computes.
};

#ifndef SINEW_NO_EXCEPTIONS
inline namespace throwing {
#else
inline namespace no_throw {
#endif

/// A handle of one task of one body; not an owner.
class BodyTask {
 public:
  /// The null handle.
  BodyTask() noexcept = default;
  /// Wraps a task created with the C functions.
  BodyTask(SinewBody body, SinewBodyTask handle) noexcept : body_(body), handle_(handle) {}

  /// The C handle.
  SinewBodyTask handle() const noexcept { return handle_; }
  /// The body's C handle.
  SinewBody body() const noexcept { return body_; }
  /// Whether the handle is not null; it may still be stale.
  explicit operator bool() const noexcept { return handle_.bits != 0; }

  /// Removes the task. Allocates.
  Done remove() { return detail::done(sinew_body_remove_task(body_, handle_)); }
  /// Sets the task anew.
  Done set(const BodyTaskDef& def) { return detail::done(sinew_body_set_task(body_, handle_, &def)); }
  /// The task as it was set.
  Returns<BodyTaskDef> get() const {
    return detail::out<BodyTaskDef>([&](BodyTaskDef* out) { return sinew_body_get_task(body_, handle_, out); });
  }
  /// Sets the goal: a point in world space, metres.
  Done set_goal(const Vec3& world) { return detail::done(sinew_body_set_task_goal(body_, handle_, &world)); }
  /// Sets the goal rotation.
  Done set_rotation(const Quat& rotation) {
    return detail::done(sinew_body_set_task_rotation(body_, handle_, &rotation));
  }
  /// Sets the blend, 0 (absent, bit for bit) … 1.
  Done set_blend(float blend) { return detail::done(sinew_body_set_task_blend(body_, handle_, blend)); }
  /// How it ended in the last solve.
  Returns<BodyTaskOutcome> outcome() const {
    return detail::out<BodyTaskOutcome>(
        [&](BodyTaskOutcome* out) { return sinew_body_get_task_outcome(body_, handle_, out); });
  }

 private:
  SinewBody body_{0};
  SinewBodyTask handle_{0};
};

/// Any number of tasks on one skeleton, met in one solve.
class Body : public detail::Owner<SinewBody, sinew_body_destroy, sinew_body_is_valid> {
 public:
  using Owner::Owner;

  /// Creates a body of all joints below `root_joint`, which floats.
  static Returns<Body> create(const Skeleton& skeleton, std::uint32_t root_joint) {
    return detail::create<Body, SinewBody>(
        [&](SinewBody* out) { return sinew_body_create(skeleton.handle(), root_joint, nullptr, out); });
  }
  /// The same with settings.
  static Returns<Body> create(const Skeleton& skeleton, std::uint32_t root_joint, const BodySettings& settings) {
    return detail::create<Body, SinewBody>(
        [&](SinewBody* out) { return sinew_body_create(skeleton.handle(), root_joint, &settings, out); });
  }

  // --- set-up ---

  /// Default settings.
  static BodySettings default_settings() noexcept {
    BodySettings settings{};
    (void)sinew_body_settings_default(&settings);
    return settings;
  }
  /// Sets the settings.
  Done set_settings(const BodySettings& settings) {
    return detail::done(sinew_body_set_settings(handle(), &settings));
  }
  /// Sets how many steps of work one solve in converge mode may take, at most SINEW_MAX_WORK, the
  /// default; then it ends with the best pose so far.
  Done set_max_work(std::uint32_t steps) { return detail::done(sinew_body_set_max_work(handle(), steps)); }
  /// See set_max_work().
  Returns<std::uint32_t> max_work() const { return out<std::uint32_t>(&sinew_body_get_max_work); }
  /// The settings.
  Returns<BodySettings> settings() const { return out<BodySettings>(&sinew_body_get_settings); }
  /// Sets what a joint may do. Allocates.
  Done set_joint_limits(std::uint32_t joint, const JointLimits& limits) {
    return detail::done(sinew_body_set_joint_limits(handle(), joint, &limits));
  }
  /// Clears the limits of a joint. Allocates.
  Done clear_joint_limits(std::uint32_t joint) {
    return detail::done(sinew_body_set_joint_limits(handle(), joint, nullptr));
  }
  /// What a joint may do.
  Returns<JointLimits> joint_limits(std::uint32_t joint) const {
    return out<JointLimits>(&sinew_body_get_joint_limits, joint);
  }
  /// A coupling of a joint to another, about their own axes.
  static JointCoupling coupling(std::int32_t driver, float ratio, const Vec3& driver_axis = {0, 1, 0},
                                const Vec3& axis = {0, 1, 0}, float offset_rad = 0.0f) noexcept {
    JointCoupling coupling{};
    (void)sinew_joint_coupling_default(&coupling);
    coupling.driver = driver;
    coupling.driver_axis = driver_axis;
    coupling.axis = axis;
    coupling.ratio = ratio;
    coupling.offset_rad = offset_rad;
    return coupling;
  }
  /// Makes a joint follow another: a twist bone, a mimic joint. Allocates.
  Done set_joint_coupling(std::uint32_t joint, const JointCoupling& coupling) {
    return detail::done(sinew_body_set_joint_coupling(handle(), joint, &coupling));
  }
  /// Makes a joint turn freely again.
  Done clear_joint_coupling(std::uint32_t joint) {
    return detail::done(sinew_body_set_joint_coupling(handle(), joint, nullptr));
  }
  /// How a joint follows another; the driver is -1 where it turns freely.
  Returns<JointCoupling> joint_coupling(std::uint32_t joint) const {
    return out<JointCoupling>(&sinew_body_get_joint_coupling, joint);
  }
  /// Sets the mass of a joint and its centre in the joint's space.
  Done set_mass(std::uint32_t joint, float mass, const Vec3& center = {0, 0, 0}) {
    return detail::done(sinew_body_set_mass(handle(), joint, mass, &center));
  }
  /// The mass of a joint.
  Returns<float> mass(std::uint32_t joint) const {
    return detail::out<float>([&](float* value) { return sinew_body_get_mass(handle(), joint, value, nullptr); });
  }
  /// The centre of a joint's mass, joint space.
  Returns<Vec3> mass_center(std::uint32_t joint) const {
    return detail::out<Vec3>([&](Vec3* value) { return sinew_body_get_mass(handle(), joint, nullptr, value); });
  }
  /// Sets the masses of all joints to those of an average person.
  Done set_human_masses(const Avatar& avatar) {
    return detail::done(sinew_body_set_human_masses(handle(), avatar.handle()));
  }
  /// Keeps the joints to the human ranges of an avatar; limits of single joints come before them.
  Done set_human_ranges(const Avatar& avatar) {
    if (!avatar) return detail::refused(wrapper::refuse_null("sinew::Body::set_human_ranges", "avatar"));
    return detail::done(sinew_body_set_human_ranges(handle(), avatar.handle()));
  }
  /// Frees the joints of human ranges.
  Done clear_human_ranges() { return detail::done(sinew_body_set_human_ranges(handle(), SinewAvatar{0})); }

  // --- tasks ---

  /// Defaults of a kind.
  static BodyTaskDef default_task(BodyTaskKind kind) noexcept {
    BodyTaskDef def{};
    (void)sinew_body_task_default(static_cast<SinewBodyTaskKind>(kind), &def);
    return def;
  }
  /// A point of a joint at a place in the world.
  static BodyTaskDef position(std::uint32_t joint, const Vec3& goal, const Vec3& point = {0, 0, 0}) noexcept {
    BodyTaskDef def = default_task(BodyTaskKind::Position);
    def.joint = joint;
    def.goal = goal;
    def.point = point;
    return def;
  }
  /// A joint turned like a rotation in the world.
  static BodyTaskDef orientation(std::uint32_t joint, const Quat& goal) noexcept {
    BodyTaskDef def = default_task(BodyTaskKind::Orientation);
    def.joint = joint;
    def.rotation = goal;
    return def;
  }
  /// A joint held where the incoming pose has it.
  static BodyTaskDef pin(std::uint32_t joint, BodyTaskKind kind = BodyTaskKind::Position) noexcept {
    BodyTaskDef def = default_task(kind);
    def.joint = joint;
    def.flags = SINEW_BODY_TASK_PIN;
    return def;
  }
  /// Adds a task. Allocates.
  Returns<BodyTask> add(const BodyTaskDef& def) {
    SinewBodyTask made{0};
    const SinewResult code = sinew_body_add_task(handle(), &def, &made);
    return detail::give(code, BodyTask(handle(), made));
  }

  /// A task with as many rows, 1 to 3, as a function computes from where up to three joints are
  /// (-1: none). With another number of rows add_host() fails with SINEW_ERROR_INVALID_ARGUMENT.
  static BodyTaskDef host(int rows, std::uint32_t joint, std::int32_t other = -1, std::int32_t third = -1) noexcept {
    BodyTaskDef def = default_task(BodyTaskKind::Host);
    def.axes = rows == 1   ? SINEW_BODY_AXIS_X
               : rows == 2 ? SINEW_BODY_AXIS_X | SINEW_BODY_AXIS_Y
               : rows == 3 ? SINEW_BODY_AXIS_ALL
                           : 0;
    def.joint = joint;
    def.other = other;
    def.end = third;
    return def;
  }
  /// Adds a task whose rows `compute(placements, rows)` fills: three placements, of the joints in
  /// order, and TaskRows that are zero; sinew.h states what they mean. It is called in solves, also
  /// on threads of a World: an exception that leaves it ends the process. The object must stay
  /// where it is until the task is removed or its body ends. Allocates.
  template <class Compute>
  Returns<BodyTask> add_host(const BodyTaskDef& def, Compute& compute) {
    const SinewComputeRows call = [](void* user, const SinewTaskPlacement* placements,
                                     SinewTaskRows* out_rows) noexcept {
      (*static_cast<Compute*>(user))(placements, *out_rows);
    };
    void* const user = const_cast<void*>(static_cast<const volatile void*>(std::addressof(compute)));
    SinewBodyTask made{0};
    const SinewResult code = sinew_body_add_host_task(handle(), &def, call, user, &made);
    return detail::give(code, BodyTask(handle(), made));
  }
  /// How far the Jacobian of a task's function is from the differences of its rows, as a share:
  /// below 0.01 where it is right. For tests.
  Returns<float> check_host(const BodyTask& task) const {
    return detail::out<float>([&](float* out) { return sinew_body_check_host_task(handle(), task.handle(), out); });
  }

  // --- each frame ---

  /// Sets where model space is in the world; the scale must have the same
  /// size on every axis, and may mirror.
  Done set_root(const Transform& root) { return detail::done(sinew_body_set_root(handle(), &root)); }
  /// Where model space is in the world.
  Returns<Transform> root() const { return out<Transform>(&sinew_body_get_root); }
  /// Solves a pose in place: local transforms, one per joint. `dt_s` is for track mode.
  Returns<BodyOutcome> solve(PoseView pose, float dt_s = 0.0f) {
    return detail::out<BodyOutcome>([&](BodyOutcome* outcome) {
      return sinew_body_solve(handle(), pose.data(), detail::length(pose.size()), dt_s, outcome);
    });
  }
  /// A drag of a joint to a place in the world; `chain_length` joints above it turn, 0: all. `pins`
  /// are not copied: the array must live until drag().
  static BodyDrag drag_to(std::uint32_t joint, const Vec3& goal, std::uint32_t chain_length = 0,
                          Span<const BodyPin> pins = {}) noexcept {
    BodyDrag drag{};
    (void)sinew_body_drag_default(&drag);
    drag.joint = joint;
    drag.goal = goal;
    drag.chain_length = chain_length;
    drag.pin_count = detail::length(pins.size());
    drag.pins = pins.data();
    return drag;
  }
  /// Drags a joint of a pose in place; the pins of `drag` must still be there. Tasks do not count.
  Returns<BodyOutcome> drag(PoseView pose, const BodyDrag& drag) {
    return detail::out<BodyOutcome>([&](BodyOutcome* outcome) {
      return sinew_body_drag(handle(), &drag, pose.data(), detail::length(pose.size()), outcome);
    });
  }
  /// Work of this body for solve_bodies() and meet(), in full detail. The pose is not copied: it
  /// must live until then.
  BodyWork work(PoseView pose) const noexcept {
    BodyWork work{};
    (void)sinew_body_work_default(&work);
    work.body = handle();
    work.pose = pose.data();
    work.joint_count = detail::length(pose.size());
    return work;
  }
  /// How the last solve ended.
  Returns<BodyOutcome> outcome() const { return out<BodyOutcome>(&sinew_body_get_outcome); }
  /// Joints that stand on a border of their limits after the last solve.
  Returns<std::vector<std::uint32_t>> limited_joints() const { return limited_joints(SinewBodyTask{0}); }
  /// The same of the joints that one task depends on.
  Returns<std::vector<std::uint32_t>> limited_joints(const BodyTask& task) const {
    if (!task)
      return detail::refused(wrapper::refuse_null("sinew::Body::limited_joints", "task"), std::vector<std::uint32_t>());
    return limited_joints(task.handle());
  }
  /// The centre of mass in the pose of the last solve, world space.
  Returns<Vec3> center_of_mass() const { return out<Vec3>(&sinew_body_get_center_of_mass); }
  /// Resets what track mode remembers.
  Done forget() { return detail::done(sinew_body_reset(handle())); }
  /// What track mode remembers; see restore().
  Returns<std::vector<std::uint8_t>> snapshot() const {
    return list<std::uint8_t>([&](std::uint8_t* to, std::uint32_t room, std::uint32_t* count) {
      return sinew_body_snapshot(handle(), to, room, count);
    });
  }
  /// Replaces what track mode remembers by a snapshot of a body of the same rig and tasks.
  Done restore(Span<const std::uint8_t> bytes) {
    return detail::done(sinew_body_restore(handle(), bytes.data(), detail::length(bytes.size())));
  }
  /// Lines that show the body as its last solve left it.
  Returns<std::vector<DebugLine>> debug_lines() const {
    return list<DebugLine>([&](DebugLine* to, std::uint32_t room, std::uint32_t* count) {
      return sinew_body_get_debug_lines(handle(), to, room, count);
    });
  }

 private:
  Returns<std::vector<std::uint32_t>> limited_joints(SinewBodyTask task) const {
    return list<std::uint32_t>([&](std::uint32_t* to, std::uint32_t room, std::uint32_t* count) {
      return sinew_body_get_limited_joints(handle(), task, to, room, count);
    });
  }
  template <class T, class Fill>
  static Returns<std::vector<T>> list(Fill&& fill) {
    std::vector<T> all;
    std::uint32_t count = 0;
    SinewResult code = fill(nullptr, 0, &count);
    if (code == SINEW_ERROR_BUFFER_TOO_SMALL) {
      all.resize(count);
      code = fill(all.data(), count, &count);
    }
    return detail::give(code, std::move(all));
  }
  template <class T, class Function, class... Args>
  Returns<T> out(Function function, Args... args) const {
    return detail::out<T>([&](T* value) { return function(handle(), args..., value); });
  }
};

/// Solves many bodies in one call, on the calling thread. The error of a call states why the first
/// body that failed was not solved; the others were, and BodyWork::result has the code of each.
inline Returns<BodyBatchReport> solve_bodies(Span<BodyWork> works, float dt_s = 0.0f) {
  return detail::out<BodyBatchReport>([&](BodyBatchReport* report) {
    return sinew_body_solve_batch(works.data(), detail::length(works.size()), dt_s, SinewWorld{0}, report);
  });
}
/// The same on the threads and within the budget of a world. A world with the null handle fails
/// with SINEW_ERROR_INVALID_HANDLE.
inline Returns<BodyBatchReport> solve_bodies(Span<BodyWork> works, float dt_s, const World& world) {
  if (!world) return detail::refused(wrapper::refuse_null("sinew::solve_bodies", "world"), BodyBatchReport{});
  return detail::out<BodyBatchReport>([&](BodyBatchReport* report) {
    return sinew_body_solve_batch(works.data(), detail::length(works.size()), dt_s, world.handle(), report);
  });
}
/// The same; `report` is written also where this fails because some bodies did.
inline Done solve_bodies(Span<BodyWork> works, float dt_s, const World& world, BodyBatchReport& report) {
  if (!world) return detail::refused(wrapper::refuse_null("sinew::solve_bodies", "world"));
  return detail::done(
      sinew_body_solve_batch(works.data(), detail::length(works.size()), dt_s, world.handle(), &report));
}

/// A tie of a task of one body with a task of another, two positions or two orientations; the
/// numbers are the bodies' places among the works of meet().
inline BodyTie tie(const BodyTask& first, const BodyTask& second, std::uint32_t first_work = 0,
                   std::uint32_t second_work = 1) noexcept {
  BodyTie tie{};
  (void)sinew_body_tie_default(&tie);
  tie.first_task = first.handle();
  tie.second_task = second.handle();
  tie.first_work = first_work;
  tie.second_work = second_work;
  return tie;
}
/// Sets the goals of tied tasks to places that both effectors can be brought to, or where they are
/// nearest to each other. Poses stay as they are: solve the bodies next.
inline Returns<BodyMeeting> meet(Span<const BodyWork> works, Span<BodyTie> ties, float dt_s = 0.0f,
                                 std::uint32_t max_rounds = 8) {
  return detail::out<BodyMeeting>([&](BodyMeeting* meeting) {
    return sinew_body_meet(works.data(), detail::length(works.size()), ties.data(), detail::length(ties.size()), dt_s,
                           max_rounds, meeting);
  });
}

}  // namespace throwing, or no_throw
}  // namespace sinew

#endif  // SINEW_BODY_HPP
