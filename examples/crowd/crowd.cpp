// A crowd on its own thread pool: crowd [CHARACTERS] [FRAMES] [THREADS]. See README.md.
#include <sinew.hpp>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace {

// The pool that a game has anyway. Work is a job with a number of parts; a free thread takes the
// next few.
class Pool {
 public:
  explicit Pool(unsigned threads) {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ends_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  // What World::set_jobs takes. Nothing here throws.
  void* enqueue(SinewJob job, std::uint32_t count, std::uint32_t grain) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      job_ = job;
      next_ = 0;
      open_ = count_ = count;
      grain_ = grain;
    }
    wake_.notify_all();
    return this;
  }
  void wait(void*) {
    // The thread that waits can as well help.
    while (run_some()) {
    }
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [&] { return open_ == 0; });
  }

 private:
  bool run_some() {
    SinewJob job;
    std::uint32_t begin, end;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (next_ == count_) return false;
      job = job_;
      begin = next_;
      end = next_ = count_ - begin < grain_ ? count_ : begin + grain_;
    }
    (void)sinew::run_job(job, begin, end);
    {
      std::lock_guard<std::mutex> lock(mutex_);
      open_ -= end - begin;
      if (open_ != 0) return true;
    }
    done_.notify_all();
    return true;
  }
  void work() {
    for (;;) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return ends_ || next_ != count_; });
        if (ends_) return;
      }
      run_some();
    }
  }

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  SinewJob job_{0};
  std::uint32_t next_ = 0, count_ = 0, open_ = 0, grain_ = 1;
  bool ends_ = false;
};

// The fifteen bones that every humanoid has, in T-pose: Y up, facing Z, left limbs at negative x.
struct Joint {
  sinew::HumanBone bone;
  int parent;
  float x, y, z;
};
using sinew::HumanBone;
const Joint JOINTS[] = {
    {HumanBone::Hips, -1, 0, 0.95f, 0},
    {HumanBone::LeftUpperLeg, 0, -0.09f, 0.93f, 0},       {HumanBone::LeftLowerLeg, 1, -0.09f, 0.50f, 0.005f},
    {HumanBone::LeftFoot, 2, -0.09f, 0.08f, -0.02f},      {HumanBone::RightUpperLeg, 0, 0.09f, 0.93f, 0},
    {HumanBone::RightLowerLeg, 4, 0.09f, 0.50f, 0.005f},  {HumanBone::RightFoot, 5, 0.09f, 0.08f, -0.02f},
    {HumanBone::Spine, 0, 0, 1.05f, 0},                   {HumanBone::Head, 7, 0, 1.58f, 0},
    {HumanBone::LeftUpperArm, 7, -0.18f, 1.42f, -0.01f},  {HumanBone::LeftLowerArm, 9, -0.50f, 1.42f, -0.02f},
    {HumanBone::LeftHand, 10, -0.76f, 1.42f, -0.01f},     {HumanBone::RightUpperArm, 7, 0.18f, 1.42f, -0.01f},
    {HumanBone::RightLowerArm, 12, 0.50f, 1.42f, -0.02f}, {HumanBone::RightHand, 13, 0.76f, 1.42f, -0.01f},
};
constexpr std::size_t JOINT_COUNT = sizeof JOINTS / sizeof JOINTS[0];

struct Crowd {
  std::vector<sinew::Animator> animators;
  sinew::World world;
  // The host's memory, by row: what its animation system fills, and what the solve leaves.
  std::vector<sinew::Transform> poses, roots;
  std::vector<sinew::HumanoidInput> inputs;
  std::vector<sinew::Transform> rest;

  explicit Crowd(std::size_t count) : world(sinew::World::create()), poses(count * JOINT_COUNT), roots(count), inputs(count) {
    std::vector<std::int32_t> parents;
    sinew::HumanMap human;
    human.fill(-1);
    for (const Joint& joint : JOINTS) {
      const Joint root{joint.bone, -1, 0, 0, 0}, &parent = joint.parent < 0 ? root : JOINTS[joint.parent];
      human[static_cast<std::size_t>(joint.bone)] = static_cast<std::int32_t>(parents.size());
      parents.push_back(joint.parent);
      rest.push_back({{joint.x - parent.x, joint.y - parent.y, joint.z - parent.z}, {0, 0, 0, 1}, {1, 1, 1}});
    }
    const auto skeleton = sinew::Skeleton::create(parents, rest);
    const auto avatar = sinew::Avatar::create(skeleton, human);
    for (std::size_t row = 0; row < count; ++row) {
      animators.push_back(sinew::Animator::create(skeleton, avatar));
      world.join(animators.back());  // row after row
    }
  }

