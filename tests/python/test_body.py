"""Whole bodies of the Python package; poses are judged by forward kinematics in float64."""

import gc
import unittest

import numpy as np
import sinew
from sinew import (
    Avatar, Body, BodyMode, BodyRoot, BodySide, BodyTaskKind, BodyWorkState, SinewError, Skeleton, Status,
    TrackConverge, World, meet_bodies, solve_bodies, transforms,
)
from test_sinew import multiply, person, position_of, rotate

HIPS, SPINE, HEAD, HAND, OTHER_HAND, FOOT = 0, 1, 2, 5, 11, 8


def rotation_of(skeleton, pose, joint):
    """World rotation of a joint, in float64."""
    turn, at = np.array([0, 0, 0, 1.0]), joint
    while at >= 0:
        turn = multiply(np.asarray(pose[at, 3:7], float), turn)
        at = skeleton.parents[at]
    return turn / np.linalg.norm(turn)


class Bodies(unittest.TestCase):
    def setUp(self):
        self.skeleton = person()
        self.body = Body(self.skeleton, HIPS)
        self.pose = self.skeleton.rest.copy()

    def place(self, joint, pose=None):
        return position_of(self.skeleton, self.pose if pose is None else pose, joint)


class Kinds(Bodies):
    def test_two_hands_and_a_foot_meet_their_goals_in_one_solve(self):
        goals = {HAND: (0.3, 1.5, 0.45), OTHER_HAND: (-0.4, 1.1, 0.3), FOOT: (0.12, 0.1, 0.05)}
        tasks = [self.body.add_task(BodyTaskKind.POSITION, joint, goal=goal) for joint, goal in goals.items()]
        outcome = self.body.solve(self.pose)
        self.assertTrue(outcome.is_reached)
        for joint, goal in goals.items():
            self.assertLess(np.linalg.norm(self.place(joint) - goal), 6e-4)
        for task in tasks:
            self.assertEqual(task.outcome().status, Status.REACHED)
        self.assertEqual(self.body.outcome(), outcome)

    def test_a_goal_out_of_reach_is_an_outcome(self):
        self.body.set_settings(root=BodyRoot.FIXED)
        self.body.add_task(BodyTaskKind.POSITION, HAND, goal=(9, 9, 9))
        outcome = self.body.solve(self.pose)
        self.assertFalse(outcome.is_reached)
        left = np.linalg.norm(self.place(HAND) - (9, 9, 9))
        self.assertAlmostEqual(outcome.residual_m, left, delta=1e-4)

    def test_orientation_axis_and_joint_rotation(self):
        turn = np.array([0, np.sin(0.4), 0, np.cos(0.4)])
        self.body.add_task(BodyTaskKind.ORIENTATION, HEAD, rotation=turn)
        self.body.add_task(BodyTaskKind.AXIS, HAND, axis=(1, 0, 0), direction=(0, 0, 1))
        self.body.add_task(BodyTaskKind.JOINT_ROTATION, 10, rotation=(0, 0.5, 0, np.sqrt(0.75)))
        self.assertTrue(self.body.solve(self.pose).is_reached)
        self.assertGreater(abs(rotation_of(self.skeleton, self.pose, HEAD) @ turn), np.cos(0.003))
        axis = rotate(rotation_of(self.skeleton, self.pose, HAND), (1, 0, 0))
        self.assertGreater(axis[2], np.cos(0.005))
        self.assertGreater(abs(self.pose[10, 3:7] @ (0, 0.5, 0, np.sqrt(0.75))), np.cos(0.003))

    def test_gaze_looks_at_its_goal(self):
        goal = np.array([1.0, 1.6, 2.0])
        self.body.add_task(BodyTaskKind.GAZE, HEAD, goal=goal)
        self.assertTrue(self.body.solve(self.pose).is_reached)
        forward = rotate(rotation_of(self.skeleton, self.pose, HEAD), (0, 0, 1))
        way = goal - self.place(HEAD)
        self.assertGreater(forward @ way / np.linalg.norm(way), np.cos(0.005))

    def test_pole_bends_an_elbow_to_its_side(self):
        self.body.set_settings(root=BodyRoot.FIXED)
        self.body.set_joint_limits(SPINE, flags=7)
        self.body.add_task(BodyTaskKind.POSITION, HAND, goal=(0.4, 1.4, 0.2))
        self.body.add_task(BodyTaskKind.POLE, 4, end=HAND, goal=(0.4, -3, 0.1))
        self.assertTrue(self.body.solve(self.pose).is_reached)
        middle = (self.place(3) + self.place(HAND)) / 2
        self.assertLess((self.place(4) - middle)[1], -0.03)

    def test_distance_and_plane(self):
        center = np.array([0.5, 1.3, 0.3])
        self.body.add_task(BodyTaskKind.DISTANCE, HAND, goal=center, distance=0.1, side=BodySide.OUTSIDE)
        self.body.add_task(BodyTaskKind.DISTANCE, OTHER_HAND, other=HAND, distance=0.3)
        self.body.add_task(BodyTaskKind.PLANE, FOOT, goal=(0, 0.3, 0), direction=(0, 2, 0))
        self.assertTrue(self.body.solve(self.pose).is_reached)
        self.assertGreater(np.linalg.norm(self.place(HAND) - center), 0.0994)
        self.assertAlmostEqual(np.linalg.norm(self.place(HAND) - self.place(OTHER_HAND)), 0.3, delta=6e-4)
        self.assertAlmostEqual(self.place(FOOT)[1], 0.3, delta=6e-4)

    def test_relative_kinds_tie_joints_together(self):
        self.body.add_task(BodyTaskKind.RELATIVE_POSITION, HAND, other=HEAD, other_point=(0.2, 0.0, 0.3))
        self.body.add_task(BodyTaskKind.RELATIVE_ORIENTATION, OTHER_HAND, other=HEAD)
        self.assertTrue(self.body.solve(self.pose).is_reached)
        tied = self.place(HEAD) + rotate(rotation_of(self.skeleton, self.pose, HEAD), (0.2, 0, 0.3))
        self.assertLess(np.linalg.norm(self.place(HAND) - tied), 6e-4)
        both = rotation_of(self.skeleton, self.pose, OTHER_HAND) @ rotation_of(self.skeleton, self.pose, HEAD)
        self.assertGreater(abs(both), np.cos(0.003))

    def mass_center(self, masses):
        total = sum(masses.values())
        return sum(mass * self.place(joint) for joint, mass in masses.items()) / total

    def test_center_of_mass_and_support(self):
        masses = {HIPS: 30, HEAD: 5, HAND: 3, FOOT: 2}
        with self.assertRaises(SinewError):
            self.body.center_of_mass()
        for joint, mass in masses.items():
            self.body.set_mass(joint, mass)
        self.body.set_mass(HAND, 3, center=(0, 0, 0))
        self.assertEqual(self.body.mass(HEAD)[0], 5)
        axes = sinew.lib.SINEW_BODY_AXIS_X | sinew.lib.SINEW_BODY_AXIS_Z
        above = self.body.add_task(BodyTaskKind.CENTER_OF_MASS, goal=(0.2, 0, 0.1), axes=axes)
        self.assertTrue(self.body.solve(self.pose).is_reached)
        found = self.mass_center(masses)
        np.testing.assert_allclose(found[[0, 2]], (0.2, 0.1), atol=6e-4)
        np.testing.assert_allclose(self.body.center_of_mass(), found, atol=1e-5)
        above.remove()
        corners = np.array([(0.4, 0, -0.1), (0.6, 0, -0.1), (0.6, 0, 0.1), (0.4, 0, 0.1)])
        support = self.body.add_task(BodyTaskKind.SUPPORT, corners=corners, distance=0.02)
        self.assertEqual(support.fields()["corner_count"], 4)
        np.testing.assert_allclose(support.fields()["corners"], corners, atol=1e-6)
        self.assertTrue(self.body.solve(self.pose).is_reached)
        found = self.mass_center(masses)
        self.assertGreater(found[0], 0.42 - 6e-4)
        self.assertLess(abs(found[2]), 0.08 + 6e-4)

    def test_a_hosts_rows_meet_and_a_failing_function_leaves_the_pose(self):
        def height(at, rows):
            rows["value"][0] = 1.1 - at["position"][0, 1]
            rows["terms"]["point"][0] = at["position"][0]
            rows["terms"]["force"][0, 0] = (0, 1, 0)

        task = self.body.add_host_task(height, HAND, axes=sinew.lib.SINEW_BODY_AXIS_X)
        gc.collect()
        self.assertTrue(self.body.solve(self.pose).is_reached)
        self.assertAlmostEqual(self.place(HAND)[1], 1.1, delta=6e-4)
        self.assertLess(task.check_host_rows(), 0.01)
        task.remove()

        def fails(at, rows):
            raise KeyError("ground")

        with self.assertRaises(KeyError):
            self.body.add_host_task(fails, HAND)
            self.body.solve(self.pose)

    def test_a_function_that_fails_late_leaves_the_pose(self):
        calls = []

        def late(at, rows):
            calls.append(1)
            if len(calls) > 5:
                raise KeyError("late")
            rows["value"][0] = 1.1 - at["position"][0, 1]
            rows["terms"]["point"][0] = at["position"][0]
            rows["terms"]["force"][0, 0] = (0, 1, 0)

        self.body.add_host_task(late, HAND, axes=1)
        before = self.pose.copy()
        with self.assertRaises(KeyError):
            self.body.solve(self.pose)
        np.testing.assert_array_equal(self.pose, before)
        calls.clear()
        with self.assertRaises(KeyError):
            solve_bodies([self.body], [self.pose])
        np.testing.assert_array_equal(self.pose, before)


