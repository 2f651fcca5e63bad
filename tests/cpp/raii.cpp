// sinew.hpp with exceptions: who owns what, what is thrown, and that the calls reach the library.
#include "thrown.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <type_traits>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace {

using sinew::Animator;
using sinew::Avatar;
using sinew::Skeleton;

static_assert(!std::is_copy_constructible<Animator>::value && !std::is_copy_assignable<Animator>::value, "move-only");
static_assert(!std::is_copy_constructible<Skeleton>::value && !std::is_copy_constructible<Avatar>::value, "move-only");
static_assert(std::is_nothrow_move_constructible<Animator>::value, "moves cannot fail");
static_assert(std::is_nothrow_move_assignable<Animator>::value, "moves cannot fail");
static_assert(std::is_nothrow_move_constructible<Skeleton>::value && std::is_nothrow_move_assignable<Avatar>::value, "");
static_assert(std::is_nothrow_default_constructible<Animator>::value, "the null handle costs nothing");
static_assert(sizeof(Skeleton) == sizeof(SinewSkeleton), "an owner is its handle");
static_assert(std::is_same<decltype(std::declval<Animator>().solve()), void>::value, "nothing to check with exceptions");

Animator make(bool rolled = false) {
  const Tables tables(rolled);
  const Skeleton skeleton = Skeleton::create(tables.parents, tables.rest, tables.names);
  const Avatar avatar = Avatar::create(skeleton, tables.human);
  return Animator::create(skeleton, avatar);
}

void owners_destroy_what_they_own() {
  SinewAnimator animator;
  SinewSkeleton skeleton;
  {
    const Tables tables;
    const Skeleton s = Skeleton::create(tables.parents, tables.rest);
    const Animator a = Animator::create(s);
    animator = a.handle();
    skeleton = s.handle();
    CHECK(a.is_valid() && s.is_valid(), "not valid while they live");
  }
  std::uint32_t valid = 1;
  CHECK(sinew_animator_is_valid(animator, &valid) == SINEW_OK && valid == 0, "the animator outlives its owner");
  CHECK(sinew_skeleton_is_valid(skeleton, &valid) == SINEW_OK && valid == 0, "the skeleton outlives its owner");
}

void moving_hands_over_and_leaves_null() {
  Animator a = make();
  const SinewAnimator first = a.handle();
  const auto* pose = a.pose().data();
  Animator b = std::move(a);
  CHECK(b.handle().bits == first.bits && b.pose().data() == pose, "the new owner has another animator");
  CHECK(!a && !a.is_valid() && a.pose().empty(), "the old owner still has it");
  CHECK(code_of([&] { a.solve(); }) == SINEW_ERROR_INVALID_HANDLE, "a moved-from animator solves");
  Animator c = make();
  const SinewAnimator second = c.handle();
  c = std::move(b);
  std::uint32_t valid = 1;
  CHECK(sinew_animator_is_valid(second, &valid) == SINEW_OK && valid == 0, "assignment did not destroy the old one");
  CHECK(c.is_valid() && c.pose().data() == pose, "assignment lost the new one");
  Animator& self = c;
  c = std::move(self);
  CHECK(c.is_valid(), "self-assignment destroyed it");
  std::vector<Animator> many;
  many.push_back(std::move(c));
  for (int i = 0; i < 20; ++i) many.push_back(make());
  CHECK(many.front().is_valid() && many.front().pose().data() == pose, "a growing vector lost it");
  const SinewAnimator released = many.front().release();
  CHECK(sinew_animator_is_valid(released, &valid) == SINEW_OK && valid == 1, "release destroyed it");
  Animator adopted(released);
  CHECK(adopted.pose().data() == pose, "an adopted animator has no pose");
  adopted.reset();
  CHECK(!adopted && sinew_animator_is_valid(released, &valid) == SINEW_OK && valid == 0, "reset did not destroy it");
  adopted.reset();
}

