// sinew.hpp without exceptions: everything returns Result or Expected. Selected by
// SINEW_NO_EXCEPTIONS, or (built with -fno-exceptions and SINEW_TEST_DETECT) noticed by the header
// itself.
#ifndef SINEW_TEST_DETECT
#define SINEW_NO_EXCEPTIONS
#endif
#include "check.hpp"

#ifndef SINEW_NO_EXCEPTIONS
#error "sinew.hpp did not notice that there are no exceptions"
#endif

namespace {

using sinew::Animator;
using sinew::Avatar;
using sinew::Skeleton;

void success_and_failure_are_values() {
  const Tables tables;
  sinew::Expected<Skeleton> skeleton = Skeleton::create(tables.parents, tables.rest, tables.names);
  REQUIRE(skeleton && skeleton.code() == SINEW_OK, "no skeleton");
  auto avatar = Avatar::create(*skeleton, tables.human);
  REQUIRE(avatar, "no avatar: %s", sinew::last_error());
  auto made = Animator::create(*skeleton, *avatar);
  REQUIRE(made, "no animator: %s", sinew::last_error());
  Animator animator = *std::move(made);
  CHECK(!*made, "the value was not moved out");

  const sinew::Result bad = animator.set_ik_position(sinew::IkGoal::RightHand, {0, 0, static_cast<float>(NAN)});
  CHECK(!bad && bad.code() == SINEW_ERROR_NOT_FINITE, "code %d", static_cast<int>(bad.code()));
  CHECK(strstr(sinew::last_error(), "position.z") != nullptr, "%s", sinew::last_error());
  CHECK(strstr(sinew::result_text(bad.code()), "SINEW_ERROR_NOT_FINITE") != nullptr, "%s", sinew::result_text(bad.code()));

  CHECK(animator.set_ik_position(sinew::IkGoal::RightHand, {0.35f, 1.25f, 0.4f}), "set");
  CHECK(animator.set_ik_position_weight(sinew::IkGoal::RightHand, 1.0f), "weight");
  CHECK(animator.solve(), "solve");
  const auto outcome = animator.ik_outcome(sinew::IkGoal::RightHand);
  CHECK(outcome && sinew::status_of(*outcome) == sinew::Status::Reached && outcome->residual_m < 1e-5f, "not reached");

  auto reach = sinew::Constraint::chain(animator, RIG_RIGHT_HAND, 3);
  REQUIRE(reach, "no chain: %s", sinew::last_error());
  CHECK(reach->set_weight(1.0f) && reach->set_position({0.3f, 1.2f, 0.35f}) && animator.solve(), "%s", sinew::last_error());
  const auto left = reach->outcome();
  CHECK(left && sinew::status_of(*left) == sinew::Status::Reached, "the chain did not reach");
  const auto no_chain = sinew::Constraint::chain(animator, RIG_RIGHT_HAND, 99);
  CHECK(!no_chain && no_chain.code() == SINEW_ERROR_INVALID_CHAIN && !*no_chain, "a chain of 99 joints");
  CHECK(reach->remove() && !reach->remove(), "removed twice");

  CHECK(animator.is_human().has_value() && *animator.is_human() && animator.is_human().value_or(false), "a human");
  CHECK(!Animator().is_human().has_value() && !Animator().is_human().value_or(false), "the null animator is human");
  CHECK(skeleton->find_joint("nobody").value_or(7) == 7 && skeleton->find_joint("Head").value_or(7) == RIG_HEAD, "value_or");
  const auto no_joint = skeleton->find_joint("nobody");
  CHECK(!no_joint && no_joint.code() == SINEW_ERROR_JOINT_NOT_FOUND && *no_joint == 0, "a joint that is not there");
  sinew::HumanMap nobody;
  nobody.fill(-1);
  const auto no_avatar = Avatar::create(*skeleton, nobody);
  CHECK(!no_avatar && no_avatar.code() == SINEW_ERROR_MISSING_BONE && !*no_avatar, "an avatar without bones");
  int lines = 0;
  CHECK(animator.draw([&](const sinew::Vec3&, const sinew::Vec3&, sinew::DebugPart) { ++lines; }), "draw");
  CHECK(lines > 0, "no lines");
  const auto polled = animator.debug_lines();
  CHECK(polled && polled->size() == static_cast<std::size_t>(lines), "other lines polled than drawn");
}

// What the header itself refuses has a text of its own, until the library refuses something.
void refusals_have_a_text() {
  const Tables tables;
  std::vector<sinew::Transform> rest(2);
  const auto skeleton = Skeleton::create(tables.parents, rest);
  CHECK(!skeleton && skeleton.code() == SINEW_ERROR_LENGTH_MISMATCH, "code %d", static_cast<int>(skeleton.code()));
  CHECK(strstr(sinew::last_error(), "sinew::Skeleton::create: rest has 2 elements") != nullptr, "%s", sinew::last_error());
  std::vector<sinew::TwoBoneJob> jobs(2);
  std::vector<sinew::TwoBoneResult> results(1);
  const sinew::Result unequal = sinew::solve_batch(jobs, results);
  CHECK(unequal.code() == SINEW_ERROR_LENGTH_MISMATCH, "code %d", static_cast<int>(unequal.code()));
  CHECK(strstr(sinew::last_error(), "sinew::solve_batch: results has 1 elements, not 2") != nullptr, "%s", sinew::last_error());
  Animator none;
  CHECK(!none.solve() && strstr(sinew::last_error(), "sinew_animator_solve") != nullptr, "%s", sinew::last_error());
  // The library's message is the same as before the refusal, and newer nevertheless.
  CHECK(!sinew::solve_batch(jobs, results) && !none.solve(), "both fail");
  CHECK(strstr(sinew::last_error(), "sinew_animator_solve") != nullptr, "%s", sinew::last_error());
}

}  // namespace

int main() {
  RUN(refusals_have_a_text);
  RUN(success_and_failure_are_values);
  return check_report();
}