class Tasks(Bodies):
    def test_fields_change_blend_fades_and_remove_ends_a_task(self):
        task = self.body.add_task(BodyTaskKind.POSITION, HAND, goal=(0.3, 1.5, 0.45))
        task.set(goal=np.array([0.3, 1.3, 0.4]), importance=2.0)
        self.assertEqual(task.fields()["importance"], 2.0)
        np.testing.assert_allclose(task.fields()["goal"], (0.3, 1.3, 0.4), atol=1e-6)
        task.blend = 0
        self.body.solve(self.pose)
        np.testing.assert_array_equal(self.pose, self.skeleton.rest)
        self.assertEqual(task.outcome().status, Status.INACTIVE)
        task.blend = 1
        self.assertEqual(task.blend, 1.0)
        task.set_goal((0.3, 1.45, 0.4))
        task.set_rotation((0, 0, 0, 1))
        self.body.solve(self.pose)
        self.assertLess(np.linalg.norm(self.place(HAND) - (0.3, 1.45, 0.4)), 6e-4)
        task.remove()
        for call in (task.outcome, task.fields, task.remove, lambda: task.set(level=1)):
            with self.assertRaises(SinewError):
                call()

    def test_levels_decide_and_max_level_leaves_tasks_out(self):
        self.body.set_settings(root=BodyRoot.FIXED)
        first = self.body.add_task(BodyTaskKind.POSITION, HAND, goal=(0.3, 1.4, 0.4))
        second = self.body.add_task(BodyTaskKind.POSITION, HAND, goal=(0.3, 1.4, -0.4), level=1)
        self.body.solve(self.pose)
        self.assertLess(np.linalg.norm(self.place(HAND) - (0.3, 1.4, 0.4)), 0.005)
        self.assertLess(first.outcome().residual_m, second.outcome().residual_m)
        self.body.set_settings(max_level=0)
        self.assertEqual(self.body.settings()["max_level"], 0)
        self.body.solve(self.pose)
        self.assertEqual(second.outcome().status, Status.INACTIVE)

    def test_refused_calls_name_their_argument(self):
        wrong = [
            (lambda: self.body.add_task(BodyTaskKind.POSITION, HAND, goals=(0, 0, 0)), "goals"),
            (lambda: self.body.add_task(BodyTaskKind.POSITION, HAND, goal=(0, 0)), "SinewBodyTaskDef.goal"),
            (lambda: self.body.add_task(BodyTaskKind.POSITION, HAND, goal="up"), "goal"),
            (lambda: self.body.add_task(BodyTaskKind.POSITION, HAND, level=1.5), "level"),
            (lambda: self.body.add_task(BodyTaskKind.POSITION, HAND, struct_size=4), "struct_size"),
            (lambda: self.body.add_task(BodyTaskKind.POSITION, 99), "99"),
            (lambda: self.body.add_task(BodyTaskKind.HOST, HAND), "kind"),
            (lambda: self.body.add_task(77, HAND), "kind"),
            (lambda: self.body.add_task(BodyTaskKind.SUPPORT, corners=np.zeros((17, 3))), "corners"),
            (lambda: self.body.add_task(BodyTaskKind.SUPPORT, corners=np.zeros((4, 2))), "corners"),
            (lambda: self.body.add_task(BodyTaskKind.SUPPORT, corners=np.eye(3), corner_count=9), "corner_count"),
            (lambda: self.body.set_root(np.zeros(9)), "root"),
            (lambda: self.body.set_settings(mode=9), "mode"),
            (lambda: self.body.restore(b"abc"), "sinew_body_restore"),
            (lambda: self.body.set_joint_limits(4, flags=8, min_rad=(2, 0, 0), max_rad=(1, 0, 0)), "min_rad"),
            (lambda: self.body.set_joint_coupling(4, -2), "driver"),
            (lambda: self.body.set_mass(-1, 1), "joint"),
            (lambda: Body(self.skeleton, 15), "root_joint"),
            (lambda: Body(self.skeleton, max_iterations=0), "max_iterations"),
            (lambda: self.body.set_human_masses(Avatar(person())), "avatar"),
        ]
        for call, word in wrong:
            with self.assertRaises(ValueError) as caught:
                call()
            self.assertIn(word, str(caught.exception))
        typed = [
            (lambda: self.body.add_task("position", HAND), "kind"),
            (lambda: self.body.add_task(BodyTaskKind.POSITION), "joint"),
            (lambda: self.body.add_task(BodyTaskKind.POSITION, "hand"), "joint"),
            (lambda: self.body.set_mass(HAND, "heavy"), "mass"),
            (lambda: self.body.solve(self.pose, "soon"), "dt"),
            (lambda: self.body.restore("abc"), "snapshot"),
            (lambda: self.body.add_host_task(None, HAND), "compute"),
        ]
        for call, word in typed:
            with self.assertRaises(TypeError) as caught:
                call()
            self.assertIn(word, str(caught.exception))
        self.assertEqual(self.body.settings()["mode"], BodyMode.CONVERGE)

    def test_poses_that_c_must_not_write_are_refused(self):
        self.body.add_task(BodyTaskKind.POSITION, HAND, goal=(0.3, 1.5, 0.45))
        fixed = self.skeleton.rest
        before = fixed.tobytes()
        wide = np.zeros((30, 10), np.float32)
        for pose in (fixed, fixed.astype(float), wide[::2], wide, fixed.tolist(), None, self.pose[:14],
                     np.asfortranarray(self.pose)):
            for call in (lambda: self.body.solve(pose), lambda: self.body.drag(pose, HAND, (0, 1, 0)),
                         lambda: solve_bodies([self.body], [pose])):
                with self.assertRaises(ValueError) as caught:
                    call()
                self.assertIn("pose", str(caught.exception))
        self.assertEqual(fixed.tobytes(), before)
        nan = self.pose.copy()
        nan[3, 1] = np.nan
        with self.assertRaises(SinewError):
            self.body.solve(nan)


