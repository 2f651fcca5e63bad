// A tail that is no humanoid's reaches for an apple: a chain of joints with limits and a new goal
// each frame.
//
//     c++ -std=c++17 -I include -I bindings/cpp examples/tail/tail.cpp -o tail -L LIBDIR -lsinew && ./tail
#include <sinew.hpp>

#include <iostream>
#include <vector>

int main() try {
  std::vector<std::int32_t> parents;
  std::vector<sinew::Transform> rest;  // joints along Y, 20 cm apart
  for (std::int32_t joint = 0; joint < 10; ++joint) {
    parents.push_back(joint - 1);
    rest.push_back({{0, joint == 0 ? 1.0f : 0.2f, 0}, {0, 0, 0, 1}, {1, 1, 1}});
  }
  auto animator = sinew::Animator::create(sinew::Skeleton::create(parents, rest));  // no avatar: any rig will do

  const sinew::ChainEnd tip[] = {{9, {0, 0.1f, 0}}};  // the point of the last joint that reaches the apple
  auto tail = sinew::Constraint::chain(animator, tip);
  tail.set_weight(1.0f);
  auto limits = sinew::Animator::default_joint_limits();
  limits.flags = SINEW_LIMIT_RANGE_X | SINEW_LIMIT_RANGE_Z;  // a cone of 40 degrees about X and Z; twist is free
  limits.min_rad = {-0.7f, 0, -0.7f};
  limits.max_rad = {0.7f, 0, 0.7f};
  for (std::uint32_t joint = 0; joint < 10; ++joint) animator.set_joint_limits(joint, limits);

  for (int frame = 0; frame < 60; ++frame) {
    animator.reset_pose();  // a game writes its animation here
    tail.set_position({0.8f, 2.2f - 0.01f * static_cast<float>(frame), 0.02f * static_cast<float>(frame)});
    animator.solve();
    if (sinew::status_of(tail.outcome()) != sinew::Status::Reached) return 1;
  }
  std::cout << "the tail followed, the last residual is " << tail.outcome().residual_m << " m\n";
  return 0;
} catch (const sinew::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
