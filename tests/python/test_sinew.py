"""The Python package as a user has it: python -m unittest test_sinew, with the wheel installed.

Poses are judged by forward kinematics in float64, not by the library's own outcome.
"""

import gc
import unittest

import numpy as np
import sinew
from sinew import Animator, Avatar, HumanBone, IkGoal, IkHint, SinewError, Skeleton, Status, World, transforms


def person():
    joints = [("Hips", -1, (0, 1, 0)), ("Spine", 0, (0, 0.2, 0)), ("Head", 1, (0, 0.4, 0))]
    for side, x in (("Left", 1), ("Right", -1)):
        first = len(joints)
        joints += [(f"{side}UpperArm", 1, (0.2 * x, 0.3, 0)), (f"{side}LowerArm", first, (0.28 * x, 0, 0)),
                   (f"{side}Hand", first + 1, (0.25 * x, 0, 0)), (f"{side}UpperLeg", 0, (0.1 * x, 0, 0)),
                   (f"{side}LowerLeg", first + 3, (0, -0.45, 0.01)), (f"{side}Foot", first + 4, (0, -0.45, -0.01))]
    names, parents, positions = zip(*joints)
    return Skeleton(parents, transforms(positions), names)


def rotate(q, v):
    q, v = np.asarray(q, float), np.asarray(v, float)
    t = 2 * np.cross(q[:3], v)
    return v + q[3] * t + np.cross(q[:3], t)


def multiply(a, b):
    return np.append(a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3]), a[3] * b[3] - a[:3] @ b[:3])


def position_of(skeleton, pose, joint):
    """World position of a joint: its parents' transforms, in float64. No scales, root at the origin."""
    pose = np.asarray(pose, float)
    point, at = np.zeros(3), joint
    while at >= 0:
        point = pose[at, :3] + rotate(pose[at, 3:7], point)
        at = skeleton.parents[at]
    return point


class OneCharacter(unittest.TestCase):
    def setUp(self):
        self.skeleton = person()
        self.avatar = Avatar(self.skeleton)
        self.animator = Animator(self.skeleton, self.avatar)

    def test_a_hand_reaches(self):
        goal = np.array([-0.3, 1.2, 0.4])
        self.animator.set_ik_position(IkGoal.RIGHT_HAND, goal)
        self.animator.set_ik_position_weight(IkGoal.RIGHT_HAND, 1)
        self.animator.solve()
        hand = self.avatar.joint(HumanBone.RIGHT_HAND)
        self.assertEqual(hand, self.skeleton.find("RightHand"))
        found = position_of(self.skeleton, self.animator.pose, hand)
        self.assertLess(np.linalg.norm(found - goal), 1e-5)
        outcome = self.animator.ik_outcome(IkGoal.RIGHT_HAND)
        self.assertTrue(outcome.is_reached)
        np.testing.assert_allclose(self.animator.joint_world(hand)[0], found, atol=1e-6)
        np.testing.assert_allclose(self.animator.model_frames()[hand, :3], found, atol=1e-6)

    def test_out_of_reach_is_an_outcome(self):
        self.animator.set_ik_position(IkGoal.LEFT_FOOT, (9, 9, 9))
        self.animator.set_ik_position_weight(IkGoal.LEFT_FOOT, 1)
        self.animator.solve()
        self.assertEqual(self.animator.ik_outcome(IkGoal.LEFT_FOOT).status, Status.UNREACHABLE)

    def test_the_head_looks(self):
        goal = np.array([1.0, 1.8, 2.0])
        self.animator.set_look_at_position(goal)
        self.animator.set_look_at_weight(1, clamp=0)
        self.animator.solve()
        self.assertEqual(self.animator.look_at_outcome().status, Status.REACHED)

    def test_a_chain_reaches(self):
        tail = Skeleton([-1, 0, 1, 2, 3], transforms([(0, 0, 0)] + [(0, 0.5, 0)] * 4))
        animator = Animator(tail)
        chain = animator.add_chain(end=4, max_iterations=100)
        goal = np.array([0.5, 1.2, 0.3])
        chain.set_position(goal)
        animator.solve()
        self.assertLess(np.linalg.norm(position_of(tail, animator.pose, 4) - goal), 1e-5)
        self.assertTrue(chain.outcome().is_reached)
        chain.remove()
        with self.assertRaises(SinewError):
            chain.outcome()

    def test_a_limb_bends_to_its_pole(self):
        arm = Skeleton([-1, 0, 1], transforms([(0, 0, 0), (0.5, 0, 0), (0.5, 0, 0)]))
        animator = Animator(arm)
        reach = animator.add_two_bone(2)
        reach.set_position((0.7, 0, 0))
        for side in (1, -1):
            animator.reset_pose()
            reach.set_pole((0, 0, side))
            animator.solve()
            self.assertGreater(side * position_of(arm, animator.pose, 1)[2], 0.3)
            self.assertLess(np.linalg.norm(position_of(arm, animator.pose, 2) - (0.7, 0, 0)), 1e-5)

    def test_errors_name_function_argument_and_value(self):
        with self.assertRaises(SinewError) as caught:
            self.animator.set_ik_position(IkGoal.LEFT_HAND, (float("nan"), 0, 0))
        self.assertEqual(caught.exception.code, sinew.lib.SINEW_ERROR_NOT_FINITE)
        self.assertIn("sinew_animator_set_ik_position", str(caught.exception))
        for wrong in (lambda: Skeleton([-1], np.zeros((2, 10))), lambda: Skeleton([-1, 0], transforms([(0, 0, 0)] * 2), ["a"]),
                      lambda: self.animator.set_root((1, 2, 3)), lambda: Avatar(self.skeleton, [0, 1]),
                      lambda: Skeleton([0], transforms([(0, 0, 0)]))):
            with self.assertRaises(ValueError):
                wrong()

    def test_a_pose_outlives_its_animator(self):
        pose = Animator(self.skeleton, self.avatar).pose
        gc.collect()
        np.testing.assert_array_equal(pose, self.skeleton.rest)

    def test_what_is_dropped_is_destroyed(self):
        handle, valid = Animator(self.skeleton).handle, sinew.ffi.new("uint32_t *")
        gc.collect()
        sinew.must(sinew.lib.sinew_animator_is_valid(handle, valid))
        self.assertEqual(valid[0], 0)