class Joints(Bodies):
    def test_limits_hold_and_are_reported(self):
        self.body.set_settings(root=BodyRoot.FIXED)
        lib = sinew.lib
        flags = lib.SINEW_LIMIT_LOCK_Y | lib.SINEW_LIMIT_LOCK_Z | lib.SINEW_LIMIT_RANGE_X
        self.body.set_joint_limits(7, flags=flags, min_rad=(0, 0, 0), max_rad=(0.5, 0, 0))
        self.assertAlmostEqual(self.body.joint_limits(7)["max_rad"][0], 0.5)
        task = self.body.add_task(BodyTaskKind.POSITION, FOOT, goal=(0.1, 0.8, 0))
        self.body.solve(self.pose)
        angle = 2 * np.arctan2(np.linalg.norm(self.pose[7, 3:6]), abs(self.pose[7, 6]))
        self.assertLess(angle, 0.5 + 1e-3)
        self.assertIn(7, self.body.limited_joints())
        self.assertEqual(list(task.limited_joints()), [7])
        self.assertEqual(task.outcome().limited_joint_count, 1)
        self.body.clear_joint_limits(7)
        self.assertEqual(self.body.joint_limits(7)["flags"], 0)
        corners = [(0.5, 1, 0), (0, 1, 0.5), (-0.5, 1, 0), (0, 1, -0.5)]
        self.body.set_joint_limits(7, corners=corners)
        self.assertEqual(self.body.joint_limits(7)["corners"].shape, (4, 3))

    def test_a_joint_slides(self):
        self.body.set_settings(root=BodyRoot.FIXED)
        for joint in range(1, 15):
            self.body.set_joint_limits(joint, flags=7)
        self.body.set_joint_limits(SPINE, flags=7, slide_axis=(0, 1, 0), slide_min=-0.1, slide_max=0.3)
        self.body.add_task(BodyTaskKind.POSITION, HEAD, goal=self.place(HEAD) + (0, 0.2, 0))
        self.assertTrue(self.body.solve(self.pose).is_reached)
        self.assertAlmostEqual(self.pose[SPINE, 1], 0.4, delta=6e-4)

    def test_a_coupling_turns_a_joint_with_its_driver(self):
        self.body.set_joint_coupling(10, 4, driver_axis=(0, 0, 1), axis=(0, 0, 1), ratio=0.5)
        self.assertEqual(self.body.joint_coupling(10)["driver"], 4)
        self.body.add_task(BodyTaskKind.JOINT_ROTATION, 4, rotation=(0, 0, np.sin(0.3), np.cos(0.3)))
        self.body.solve(self.pose)
        self.assertAlmostEqual(2 * np.arctan2(self.pose[10, 5], self.pose[10, 6]), 0.3, delta=5e-3)
        self.body.clear_joint_coupling(10)
        self.assertEqual(self.body.joint_coupling(10)["driver"], -1)

    def test_human_masses_and_ranges_come_from_an_avatar(self):
        avatar = Avatar(self.skeleton)
        self.body.set_human_masses(avatar)
        self.assertGreater(self.body.mass(HIPS)[0], 0)
        self.body.set_human_ranges(avatar)
        self.body.add_task(BodyTaskKind.POSITION, FOOT, goal=(0.1, 0.2, 0.9))
        self.body.set_settings(root=BodyRoot.FIXED)
        self.body.solve(self.pose)
        limited = len(self.body.limited_joints())
        self.body.set_human_ranges(None)
        self.body.solve(self.skeleton.rest.copy())
        self.assertGreater(limited, len(self.body.limited_joints()))


