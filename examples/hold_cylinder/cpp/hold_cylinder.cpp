// Hold the cylinder, in C++: the right hand takes hold of a handle while the head looks at it.
//
//     hold_cylinder SCENE OUT
//
// Does what ../c/hold_cylinder.c does, through sinew.hpp, and leaves the same file and the same
// hash. Build with -ffp-contract=off, or the hash differs where the compiler fuses multiplications
// into additions.
#if __has_include(<sinew/sinew.hpp>)
#include <sinew/sinew.hpp>  // installed
#else
#include "sinew.hpp"  // in the source tree: -I include -I bindings/cpp
#endif

#include "scene.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <exception>

namespace {

using sinew::Quat;
using sinew::Transform;
using sinew::Vec3;

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

Vec3 rotate(const Quat& q, const Vec3& v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 uv = cross(u, v);
  const Vec3 t{uv.x * 2.0f, uv.y * 2.0f, uv.z * 2.0f};
  const Vec3 c = cross(u, t);
  return {(v.x + t.x * q.w) + c.x, (v.y + t.y * q.w) + c.y, (v.z + t.z * q.w) + c.z};
}

Quat multiply(const Quat& a, const Quat& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Where a child stands in the world; no scale of its own.
Transform to_world(const Transform& parent, const Transform& local) {
  const Vec3 turned = rotate(parent.rotation, {local.position.x * parent.scale.x, local.position.y * parent.scale.y,
                                               local.position.z * parent.scale.z});
  return {{parent.position.x + turned.x, parent.position.y + turned.y, parent.position.z + turned.z},
          multiply(parent.rotation, local.rotation),
          local.scale};
}

// The weight eases in and out at 2.5 per second, so that the hand neither jumps to the handle nor
// away from it.
float ease(float weight, bool active, float delta_time_s) {
  const float step = delta_time_s * 2.5f;
  return active ? std::min(weight + step, 1.0f) : std::max(weight - step, 0.0f);
}

// Once per character. Skeleton and avatar may go: the animator keeps what it needs.
sinew::Animator setup(const Scene& scene) {
  const auto skeleton = sinew::Skeleton::create(scene.parents, scene.rest, scene.name_pointers());
  const auto avatar = sinew::Avatar::create(skeleton, scene.human_joints);
  return sinew::Animator::create(skeleton, avatar);
}

// Once per frame, before the solve: sets goals and weights. The names are those of Unity's
// Animator.
void on_animator_ik(sinew::Animator& animator, float weight, const Vec3& look_at, const Transform& handle) {
  const auto hand = sinew::IkGoal::RightHand;
  animator.set_look_at_weight(weight);
  animator.set_look_at_position(look_at);
  animator.set_ik_position_weight(hand, weight);
  animator.set_ik_rotation_weight(hand, weight);
  animator.set_ik_position(hand, handle.position);
  animator.set_ik_rotation(hand, handle.rotation);
}

void run(const char* scene_path, const char* out_path) {
  const Scene scene(scene_path);
  Writer writer(out_path, scene);
  sinew::Animator animator = setup(scene);
  const sinew::PoseView pose = animator.pose();  // stays where it is until the animator is destroyed
  float weight = 0.0f;

  for (const Frame& frame : scene.frames) {
    const Transform handle = to_world(frame.cylinder, scene.handle_local);
    weight = ease(weight, frame.ik_active, scene.delta_time_s);

    std::copy(frame.animation.begin(), frame.animation.end(), pose.begin());  // 1. the animation and where the root is
    animator.set_root(frame.root);
    on_animator_ik(animator, weight, frame.cylinder.position, handle);  // 2. goals and weights
    animator.solve();                                                   // 3. solve: `pose` now holds the result
    const auto hand = animator.ik_outcome(sinew::IkGoal::RightHand);    // 4. how well it went
    const auto look = animator.look_at_outcome();

    writer.f32(weight);
    writer.u32(static_cast<std::uint32_t>(hand.status));
    writer.f32(hand.residual_m);
    writer.f32(hand.residual_rad);
    writer.u32(static_cast<std::uint32_t>(look.status));
    writer.f32(look.residual_rad);
    writer.pose(pose);
  }
  writer.close();
  std::printf("hash %016" PRIx64 "\n", writer.hash());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: hold_cylinder SCENE OUT\n");
    return 2;
  }
  try {
    run(argv[1], argv[2]);
    return 0;
  } catch (const sinew::Error& error) {
    std::fprintf(stderr, "hold_cylinder: %s\n  %s\n", error.what(), sinew::result_text(error.code()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hold_cylinder: %s\n", error.what());
  }
  return 1;
}
