// sinew.hpp: mapping reports, what avatars and animators return, and solves on plain arrays.
#include "thrown.hpp"

#include <cstring>
#include <string>

namespace {

using sinew::Animator;
using sinew::Avatar;
using sinew::Skeleton;

void a_mapping_comes_with_its_report() {
  const Tables tables;
  const Skeleton skeleton = Skeleton::create(tables.parents, tables.rest, tables.names);
  const sinew::Mapping mapping = skeleton.map_with_report();
  for (std::size_t i = 0; i < mapping.bones.size(); ++i) {
    CHECK(mapping.bones[i].joint == tables.human[i], "bone %d is joint %d", static_cast<int>(i), mapping.bones[i].joint);
  }
  CHECK(mapping.joints() == tables.human, "another map");
  CHECK(mapping.report.shape == SINEW_BODY_SHAPE_HUMANOID && mapping.report.missing_count == 0, "no humanoid");
  const std::vector<char> text = skeleton.mapping_text();
  CHECK(std::strlen(text.data()) + 1 == text.size(), "the text ends early");
  CHECK(std::string(text.data()).find("LeftHand: joint 19 \"LeftHand\"") != std::string::npos, "%s", text.data());
  sinew::MappingHints hints = sinew::default_mapping_hints();
  hints.flags = 1u << 20;
  CHECK(code_of([&] { (void)skeleton.map_with_report(hints); }) == SINEW_ERROR_INVALID_ARGUMENT, "unknown flags");
  CHECK(code_of([&] { (void)skeleton.mapping_text(hints); }) == SINEW_ERROR_INVALID_ARGUMENT, "unknown flags");
}

void avatars_return_what_they_measured() {
  const Tables tables(true);
  const Skeleton skeleton = Skeleton::create(tables.parents, tables.rest, tables.names);
  const Avatar avatar = Avatar::create(skeleton, tables.human);
  std::vector<sinew::Transform> pose(RIG_JOINTS);
  avatar.get_t_pose(pose);
  CHECK(pose[RIG_LEFT_HAND].position.x == tables.rest[RIG_LEFT_HAND].position.x, "another T-pose");
  CHECK(code_of([&] { avatar.get_t_pose({}); }) == SINEW_ERROR_LENGTH_MISMATCH, "no room");
  CHECK(avatar.human_range(sinew::HumanBone::LeftLowerArm).bend_max_rad > 2.0f, "elbows bend");
  CHECK(avatar.goal_constants(sinew::IkGoal::LeftFoot).bottom_height > 0.05f, "the sole");
  CHECK(avatar.goal_constants(sinew::IkGoal::LeftHand).bottom_height == 0.0f, "hands have no sole");
  Animator animator = Animator::create(skeleton, avatar);
  CHECK(avatar.human_scale() == animator.human_scale(), "another scale");
  const sinew::Quat bone = animator.ik_rotation_bone(sinew::IkGoal::RightHand);
  const Quatd goal = quatd_mul(from_quat(bone), from_quat(avatar.goal_constants(sinew::IkGoal::RightHand).rotation));
  CHECK(quatd_angle(goal, from_quat(animator.ik_rotation(sinew::IkGoal::RightHand))) < 1e-5, "another goal frame");
  const sinew::Ray gaze = animator.gaze();
  CHECK(gaze.direction.z > 0.999f && gaze.origin.y > 1.6f, "the gaze goes to %g", static_cast<double>(gaze.direction.z));
  CHECK(animator.iteration_scale() == 1.0f, "the default");
  animator.set_iteration_scale(0.25f);
  CHECK(animator.iteration_scale() == 0.25f, "not kept");
  std::vector<sinew::ModelFrame> frames(RIG_JOINTS), plain(RIG_JOINTS);
  animator.get_model_frames(frames);
  sinew::compute_model_frames(tables.parents, tables.rest, plain);
  for (std::size_t j = 0; j < frames.size(); ++j) {
    const sinew::Vec3 at = animator.joint_position(static_cast<std::uint32_t>(j));
    CHECK(distance(from_vec3(frames[j].position), from_vec3(at)) < 2e-6, "joint %d", static_cast<int>(j));
    CHECK(distance(from_vec3(plain[j].position), from_vec3(at)) < 2e-6, "joint %d", static_cast<int>(j));
  }
  CHECK(code_of([&] { animator.get_model_frames({}); }) == SINEW_ERROR_LENGTH_MISMATCH, "no room");
  std::vector<float> rows(12 * RIG_JOINTS), columns(16 * RIG_JOINTS);
  animator.get_world_matrices(SINEW_MATRIX_LAYOUT_ROWS3X4, rows);
  animator.get_model_matrices(SINEW_MATRIX_LAYOUT_COLUMNS4X4, columns);
  CHECK(rows[12 * RIG_LEFT_HAND + 7] == columns[16 * RIG_LEFT_HAND + 13], "another height of the hand");
  CHECK(code_of([&] { animator.get_model_matrices(SINEW_MATRIX_LAYOUT_ROWS4X4, rows); }) == SINEW_ERROR_LENGTH_MISMATCH, "12 for 16");
  CHECK(std::string(skeleton.joint_name(RIG_LEFT_HAND).data()) == "LeftHand", "another name");
  CHECK(animator.max_work() == SINEW_MAX_WORK && animator.constraints().empty(), "not the defaults");
  animator.set_max_work(1000);
  CHECK(animator.max_work() == 1000, "not kept");
  animator.set_cancelled(true);
  animator.solve();
  animator.set_cancelled(false);
  const std::uint64_t hash = animator.hash();
  animator.set_ik_position(sinew::IkGoal::LeftHand, {0.1f, 1.0f, 0.2f});
  CHECK(hash != animator.hash(), "the hash does not see a goal");
  CHECK(code_of([&] { sinew::compute_model_frames(tables.parents, tables.rest, {}); }) == SINEW_ERROR_LENGTH_MISMATCH, "another length");
}

void chains_of_arrays_reach() {
  const Tables tables;
  std::vector<sinew::Transform> pose = tables.rest;
  const SinewChainEnd end{RIG_RIGHT_HAND, {0, 0, 0}};
  sinew::ConstraintGoal goal = sinew::Constraint::default_goal();
  goal.set = SINEW_CONSTRAINT_POSITION;
  goal.position = {0.35f, 1.2f, 0.3f};
  SinewChainJob job = sinew::default_chain_job();
  job.joint_count = RIG_JOINTS;
  job.parents = tables.parents.data();
  job.rest = tables.rest.data();
  job.goals = &goal;
  job.def.ends = &end;
  job.def.end_count = 1;
  job.def.joint_count = 4;
  const sinew::Outcome outcome = sinew::solve(job, pose);
  CHECK(sinew::status_of(outcome) == sinew::Status::Reached, "not reached");
  Affine world[RIG_JOINTS];
  const SinewTransform root = transform(vec3d(0, 0, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
  forward(RIG_JOINTS, tables.parents.data(), pose.data(), &root, world);
  CHECK(distance(world[RIG_RIGHT_HAND].at, from_vec3(goal.position)) < 1e-5, "off");
  CHECK(code_of([&] { (void)sinew::solve(job, sinew::Span<sinew::Transform>()); }) == SINEW_ERROR_LENGTH_MISMATCH, "another length");
}

// The text that a refusal of the header itself has, whatever failed before it.
void refusals_name_function_argument_and_value() {
  const Tables tables;
  const auto skeleton = sinew::Skeleton::create(tables.parents, tables.rest);
  auto animator = sinew::Animator::create(skeleton);
  const auto avatar = sinew::Avatar::create(skeleton, tables.human);
  const auto body = sinew::TrackedBody::create(avatar.handle());
  std::vector<SinewAnimator> animators{animator.handle()};
  std::vector<std::int32_t> codes(3);
  std::vector<float> numbers(13), beyond(2);
  std::vector<sinew::Transform> pose(2);
  std::vector<sinew::TwoBoneJob> limbs(2);
  std::vector<sinew::TwoBoneResult> limb(1);
  std::vector<sinew::JointLimbJob> joint_limbs(2);
  std::vector<sinew::JointLimbResult> joint_limb(1);
  std::vector<sinew::AimJob> rays(2);
  std::vector<sinew::AimResult> ray(1);
  std::vector<sinew::ModelFrame> frames(2);
  std::vector<sinew::LimbPlaces> places(1);
  std::vector<sinew::Vec3> points(3);
  SinewChainJob job = sinew::default_chain_job();
  job.joint_count = 3;
  const struct {
    std::string text;
    const char* function;
    const char* argument;
  } refused[] = {
      {text_of([&] { sinew::Animator::solve_batch(animators, codes); }), "Animator::solve_batch", "results has 3 elements, not 1"},
      {text_of([&] { animator.get_model_matrices(SINEW_MATRIX_LAYOUT_ROWS3X4, numbers); }), "get_model_matrices", "numbers has 13"},
      {text_of([&] { animator.get_world_matrices(SINEW_MATRIX_LAYOUT_ROWS4X4, numbers); }), "get_world_matrices", "multiple of 16"},
      {text_of([&] { (void)sinew::solve(job, pose); }), "sinew::solve", "pose has 2 elements, not 3"},
      {text_of([&] { sinew::compute_model_frames(tables.parents, pose, frames); }), "compute_model_frames", "parents has"},
      {text_of([&] { sinew::compute_model_frames({}, {}, frames); }), "compute_model_frames", "frames has 2 elements, not 0"},
      {text_of([&] { sinew::solve_batch(limbs, limb); }), "sinew::solve_batch", "results has 1 elements, not 2"},
      {text_of([&] { sinew::solve_batch(joint_limbs, joint_limb); }), "sinew::solve_batch", "results has 1 elements, not 2"},
      {text_of([&] { sinew::solve_batch(rays, ray); }), "sinew::solve_batch", "results has 1 elements, not 2"},
      {text_of([&] { sinew::solve_records(pose, places, joint_limbs); }), "solve_records", "places has 1 elements, not 2"},
      {text_of([&] { sinew::solve_records(pose, places, {}, beyond); }), "solve_records", "places has 1 elements, not 0"},
      {text_of([&] { (void)sinew::Skeleton::create(tables.parents, pose); }), "Skeleton::create", "rest has 2"},
      {text_of([&] { body.assign_trackers(points, 0, codes = std::vector<std::int32_t>(2)); }), "assign_trackers", "roles has 2 elements, not 3"},
      {text_of([&] { sinew::begin_batch({}, {}, {}, {}, {}); }), "begin_batch", "first has 0 elements, not 1"},
      {text_of([&] { sinew::finish_batch({}, {}, std::vector<sinew::GrounderBody>(1), {}); }), "finish_batch", "bodies has 1 elements, not 0"},
  };
  for (const auto& one : refused) {
    const bool named = one.text.find(one.function) != std::string::npos && one.text.find(one.argument) != std::string::npos;
    CHECK(named, "%s, %s: '%s'", one.function, one.argument, one.text.c_str());
  }
  // The library's next message is the last one again, from a call of this header and from C.
  const std::string own = text_of([&] { sinew::solve_batch(rays, ray); });
  CHECK(own == sinew::last_error(), "%s", sinew::last_error());
  const std::string library = text_of([&] { (void)animator.joint_position(999); });
  CHECK(library == sinew::last_error(), "%s", sinew::last_error());
  CHECK(std::string(sinew::last_error()).find("sinew_animator") == 0, "%s", sinew::last_error());
  (void)text_of([&] { sinew::solve_batch(rays, ray); });
  (void)sinew_animator_solve(SinewAnimator{0});
  CHECK(std::string(sinew::last_error()).find("sinew_animator_solve") == 0, "%s", sinew::last_error());
}

}  // namespace

int main() {
  RUN(refusals_name_function_argument_and_value);
  RUN(a_mapping_comes_with_its_report);
  RUN(avatars_return_what_they_measured);
  RUN(chains_of_arrays_reach);
  return check_report();
}