class Frames(Bodies):
    def track(self):
        body = Body(self.skeleton, HIPS, mode=BodyMode.TRACK, track_converge=TrackConverge.NEVER, max_speed=2.0)
        return body, body.add_task(BodyTaskKind.POSITION, HAND, goal=(0.3, 1.5, 0.45))

    def test_track_mode_arrives_over_frames_and_a_snapshot_goes_on_with_the_same_bits(self):
        body, _ = self.track()
        far = np.linalg.norm(self.place(HAND) - (0.3, 1.5, 0.45))
        for frame in range(5):
            pose = self.skeleton.rest.copy()
            body.solve(pose, 1 / 60)
        near = np.linalg.norm(self.place(HAND, pose) - (0.3, 1.5, 0.45))
        self.assertTrue(0.01 < near < far, near)
        saved = body.snapshot()
        twin, _ = self.track()
        twin.restore(saved)
        for frame in range(120):
            one, two = self.skeleton.rest.copy(), self.skeleton.rest.copy()
            body.solve(one, 1 / 60)
            twin.solve(two, 1 / 60)
            self.assertEqual(one.tobytes(), two.tobytes())
        self.assertLess(np.linalg.norm(self.place(HAND, one) - (0.3, 1.5, 0.45)), 1e-3)
        body.reset()
        again = self.skeleton.rest.copy()
        body.solve(again, 1 / 60)
        self.assertGreater(np.linalg.norm(self.place(HAND, again) - (0.3, 1.5, 0.45)), 0.1)

    def test_a_drag_moves_a_joint_and_pins_stay(self):
        pinned = self.place(FOOT)
        outcome = self.body.drag(self.pose, HAND, (0.4, 1.3, 0.5), pins=[FOOT], rotation_pins=[14],
                                 rotation=(0, 0, np.sin(0.2), np.cos(0.2)))
        self.assertTrue(outcome.is_reached)
        self.assertLess(np.linalg.norm(self.place(HAND) - (0.4, 1.3, 0.5)), 1e-3)
        self.assertLess(np.linalg.norm(self.place(FOOT) - pinned), 1e-3)
        pose = self.skeleton.rest.copy()
        self.body.drag(pose, HAND, (0.4, 1.4, 0.3), chain_length=2)
        np.testing.assert_array_equal(pose[:3], self.skeleton.rest[:3])
        with self.assertRaises(SinewError):
            self.body.drag(pose, 99, (0, 0, 0))

    def test_a_root_in_the_world_moves_goals_into_model_space(self):
        root = transforms((5, 0, 0), (0, 1, 0, 0))
        self.body.set_root(root)
        np.testing.assert_array_equal(self.body.root(), root)
        self.body.add_task(BodyTaskKind.POSITION, HAND, goal=(4.7, 1.4, -0.4))
        self.assertTrue(self.body.solve(self.pose).is_reached)
        np.testing.assert_allclose(self.place(HAND), (0.3, 1.4, 0.4), atol=6e-4)

    def test_work_is_bounded(self):
        self.body.add_task(BodyTaskKind.POSITION, HAND, goal=(0.3, 1.5, 0.45))
        self.body.set_max_work(0)
        self.assertEqual(self.body.max_work(), 0)
        self.assertFalse(self.body.solve(self.pose).is_reached)

    def test_debug_lines_are_records(self):
        self.body.add_task(BodyTaskKind.POSITION, HAND, goal=(0.3, 1.5, 0.45))
        self.body.solve(self.pose)
        lines = self.body.debug_lines()
        bones = lines[lines["part"] == sinew.DebugPart.BONE]
        self.assertEqual(len(bones), 14)
        ends = bones["to"]
        for joint in range(1, 15):
            self.assertLess(np.abs(ends - self.place(joint)).max(axis=1).min(), 1e-4)


