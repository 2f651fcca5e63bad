// A stranger's program: it knows the installed header and nothing else.
#include <sinew/sinew.hpp>

#include <cstdio>
#include <vector>

int main() {
  try {
    const std::vector<std::int32_t> parents{-1, 0};
    const std::vector<sinew::Transform> rest{{{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {{0, 2, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
    const std::vector<const char*> names{"root", "tip"};
    const auto skeleton = sinew::Skeleton::create(parents, rest, names);
    auto animator = sinew::Animator::create(skeleton);
    animator.solve();
    if (animator.joint_position(skeleton.find_joint("tip")).y != 2.0f) return 2;
    const auto version = sinew::version();
    std::printf("ok consumer in C++, Sinew %u.%u.%u\n", version.major, version.minor, version.patch);
    return 0;
  } catch (const sinew::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
