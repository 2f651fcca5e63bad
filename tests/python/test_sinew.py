"""The Python package as a user has it: python -m unittest test_sinew, with the wheel installed.

Poses are judged by forward kinematics in float64, not by the library's own outcome.
"""

import gc
import importlib.util
import inspect
import mmap
import os
import subprocess
import sys
import tempfile
import unittest
from enum import IntEnum
from pathlib import Path

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


def crowd(count=4):
    skeleton = person()
    world = World(skeleton, Avatar(skeleton), count)
    world.set_ik_goal(IkGoal.RIGHT_HAND, (-0.3, 1.2, 0.4))
    return world


class Refused(unittest.TestCase):
    def assert_refused(self, call, *words):
        with self.assertRaises(ValueError) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))


class ArraysOfAWorld(Refused):
    def test_read_only_poses_are_refused_and_stay(self):
        world = crowd()
        numbers = world.poses.tobytes()
        kept = bytes(bytearray(numbers))
        world.poses = np.frombuffer(numbers, np.float32).reshape(world.poses.shape)
        self.assert_refused(world.solve, "poses", "read-only")
        self.assertEqual(numbers, kept)
        # The same from a file that is mapped for reading: writing there ended the process.
        with tempfile.TemporaryFile() as file:
            file.write(kept)
            file.flush()
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                world.poses = np.frombuffer(mapped, np.float32).reshape(4, 15, 10)
                self.assert_refused(world.solve, "poses", "read-only")
                world.poses = world.poses.copy()

    def test_every_array_has_the_type_shape_and_order_that_c_expects(self):
        good = crowd()
        wide = np.zeros((8, 15, 10), np.float32)
        wrong = {
            "poses": [wide, wide[::2], good.poses.astype(float), good.poses.tolist(), good.poses[:3], None],
            "roots": [good.roots[:1], np.asfortranarray(good.roots), good.roots.astype(float)],
            "inputs": [good.inputs[:1], np.zeros(4, np.float32), np.repeat(good.inputs, 2)[::2]],
            "results": [np.zeros(0, np.int32), np.zeros(4, np.int64), [0] * 4, np.zeros(8, np.int32)[::2],
                        np.broadcast_to(np.int32(0), 4)],
            "states": [np.zeros(3, np.int32), np.zeros(4, np.float32), np.frombuffer(bytes(16), np.int32),
                       np.frombuffer(bytearray(17), np.int32, 4, 1)],
        }
        for name, arrays in wrong.items():
            for array in arrays:
                world = crowd()
                setattr(world, name, array)
                self.assert_refused(world.solve, name)
        good.roots.flags.writeable = good.inputs.flags.writeable = False  # C reads these two
        good.solve()

    def test_written_arrays_share_no_memory(self):
        world = crowd()
        world.states = world.results
        self.assert_refused(world.solve, "states", "shares memory with results")
        world = crowd()
        world.results = world.poses.reshape(-1)[:4].view(np.int32)
        self.assert_refused(world.solve, "results", "shares memory with poses")
        both = np.zeros(8, np.int32)
        world.results, world.states = both[:4], both[4:]
        world.solve()

    def test_goals_have_a_row_or_one_per_character_and_nothing_changes_when_refused(self):
        world = crowd()
        before = world.inputs.tobytes()
        for wrong in (np.zeros((4, 1)), np.zeros((3, 3)), 1.0, np.zeros((4, 4))):
            self.assert_refused(lambda: world.set_ik_goal(IkGoal.LEFT_HAND, wrong), "positions", "shape")
            self.assert_refused(lambda: world.set_ik_hint(IkHint.LEFT_ELBOW, wrong), "positions", "shape")
            self.assert_refused(lambda: world.set_look_at(wrong), "positions", "shape")
        self.assert_refused(lambda: world.set_ik_goal(IkGoal.LEFT_HAND, (0, 0, 0), weight=[1, 1]), "weight", "(2,)")
        self.assert_refused(lambda: world.set_ik_goal(IkGoal.LEFT_HAND, (0, 0, 0), (0, 0, 1)), "rotations")
        self.assert_refused(lambda: world.set_look_at((0, 0, 0), eyes=[1, 2, 3]), "eyes")
        for wrong in (-1, 7):
            self.assert_refused(lambda: world.set_ik_goal(wrong, (0, 0, 0)), "IkGoal")
        self.assertEqual(world.inputs.tobytes(), before)
        self.assert_refused(lambda: World(person(), None, -3), "count", "-3")

    def test_none_clears_a_hint_and_a_look_at(self):
        world = crowd()
        blank = world.inputs.copy()
        world.set_ik_hint(IkHint.LEFT_KNEE, (0, 0, 1))
        world.set_ik_hint(IkHint.LEFT_KNEE, None)
        world.set_look_at((0, 1, 5))
        world.set_look_at(None)
        np.testing.assert_array_equal(world.inputs["set"], blank["set"])
        self.assertEqual(world.inputs["hints"]["weight"].max(), 0)
        self.assertEqual(world.inputs["look_at_weight"]["weight"].max(), 0)
        self.assertTrue(np.isfinite(world.inputs["hints"]["position"]).all())

    def test_a_world_without_an_avatar_says_why_it_has_no_goals(self):
        world = World(person())
        for call in (lambda: world.set_ik_goal(IkGoal.LEFT_HAND, (0, 0, 0)), lambda: world.set_look_at((0, 0, 0)),
                     lambda: world.set_ik_hint(IkHint.LEFT_KNEE, (0, 0, 0))):
            self.assert_refused(call, "without an avatar")

    def test_a_result_is_readable_through_its_animator(self):
        world = crowd(2)
        world.solve()
        world.animators[1].pose = world.poses[1]
        np.testing.assert_allclose(world.animators[1].joint_world(11)[0], (-0.3, 1.2, 0.4), atol=1e-5)