class Many(unittest.TestCase):
    def bodies(self, count=7):
        skeleton = person()
        bodies = [Body(skeleton) for _ in range(count)]
        for i, body in enumerate(bodies):
            body.add_task(BodyTaskKind.POSITION, HAND, goal=(0.3, 1.2 + 0.05 * i, 0.4))
        return skeleton, bodies

    def test_the_bits_are_those_of_single_bodies_on_any_threads(self):
        skeleton, bodies = self.bodies()
        alone = np.repeat(skeleton.rest[None], 7, axis=0)
        for body, pose in zip(bodies, alone):
            body.solve(pose)
        world = World(skeleton)
        world.set_threads(2)
        for of in (None, world):
            poses = np.repeat(skeleton.rest[None], 7, axis=0)
            rows = solve_bodies(bodies, poses, world=of)
            self.assertEqual(poses.tobytes(), alone.tobytes())
            self.assertTrue((rows["state"] == BodyWorkState.SOLVED).all())
            self.assertTrue((rows["outcome"]["status"] == Status.REACHED).all())

    def test_functions_of_hosts_are_called_on_threads(self):
        def height(at, rows):
            rows["value"][0] = 1.1 - at["position"][0, 1]
            rows["terms"]["point"][0] = at["position"][0]
            rows["terms"]["force"][0, 0] = (0, 1, 0)

        skeleton, bodies = self.bodies()
        for body in bodies:
            body.add_host_task(height, OTHER_HAND, axes=sinew.lib.SINEW_BODY_AXIS_X)
        world, poses = World(skeleton), np.repeat(skeleton.rest[None], 7, axis=0)
        world.set_threads(2)
        solve_bodies(bodies, poses, world=world)
        for pose in poses:
            self.assertAlmostEqual(position_of(skeleton, pose, OTHER_HAND)[1], 1.1, delta=6e-4)

    def test_a_body_that_fails_is_named_and_the_others_are_solved(self):
        skeleton, bodies = self.bodies(3)
        poses = np.repeat(skeleton.rest[None], 3, axis=0)
        poses[1, 4, 0] = np.nan
        with self.assertRaises(SinewError) as caught:
            solve_bodies(bodies, poses)
        states = list(caught.exception.rows["state"])
        self.assertEqual(states, [BodyWorkState.SOLVED, BodyWorkState.FAILED, BodyWorkState.SOLVED])
        self.assertLess(np.linalg.norm(position_of(skeleton, poses[2], HAND) - (0.3, 1.3, 0.4)), 6e-4)

    def test_wrong_batches_are_refused_before_anything_is_solved(self):
        skeleton, bodies = self.bodies(3)
        poses = np.repeat(skeleton.rest[None], 3, axis=0)
        for call in (lambda: solve_bodies(bodies, poses[:2]), lambda: solve_bodies(bodies, [poses[0]] * 3),
                     lambda: solve_bodies([bodies[0]] * 3, poses), lambda: solve_bodies(bodies, poses, -1.0),
                     lambda: solve_bodies(bodies, poses, iteration_share=[1, 1]),
                     lambda: solve_bodies(bodies, poses, max_level=4)):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(TypeError):
            solve_bodies(bodies, poses, max_level="all")
        np.testing.assert_array_equal(poses, np.repeat(skeleton.rest[None], 3, axis=0))
        self.assertEqual(len(solve_bodies([], [])), 0)


