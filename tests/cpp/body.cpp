// sinew_body.hpp: tasks, outcomes, memory and failures, on the tail of the C tests, judged by their
// own forward kinematics.
#include "../c/tail.h"
#include "thrown.hpp"

#include <cmath>
#include <cstring>

namespace {

using sinew::Body;
using sinew::BodyTask;
using sinew::Skeleton;

static_assert(std::is_trivially_copyable<BodyTask>::value, "a name is copied freely");
static_assert(!std::is_copy_constructible<Body>::value && std::is_move_constructible<Body>::value, "an owner is moved");

std::vector<sinew::Transform> rest_pose() {
  std::vector<sinew::Transform> rest(TAIL_JOINTS);
  tail_rest(rest.data());
  return rest;
}

Vec3d place(const std::vector<sinew::Transform>& pose, const sinew::Transform& root, std::uint32_t joint) {
  std::vector<Affine> world(pose.size());
  forward(static_cast<int>(pose.size()), TAIL_PARENTS, pose.data(), &root, world.data());
  return world[joint].at;
}

const sinew::Transform ROOT = transform(vec3d(1, 0, 2), quatd_about(vec3d(0, 1, 0), 0.5), vec3d(1, 1, 1));

void a_goal_is_reached_and_told() {
  const Skeleton skeleton = Skeleton::create(TAIL_PARENTS, rest_pose());
  Body body = Body::create(skeleton, 0);
  sinew::BodySettings settings = body.settings();
  settings.root = SINEW_BODY_ROOT_FIXED;
  body.set_settings(settings);
  body.set_root(ROOT);
  CHECK(body.root().position.z == 2.0f && body.settings().root == SINEW_BODY_ROOT_FIXED, "what was set");
  std::vector<sinew::Transform> pose = rest_pose();
  const Vec3d tip = place(pose, ROOT, TAIL_TIP);
  const sinew::Vec3 goal = to_vec3(add(tip, vec3d(0.2, -0.4, 0.3)));
  BodyTask task = body.add(Body::position(TAIL_TIP, goal));
  const sinew::BodyOutcome outcome = body.solve(pose);
  const double off = distance(place(pose, ROOT, TAIL_TIP), from_vec3(goal));
  CHECK(outcome.status == SINEW_STATUS_REACHED && off < 1e-3, "status %d, %g m off", outcome.status, off);
  CHECK(task.outcome().status == SINEW_STATUS_REACHED && body.outcome().iterations == outcome.iterations, "outcomes");
  CHECK(body.limited_joints().empty() && body.debug_lines().size() >= TAIL_JOINTS, "joints and lines");
  CHECK(body.max_work() == SINEW_MAX_WORK, "no bound by default");
  body.set_max_work(0);
  pose = rest_pose();
  const sinew::BodyOutcome cut = body.solve(pose);
  CHECK(body.max_work() == 0 && cut.status == SINEW_STATUS_OUT_OF_ITERATIONS, "status %d without work", cut.status);
  body.set_max_work(SINEW_MAX_WORK);

  task.set_goal(to_vec3(tip));
  task.set_rotation({0, 0, 0, 1});
  pose = rest_pose();
  (void)body.solve(pose);
  CHECK(distance(place(pose, ROOT, TAIL_TIP), tip) < 1e-3, "the goal did not move");
  task.set_blend(0.0f);
  const std::vector<sinew::Transform> rest = rest_pose();
  pose = rest;
  (void)body.solve(pose);
  CHECK(std::memcmp(pose.data(), rest.data(), rest.size() * sizeof rest[0]) == 0, "blend 0 changed the pose");

  sinew::BodyTaskDef def = task.get();
  CHECK(def.blend == 0.0f && def.joint == TAIL_TIP, "what was told");
  def.blend = 1.0f;
  task.set(def);
  CHECK(task.get().blend == 1.0f, "set again");
  task.remove();
  CHECK(code_of([&] { task.set_blend(1.0f); }) == SINEW_ERROR_INVALID_HANDLE, "a removed task works");
}

void masses_limits_and_pins() {
  const Skeleton skeleton = Skeleton::create(TAIL_PARENTS, rest_pose());
  Body body = Body::create(skeleton, 0, Body::default_settings());
  CHECK(code_of([&] { (void)body.center_of_mass(); }) == SINEW_ERROR_NOT_AVAILABLE, "a centre without a mass");
  body.set_mass(TAIL_TIP, 2.0f, {0, 0.5f, 0});
  CHECK(body.mass(TAIL_TIP) == 2.0f && body.mass_center(TAIL_TIP).y == 0.5f, "the mass");
  sinew::JointLimits limits = body.joint_limits(1);
  limits.flags = SINEW_LIMIT_LOCK_X;
  body.set_joint_limits(1, limits);
  CHECK(body.joint_limits(1).flags == SINEW_LIMIT_LOCK_X, "the limits");
  body.clear_joint_limits(1);
  CHECK(body.joint_limits(1).flags == 0, "no limits");
  (void)body.add(Body::pin(TAIL_TIP));
  (void)body.add(Body::orientation(0, to_quat(quatd_about(vec3d(0, 0, 1), 0.3))));
  std::vector<sinew::Transform> pose = rest_pose();
  const sinew::Transform here = transform(vec3d(0, 0, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
  const Vec3d tip = place(pose, here, TAIL_TIP);
  (void)body.solve(pose);
  CHECK(distance(place(pose, here, TAIL_TIP), tip) < 1e-3, "the pin slipped");
  const Vec3d center = from_vec3(body.center_of_mass());
  CHECK(distance(center, place(pose, here, TAIL_TIP)) < 0.51, "the centre of mass is not at the tip");
}

void track_mode_goes_on_from_a_snapshot() {
  const Skeleton skeleton = Skeleton::create(TAIL_PARENTS, rest_pose());
  sinew::BodySettings settings = Body::default_settings();
  settings.mode = SINEW_BODY_MODE_TRACK;
  settings.feedback = 3.0f;
  Body body = Body::create(skeleton, 0, settings);
  BodyTask task = body.add(Body::position(TAIL_TIP, {0.5f, 1.0f, 0.25f}));
  std::vector<sinew::Transform> first, second;
  std::vector<std::uint8_t> bytes;
  for (int frame = 0; frame < 6; ++frame) {
    if (frame == 3) bytes = body.snapshot();
    first = rest_pose();
    task.set_goal({0.5f + 0.1f * static_cast<float>(frame), 1.0f, 0.25f});
    (void)body.solve(first, 0.02f);
  }
  body.restore(bytes);
  for (int frame = 3; frame < 6; ++frame) {
    second = rest_pose();
    task.set_goal({0.5f + 0.1f * static_cast<float>(frame), 1.0f, 0.25f});
    (void)body.solve(second, 0.02f);
  }
  CHECK(std::memcmp(first.data(), second.data(), first.size() * sizeof first[0]) == 0, "it goes on otherwise");
  body.forget();
  bytes.resize(bytes.size() - 1);
  CHECK(code_of([&] { body.restore(bytes); }) == SINEW_ERROR_INVALID_ARGUMENT, "half a snapshot");
}

void joints_are_dragged_and_bodies_solved_together() {
  const Skeleton skeleton = Skeleton::create(TAIL_PARENTS, rest_pose());
  const sinew::Transform here = transform(vec3d(0, 0, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
  Body body = Body::create(skeleton, 0);
  std::vector<sinew::Transform> pose = rest_pose();
  const Vec3d before = place(pose, here, TAIL_TIP);
  const sinew::BodyPin pins[] = {{0, 0}};
  const sinew::Vec3 goal = to_vec3(add(before, vec3d(0.05, -0.1, 0.1)));
  const sinew::BodyOutcome dragged = body.drag(pose, Body::drag_to(TAIL_TIP, goal, 0, pins));
  CHECK(dragged.status == SINEW_STATUS_REACHED, "status %d", dragged.status);
  CHECK(distance(place(pose, here, TAIL_TIP), from_vec3(goal)) < 1e-3, "the dragged tip");
  CHECK(distance(place(pose, here, 0), place(rest_pose(), here, 0)) < 1e-3, "the pinned root");
  CHECK(code_of([&] { (void)body.drag(pose, Body::drag_to(9999, goal)); }) == SINEW_ERROR_OUT_OF_RANGE, "a joint");
  Body other = Body::create(skeleton, 0);
  (void)body.add(Body::position(TAIL_TIP, goal));
  (void)other.add(Body::position(TAIL_TIP, {goal.x, goal.y, goal.z + 0.05f}));
  std::vector<sinew::Transform> poses[2] = {rest_pose(), rest_pose()}, alone = rest_pose();
  (void)other.solve(alone);
  sinew::BodyWork works[] = {body.work(poses[0]), other.work(poses[1])};
  const sinew::BodyBatchReport report = sinew::solve_bodies(works);
  CHECK(report.solved == 2 && works[1].state == SINEW_BODY_WORK_STATE_SOLVED, "%u solved", report.solved);
  CHECK(std::memcmp(poses[1].data(), alone.data(), alone.size() * sizeof alone[0]) == 0, "other bits than alone");
  const sinew::World world = sinew::World::create();
  poses[1][3].position.x = NAN;
  sinew::BodyBatchReport failed{};
  CHECK(code_of([&] { sinew::solve_bodies(works, 0.0f, world, failed); }) == SINEW_ERROR_NOT_FINITE, "a pose of NaN");
  CHECK(failed.solved == 1 && failed.failed == 1 && works[1].result == SINEW_ERROR_NOT_FINITE, "%u solved", failed.solved);
  const sinew::World none;
  CHECK(code_of([&] { (void)sinew::solve_bodies(works, 0.0f, none); }) == SINEW_ERROR_INVALID_HANDLE, "no world");
  CHECK(text_of([&] { sinew::solve_bodies(works, 0.0f, none, failed); }).find("solve_bodies: world") != std::string::npos,
        "no world");
  works[1] = works[0];
  CHECK(code_of([&] { (void)sinew::solve_bodies(works, 0.0f, world); }) == SINEW_ERROR_INVALID_ARGUMENT, "twice");
}

void tips_of_two_bodies_meet() {
  const Skeleton skeleton = Skeleton::create(TAIL_PARENTS, rest_pose());
  Body one = Body::create(skeleton, 0), two = Body::create(skeleton, 0);
  const sinew::Transform there = transform(vec3d(0.4, 0.1, 0.2), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
  const sinew::Transform here = transform(vec3d(0, 0, 0), quatd(0, 0, 0, 1), vec3d(1, 1, 1));
  two.set_root(there);
  const BodyTask first = one.add(Body::position(TAIL_TIP, {0, 0, 0}));
  const BodyTask second = two.add(Body::position(TAIL_TIP, {0, 0, 0}));
  std::vector<sinew::Transform> poses[2] = {rest_pose(), rest_pose()};
  const sinew::BodyWork works[] = {one.work(poses[0]), two.work(poses[1])};
  sinew::BodyTie ties[] = {sinew::tie(first, second)};
  ties[0].share = 0.25f;
  const sinew::BodyMeeting meeting = sinew::meet(works, ties);
  CHECK(meeting.status == SINEW_STATUS_REACHED && meeting.rounds == 1, "status %d", meeting.status);
  CHECK(one.solve(poses[0]).status == SINEW_STATUS_REACHED && two.solve(poses[1]).status == SINEW_STATUS_REACHED, "solved");
  const double gap = distance(place(poses[0], here, TAIL_TIP), place(poses[1], there, TAIL_TIP));
  CHECK(gap < 1e-3, "%g m apart", gap);
  ties[0].second_task = ties[0].first_task;
  CHECK(code_of([&] { (void)sinew::meet(works, ties); }) == SINEW_ERROR_INVALID_HANDLE, "a task of the other body");
}

/* The tip at a height, in world space. */
struct Height {
  float goal = 0;
  int calls = 0;
  void operator()(const sinew::TaskPlacement* placements, sinew::TaskRows& rows) {
    ++calls;
    rows.value[0] = goal - placements[0].position.y;
    rows.terms[0].point = placements[0].position;
    rows.terms[0].force[0] = {0, 1, 0};
  }
};

void a_function_computes_rows() {
  const Skeleton skeleton = Skeleton::create(TAIL_PARENTS, rest_pose());
  Body body = Body::create(skeleton, 0);
  body.set_root(ROOT);
  std::vector<sinew::Transform> pose = rest_pose();
  Height height;
  height.goal = static_cast<float>(place(pose, ROOT, TAIL_TIP).y + 0.3);
  BodyTask task = body.add_host(Body::host(1, TAIL_TIP), height);
  CHECK(body.solve(pose).status == SINEW_STATUS_REACHED && height.calls > 0, "reached");
  CHECK(std::fabs(place(pose, ROOT, TAIL_TIP).y - height.goal) < 1e-3, "the tip is not at the height");
  CHECK(body.check_host(task) < 0.01f, "the Jacobian is off by %g", static_cast<double>(body.check_host(task)));
  CHECK(Body::host(2, 1, 2, 3).axes == 3 && Body::host(3, 1, 2, 3).end == 3, "rows and joints");
  CHECK(code_of([&] { (void)body.add(Body::host(1, TAIL_TIP)); }) == SINEW_ERROR_INVALID_ARGUMENT, "no function");
  for (const int rows : {-1, 0, 4})
    CHECK(code_of([&] { (void)body.add_host(Body::host(rows, TAIL_TIP), height); }) == SINEW_ERROR_INVALID_ARGUMENT,
          "%d rows", rows);
  height.goal = NAN;
  CHECK(code_of([&] { (void)body.solve(pose); }) == SINEW_ERROR_NOT_FINITE, "a row that is not finite");
}

void a_joint_follows_another() {
  const Skeleton skeleton = Skeleton::create(TAIL_PARENTS, rest_pose());
  Body body = Body::create(skeleton, 0);
  body.set_joint_coupling(2, Body::coupling(1, 0.5f));
  CHECK(body.joint_coupling(2).driver == 1 && body.joint_coupling(2).ratio == 0.5f, "what was set");
  CHECK(code_of([&] { body.set_joint_coupling(1, Body::coupling(2, 1.0f)); }) == SINEW_ERROR_INVALID_ARGUMENT, "a ring");
  std::vector<sinew::Transform> pose = rest_pose();
  (void)body.add(Body::orientation(1, to_quat(quatd_about(vec3d(0, 1, 0), 0.8))));
  (void)body.add(Body::orientation(0, to_quat(quatd(0, 0, 0, 1))));
  (void)body.solve(pose);
  const auto twist = [](const sinew::Transform& t) { return 2 * std::atan2(t.rotation.y, t.rotation.w); };
  const double driver = twist(pose[1]) - twist(rest_pose()[1]), driven = twist(pose[2]) - twist(rest_pose()[2]);
  CHECK(std::fabs(driver) > 0.1 && std::fabs(driven - 0.5 * driver) < 1e-3, "it turns by %g beside %g", driven, driver);
  body.clear_joint_coupling(2);
  CHECK(body.joint_coupling(2).driver == -1, "it still follows");
}

void failures_name_what_is_wrong() {
  const Skeleton skeleton = Skeleton::create(TAIL_PARENTS, rest_pose());
  CHECK(code_of([&] { (void)Body::create(skeleton, 9999); }) == SINEW_ERROR_OUT_OF_RANGE, "a root that does not exist");
  Body body = Body::create(skeleton, 0);
  CHECK(code_of([&] { (void)body.add(Body::position(9999, {0, 0, 0})); }) == SINEW_ERROR_OUT_OF_RANGE, "a joint");
  std::vector<sinew::Transform> pose(3);
  CHECK(code_of([&] { (void)body.solve(pose); }) == SINEW_ERROR_LENGTH_MISMATCH, "a short pose");
  // The null handle does not mean "none" where an object was meant.
  CHECK(code_of([&] { (void)body.limited_joints(BodyTask()); }) == SINEW_ERROR_INVALID_HANDLE, "joints of no task");
  CHECK(code_of([&] { body.set_human_ranges(sinew::Avatar()); }) == SINEW_ERROR_INVALID_HANDLE, "ranges of no avatar");
  body.clear_human_ranges();
  const SinewBody handle = body.handle();
  const Body moved = std::move(body);
  CHECK(moved.is_valid() && moved.handle().bits == handle.bits && !body, "moved");
  CHECK(code_of([&] { (void)body.outcome(); }) == SINEW_ERROR_INVALID_HANDLE, "a moved-from body works");
}

}  // namespace

int main() {
  RUN(a_goal_is_reached_and_told);
  RUN(masses_limits_and_pins);
  RUN(track_mode_goes_on_from_a_snapshot);
  RUN(joints_are_dragged_and_bodies_solved_together);
  RUN(tips_of_two_bodies_meet);
  RUN(a_function_computes_rows);
  RUN(a_joint_follows_another);
  RUN(failures_name_what_is_wrong);
  return check_report();
}