void failures_throw_code_and_sentence() {
  Animator animator = make();
  try {
    animator.set_ik_position(sinew::IkGoal::LeftHand, {0, static_cast<float>(NAN), 0});
    CHECK(false, "nothing was thrown");
  } catch (const sinew::Error& error) {
    CHECK(error.code() == SINEW_ERROR_NOT_FINITE, "code %d", static_cast<int>(error.code()));
    CHECK(std::string(error.what()).find("sinew_animator_set_ik_position") != std::string::npos, "%s", error.what());
  }
  const Tables tables;
  const Skeleton skeleton = Skeleton::create(tables.parents, tables.rest);
  sinew::HumanMap nobody;
  nobody.fill(-1);
  CHECK(code_of([&] { (void)Avatar::create(skeleton, nobody); }) == SINEW_ERROR_MISSING_BONE, "an avatar without bones");
  CHECK(code_of([&] { (void)Skeleton::create({}, {}); }) == SINEW_ERROR_INVALID_ARGUMENT, "a skeleton without joints");
  const std::vector<std::int32_t> fewer(3, -1);
  CHECK(code_of([&] { (void)Skeleton::create(fewer, tables.rest); }) == SINEW_ERROR_LENGTH_MISMATCH, "unequal lengths");
  CHECK(code_of([&] { (void)skeleton.find_joint("nobody"); }) == SINEW_ERROR_JOINT_NOT_FOUND, "a joint that is not there");
  CHECK(code_of([&] { animator.set_pose(tables.rest); }) == SINEW_OK, "set_pose");
  std::vector<sinew::Transform> out(3);
  CHECK(code_of([&] { animator.get_pose(out); }) == SINEW_ERROR_LENGTH_MISMATCH, "get_pose with too little room");
  CHECK(code_of([&] { animator.get_pose({}); }) == SINEW_ERROR_LENGTH_MISMATCH, "get_pose with no room");
}

