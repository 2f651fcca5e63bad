// sinew::World: members, levels, threads, and the same bits as animators solved alone.
#include "check.hpp"

#include <cstring>

namespace {

using sinew::Animator;
using sinew::Avatar;
using sinew::Skeleton;
using sinew::World;

static_assert(!std::is_copy_constructible<World>::value && std::is_nothrow_move_constructible<World>::value, "move-only");

void a_world_solves_its_members_as_they_are_solved_alone() {
  const Tables tables(true);
  const Skeleton skeleton = Skeleton::create(tables.parents, tables.rest, tables.names);
  const Avatar avatar = Avatar::create(skeleton, tables.human);
  World world = World::create();
  std::vector<Animator> crowd, alone;
  for (std::uint32_t k = 0; k < 20; ++k) {
    for (auto* list : {&crowd, &alone}) {
      list->push_back(Animator::create(skeleton, avatar));
      list->back().set_ik_position(sinew::IkGoal::LeftHand, {-0.3f, 1.0f + 0.02f * static_cast<float>(k), 0.3f});
      list->back().set_ik_position_weight(sinew::IkGoal::LeftHand, 1);
    }
    CHECK(world.join(crowd.back()) == k, "row");
    alone.back().solve();
  }
  const sinew::WorldReport report = world.solve();
  CHECK(report.solved == 20 && report.failed == 0 && world.count() == 20 && world.row_count() == 20, "report");
  for (std::size_t k = 0; k < crowd.size(); ++k) {
    const auto a = crowd[k].pose(), b = alone[k].pose();
    CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0, "other bits than alone");
  }
  world.set_lod_off(crowd[3]);
  world.set_lod_interval(crowd[4], 4);
  CHECK(world.solve().off == 1, "off");
  world.leave(crowd[3]);
  SinewResult code = SINEW_OK;
  try {
    world.leave(crowd[3]);
  } catch (const sinew::Error& error) {
    code = error.code();
  }
  CHECK(code == SINEW_ERROR_NOT_MEMBER, "left twice");
  crowd.pop_back();  // a destroyed animator has left
  const sinew::WorldReport left = world.solve();
  CHECK(left.solved + left.between == 18 && world.count() == 18, "destroyed");
  World other = std::move(world);
  CHECK(!world.is_valid() && other.is_valid(), "moved");
}

void a_worlds_own_arrays_are_solved_in_place() {
  const Tables tables(true);
  const Skeleton skeleton = Skeleton::create(tables.parents, tables.rest, tables.names);
  const Avatar avatar = Avatar::create(skeleton, tables.human);
  World world = World::create();
  std::vector<Animator> crowd;
  for (std::uint32_t k = 0; k < 11; ++k) {
    crowd.push_back(Animator::create(skeleton, avatar));
    crowd.back().set_ik_position(sinew::IkGoal::LeftHand, {-0.3f, 1.0f + 0.02f * static_cast<float>(k), 0.3f});
    crowd.back().set_ik_position_weight(sinew::IkGoal::LeftHand, 1);
    world.join(crowd.back());
  }
  world.set_arrays(sinew::PoseArrays::LocalsAndFrames);
  sinew::WorldFrame frame = World::default_frame();
  frame.layout = SINEW_POSE_LAYOUT_SOA;
  CHECK(world.solve(frame).solved == 11, "report");
  for (const Animator& animator : crowd) {
    const sinew::WorldArrays arrays = world.arrays(animator);
    const_cast<Animator&>(animator).solve();
    const auto alone = animator.pose();
    for (std::size_t j = 0; j < alone.size(); ++j) {
      const float* numbers = &alone[j].position.x;
      for (std::size_t n = 0; n < 7; ++n) {
        CHECK(arrays.locals[(7 * j + n) * 8 + arrays.place] == numbers[n], "other bits than alone");
      }
    }
  }
}

}  // namespace

int main() {
  RUN(a_world_solves_its_members_as_they_are_solved_alone);
  RUN(a_worlds_own_arrays_are_solved_in_place);
  return check_report();
}
