// sinew::World: members, levels, threads, and the same bits as animators solved alone.
#include "thrown.hpp"

#include <cmath>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

using sinew::Animator;
using sinew::Avatar;
using sinew::Skeleton;
using sinew::World;

static_assert(!std::is_copy_constructible<World>::value && std::is_nothrow_move_constructible<World>::value, "move-only");

/// Animators in a world, each beside a twin that is solved alone.
struct Crowd {
  const Tables tables{true};
  const Skeleton skeleton = Skeleton::create(tables.parents, tables.rest, tables.names);
  const Avatar avatar = Avatar::create(skeleton, tables.human);
  World world = World::create();
  std::vector<Animator> crowd, alone;

  explicit Crowd(std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) {
      for (auto* list : {&crowd, &alone}) {
        list->push_back(Animator::create(skeleton, avatar));
        list->back().set_ik_position(sinew::IkGoal::LeftHand, {-0.3f, 1.0f + 0.02f * static_cast<float>(k), 0.3f});
        list->back().set_ik_position_weight(sinew::IkGoal::LeftHand, 1);
      }
      CHECK(world.join(crowd.back()) == k, "row");
      alone.back().solve();
    }
  }
  void check_that_twins_have_the_same_bits() {
    for (std::size_t k = 0; k < crowd.size(); ++k) {
      const auto a = crowd[k].pose(), b = alone[k].pose();
      CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0, "other bits than alone");
    }
  }
};

void a_world_solves_its_members_as_they_are_solved_alone() {
  Crowd members(20);
  World& world = members.world;
  std::vector<Animator>& crowd = members.crowd;
  const sinew::WorldReport report = world.solve();
  CHECK(report.solved == 20 && report.failed == 0 && world.count() == 20 && world.row_count() == 20, "report");
  members.check_that_twins_have_the_same_bits();
  world.set_lod_off(crowd[3]);
  world.set_lod_interval(crowd[4], 4);
  CHECK(world.solve().off == 1, "off");
  CHECK(world.animator(3).bits == crowd[3].handle().bits, "another animator in the row");
  CHECK(code_of([&] { (void)world.animator(20); }) == SINEW_ERROR_OUT_OF_RANGE, "no such row");
  world.set_lod_iterations(crowd[5], 0.25f);
  const sinew::LevelOfDetail off = world.lod(crowd[3]), nth = world.lod(crowd[4]), part = world.lod(crowd[5]);
  CHECK(off.lod == sinew::Lod::Off && off.fraction == 0.0f && off.calls == 0, "off");
  CHECK(nth.lod == sinew::Lod::EveryNth && nth.fraction == 1.0f && nth.calls == 4, "every fourth call");
  CHECK(part.lod == sinew::Lod::ReducedIterations && part.fraction == 0.25f && part.calls == 1, "a quarter");
  CHECK(world.lod(crowd[0]).lod == sinew::Lod::Full, "not the default");
  world.leave(crowd[3]);
  CHECK(world.animator(3).bits == 0, "the row is not free");
  CHECK(code_of([&] { (void)world.lod(crowd[3]); }) == SINEW_ERROR_NOT_MEMBER, "a level without a world");
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

// The host's jobs: a thread of their own for the first half of the parts, the waiting thread for
// the rest.
struct Jobs {
  std::mutex mutex;
  std::thread thread;
  SinewJob job{0};
  std::uint32_t half = 0, count = 0;
  int enqueued = 0, waited = 0;
  SinewResult results[2] = {SINEW_OK, SINEW_OK};

  void* enqueue(SinewJob given, std::uint32_t parts, std::uint32_t grain) {
    ++enqueued;
    CHECK(grain >= 1 && parts >= 1, "a job of nothing");
    job = given;
    count = parts;
    half = parts / 2;
    thread = std::thread([this] { results[0] = sinew::run_job(job, 0, half); });
    return this;
  }
  void wait(void* task) {
    ++waited;
    CHECK(task == this, "another task");
    results[1] = sinew::run_job(job, half, count);
    thread.join();
  }
};

void an_object_of_the_host_runs_the_jobs() {
  Crowd members(40);
  World& world = members.world;
  Jobs jobs;
  world.set_jobs(jobs);
  CHECK(world.solve().solved == 40 && jobs.enqueued > 0 && jobs.waited == jobs.enqueued, "%d jobs", jobs.enqueued);
  CHECK(jobs.results[0] == SINEW_OK && jobs.results[1] == SINEW_OK, "parts failed");
  members.check_that_twins_have_the_same_bits();
  CHECK(sinew::run_job(jobs.job, 0, 1) == SINEW_ERROR_INVALID_HANDLE, "a job that is over");
  world.clear_jobs();
  const int before = jobs.enqueued;
  (void)world.solve();
  CHECK(jobs.enqueued == before, "the jobs are still called");
}

void a_report_is_written_where_some_fail() {
  const Tables tables;
  const Skeleton skeleton = Skeleton::create(tables.parents, tables.rest, tables.names);
  World world = World::create();
  std::vector<Animator> crowd;
  for (int k = 0; k < 3; ++k) {
    crowd.push_back(Animator::create(skeleton));
    world.join(crowd.back());
  }
  crowd[1].pose()[2].position.x = NAN;
  std::int32_t results[3] = {-1, -1, -1};
  sinew::WorldFrame frame = World::default_frame();
  frame.row_count = 3;
  frame.out_results = results;
  sinew::WorldReport report{};
  CHECK(code_of([&] { world.solve(frame, report); }) == SINEW_ERROR_NOT_FINITE, "no error");
  CHECK(report.solved == 2 && report.failed == 1, "%u solved, %u failed", report.solved, report.failed);
  CHECK(results[0] == SINEW_OK && results[1] == SINEW_ERROR_NOT_FINITE && results[2] == SINEW_OK, "codes of the rows");
}

}  // namespace

int main() {
  RUN(an_object_of_the_host_runs_the_jobs);
  RUN(a_report_is_written_where_some_fail);
  RUN(a_world_solves_its_members_as_they_are_solved_alone);
  RUN(a_worlds_own_arrays_are_solved_in_place);
  return check_report();
}