void the_calls_reach_the_library() {
  Animator animator = make(true);
  const auto hand = sinew::IkGoal::RightHand;
  const sinew::Vec3 goal{0.35f, 1.25f, 0.4f};
  animator.set_root({{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}});
  animator.set_look_at_weight(0.5f);
  animator.set_look_at_position({0.5f, 1.5f, 2.0f});
  animator.set_ik_position(hand, goal);
  animator.set_ik_position_weight(hand, 1.0f);
  animator.set_ik_rotation(hand, animator.ik_rotation(hand));
  animator.set_ik_rotation_weight(hand, 1.0f);
  animator.set_ik_goal_space(sinew::IkGoal::LeftHand, 0);
  CHECK(animator.ik_goal_space(sinew::IkGoal::LeftHand) == 0, "goal space");
  animator.set_ik_goal_space(sinew::IkGoal::LeftHand, -1);
  CHECK(animator.ik_goal_space(sinew::IkGoal::LeftHand) == -1, "no goal space");
  animator.set_ik_effector_point(sinew::IkGoal::LeftHand, {0, 0.05f, 0});
  CHECK(animator.ik_effector_point(sinew::IkGoal::LeftHand).y == 0.05f, "effector point");
  animator.set_ik_effector_point(sinew::IkGoal::LeftHand, {0, 0, 0});
  sinew::GoalPriority priority = animator.ik_goal_priority(sinew::IkGoal::LeftHand);
  priority.position_importance = 8;
  animator.set_ik_goal_priority(sinew::IkGoal::LeftHand, priority);
  CHECK(animator.ik_goal_priority(sinew::IkGoal::LeftHand).position_importance == 8, "priority of a hand");
  priority.position_importance = 1;
  animator.set_ik_goal_priority(sinew::IkGoal::LeftHand, priority);
  animator.set_body_effector_priority(sinew::BodyEffector::Head, priority);
  CHECK(animator.body_effector_priority(sinew::BodyEffector::Head).level == 1, "priority of an effector");
  animator.set_ik_hint_position(sinew::IkHint::RightElbow, {1, 0.5f, 0});
  animator.set_ik_hint_position_weight(sinew::IkHint::RightElbow, 0.5f);
  CHECK(animator.ik_position_weight(hand) == 1.0f && animator.ik_rotation_weight(hand) == 1.0f, "weights");
  CHECK(animator.ik_hint_position_weight(sinew::IkHint::RightElbow) == 0.5f, "hint weight");
  CHECK(animator.ik_hint_position(sinew::IkHint::RightElbow).x == 1.0f, "hint position");
  CHECK(animator.look_at_position().z == 2.0f, "look-at position");
  const auto look = animator.look_at_weight();
  CHECK(look.weight == 0.5f && look.body == 0.0f && look.head == 1.0f && look.eyes == 0.0f && look.clamp == 0.5f, "defaults");
  animator.solve();
  const auto joint = animator.bone_joint(sinew::HumanBone::RightHand);
  const auto at = animator.joint_position(static_cast<std::uint32_t>(joint));
  CHECK(distance(from_vec3(at), from_vec3(goal)) < 1e-5, "the hand is %g m off", distance(from_vec3(at), from_vec3(goal)));
  CHECK(sinew::status_of(animator.ik_outcome(hand)) == sinew::Status::Reached, "not reached");
  CHECK(animator.is_human() && animator.human_scale() > 0.5f && animator.left_feet_bottom_height() > 0.0f, "avatar facts");

  sinew::HumanoidInput input = animator.input();
  input.body_position = animator.body_position();
  input.body_rotation = animator.body_rotation();
  input.set |= SINEW_INPUT_BODY_POSITION | SINEW_INPUT_BODY_ROTATION;
  animator.set_input(input);
  animator.clear_body();
  animator.set_bone_local_rotation(sinew::HumanBone::Chest, {0, 0.6f, 0, 0.8f});
  CHECK(animator.bone_local_rotation(sinew::HumanBone::Chest).w > 0.79f, "bone rotation");
  animator.clear_bone_local_rotations();
  animator.reset_ik();
  animator.reset_pose();
  const SinewAnimator both[] = {animator.handle(), animator.handle()};
  std::int32_t results[] = {-1, -1};
  Animator::solve_batch(both, results);
  Animator::solve_batch(both);
  CHECK(results[0] == SINEW_OK && results[1] == SINEW_OK, "batch results");
  std::int32_t too_few[1];
  CHECK(code_of([&] { Animator::solve_batch(both, too_few); }) == SINEW_ERROR_LENGTH_MISMATCH, "batch lengths");
  CHECK(sinew::version().abi == SINEW_ABI_VERSION && sinew::human_bone_from_name("UpperChest") == 54, "version, names");
}