class Crowd(unittest.TestCase):
    def test_the_bits_are_those_of_single_animators(self):
        skeleton, count = person(), 37
        avatar = Avatar(skeleton)
        random = np.random.default_rng(1)
        goals = random.uniform((-0.5, 1.0, 0.1), (-0.1, 1.6, 0.5), (count, 3)).astype(np.float32)
        looks = random.uniform(-1, 2, (count, 3)).astype(np.float32)
        weights = random.uniform(0, 1, count).astype(np.float32)
        world = World(skeleton, avatar, count)
        world.roots[:, 0] = np.arange(count)
        world.set_ik_goal(IkGoal.RIGHT_HAND, goals + world.roots[:, :3], weight=weights)
        world.set_ik_hint(IkHint.RIGHT_ELBOW, world.roots[:, :3] + np.float32([0, 0, -1]))
        world.set_look_at(looks + world.roots[:, :3], weight=0.5)
        world.solve()
        self.assertTrue((world.results == 0).all())
        for i in range(count):
            one = Animator(skeleton, avatar)
            one.set_root(world.roots[i])
            one.set_ik_position(IkGoal.RIGHT_HAND, goals[i] + world.roots[i, :3])
            one.set_ik_position_weight(IkGoal.RIGHT_HAND, weights[i])
            one.set_ik_hint_position(IkHint.RIGHT_ELBOW, world.roots[i, :3] + np.float32([0, 0, -1]))
            one.set_ik_hint_position_weight(IkHint.RIGHT_ELBOW, 1)
            one.set_look_at_position(looks[i] + world.roots[i, :3])
            one.set_look_at_weight(0.5)
            one.solve()
            self.assertEqual(one.pose.tobytes(), world.poses[i].tobytes(), i)

    def test_goals_that_are_taken_back_change_nothing(self):
        skeleton = person()
        world = World(skeleton, Avatar(skeleton), 3)
        world.set_ik_goal(IkGoal.LEFT_HAND, (0.4, 1.2, 0.3))
        world.set_ik_goal(IkGoal.LEFT_HAND)
        world.solve()
        np.testing.assert_array_equal(world.poses, np.repeat(skeleton.rest[None], 3, axis=0))

    def test_wrong_arrays_are_refused(self):
        skeleton = person()
        world = World(skeleton, count=2)
        world.poses = world.poses.astype(np.float64)
        with self.assertRaises(ValueError):
            world.solve()


class TheWholeInterface(unittest.TestCase):
    def test_functions_without_a_class_are_callable(self):
        out = sinew.ffi.new("const char **")
        sinew.must(sinew.lib.sinew_result_text(sinew.lib.SINEW_ERROR_BUSY, out))
        self.assertIn("SINEW_ERROR_BUSY", sinew.ffi.string(out[0]).decode())
        self.assertEqual(sinew.default("SinewTwoBoneDef", softness=0.5).softness, 0.5)
        self.assertEqual(len(HumanBone), sinew.lib.SINEW_HUMAN_BONE_COUNT)


class TheManual(unittest.TestCase):
    def test_the_pages_program_runs(self):
        with open("README.md", encoding="utf-8") as page:
            code = page.read().split("```python\n")[1].split("```")[0]
        skeleton = person()
        names = {"parents": skeleton.parents, "rest": skeleton.rest, "names": list(skeleton.names),
                 "animation": [skeleton.rest], "frame": 0}
        exec(code, names)
        self.assertEqual(names["result"].shape, skeleton.rest.shape)
        self.assertLess(names["animator"].ik_outcome(IkGoal.RIGHT_HAND).residual_m, 1.0)


if __name__ == "__main__":
    unittest.main()
