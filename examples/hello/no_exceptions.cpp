#define SINEW_NO_EXCEPTIONS  // or compile with -fno-exceptions
#include <sinew/sinew.hpp>
#include <cstdio>

bool hold(const sinew::Skeleton& skeleton, const sinew::Avatar& avatar) {
  auto made = sinew::Animator::create(skeleton, avatar);  // an Expected<Animator>
  if (!made) return std::puts(sinew::last_error()), false;
  sinew::Animator animator = *std::move(made);
  const sinew::Result set = animator.set_ik_position(sinew::IkGoal::RightHand, {-0.3f, 1.2f, 0.4f});
  if (!set || !animator.set_ik_position_weight(sinew::IkGoal::RightHand, 1.0f) || !animator.solve())
    return std::puts(sinew::last_error()), false;  // function, argument, value
  const auto outcome = animator.ik_outcome(sinew::IkGoal::RightHand);
  return outcome && sinew::status_of(*outcome) == sinew::Status::Reached;
}