void settings_switches_and_matching_reach_the_library() {
  Animator animator = make(true);
  const auto hand = sinew::IkGoal::RightHand;
  sinew::HumanoidSettings settings = animator.settings();
  CHECK(settings.struct_size == sizeof settings && settings.struct_size == sinew::default_settings().struct_size, "size");
  settings.spine_weight = 0.5f;
  settings.inertialization_times_s[SINEW_IK_GOAL_RIGHT_HAND] = 0.25f;
  animator.set_settings(settings);
  CHECK(animator.settings().spine_weight == 0.5f, "settings do not stay");
  animator.solve();
  const sinew::Quat bone = animator.ik_rotation_bone(hand);
  const auto joint = static_cast<std::uint32_t>(animator.bone_joint(sinew::HumanBone::RightHand));
  CHECK(quatd_angle(from_quat(bone), from_quat(animator.joint_rotation(joint))) < 1e-5, "the bone's own rotation");
  animator.set_ik_rotation_bone(hand, bone);
  animator.set_ik_position(hand, {0.35f, 1.25f, 0.4f});
  animator.set_ik_position_weight(hand, 1.0f);
  animator.advance(0.01f);
  animator.solve();
  CHECK(animator.is_inertializing(hand) && !animator.is_inertializing(sinew::IkGoal::LeftHand), "a switch");
  const std::vector<std::uint8_t> state = animator.snapshot();
  animator.reset_state();
  CHECK(!animator.is_inertializing(hand), "a switch after a reset");
  animator.restore(state);
  CHECK(animator.is_inertializing(hand), "no switch after restoring");
  animator.advance(10.0f);
  animator.inertialize(hand);
  animator.match_pose_from_goals();
  CHECK(animator.ik_position_weight(hand) == 0.0f, "weights after matching the pose");
  animator.match_goals_from_pose();

  sinew::MatchTarget target = sinew::default_match_target(sinew::AvatarTarget::LeftFoot);
  target.position = {3, 1, 2};
  animator.set_root(animator.match_target(target, 0.0f, 1.0f));
  const sinew::TargetPose at = animator.target_pose(sinew::AvatarTarget::LeftFoot);
  CHECK(distance(from_vec3(at.position), from_vec3(target.position)) < 1e-5, "the foot is not at its target");
  CHECK(quatd_angle(from_quat(at.rotation), from_quat(target.rotation)) < 1e-4, "the foot is not turned to its target");
  const std::int32_t hips = animator.bone_joint(sinew::HumanBone::Hips);
  CHECK(animator.joint_violation(static_cast<std::uint32_t>(hips)) == 0.0f, "the hips are limited");
  CHECK(sinew::default_human_range(sinew::HumanBone::LeftFoot).bend_max_rad > 0.8f, "the default range of a foot");
  settings.pull_weights[0] = static_cast<float>(NAN);
  CHECK(code_of([&] { animator.set_settings(settings); }) == SINEW_ERROR_NOT_FINITE, "NaN in settings");
  target.part = 9;
  CHECK(code_of([&] { (void)animator.match_target(target, 0, 1); }) == SINEW_ERROR_INVALID_ENUM, "no such part");
}

void skeletons_and_avatars_answer() {
  const Tables tables;
  const Skeleton skeleton = Skeleton::create(tables.parents, tables.rest, tables.names);
  CHECK(skeleton.joint_count() == RIG_JOINTS && skeleton.find_joint("Head") == RIG_HEAD, "joints");
  CHECK(skeleton.parent(RIG_HEAD) == RIG_NECK && skeleton.rest(RIG_HEAD).position.y > 0.0f, "parent, rest");
  CHECK(skeleton.map_human_names() == tables.human && skeleton.map_human_bones()[0] == RIG_HIPS, "maps");
  const Avatar avatar = Avatar::create(skeleton, skeleton.map_human_names());
  CHECK(avatar.axes().up.y > 0.999f && avatar.bone_joint(sinew::HumanBone::Jaw) == -1, "axes, bones");
}

void the_pose_is_a_view() {
  Animator animator = make();
  const sinew::PoseView pose = animator.pose();
  CHECK(pose.size() == RIG_JOINTS && !pose.empty() && pose.end() - pose.begin() == RIG_JOINTS, "%u joints",
        static_cast<unsigned>(pose.size()));
  pose[RIG_HEAD].position.y = 0.125f;
  std::vector<sinew::Transform> copy(pose.size());
  animator.get_pose(copy);
  CHECK(copy[RIG_HEAD].position.y == 0.125f, "the view is not the buffer");
#if __cplusplus >= 202002L
  const std::span<sinew::Transform> span = pose;
  CHECK(span.data() == pose.data() && span.size() == pose.size(), "std::span");
  animator.set_pose(std::span<const sinew::Transform>(copy));
#endif
}

void drawing_takes_any_callable_and_lets_its_exceptions_out() {
  Animator animator = make();
  int bones = 0;
  animator.draw([&](const sinew::Vec3&, const sinew::Vec3&, sinew::DebugPart part) { bones += part == sinew::DebugPart::Bone; });
  CHECK(bones == RIG_JOINTS - 1, "%d bones", bones);
  CHECK(animator.debug_lines().size() >= static_cast<std::size_t>(bones), "fewer lines polled than drawn");
  int calls = 0;
  bool caught = false;
  try {
    animator.draw([&](const sinew::Vec3&, const sinew::Vec3&, sinew::DebugPart) {
      ++calls;
      throw std::runtime_error("enough");
    });
  } catch (const std::runtime_error&) {
    caught = true;
  }
  CHECK(caught && calls == 1, "caught %d, calls %d", caught, calls);
  animator.solve();  // it is free again
}