class Meeting(unittest.TestCase):
    def test_two_people_hold_hands(self):
        skeleton = person()
        bodies = [Body(skeleton), Body(skeleton)]
        bodies[1].set_root(transforms((0, 0, 1.0), (0, 1, 0, 0)))
        for body in bodies:
            body.set_settings(root=BodyRoot.FIXED)
        tasks = [body.add_task(BodyTaskKind.POSITION, HAND) for body in bodies]
        poses = [skeleton.rest.copy(), skeleton.rest.copy()]
        tasks[1].remove()
        tasks[1] = bodies[1].add_task(BodyTaskKind.POSITION, OTHER_HAND)
        before = poses[0].copy()
        met = meet_bodies(list(zip(bodies, poses)), [tuple(tasks)])
        np.testing.assert_array_equal(poses[0], before)
        self.assertEqual(met.status, Status.REACHED)
        for body, pose in zip(bodies, poses):
            body.solve(pose)
        one = position_of(skeleton, poses[0], HAND)
        two = np.array([0, 0, 1]) + rotate((0, 1, 0, 0), position_of(skeleton, poses[1], OTHER_HAND))
        self.assertLess(np.linalg.norm(one - two), 2e-3)
        self.assertLess(met.gap_m, 2e-3)
        self.assertEqual(met.gaps.shape, (1,))

    def test_wrong_meetings_are_refused(self):
        skeleton = person()
        bodies = [Body(skeleton) for _ in range(3)]
        tasks = [body.add_task(BodyTaskKind.POSITION, HAND, goal=(1, 2, 3)) for body in bodies]
        turn = bodies[1].add_task(BodyTaskKind.ORIENTATION, HAND)
        pairs = [(body, skeleton.rest) for body in bodies[:2]]
        for call in (lambda: meet_bodies(pairs, [(tasks[0], tasks[2])]), lambda: meet_bodies(pairs, [(tasks[0], turn)]),
                     lambda: meet_bodies(pairs, [(tasks[0], tasks[0])]), lambda: meet_bodies(pairs[:1] * 2, []),
                     lambda: meet_bodies(pairs, [tuple(tasks[:2])], max_rounds=0),
                     lambda: meet_bodies(pairs, [tuple(tasks[:2])], share=2),
                     lambda: meet_bodies([(bodies[0], skeleton.rest[:3])], []),
                     lambda: meet_bodies(pairs, [tuple(tasks[:2])], rotations=(0, 0, 0, 1)),
                     lambda: meet_bodies(pairs, [tuple(tasks[:2])] * 33)):
            with self.assertRaises(ValueError):
                call()
        np.testing.assert_array_equal(tasks[0].fields()["goal"], (1, 2, 3))
        self.assertEqual(meet_bodies(pairs, []).status, Status.INACTIVE)