  // The game's part of a frame: animation, places, goals.
  void animate(std::size_t row, float time) {
    const float phase = 0.37f * static_cast<float>(row) + 2 * time;
    const float side = static_cast<float>(row % 100), back = static_cast<float>(row / 100);
    sinew::Transform* pose = &poses[row * JOINT_COUNT];
    std::memcpy(pose, rest.data(), JOINT_COUNT * sizeof *pose);
    pose[7].rotation = {0, std::sin(0.1f * std::sin(phase)), 0, std::cos(0.1f * std::sin(phase))};
    roots[row] = {{side, 0, back}, {0, 0, 0, 1}, {1, 1, 1}};
    sinew::HumanoidInput& input = inputs[row];
    input = sinew::default_input();
    input.set = SINEW_INPUT_RIGHT_HAND_POSITION | SINEW_INPUT_LOOK_AT_POSITION;
    input.goals[SINEW_IK_GOAL_RIGHT_HAND].position = {side + 0.3f, 1.2f + 0.1f * std::sin(phase), back + 0.35f};
    input.goals[SINEW_IK_GOAL_RIGHT_HAND].position_weight = 1;
    input.look_at_position = input.goals[SINEW_IK_GOAL_RIGHT_HAND].position;
    input.look_at_weight = {1, 0, 1, 0, 0.5f};
  }

  sinew::WorldReport solve() {
    sinew::WorldFrame frame = sinew::World::default_frame();
    frame.row_count = static_cast<std::uint32_t>(roots.size());
    frame.layout = SINEW_POSE_LAYOUT_RECORDS;
    frame.records = poses.data();
    frame.records_stride = JOINT_COUNT * sizeof(sinew::Transform);
    frame.roots = roots.data();
    frame.roots_stride = sizeof roots[0];
    frame.inputs = inputs.data();
    frame.inputs_stride = sizeof inputs[0];
    return world.solve(frame);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10000;
  const int frames = argc > 2 ? std::atoi(argv[2]) : 60;
  const unsigned threads = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : std::thread::hardware_concurrency();
  try {
    Pool pool(threads > 1 ? threads - 1 : 1);
    Crowd crowd(count), alone(count < 64 ? count : 64);
    crowd.world.set_jobs(pool);
    double seconds = 0;
    float worst = 0;
    for (int f = 0; f < frames; ++f) {
      for (std::size_t row = 0; row < count; ++row) crowd.animate(row, static_cast<float>(f) / 60);
      const auto begin = std::chrono::steady_clock::now();
      const sinew::WorldReport report = crowd.solve();
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (report.solved != count) {
        std::printf("only %u of %zu were solved\n", report.solved, count);
        return 1;
      }
      // The first ones again, on this thread alone: the same bits.
      for (std::size_t row = 0; row < alone.roots.size(); ++row) alone.animate(row, static_cast<float>(f) / 60);
      alone.solve();
      if (std::memcmp(alone.poses.data(), crowd.poses.data(), alone.poses.size() * sizeof alone.poses[0]) != 0) {
        std::printf("frame %d has other bits than on one thread\n", f);
        return 1;
      }
    }
    for (const sinew::Animator& animator : crowd.animators) {
      const float residual = animator.ik_outcome(sinew::IkGoal::RightHand).residual_m;
      worst = residual > worst ? residual : worst;
    }
    std::printf("%zu characters, %d frames: %.2f ms per frame in the solve; hands at most %.1e m off\n", count, frames,
                1000 * seconds / (frames > 0 ? frames : 1), static_cast<double>(worst));
    return worst < 1e-4f ? 0 : 1;
  } catch (const sinew::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