class ArraysOfARig(Refused):
    def test_a_skeleton_keeps_copies(self):
        parents, rest = person().parents.copy(), person().rest.copy()
        skeleton = Skeleton(parents, rest)
        parents[3], rest[0, 1] = 0, 9
        self.assertEqual((skeleton.parents[3], skeleton.rest[0, 1]), (1, 1))
        for array in (skeleton.parents, skeleton.rest):
            with self.assertRaises(ValueError):
                array[0] = 0

    def test_parents_and_human_maps_are_rows_of_integers(self):
        skeleton = person()
        rest = skeleton.rest[:2]
        self.assert_refused(lambda: Skeleton([-1.0, 0.7], rest), "parents", "float64")
        self.assert_refused(lambda: Skeleton([[-1, 0], [0, 1]], rest), "parents", "(2, 2)")
        self.assert_refused(lambda: Skeleton([-1, 2**40], rest), "parents", str(2**40))
        self.assert_refused(lambda: Skeleton([], np.zeros((0, 10))))
        self.assert_refused(lambda: Skeleton([-1, 0], rest, ["a", None]), "names[1]")
        self.assert_refused(lambda: Skeleton([-1, 0], rest, ["a\0b", "c"]), "names[0]")
        self.assert_refused(lambda: Avatar(skeleton, np.full(55, 0.5)), "human", "float64")
        self.assert_refused(lambda: Avatar(skeleton, {HumanBone.HIPS: 0.5}), "human", "float64")

    def test_vectors_have_their_numbers_in_a_row(self):
        animator = Animator(person())
        self.assert_refused(lambda: animator.set_root([[1]] * 10), "(10, 1)")
        self.assert_refused(lambda: animator.set_look_at_position(None), "SinewVec3")
        self.assert_refused(lambda: animator.set_look_at_position("abc"), "SinewVec3")
        for wrong in (1.0, animator.skeleton.rest[0], animator.skeleton.rest[:5]):
            self.assert_refused(lambda: setattr(animator, "pose", wrong), "pose", "shape")
        animator.pose = animator.skeleton.rest.astype(float)
        self.assert_refused(lambda: transforms((1, 2)), "positions", "(2,)")
        self.assert_refused(lambda: transforms(np.zeros((3, 3)), 1.0), "rotations")

    def test_definitions_take_arrays_and_name_what_they_refuse(self):
        animator = Animator(person())
        reach = animator.add_two_bone(11, bend_side=np.array([0, 0, 1.0]))
        reach.set_pole(np.array([0, 0, 1.0]))
        animator.add_aim(2, np.array([0, 0, 1.0]))
        self.assert_refused(lambda: animator.add_two_bone(11, bend_sid=(0, 0, 1)), "SinewTwoBoneDef", "bend_sid")
        self.assert_refused(lambda: animator.add_two_bone(11, bend_side="up"), "SinewTwoBoneDef.bend_side", "up")
        self.assert_refused(lambda: sinew.default("SinewIkGoal"), "SinewIkGoal")