class Lifetime(Bodies):
    def valid(self, handle):
        out = sinew.ffi.new("uint32_t *")
        sinew.must(sinew.lib.sinew_body_is_valid(handle, out))
        return out[0]

    def test_close_and_with_destroy_and_later_calls_are_refused(self):
        with Body(self.skeleton) as body:
            handle = body.handle
            self.assertEqual(self.valid(handle), 1)
        self.assertTrue(body.is_closed)
        self.assertEqual(self.valid(handle), 0)
        body.close()
        with self.assertRaises(SinewError):
            body.solve(self.pose)

    def test_what_is_dropped_is_destroyed_and_a_task_keeps_its_body(self):
        handle = Body(self.skeleton).handle
        gc.collect()
        self.assertEqual(self.valid(handle), 0)
        body = Body(self.skeleton)
        task = body.add_task(BodyTaskKind.POSITION, HAND)
        handle = body.handle
        del body
        gc.collect()
        self.assertEqual((self.valid(handle), task.blend), (1, 1.0))
        del task
        gc.collect()
        self.assertEqual(self.valid(handle), 0)

    def test_copies_of_results_stay(self):
        self.body.set_mass(HIPS, 1)
        center, settings = self.body.center_of_mass(), self.body.settings()
        self.body.close()
        gc.collect()
        np.testing.assert_allclose(center, (0, 1, 0), atol=1e-6)
        self.assertEqual(settings["mode"], BodyMode.CONVERGE)


if __name__ == "__main__":
    unittest.main()
