// Every function of the wrapper that returns defaults: what it returns equals what C returns, and
// it states the size of the struct that this program has, so that a library in which the struct has
// grown writes no more.
#include "check.hpp"

#include <cstring>

#include <dlfcn.h>

namespace {

std::int32_t stated_which = -1;
std::uint32_t stated_size = 0;

}  // namespace

// Stands before the library's function of this name.
extern "C" SinewResult sinew_default_sized(SinewSizedStruct which, std::int32_t argument, void* out, std::uint32_t size) {
  static const auto library = reinterpret_cast<decltype(&sinew_default_sized)>(dlsym(RTLD_NEXT, "sinew_default_sized"));
  stated_which = static_cast<std::int32_t>(which);
  stated_size = size;
  return library(which, argument, out, size);
}

namespace {

using sinew::Animator;
using sinew::Body;
using sinew::BodyTaskKind;
using sinew::Constraint;
using sinew::Grounder;

template <class T>
bool is_same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// `call` is the wrapper's, `plain` the C function, which (…) keeps from being the macro.
template <class T, class Call>
void check_default(const char* name, Call call, SinewResult (*plain)(T*), SinewSizedStruct which) {
  stated_which = -1;
  stated_size = 0;
  const T of_wrapper = call();
  CHECK(stated_which == static_cast<std::int32_t>(which) && stated_size == sizeof(T), "%s: struct %d, %u bytes", name,
        stated_which, stated_size);
  T of_c{};
  CHECK(plain(&of_c) == SINEW_OK && is_same(of_wrapper, of_c), "%s: other defaults than those of C", name);
}
#define SIZED(call, plain, which) check_default(#call, [] { return call; }, &plain, SINEW_SIZED_STRUCT_##which)

void defaults_are_those_of_c_and_state_the_size_of_this_programs_struct() {
  SIZED(sinew::default_input(), sinew_humanoid_input_default, HUMANOID_INPUT);
  SIZED(sinew::default_settings(), sinew_humanoid_settings_default, HUMANOID_SETTINGS);
  SIZED(sinew::default_mapping_hints(), sinew_mapping_hints_default, MAPPING_HINTS);
  SIZED(sinew::default_body_solver(), sinew_body_solver_settings_default, BODY_SOLVER_SETTINGS);
  SIZED(sinew::default_match_target(), sinew_match_target_default, MATCH_TARGET);
  SIZED(sinew::Skeleton::default_def(), sinew_skeleton_def_default, SKELETON_DEF);
  SIZED(sinew::Avatar::default_def(), sinew_avatar_def_default, AVATAR_DEF);
  SIZED(Animator::default_def(), sinew_animator_def_default, ANIMATOR_DEF);
  SIZED(Animator::default_joint_limits(), sinew_joint_limits_default, JOINT_LIMITS);
  SIZED(sinew::World::default_frame(), sinew_world_frame_default, WORLD_FRAME);
  SIZED(Constraint::default_chain(), sinew_chain_def_default, CHAIN_DEF);
  SIZED(Constraint::default_two_bone(), sinew_two_bone_def_default, TWO_BONE_DEF);
  SIZED(Constraint::default_copy_rotation(), sinew_copy_rotation_def_default, COPY_ROTATION_DEF);
  SIZED(Constraint::default_aim(), sinew_aim_def_default, AIM_DEF);
  SIZED(Constraint::default_spline(), sinew_spline_def_default, SPLINE_DEF);
  SIZED(Constraint::default_goal(), sinew_constraint_goal_default, CONSTRAINT_GOAL);
  SIZED(Constraint::default_pole(), sinew_pole_default, POLE);
  SIZED(Body::default_settings(), sinew_body_settings_default, BODY_SETTINGS);
  SIZED(Grounder::default_settings(), sinew_grounder_settings_default, GROUNDER_SETTINGS);
  SIZED(Grounder::default_frame(), sinew_grounder_frame_default, GROUNDER_FRAME);
  SIZED(Grounder::default_stepping(), sinew_stepping_settings_default, STEPPING_SETTINGS);
  SIZED(sinew::default_foot(), sinew_foot_model_default, FOOT_MODEL);
  SIZED(sinew::default_contact_rule(), sinew_contact_rule_default, CONTACT_RULE);
  SIZED(sinew::TrackedBody::default_settings(), sinew_tracked_body_settings_default, TRACKED_BODY_SETTINGS);
  SIZED(sinew::default_two_bone_job(), sinew_two_bone_job_default, TWO_BONE_JOB);
  SIZED(sinew::default_joint_limb_job(), sinew_joint_limb_job_default, JOINT_LIMB_JOB);
  SIZED(sinew::default_aim_job(), sinew_aim_job_default, AIM_JOB);
  SIZED(sinew::default_chain_job(), sinew_chain_job_default, CHAIN_JOB);
}

void definitions_with_arguments_change_those_only() {
  SinewBodyDrag drag{};
  CHECK((sinew_body_drag_default)(&drag) == SINEW_OK, "no drag");
  drag.joint = 3;
  drag.goal = {1, 2, 3};
  stated_size = 0;
  CHECK(is_same(Body::drag_to(3, {1, 2, 3}), drag) && stated_size == sizeof drag, "a drag, %u bytes", stated_size);
  SinewJointCoupling coupling{};
  CHECK((sinew_joint_coupling_default)(&coupling) == SINEW_OK, "no coupling");
  coupling.driver = 2;
  coupling.ratio = 0.5f;
  stated_size = 0;
  CHECK(is_same(Body::coupling(2, 0.5f), coupling) && stated_size == sizeof coupling, "a coupling, %u bytes", stated_size);
  for (std::int32_t kind = SINEW_BODY_TASK_KIND_POSITION; kind <= SINEW_BODY_TASK_KIND_HOST; ++kind) {
    SinewBodyTaskDef def{};
    CHECK((sinew_body_task_default)(static_cast<SinewBodyTaskKind>(kind), &def) == SINEW_OK, "no task");
    stated_size = 0;
    CHECK(is_same(Body::default_task(static_cast<BodyTaskKind>(kind)), def) && stated_size == sizeof def, "task %d", kind);
  }
  SinewBodyWork work{};
  CHECK(sinew_body_work_default(&work) == SINEW_OK && is_same(Body().work({}), work), "work of no body");
  SinewBodyTie tie{};
  CHECK(sinew_body_tie_default(&tie) == SINEW_OK, "no tie");
  tie.second_work = 1;
  CHECK(is_same(sinew::tie({}, {}), tie), "a tie of the first two works");
  SinewHumanRange range{};
  CHECK(sinew_human_range_default(SINEW_HUMAN_BONE_HEAD, &range) == SINEW_OK, "no range");
  CHECK(is_same(sinew::default_human_range(sinew::HumanBone::Head), range), "the head's range");
}

// Every enum class has the numbers of C; HumanBone is checked in the header.
void enums_have_the_numbers_of_c() {
  CHECK(static_cast<std::int32_t>(sinew::Lod::EveryNth) == SINEW_LOD_EVERY_NTH, "Lod");
  CHECK(static_cast<std::int32_t>(sinew::ConstraintPlacement::After) == SINEW_CONSTRAINT_PLACEMENT_AFTER, "placement");
  CHECK(sinew::status_of(SinewBodyOutcome{}) == sinew::Status::Inactive, "a body's status");
  CHECK(sinew::status_of(SinewBodyTaskOutcome{}) == sinew::Status::Inactive, "a task's status");
  const std::int32_t result = SINEW_ERROR_BUSY;
  CHECK(std::strstr(sinew::result_text(result), "SINEW_ERROR_BUSY") != nullptr, "%s", sinew::result_text(result));
}

}  // namespace

int main() {
  RUN(defaults_are_those_of_c_and_state_the_size_of_this_programs_struct);
  RUN(definitions_with_arguments_change_those_only);
  RUN(enums_have_the_numbers_of_c);
  return check_report();
}
