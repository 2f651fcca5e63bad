// sinew_constraints.hpp: every kind of constraint on a rig that is no humanoid, joint limits,
// failures, and the bits of the other hosts.
#include "../c/tail.h"
#include "thrown.hpp"

namespace {

using sinew::Animator;
using sinew::Constraint;
using sinew::Skeleton;

static_assert(std::is_trivially_copyable<Constraint>::value, "a name is copied freely");
static_assert(std::is_same<decltype(std::declval<Constraint>().set_weight(1.0f)), void>::value, "nothing to check");

// A constraint changes its animator: a const one gets none.
template <class A, class = void>
struct TakesChains : std::false_type {};
template <class A>
struct TakesChains<A, decltype(void(Constraint::chain(std::declval<A&>(), 0u)))> : std::true_type {};
static_assert(TakesChains<Animator>::value && !TakesChains<const Animator>::value, "const");

Animator tail_rig() {
  std::vector<sinew::Transform> rest(TAIL_JOINTS);
  tail_rest(rest.data());
  return Animator::create(Skeleton::create(TAIL_PARENTS, rest));
}

double off(const Animator& animator, std::uint32_t joint, const sinew::Vec3& goal) {
  return distance(from_vec3(animator.joint_position(joint)), from_vec3(goal));
}

void every_kind_works_without_an_avatar() {
  Animator animator = tail_rig();
  const sinew::Vec3 goal{0.5f, 2.0f, 0.25f};
  Constraint tail = Constraint::chain(animator, TAIL_TIP, 8, sinew::ChainSolver::Fabrik);
  tail.set_weight(1.0f);
  tail.set_position(goal);
  animator.solve();
  CHECK(off(animator, TAIL_TIP, goal) < 2e-5, "the chain is %g m off", off(animator, TAIL_TIP, goal));
  CHECK(sinew::status_of(tail.outcome()) == sinew::Status::Reached && tail.weight() == 1.0f && tail.end_count() == 1, "state");
  tail.set_axis({0, 1, 0}, {0, 0, 1});
  tail.set_position_weight(0.5f);
  tail.set_rotation_weight(0.25f);
  tail.set_distance(sinew::DistanceMode::Inside, 0.125f);
  sinew::ConstraintGoal told = tail.goal();
  CHECK(told.set == (SINEW_CONSTRAINT_POSITION | SINEW_CONSTRAINT_AXIS) && told.position_weight == 0.5f &&
            told.rotation_weight == 0.25f && told.distance_mode == SINEW_DISTANCE_MODE_INSIDE && told.radius == 0.125f,
        "what was told");
  tail.clear_goal();
  CHECK(tail.goal().set == 0, "cleared");
  tail.set_goal(told);
  CHECK(tail.goal().direction.z == 1.0f, "set again");
  tail.set_rotation({0, 0, 0, 1});
  tail.remove();
  CHECK(code_of([&] { tail.set_weight(1.0f); }) == SINEW_ERROR_INVALID_HANDLE, "a removed constraint works");

  Constraint limb = Constraint::two_bone(animator, TAIL_LIMB);
  const sinew::Vec3 reach{0.9f, 0.8f, 0.2f};
  limb.set_weight(1.0f);
  limb.set_position(reach);
  sinew::Pole pole = Constraint::default_pole();
  pole.at = {1, 2, 1};
  pole.angle_rad = limb.pole_in_place(pole);
  limb.set_pole(pole);
  CHECK(limb.pole().angle_rad == pole.angle_rad && limb.has_pole(), "the pole");
  animator.solve();
  CHECK(off(animator, TAIL_LIMB, reach) < 1e-5, "the limb is %g m off", off(animator, TAIL_LIMB, reach));
  limb.clear_pole();
  CHECK(!limb.has_pole() && limb.pole().angle_rad == 0.0f && !limb.bend_is_arbitrary(), "no pole");

  SinewAimDef aim_def = Constraint::default_aim();
  aim_def.end = TAIL_TIP;
  aim_def.joint_count = 3;
  Constraint aim = Constraint::aim(animator, aim_def);
  aim.set_weight(1.0f);
  aim.set_position({2, 2, 2});
  SinewSplineDef spline_def = Constraint::default_spline();
  spline_def.end = TAIL_TIP;
  spline_def.joint_count = 8;
  Constraint spline = Constraint::spline(animator, spline_def);
  CHECK(spline.end_count() == 4, "%u points", spline.end_count());
  SinewCopyRotationDef copy_def = Constraint::default_copy_rotation();
  copy_def.joint = TAIL_COPY;
  copy_def.source = TAIL_TIP;
  Constraint copy = Constraint::copy_rotation(animator, copy_def);
  copy.set_weight(1.0f);
  animator.reset_pose();
  animator.solve();
  CHECK(sinew::status_of(aim.outcome()) == sinew::Status::Reached, "the aim");
  CHECK(quatd_angle(from_quat(animator.joint_rotation(TAIL_COPY)), from_quat(animator.joint_rotation(TAIL_TIP))) < 1e-5, "the copy");

  // Without an avatar only the order among constraints is left: before the aim, the copy follows
  // the unaimed tip.
  CHECK(copy.placement().placement == sinew::ConstraintPlacement::Stack &&
            copy.placement().step == sinew::FrameStep::Constraints,
        "placed without being asked");
  copy.place_before(sinew::FrameStep::Limbs);
  CHECK(copy.placement().placement == sinew::ConstraintPlacement::Before &&
            copy.placement().step == sinew::FrameStep::Limbs,
        "before the limbs");
  animator.reset_pose();
  animator.solve();
  CHECK(quatd_angle(from_quat(animator.joint_rotation(TAIL_COPY)), from_quat(animator.joint_rotation(TAIL_TIP))) > 1e-3, "placed");
  copy.place_after(sinew::FrameStep::Switches);
  animator.reset_pose();
  animator.solve();
  CHECK(quatd_angle(from_quat(animator.joint_rotation(TAIL_COPY)), from_quat(animator.joint_rotation(TAIL_TIP))) < 1e-5, "placed");
  CHECK(copy.placement().placement == sinew::ConstraintPlacement::After, "after the switches");
  copy.place_in_stack();
  CHECK(copy.placement().placement == sinew::ConstraintPlacement::Stack, "in the stack again");
  CHECK(code_of([&] { (void)Constraint().placement(); }) == SINEW_ERROR_INVALID_HANDLE, "the null constraint is placed");

  CHECK(copy.inertialization_time() == 0.0f && !copy.is_inertializing(), "no switch time");
  copy.set_inertialization_time(0.25f);
  CHECK(copy.inertialization_time() == 0.25f, "%g s", static_cast<double>(copy.inertialization_time()));
  animator.reset_pose();
  animator.solve();
  copy.inertialize();
  CHECK(copy.is_inertializing(), "announced");
  copy.set_weight(0.0f);
  animator.reset_pose();
  animator.solve();
  CHECK(copy.is_inertializing(), "under way");
  CHECK(quatd_angle(from_quat(animator.joint_rotation(TAIL_COPY)), from_quat(animator.joint_rotation(TAIL_TIP))) < 1e-4, "no jump");
  for (int frame = 0; frame < 100; ++frame) {
    animator.reset_pose();
    animator.advance(0.02f);
    animator.solve();
  }
  CHECK(!copy.is_inertializing(), "over");
  CHECK(quatd_angle(from_quat(animator.joint_rotation(TAIL_COPY)), from_quat(animator.joint_rotation(TAIL_TIP))) > 1e-3, "off");

  const sinew::ChainEnd ends[] = {{TAIL_TIP, {0, 0.125f, 0}}, {TAIL_LIMB, {0, 0, 0}}};
  CHECK(Constraint::chain(animator, ends).end_count() == 2, "a tree");
}

void limits_hold_and_failures_throw() {
  Animator animator = tail_rig();
  Constraint tail = Constraint::chain(animator, TAIL_TIP, 8);
  sinew::JointLimits limits = Animator::default_joint_limits();
  limits.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Y | SINEW_LIMIT_RANGE_Z;
  limits.min_rad = {-0.25f, -0.125f, -0.25f};
  limits.max_rad = {0.25f, 0.125f, 0.25f};
  for (std::uint32_t j = 1; j <= TAIL_TIP; ++j) animator.set_joint_limits(j, limits);
  tail.set_weight(1.0f);
  tail.set_position({1.5f, 1.5f, 0});
  animator.solve();
  for (std::uint32_t j = 1; j <= TAIL_TIP; ++j) CHECK(animator.joint_violation(j) < 1e-3f, "joint %u is beyond", j);
  CHECK(animator.joint_limits(3).max_rad.x == 0.25f, "limits");
  animator.clear_joint_limits(3);
  CHECK(animator.joint_limits(3).flags == 0, "cleared");
  limits.min_rad.x = 1;
  CHECK(code_of([&] { animator.set_joint_limits(3, limits); }) == SINEW_ERROR_INVALID_ARGUMENT, "min above max");
  CHECK(code_of([&] { (void)Constraint::chain(animator, TAIL_JOINTS); }) == SINEW_ERROR_OUT_OF_RANGE, "no such joint");
  CHECK(code_of([&] { (void)Constraint::chain(animator, TAIL_TIP, 20); }) == SINEW_ERROR_INVALID_CHAIN, "too long");
  CHECK(code_of([&] { tail.set_position({0, 0, 0}, 1); }) == SINEW_ERROR_OUT_OF_RANGE, "no such end");
  CHECK(code_of([&] { animator.set_look_at_weight(1.0f); }) == SINEW_ERROR_NOT_HUMANOID, "a humanoid call on a tail");
  const Animator other = tail_rig();
  Constraint foreign(other.handle(), tail.handle());
  CHECK(code_of([&] { foreign.set_weight(1.0f); }) == SINEW_ERROR_INVALID_HANDLE, "another animator's constraint");
}

void this_host_leaves_the_committed_bits() {
  Animator animator = tail_rig();
  sinew::JointLimits ball = Animator::default_joint_limits(), hinge = ball;
  ball.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Y | SINEW_LIMIT_RANGE_Z;
  ball.min_rad = {-0.5f, -0.125f, -0.25f};
  ball.max_rad = {0.5f, 0.125f, 0.25f};
  ball.soft_rad = 0.0625f;
  animator.set_joint_limits(3, ball);
  hinge.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_LOCK_Y | SINEW_LIMIT_LOCK_Z;
  hinge.min_rad.x = -1;
  hinge.max_rad.x = 0.25f;
  hinge.stiffness = {0.5f, 0.5f, 0.5f};
  hinge.stretch_max = 1.125f;
  hinge.stretch_compliance = 1;
  animator.set_joint_limits(5, hinge);
  const sinew::ChainEnd ends[] = {{TAIL_TIP, {0, 0.125f, 0}}};
  Constraint tail = Constraint::chain(animator, ends, 8);
  SinewTwoBoneDef limb_def = Constraint::default_two_bone();
  limb_def.end = TAIL_LIMB;
  limb_def.softness = 0.0625f;
  Constraint limb = Constraint::two_bone(animator, limb_def);
  SinewCopyRotationDef copy_def = Constraint::default_copy_rotation();
  copy_def.joint = TAIL_COPY;
  copy_def.source = TAIL_TIP;
  copy_def.swing = 0.75f;
  copy_def.twist = 0.5f;
  Constraint copy = Constraint::copy_rotation(animator, copy_def);
  sinew::Pole pole = Constraint::default_pole();
  pole.at = {1, 2, 1};
  pole.weight = 0.5f;
  limb.set_pole(pole);
  tail.set_weight(1.0f);
  copy.set_weight(1.0f);
  std::uint64_t hash = TAIL_HASH_START;
  for (int frame = 0; frame < TAIL_FRAMES; ++frame) {
    animator.reset_pose();
    animator.pose()[2].rotation = tail_wag(frame);
    tail.set_position(tail_goal(frame));
    limb.set_position(tail_limb_goal(frame));
    limb.set_weight(static_cast<float>(frame) * 0.03125f);
    animator.solve();
    hash = tail_hash(hash, animator.pose().data());
  }
  const std::uint64_t golden = tail_golden(__FILE__);
  CHECK(golden != 0 && hash == golden, "hash %016llx, committed %016llx", static_cast<unsigned long long>(hash),
        static_cast<unsigned long long>(golden));
}

}  // namespace

int main() {
  RUN(every_kind_works_without_an_avatar);
  RUN(limits_hold_and_failures_throw);
  RUN(this_host_leaves_the_committed_bits);
  return check_report();
}
