# Hold the cylinder, in Python: python hold_cylinder.py SCENE OUT
#
# The two functions to read are `setup` (once per character) and `on_animator_ik` (once per frame).
# Formats and arithmetic are those of ../README.md; numpy.float32 rounds to 32 bits after each
# operation, as the other hosts do.
import sys

import numpy as np
from sinew import TRANSFORM_FLOATS, Animator, Avatar, IkGoal, Skeleton

F = np.float32


def setup(scene):
    """Once per character: joints, human bones, and an animator to pose them."""
    skeleton = Skeleton(scene["parents"], scene["rest"], scene["names"])
    return Animator(skeleton, Avatar(skeleton, scene["human_joints"]))


def on_animator_ik(animator, weight, look_at, handle):
    """Once per frame, before the solve: goals and weights, with the names of Unity's Animator."""
    animator.set_look_at_weight(weight, 0, 1, 0, 0.5)
    animator.set_look_at_position(look_at)
    animator.set_ik_position_weight(IkGoal.RIGHT_HAND, weight)
    animator.set_ik_rotation_weight(IkGoal.RIGHT_HAND, weight)
    animator.set_ik_position(IkGoal.RIGHT_HAND, handle[0:3])
    animator.set_ik_rotation(IkGoal.RIGHT_HAND, handle[3:7])


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], F)


def rotate(q, v):
    t = cross(q[:3], v) * F(2)
    return (v + t * q[3]) + cross(q[:3], t)


def multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return np.array([
        aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz,
    ], F)


def to_world(parent, local):
    position = parent[0:3] + rotate(parent[3:7], local[0:3] * parent[7:10])
    return np.concatenate([position, multiply(parent[3:7], local[3:7])])


def read_scene(data):
    at = 0

    def take(dtype, count=1):
        nonlocal at
        values = np.frombuffer(data, dtype, count, at)
        at += values.nbytes
        return values if count != 1 else values[0]

    if take("S8") != b"SNWSCENE" or take("<u4") != 1:
        sys.exit("not a scene of version 1")
    joints, frames, delta_time_s = int(take("<u4")), int(take("<u4")), take("<f4")
    parents, human, rest, names = np.empty(joints, np.int32), np.full(55, -1, np.int32), [], []
    for joint in range(joints):
        parents[joint], bone = take("<i4"), take("<i4")
        if bone >= 0:
            human[bone] = joint
        rest.append(take("<f4", TRANSFORM_FLOATS))
        length = int(take("<u4"))
        names.append(data[at:at + length].decode())
        at += -(-length // 4) * 4
    handle_local = take("<f4", TRANSFORM_FLOATS)
    at += 8  # radius and length of the cylinder
    one = np.dtype([("active", "<u4"), ("root", "<f4", 10), ("cylinder", "<f4", 10), ("animation", "<f4", (joints, 10))])
    return {"parents": parents, "rest": np.array(rest), "names": names, "human_joints": human, "dt_s": delta_time_s,
            "handle": handle_local, "frames": take(one, frames)}


def main(scene_path, out_path):
    with open(scene_path, "rb") as file:
        scene = read_scene(file.read())
    animator = setup(scene)
    weight, poses = F(0), bytearray()
    out = bytearray(b"SNWPOSES" + np.array([1, len(scene["parents"]), len(scene["frames"])], "<u4").tobytes())
    step = scene["dt_s"] * F(2.5)
    for frame in scene["frames"]:
        weight = min(weight + step, F(1)) if frame["active"] else max(weight - step, F(0))

        animator.pose = frame["animation"]  # 1. the animation, and where the root is
        animator.set_root(frame["root"])
        on_animator_ik(animator, weight, frame["cylinder"][:3], to_world(frame["cylinder"], scene["handle"]))  # 2. goals
        animator.solve()  # 3. `animator.pose` now holds the result
        hand, look = animator.ik_outcome(IkGoal.RIGHT_HAND), animator.look_at_outcome()  # 4. how well it went

        out += weight.tobytes() + np.int32(hand.status).tobytes() + F(hand.residual_m).tobytes()
        out += F(hand.residual_rad).tobytes() + np.int32(look.status).tobytes() + F(look.residual_rad).tobytes()
        out += animator.pose.tobytes()
        poses += animator.pose.tobytes()
    with open(out_path, "wb") as file:
        file.write(out)
    value = 0xCBF29CE484222325
    for byte in poses:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    print(f"hash {value:016x}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python hold_cylinder.py SCENE OUT")
    main(*sys.argv[1:])