PROGRAM = """\
import numpy as np
from sinew import (
    Animator, Avatar, Body, BodyMode, BodyTaskKind, Grounder, Grounding, GroundQuality, HumanBone, IkGoal,
    Outcome, Skeleton, TrackedBody, TrackerRole, World, transforms,
)

skeleton = Skeleton([-1, 0], transforms([(0.0, 0.0, 0.0), (0.0, 1.0, 0.0)]), ["a", "b"])
animator = Animator(skeleton)
animator.pose = skeleton.rest
animator.set_root(np.zeros(10))
chain = animator.add_chain(end=1, joint_count=2)
chain.set_position((1.0, 0.0, 0.0))
animator.solve()
position, rotation = animator.joint_world(1)
height: float = float(position[1])
outcome: Outcome = chain.outcome()
goal: IkGoal = IkGoal.RIGHT_HAND
body = Body(skeleton, mode=BodyMode.TRACK)
with body:
    task = body.add_task(BodyTaskKind.POSITION, 1, goal=(0.0, 1.0, 0.0))
    task.blend = 0.5
    reached: bool = body.solve(skeleton.rest.copy(), 1 / 60).is_reached
    saved: bytes = body.snapshot()


def walk(avatar: Avatar) -> Grounding:
    grounder = Grounder.for_avatar(avatar, quality=GroundQuality.ONE)
    return grounder.solve(skeleton.rest, None, 1 / 60, lambda o, d, l: (l > 0.5, o + d, -d))


def play(avatar: Avatar) -> float:
    tracked = TrackedBody(avatar)
    tracked.set_tracker(TrackerRole.HEAD, (0.0, 1.7, 0.0), None, 0.0)
    tracked.update(0.0)
    tracked.apply_to_animator(animator)
    return tracked.outcome(TrackerRole.HEAD).residual_m


def crowd(avatar: Avatar, count: int) -> World:
    world = World(skeleton, avatar, count)
    world.set_ik_goal(goal, np.zeros((count, 3)), weight=0.5)
    world.roots[:, 0] = np.arange(count)
    hand: int = avatar.joint(HumanBone.RIGHT_HAND)
    return world if hand > 0 else crowd(avatar, 1)
"""


class Types(unittest.TestCase):
    folder = Path(sinew.__file__).parent

    def test_all_is_annotated_and_documented(self):
        self.assertTrue((self.folder / "py.typed").is_file())
        calls = [sinew.transforms, sinew.default, sinew.must, sinew.version]
        kinds = [value for name, value in vars(sinew).items() if name in sinew.__all__ and inspect.isclass(value)]
        self.assertIn(Animator, kinds)
        for kind in [kind for kind in kinds if not issubclass(kind, (IntEnum, tuple))]:
            self.assertTrue(kind.__doc__)
            own = [base for base in kind.__mro__ if base.__module__.startswith("sinew.")]
            for name, member in [pair for base in own for pair in vars(base).items()]:
                member = member.fget if isinstance(member, property) else member
                if inspect.isfunction(member):
                    self.assertTrue(name.startswith("_") or member.__doc__, f"{kind.__name__}.{name}")
                    calls.append(member)
        for call in calls:
            signature = inspect.signature(call)
            self.assertIsNot(signature.return_annotation, inspect.Signature.empty, call)
            for parameter in signature.parameters.values():
                known = parameter.name == "self" or parameter.annotation is not inspect.Parameter.empty
                self.assertTrue(known, f"{call.__qualname__}: {parameter}")

    def test_type_checkers_see_the_members_of_enums(self):
        names = {}
        exec((self.folder / "enums.pyi").read_text(), names)
        known = [name for name, value in vars(sinew.enums).items() if inspect.isclass(value) and value is not IntEnum]
        self.assertIn("HumanBone", known)
        for name in known:
            self.assertEqual(dict(names[name].__members__), dict(getattr(sinew.enums, name).__members__), name)

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_a_program_passes_mypy(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "program.py").write_text(PROGRAM)
            checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", "program.py"], cwd=folder,
                                     env={**os.environ, "MYPYPATH": ""}, capture_output=True, text=True)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
            wrong = PROGRAM + 'animator.set_ik_position("hand", 3)\nIkGoal.NOSE\n'
            Path(folder, "program.py").write_text(wrong)
            checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", "program.py"], cwd=folder,
                                     env={**os.environ, "MYPYPATH": ""}, capture_output=True, text=True)
            self.assertEqual(checked.stdout.count("error:"), 2, checked.stdout)


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
            first, second = [block.split("```")[0] for block in page.read().split("```python\n")[1:]]
        skeleton = person()
        names = {"parents": skeleton.parents, "rest": skeleton.rest, "names": list(skeleton.names),
                 "animation": [skeleton.rest], "frame": 0}
        exec(first, names)
        self.assertEqual(names["result"].shape, skeleton.rest.shape)
        self.assertTrue(names["animator"].ik_outcome(IkGoal.RIGHT_HAND).is_reached)
        names.update(pose=skeleton.rest.copy(), root=None, hand_bone=HumanBone.LEFT_HAND)
        exec(second, names)
        self.assertTrue(names["outcome"].is_reached)
        self.assertEqual(names["feet"].presence, 1.0)


if __name__ == "__main__":
    unittest.main()
