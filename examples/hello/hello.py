# The right hand goes to a point, and the head looks at it.
import numpy as np
from sinew import Animator, Avatar, IkGoal, Skeleton, World, transforms

# Fifteen joints in a T-pose that face +Z. Yours come from a file or from Blender.
joints = [("Hips", -1, (0, 1, 0)), ("Spine", 0, (0, 0.2, 0)), ("Head", 1, (0, 0.4, 0))]
for side, x in (("Left", 1), ("Right", -1)):
    first = len(joints)
    joints += [(f"{side}UpperArm", 1, (0.2 * x, 0.3, 0)), (f"{side}LowerArm", first, (0.28 * x, 0, 0)),
               (f"{side}Hand", first + 1, (0.25 * x, 0, 0)), (f"{side}UpperLeg", 0, (0.1 * x, 0, 0)),
               (f"{side}LowerLeg", first + 3, (0, -0.45, 0.01)), (f"{side}Foot", first + 4, (0, -0.45, -0.01))]
names, parents, positions = zip(*joints)

skeleton = Skeleton(parents, transforms(positions), names)  # parents before children; -1: a root
avatar = Avatar(skeleton)  # Mixamo, VRM, Unreal, Biped ... names, or your own table
animator = Animator(skeleton, avatar)
handle = (-0.3, 1.2, 0.4)  # world space, metres
animator.set_ik_position(IkGoal.RIGHT_HAND, handle)
animator.set_ik_position_weight(IkGoal.RIGHT_HAND, 1)
animator.set_look_at_position(handle)
animator.set_look_at_weight(1)

for frame in range(60):
    animator.pose = skeleton.rest  # rewrite every joint from your animation: it holds the last result
    animator.solve()  # then read animator.pose, an array of (joints, 10)
print(f"the hand is {animator.ik_outcome(IkGoal.RIGHT_HAND).residual_m:g} m off")

# A thousand characters in one call: the poses are one array of (characters, joints, 10).
crowd = World(skeleton, avatar, count=1000)
crowd.roots[:, 0] = np.arange(1000)  # a metre apart
crowd.set_ik_goal(IkGoal.RIGHT_HAND, crowd.roots[:, :3] + np.float32(handle))
crowd.solve()
worst = max(outcome.residual_m for outcome in crowd.ik_outcomes(IkGoal.RIGHT_HAND))
print(f"of a thousand hands the worst is {worst:g} m off")
