// Constraints and joint limits for C++17, on any rig; part of sinew.hpp, which includes this file
// at its end.
//
//   auto tail = sinew::Constraint::chain(animator, tip_joint, 8);   // once
//   tail.set_weight(1.0f);
//   tail.set_position({0.5f, 2.0f, 0.25f});                         // each frame, world space
//   animator.solve();
//
// A Constraint is a name, not an owner: copy it freely. It ends with remove(), or with its
// animator; calls on it then fail with SINEW_ERROR_INVALID_HANDLE. docs/constraints.md explains
// what each kind does.
#ifndef SINEW_CONSTRAINTS_HPP
#define SINEW_CONSTRAINTS_HPP

#include "sinew.hpp"

// X11/Xlib.h defines it as a macro.
#pragma push_macro("None")
#undef None

namespace sinew {

/// One end of a chain: a joint, and the point of it that has a goal.
using ChainEnd = SinewChainEnd;
/// Goal of one end; start from Constraint::default_goal() or goal().
using ConstraintGoal = SinewConstraintGoal;
/// A pole vector; start from Constraint::default_pole().
using Pole = SinewPole;

/// Methods to solve a chain.
enum class ChainSolver : std::int32_t {
  Default = SINEW_CHAIN_SOLVER_DEFAULT,                             ///< Recommended.
  DampedLeastSquares = SINEW_CHAIN_SOLVER_DAMPED_LEAST_SQUARES,     ///< Fixed damping.
  Transpose = SINEW_CHAIN_SOLVER_TRANSPOSE,                         ///< Jacobian transpose.
  PseudoInverse = SINEW_CHAIN_SOLVER_PSEUDO_INVERSE,                ///< Very little damping.
  SelectivelyDamped = SINEW_CHAIN_SOLVER_SELECTIVELY_DAMPED,        ///< Damps near singular directions only.
  Fabrik = SINEW_CHAIN_SOLVER_FABRIK,                               ///< FABRIK.
  Ccd = SINEW_CHAIN_SOLVER_CCD,                                     ///< Cyclic coordinate descent.
  Spring = SINEW_CHAIN_SOLVER_SPRING,                               ///< All bends open and close together.
};

/// Meaning of a position goal: a point, or the centre of a sphere.
enum class DistanceMode : std::int32_t {
  None = SINEW_DISTANCE_MODE_NONE,        ///< A point.
  Inside = SINEW_DISTANCE_MODE_INSIDE,    ///< Inside the sphere.
  On = SINEW_DISTANCE_MODE_ON,            ///< On the sphere.
  Outside = SINEW_DISTANCE_MODE_OUTSIDE,  ///< Outside the sphere.
};

/// The steps of a frame, in the order in which Animator::solve() runs them.
enum class FrameStep : std::int32_t {
  Overrides = SINEW_FRAME_STEP_OVERRIDES,         ///< Bone rotation overrides.
  Trackers = SINEW_FRAME_STEP_TRACKERS,           ///< Reserved; nothing runs here.
  Body = SINEW_FRAME_STEP_BODY,                   ///< Body position and rotation.
  Grounding = SINEW_FRAME_STEP_GROUNDING,         ///< Reserved; nothing runs here.
  Spine = SINEW_FRAME_STEP_SPINE,                 ///< Compensation for goals out of reach.
  LookAt = SINEW_FRAME_STEP_LOOK_AT,              ///< Spine, neck, head and eyes.
  Limbs = SINEW_FRAME_STEP_LIMBS,                 ///< Arms and legs.
  EndRotations = SINEW_FRAME_STEP_END_ROTATIONS,  ///< Hands and feet.
  Constraints = SINEW_FRAME_STEP_CONSTRAINTS,     ///< Constraints that are placed nowhere else.
  Twist = SINEW_FRAME_STEP_TWIST,                 ///< Distribution of twist along the limbs.
  Switches = SINEW_FRAME_STEP_SWITCHES,           ///< Inertialization.
};

/// Where in a frame a constraint is solved.
enum class ConstraintPlacement : std::int32_t {
  Stack = SINEW_CONSTRAINT_PLACEMENT_STACK,    ///< With the others that are placed nowhere else.
  Before = SINEW_CONSTRAINT_PLACEMENT_BEFORE,  ///< Right before a step.
  After = SINEW_CONSTRAINT_PLACEMENT_AFTER,    ///< Right after a step.
};
/// A placement with its step.
struct PlacedAt {
  ConstraintPlacement placement;  ///< Before or after the step, or in the stack.
  FrameStep step;                 ///< The step; FrameStep::Constraints in the stack.
};

#ifndef SINEW_NO_EXCEPTIONS
inline namespace throwing {
#else
inline namespace no_throw {
#endif

/// A handle of one constraint of one animator; not an owner.
class Constraint {
 public:
  /// The null handle.
  Constraint() noexcept = default;
  /// Wraps a constraint created with the C functions.
  Constraint(SinewAnimator animator, SinewConstraint handle) noexcept : animator_(animator), handle_(handle) {}

  // --- default definitions, and adding constraints (which allocates) ---

  /// Defaults of a chain; chain() sets the ends.
  static SinewChainDef default_chain() noexcept {
    SinewChainDef def{};
    (void)sinew_chain_def_default(&def);
    return def;
  }
  /// Defaults of a limb; set `end`.
  static SinewTwoBoneDef default_two_bone() noexcept {
    SinewTwoBoneDef def{};
    (void)sinew_two_bone_def_default(&def);
    return def;
  }
  /// Defaults of a copy-rotation constraint; set `joint`.
  static SinewCopyRotationDef default_copy_rotation() noexcept {
    SinewCopyRotationDef def{};
    (void)sinew_copy_rotation_def_default(&def);
    return def;
  }
  /// Defaults of an aim; set `end`.
  static SinewAimDef default_aim() noexcept {
    SinewAimDef def{};
    (void)sinew_aim_def_default(&def);
    return def;
  }
  /// Defaults of a spline; set `end`.
  static SinewSplineDef default_spline() noexcept {
    SinewSplineDef def{};
    (void)sinew_spline_def_default(&def);
    return def;
  }

  /// Adds a chain or tree.
  static Returns<Constraint> chain(Animator& animator, const SinewChainDef& def) {
    return add(animator, [&](SinewConstraint* out) { return sinew_animator_add_chain(animator.handle(), &def, out); });
  }
  /// Adds a chain or tree with these ends.
  static Returns<Constraint> chain(Animator& animator, Span<const ChainEnd> ends, std::uint32_t joint_count = 0,
                                   ChainSolver solver = ChainSolver::Default) {
    SinewChainDef def = default_chain();
    def.ends = ends.data();
    def.end_count = detail::length(ends.size());
    def.joint_count = joint_count;
    def.solver = static_cast<std::int32_t>(solver);
    return chain(animator, def);
  }
  /// Adds a chain of the last `joint_count` joints down to `end`; 0: from the skeleton's root.
  static Returns<Constraint> chain(Animator& animator, std::uint32_t end, std::uint32_t joint_count = 0,
                                   ChainSolver solver = ChainSolver::Default) {
    const ChainEnd ends[] = {{end, {0, 0, 0}}};
    return chain(animator, ends, joint_count, solver);
  }
  /// Adds a limb of two bones.
  static Returns<Constraint> two_bone(Animator& animator, const SinewTwoBoneDef& def) {
    return add(animator, [&](SinewConstraint* out) { return sinew_animator_add_two_bone(animator.handle(), &def, out); });
  }
  /// Adds a limb of a joint, its parent and its parent's parent.
  static Returns<Constraint> two_bone(Animator& animator, std::uint32_t end) {
    SinewTwoBoneDef def = default_two_bone();
    def.end = end;
    return two_bone(animator, def);
  }
  /// Adds a copy-rotation constraint: a joint follows a rotation goal or another joint.
  static Returns<Constraint> copy_rotation(Animator& animator, const SinewCopyRotationDef& def) {
    return add(animator,
               [&](SinewConstraint* out) { return sinew_animator_add_copy_rotation(animator.handle(), &def, out); });
  }
  /// Adds an aim: joints turn a ray towards the position goal.
  static Returns<Constraint> aim(Animator& animator, const SinewAimDef& def) {
    return add(animator, [&](SinewConstraint* out) { return sinew_animator_add_aim(animator.handle(), &def, out); });
  }
  /// Adds a spline: a chain on a curve; the ends are its control points.
  static Returns<Constraint> spline(Animator& animator, const SinewSplineDef& def) {
    return add(animator, [&](SinewConstraint* out) { return sinew_animator_add_spline(animator.handle(), &def, out); });
  }
  /// Solves the constraint right before a step of the frame: later steps start from its pose.
  Done place_before(FrameStep step) { return place(SINEW_CONSTRAINT_PLACEMENT_BEFORE, step); }
  /// Solves the constraint right after a step of the frame.
  Done place_after(FrameStep step) { return place(SINEW_CONSTRAINT_PLACEMENT_AFTER, step); }
  /// Solves the constraint in the stack, as by default.
  Done place_in_stack() { return place(SINEW_CONSTRAINT_PLACEMENT_STACK, FrameStep::Constraints); }
  /// Where in a frame the constraint is solved.
  Returns<PlacedAt> placement() const {
    return detail::out<PlacedAt>([&](PlacedAt* out) {
      std::int32_t placement = 0, step = 0;
      const SinewResult code = sinew_animator_get_constraint_placement(animator_, handle_, &placement, &step);
      *out = {static_cast<ConstraintPlacement>(placement), static_cast<FrameStep>(step)};
      return code;
    });
  }
  /// Sets the switch time: seconds in which the joints go over to other weights or goals; 0, the
  /// default: at once.
  Done set_inertialization_time(float time_s) {
    return detail::done(sinew_animator_set_constraint_inertialization_time(animator_, handle_, time_s));
  }
  /// The switch time, seconds.
  Returns<float> inertialization_time() const { return get<float>(sinew_animator_get_constraint_inertialization_time); }
  /// Starts a switch: goals and pole set from now on replace the old ones within the switch time.
  Done inertialize() { return detail::done(sinew_animator_inertialize_constraint(animator_, handle_)); }
  /// Whether a switch is announced or under way.
  Returns<bool> is_inertializing() const {
    return detail::flag([&](std::uint32_t* value) {
      return sinew_animator_get_constraint_is_inertializing(animator_, handle_, value);
    });
  }
  /// Removes the constraint.
  Done remove() { return detail::done(sinew_animator_remove_constraint(animator_, handle_)); }

  /// The C handle.
  SinewConstraint handle() const noexcept { return handle_; }
  /// The animator's C handle.
  SinewAnimator animator() const noexcept { return animator_; }
  /// Whether the handle is not null; it may still be stale.
  explicit operator bool() const noexcept { return handle_.bits != 0; }

  // --- each frame; all values stay until changed ---

  /// Sets the weight, 0 (default: the animation, bit for bit) … 1.
  Done set_weight(float weight) { return detail::done(sinew_animator_set_constraint_weight(animator_, handle_, weight)); }
  /// The weight.
  Returns<float> weight() const { return get<float>(&sinew_animator_get_constraint_weight); }
  /// Whether this is a limb of two bones that is straight at rest and has no bend side: it bends to
  /// an arbitrary side.
  Returns<bool> bend_is_arbitrary() const {
    return detail::flag([&](std::uint32_t* out) {
      return sinew_animator_get_constraint_bend_is_arbitrary(animator_, handle_, out);
    });
  }
  /// Number of ends.
  Returns<std::uint32_t> end_count() const { return get<std::uint32_t>(&sinew_animator_get_constraint_end_count); }
  /// Sets the goal position of an end's tip, world space, metres.
  Done set_position(const Vec3& world, std::uint32_t end = 0) {
    return detail::done(sinew_animator_set_constraint_position(animator_, handle_, end, &world));
  }
  /// Sets the goal rotation of an end's joint, world space.
  Done set_rotation(const Quat& world, std::uint32_t end = 0) {
    return detail::done(sinew_animator_set_constraint_rotation(animator_, handle_, end, &world));
  }
  /// Sets the goal direction (world space) of one axis of the joint (joint space).
  Done set_axis(const Vec3& axis, const Vec3& direction, std::uint32_t end = 0) {
    return detail::done(sinew_animator_set_constraint_axis(animator_, handle_, end, &axis, &direction));
  }
  /// Sets the weight of an end's position goal, 0 … 1. Default 1.
  Done set_position_weight(float weight, std::uint32_t end = 0) {
    return detail::done(sinew_animator_set_constraint_position_weight(animator_, handle_, end, weight));
  }
  /// Sets how much an end's goals count where not all goals of a chain can be met, each
  /// 0.01 … 1, default 1; only ratios matter.
  Done set_importance(float position, float rotation, std::uint32_t end = 0) {
    return detail::done(sinew_animator_set_constraint_importance(animator_, handle_, end, position, rotation));
  }
  /// Sets the weight of an end's rotation or axis goal, 0 … 1. Default 1.
  Done set_rotation_weight(float weight, std::uint32_t end = 0) {
    return detail::done(sinew_animator_set_constraint_rotation_weight(animator_, handle_, end, weight));
  }
  /// Sets the distance mode of an end; radius in metres.
  Done set_distance(DistanceMode mode, float radius, std::uint32_t end = 0) {
    return detail::done(sinew_animator_set_constraint_distance(animator_, handle_, end,
                                                               static_cast<SinewDistanceMode>(mode), radius));
  }
  /// Clears the goal of an end.
  Done clear_goal(std::uint32_t end = 0) {
    return detail::done(sinew_animator_clear_constraint_goal(animator_, handle_, end));
  }
  /// Nothing given, weights 1.
  static ConstraintGoal default_goal() noexcept {
    ConstraintGoal goal{};
    (void)sinew_constraint_goal_default(&goal);
    return goal;
  }
  /// Sets the whole goal of an end.
  Done set_goal(const ConstraintGoal& goal, std::uint32_t end = 0) {
    return detail::done(sinew_animator_set_constraint_goal(animator_, handle_, end, &goal));
  }
  /// The whole goal of an end.
  Returns<ConstraintGoal> goal(std::uint32_t end = 0) const {
    return detail::out<ConstraintGoal>(
        [&](ConstraintGoal* out) { return sinew_animator_get_constraint_goal(animator_, handle_, end, out); });
  }
  /// A point at the origin, angle 0, weight 1.
  static Pole default_pole() noexcept {
    Pole pole{};
    (void)sinew_pole_default(&pole);
    return pole;
  }
  /// Sets the pole vector.
  Done set_pole(const Pole& pole) { return detail::done(sinew_animator_set_constraint_pole(animator_, handle_, &pole)); }
  /// Clears the pole: the bend of the animation.
  Done clear_pole() { return detail::done(sinew_animator_set_constraint_pole(animator_, handle_, nullptr)); }
  /// The pole; the default one when none is set.
  Returns<Pole> pole() const {
    return detail::out<Pole>(
        [&](Pole* out) { return sinew_animator_get_constraint_pole(animator_, handle_, out, nullptr); });
  }
  /// Whether a pole is set.
  Returns<bool> has_pole() const {
    return detail::flag([&](std::uint32_t* out) {
      Pole pole{};
      return sinew_animator_get_constraint_pole(animator_, handle_, &pole, out);
    });
  }
  /// The pole angle that keeps the current bend, radians. Allocates.
  Returns<float> pole_in_place(const Pole& pole) const {
    return detail::out<float>(
        [&](float* out) { return sinew_animator_compute_pole_angle(animator_, handle_, &pole, out); });
  }
  /// Outcome of the last solve: that of the worst end.
  Returns<Outcome> outcome() const { return get<Outcome>(&sinew_animator_get_constraint_outcome); }

 private:
  Done place(SinewConstraintPlacement placement, FrameStep step) {
    return detail::done(sinew_animator_set_constraint_placement(animator_, handle_, placement,
                                                                static_cast<SinewFrameStep>(step)));
  }
  template <class Make>
  static Returns<Constraint> add(Animator& animator, Make&& make) {
    SinewConstraint handle{0};
    const SinewResult code = make(&handle);
    return detail::give(code, Constraint(animator.handle(), handle));
  }
  template <class T>
  Returns<T> get(SinewResult (*function)(SinewAnimator, SinewConstraint, T*)) const {
    return detail::out<T>([&](T* out) { return function(animator_, handle_, out); });
  }

  SinewAnimator animator_{0};
  SinewConstraint handle_{0};
};

}  // namespace throwing, or no_throw
}  // namespace sinew

#pragma pop_macro("None")

#endif  // SINEW_CONSTRAINTS_HPP