void a_recording_runs_until_it_is_destroyed() {
  const char* path = "/tmp/sinew-raii.sinewlog";
  {
    const sinew::Recording recording(path);
    CHECK(recording.code() == SINEW_OK, "%s", sinew::last_error());
    const sinew::Recording second(path);
    CHECK(second.code() == SINEW_ERROR_BUSY, "two recordings at a time");
    make().solve();
  }
  std::FILE* file = std::fopen(path, "rb");
  char begin[8] = {};
  CHECK(file != nullptr && std::fread(begin, 1, sizeof begin, file) == sizeof begin, "nothing was written");
  CHECK(std::string(begin, sizeof begin) == "SINEWLOG", "another file");
  if (file != nullptr) (void)std::fclose(file);
  (void)std::remove(path);
  sinew::Recording again(path);
  CHECK(again.end() == SINEW_OK && again.end() == SINEW_ERROR_NOT_AVAILABLE, "it ends once");
  (void)std::remove(path);
}

void a_recording_goes_to_any_callable() {
  std::vector<std::uint8_t> log;
  auto keep = [&log](sinew::Span<const std::uint8_t> bytes) {
    log.insert(log.end(), bytes.begin(), bytes.end());
    return true;
  };
  {
    sinew::Recording recording(keep);
    CHECK(recording.code() == SINEW_OK, "%s", sinew::last_error());
    make().solve();
    CHECK(recording.end() == SINEW_OK, "%s", sinew::last_error());
  }
  CHECK(log.size() > 100 && std::string(log.begin(), log.begin() + 8) == "SINEWLOG", "%u bytes", static_cast<unsigned>(log.size()));
  // A full disk, and an exception: the recording ends, the calls go on.
  auto full = [](sinew::Span<const std::uint8_t>) { return false; };
  sinew::Recording ends(full);
  make().solve();
  CHECK(ends.end() == SINEW_ERROR_NOT_AVAILABLE, "a recording that could not be kept");
  const auto throws = [](sinew::Span<const std::uint8_t>) -> bool { throw std::runtime_error("no disk"); };
  sinew::Recording lost(throws);
  make().solve();
  CHECK(lost.end() == SINEW_ERROR_NOT_AVAILABLE, "a recording whose sink throws");
}

void an_avatar_that_was_moved_from_is_not_none() {
  const Tables tables;
  const Skeleton skeleton = Skeleton::create(tables.parents, tables.rest);
  Avatar avatar = Avatar::create(skeleton, tables.human);
  const Avatar kept = std::move(avatar);
  CHECK(code_of([&] { (void)Animator::create(skeleton, avatar); }) == SINEW_ERROR_INVALID_HANDLE, "an animator without avatar");
  CHECK(text_of([&] { (void)Animator::create(skeleton, avatar); }).find("avatar is the null handle") != std::string::npos, "%s",
        sinew::last_error());
  CHECK(Animator::create(skeleton, kept).is_human() && !Animator::create(skeleton).is_human(), "who is human");
}

}  // namespace

int main() {
  RUN(a_recording_runs_until_it_is_destroyed);
  RUN(a_recording_goes_to_any_callable);
  RUN(an_avatar_that_was_moved_from_is_not_none);
  RUN(owners_destroy_what_they_own);
  RUN(moving_hands_over_and_leaves_null);
  RUN(failures_throw_code_and_sentence);
  RUN(the_calls_reach_the_library);
  RUN(settings_switches_and_matching_reach_the_library);
  RUN(skeletons_and_avatars_answer);
  RUN(the_pose_is_a_view);
  RUN(drawing_takes_any_callable_and_lets_its_exceptions_out);
  return check_report();
}
