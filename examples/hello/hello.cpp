#include <sinew/sinew.hpp>
#include <iostream>
#include <vector>

void hold(const std::vector<std::int32_t>& parents, const std::vector<sinew::Transform>& rest,
          const sinew::HumanMap& human_joints) {
  const auto skeleton = sinew::Skeleton::create(parents, rest);  // throws sinew::Error on bad input
  const auto avatar = sinew::Avatar::create(skeleton, human_joints);
  auto animator = sinew::Animator::create(skeleton, avatar);     // destroyed with its owner
  animator.set_ik_position(sinew::IkGoal::RightHand, {-0.3f, 1.2f, 0.4f});
  animator.set_ik_position_weight(sinew::IkGoal::RightHand, 1.0f);
  animator.set_look_at_position({-0.3f, 1.2f, 0.4f});
  animator.set_look_at_weight(1.0f);

  for (int frame = 0; frame < 60; ++frame) {
    animator.reset_pose();  // or write every joint from your animation: the pose holds the last result
    animator.pose()[0].position.y += 0.001f * static_cast<float>(frame);
    animator.solve();       // then read animator.pose()
  }
  std::cout << animator.ik_outcome(sinew::IkGoal::RightHand).residual_m << " m off\n";
}
