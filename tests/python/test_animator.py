"""Animators of the Python package beside their goals; poses are judged by forward kinematics in
float64."""

import gc
import unittest

import numpy as np
import sinew
from sinew import (
    Animator, Avatar, AvatarTarget, BodySolverMode, ChainSolver, ConstraintPlacement, Curve, DistanceMode,
    FrameStep, HumanBone, HumanEffector, IkGoal, IkHint, SinewError, Skeleton, Status, transforms,
)
from test_body import rotation_of
from test_grounder import walker
from test_sinew import multiply, person, position_of, rotate


def tail(count=5):
    return Skeleton(list(range(-1, count - 1)), transforms([(0, 0, 0)] + [(0, 0.5, 0)] * (count - 1)))


class People(unittest.TestCase):
    def setUp(self):
        self.skeleton = walker()
        self.avatar = Avatar(self.skeleton)
        self.animator = Animator(self.skeleton, self.avatar)

    def place(self, bone):
        return position_of(self.skeleton, self.animator.pose, self.avatar.joint(bone))


class Getters(People):
    def test_what_is_set_is_returned(self):
        animator, turn = self.animator, (0, 0.6, 0, 0.8)
        animator.set_ik_position(IkGoal.LEFT_HAND, (0.3, 1.2, 0.4))
        animator.set_ik_rotation(IkGoal.LEFT_HAND, turn)
        animator.set_ik_position_weight(IkGoal.LEFT_HAND, np.float32(0.5))
        animator.set_ik_rotation_weight(IkGoal.LEFT_HAND, 2)
        animator.set_ik_hint_position(IkHint.LEFT_KNEE, (1, 2, 3))
        animator.set_ik_hint_position_weight(IkHint.LEFT_KNEE, 0.25)
        animator.set_look_at_position((4, 5, 6))
        animator.set_look_at_weight(0.5, 0.1, 0.9, 0.2, 0.3)
        np.testing.assert_allclose(animator.ik_position(IkGoal.LEFT_HAND), (0.3, 1.2, 0.4), atol=1e-6)
        np.testing.assert_allclose(animator.ik_rotation(IkGoal.LEFT_HAND), turn, atol=1e-6)
        self.assertEqual(animator.ik_position_weight(IkGoal.LEFT_HAND), 0.5)
        self.assertEqual(animator.ik_rotation_weight(IkGoal.LEFT_HAND), 1.0)
        np.testing.assert_array_equal(animator.ik_hint_position(IkHint.LEFT_KNEE), (1, 2, 3))
        self.assertEqual(animator.ik_hint_position_weight(IkHint.LEFT_KNEE), 0.25)
        np.testing.assert_array_equal(animator.look_at_position(), (4, 5, 6))
        self.assertAlmostEqual(animator.look_at_weight()["head"], 0.9, delta=1e-6)
        animator.reset_ik()
        self.assertEqual(animator.look_at_weight()["weight"], 0)
        np.testing.assert_allclose(animator.ik_position(IkGoal.LEFT_HAND), self.place(HumanBone.LEFT_HAND), atol=1e-6)

    def test_goal_spaces_and_effector_points(self):
        animator, chest = self.animator, self.avatar.joint(HumanBone.SPINE)
        self.assertIsNone(animator.ik_goal_space(IkGoal.LEFT_HAND))
        animator.set_ik_goal_space(IkGoal.LEFT_HAND, chest)
        self.assertEqual(animator.ik_goal_space(IkGoal.LEFT_HAND), chest)
        animator.set_ik_effector_point(IkGoal.LEFT_HAND, (0.01, 0.02, 0.03))
        np.testing.assert_allclose(animator.ik_effector_point(IkGoal.LEFT_HAND), (0.01, 0.02, 0.03), atol=1e-7)
        animator.set_ik_effector_point(IkGoal.LEFT_HAND, (0, 0, 0))
        # The animated place, in the space of the spine.
        spine, hand = self.place(HumanBone.SPINE), self.place(HumanBone.LEFT_HAND)
        self.assertAlmostEqual(np.linalg.norm(animator.ik_position(IkGoal.LEFT_HAND)), np.linalg.norm(hand - spine), delta=1e-5)
        place = animator.ik_position(IkGoal.LEFT_HAND) * 0.9
        animator.set_ik_position(IkGoal.LEFT_HAND, place)
        animator.set_ik_position_weight(IkGoal.LEFT_HAND, 1)
        animator.solve()
        distance = np.linalg.norm(self.place(HumanBone.LEFT_HAND) - self.place(HumanBone.SPINE))
        self.assertAlmostEqual(distance, np.linalg.norm(place), delta=1e-4)
        with self.assertRaises(SinewError):
            animator.set_ik_goal_space(IkGoal.LEFT_HAND, self.avatar.joint(HumanBone.LEFT_UPPER_ARM))
        animator.set_ik_goal_space(IkGoal.LEFT_HAND, None)
        self.assertIsNone(animator.ik_goal_space(IkGoal.LEFT_HAND))

    def test_measures_and_bones(self):
        animator = self.animator
        self.assertTrue(animator.is_human())
        self.assertEqual(animator.bone_joint(HumanBone.HIPS), 0)
        self.assertEqual(animator.bone_joint(HumanBone.JAW), -1)
        self.assertGreater(animator.human_scale(), 0.5)
        self.assertEqual(len(animator.feet_bottom_heights()), 2)
        origin, direction = animator.gaze()
        np.testing.assert_allclose(direction, (0, 0, 1), atol=1e-5)
        self.assertGreater(origin[1], 1.3)
        other = Animator(tail())
        self.assertFalse(other.is_human())
        with self.assertRaises(SinewError):
            other.body_position()

    def test_root_and_matrices_agree_with_forward_kinematics(self):
        root = transforms((1, 2, 3), (0, np.sin(0.3), 0, np.cos(0.3)), (2, 2, 2))
        self.animator.set_root(root)
        np.testing.assert_allclose(self.animator.root(), root, atol=1e-7)
        self.animator.pose[1, 3:7] = (0.6, 0, 0, 0.8)
        world, model = self.animator.world_matrices(), self.animator.model_matrices()
        for joint in range(len(self.skeleton)):
            place = position_of(self.skeleton, self.animator.pose, joint)
            np.testing.assert_allclose(model[joint, :3, 3], place, atol=1e-5)
            np.testing.assert_allclose(world[joint, :3, 3], root[:3] + rotate(root[3:7], 2 * place), atol=1e-5)
            turn = multiply(root[3:7].astype(float), rotation_of(self.skeleton, self.animator.pose, joint))
            np.testing.assert_allclose(world[joint, :3, 1], 2 * rotate(turn, (0, 1, 0)), atol=1e-5)
        np.testing.assert_array_equal(world[:, 3], np.tile((0, 0, 0, 1), (len(world), 1)))


class TheBody(People):
    def test_the_centre_of_mass_goes_to_its_goal(self):
        goal = self.animator.body_position() + np.float32((0.05, -0.1, 0.02))
        self.animator.set_body_position(goal)
        before = self.place(HumanBone.HIPS)
        self.animator.solve()
        np.testing.assert_allclose(self.place(HumanBone.HIPS) - before, (0.05, -0.1, 0.02), atol=1e-4)
        np.testing.assert_allclose(self.animator.body_position(), goal, atol=1e-4)
        self.animator.clear_body()
        self.animator.reset_pose()
        turn = (0, np.sin(0.2), 0, np.cos(0.2))
        self.animator.set_body_rotation(turn)
        self.animator.solve()
        np.testing.assert_allclose(np.abs(self.animator.body_rotation() @ np.float32(turn)), 1, atol=1e-4)

    def test_bones_are_turned_before_the_solve(self):
        turn = (0, 0, 0.6, 0.8)
        self.animator.set_bone_local_rotation(HumanBone.HEAD, turn)
        np.testing.assert_allclose(self.animator.bone_local_rotation(HumanBone.HEAD), turn, atol=1e-6)
        self.animator.solve()
        np.testing.assert_allclose(self.animator.pose[self.avatar.joint(HumanBone.HEAD), 3:7], turn, atol=1e-6)
        self.animator.clear_bone_local_rotations()
        with self.assertRaises(SinewError):
            self.animator.set_bone_local_rotation(HumanBone.JAW, turn)

    def test_settings_change_by_name(self):
        self.animator.set_settings(spine_weight=1, pull_weights=(0, 0, 0.5, 1), limits_enabled=1)
        found = self.animator.settings()
        self.assertEqual((found["spine_weight"], found["limits_enabled"]), (1.0, 1))
        np.testing.assert_array_equal(found["pull_weights"], (0, 0, 0.5, 1))
        far = (0.2, 0.9, 1.2)
        left = []
        for weight in (0, 1):
            self.animator.set_settings(spine_weight=weight)
            self.animator.reset_pose()
            self.animator.set_ik_position(IkGoal.LEFT_HAND, far)
            self.animator.set_ik_position_weight(IkGoal.LEFT_HAND, 1)
            self.animator.solve()
            left.append(np.linalg.norm(self.place(HumanBone.LEFT_HAND) - far))
        self.assertLess(left[1], left[0] - 0.05)

    def test_the_whole_body_solver_and_its_effectors(self):
        self.assertEqual(self.animator.body_solver()["mode"], BodySolverMode.OFF)
        self.animator.set_body_solver(mode=BodySolverMode.CONVERGE, hips_stiffness=0.1)
        goal, knee = (0.3, 0.5, 0.6), self.place(HumanBone.LEFT_LOWER_LEG) + (0, -0.027, 0.12)
        self.animator.set_ik_position(IkGoal.LEFT_HAND, goal)
        self.animator.set_ik_position_weight(IkGoal.LEFT_HAND, 1)
        self.animator.set_ik_goal_priority(IkGoal.LEFT_HAND, position_importance=8, level=2)
        self.assertEqual(
            self.animator.ik_goal_priority(IkGoal.LEFT_HAND),
            {"position_importance": 8, "rotation_importance": 1, "level": 2})
        self.animator.set_body_effector_priority(HumanEffector.HEAD, rotation_importance=0.5)
        self.assertEqual(self.animator.body_effector_priority(HumanEffector.HEAD)["rotation_importance"], 0.5)
        self.animator.set_body_effector(HumanEffector.LEFT_KNEE, knee, position_weight=1)
        np.testing.assert_allclose(self.animator.body_effector(HumanEffector.LEFT_KNEE)["position"], knee, atol=1e-6)
        self.animator.solve()
        self.assertLess(np.linalg.norm(self.place(HumanBone.LEFT_HAND) - goal), 5e-3)
        self.assertLess(self.animator.body_outcome().residual_m, 5e-3)
        knee_left = np.linalg.norm(self.place(HumanBone.LEFT_LOWER_LEG) - knee)
        outcome = self.animator.body_effector_outcome(HumanEffector.LEFT_KNEE)
        self.assertAlmostEqual(outcome.residual_m, knee_left, delta=1e-3)
        self.assertLess(knee_left, 5e-3)


class Time(People):
    def blending(self):
        animator = Animator(self.skeleton, self.avatar)
        animator.set_settings(inertialization_times_s=[0.5] * 4)
        animator.set_ik_position(IkGoal.LEFT_HAND, (0.3, 1.2, 0.4))
        animator.solve()
        animator.set_ik_position_weight(IkGoal.LEFT_HAND, 1)
        return animator

    def frame(self, animator):
        animator.reset_pose()
        animator.set_ik_position(IkGoal.LEFT_HAND, (0.3, 1.2, 0.4))
        animator.advance(1 / 60)
        animator.solve()
        hand = position_of(self.skeleton, animator.pose, self.avatar.joint(HumanBone.LEFT_HAND))
        return np.linalg.norm(hand - (0.3, 1.2, 0.4))

    def test_blends_take_their_time_and_snapshots_go_on(self):
        animator = self.blending()
        first = self.frame(animator)
        self.assertTrue(animator.is_inertializing(IkGoal.LEFT_HAND))
        saved = animator.snapshot()
        twin = self.blending()
        twin.solve()
        twin.restore(saved)
        self.assertGreater(first, 0.05)
        for _ in range(60):
            last, other = self.frame(animator), self.frame(twin)
            self.assertEqual(animator.pose.tobytes(), twin.pose.tobytes())
            self.assertEqual(animator.hash(), twin.hash())
        self.assertLess(last, 0.01 * first)
        for _ in range(240):
            self.frame(animator)
        self.assertFalse(animator.is_inertializing(IkGoal.LEFT_HAND))
        animator.inertialize(IkGoal.LEFT_HAND)
        animator.reset_state()
        with self.assertRaises(SinewError):
            animator.restore(b"abc")

    def test_effort_is_bounded_by_name(self):
        self.animator.set_iteration_scale(0.5)
        self.assertEqual(self.animator.iteration_scale(), 0.5)
        self.animator.set_max_work(100)
        self.assertEqual(self.animator.max_work(), 100)
        self.animator.set_cancelled(True)
        self.animator.solve()
        self.animator.set_cancelled(False)

    def test_matching(self):
        self.animator.pose[self.avatar.joint(HumanBone.LEFT_UPPER_ARM), 3:7] = (0, 0.6, 0, 0.8)
        self.animator.match_goals_from_pose()
        for goal in IkGoal:
            self.animator.set_ik_position_weight(goal, 1)
        before = self.animator.pose.copy()
        self.animator.solve()
        np.testing.assert_allclose(self.animator.pose, before, atol=1e-4)
        self.animator.match_pose_from_goals()
        self.assertEqual(self.animator.ik_position_weight(IkGoal.LEFT_HAND), 0)
        place, _ = self.animator.target_pose(AvatarTarget.LEFT_FOOT)
        np.testing.assert_allclose(place, self.place(HumanBone.LEFT_FOOT), atol=1e-5)
        root = self.animator.match_target(0, 1, part=AvatarTarget.LEFT_FOOT, position=(3, 0, 0), rotation_weight=0)
        np.testing.assert_allclose(root[:3] + place, (3, 0, 0), atol=1e-5)


class Constraints(unittest.TestCase):
    def setUp(self):
        self.skeleton = tail(7)
        self.animator = Animator(self.skeleton)

    def place(self, joint):
        return position_of(self.skeleton, self.animator.pose, joint)

    def test_a_spline_follows_its_points(self):
        spline = self.animator.add_spline(6, point_count=4)
        self.assertEqual(spline.end_count(), 4)
        points = np.array([(0, 0, 0), (0.5, 1, 0), (0.6, 2, 0.3), (0.1, 2.9, 0.6)])
        for i, point in enumerate(points):
            spline.set_position(point, end=i)
        self.animator.solve()
        for i in (1, 2):
            near = min(np.linalg.norm(self.place(joint) - points[i]) for joint in range(7))
            self.assertLess(near, 0.3)
        lengths = [np.linalg.norm(self.place(j + 1) - self.place(j)) for j in range(6)]
        np.testing.assert_allclose(lengths, 0.5, atol=1e-5)
        self.animator.add_spline(6, 7, Curve.BEZIER, joint_count=4, stretch=1)
        with self.assertRaises(SinewError):
            self.animator.add_spline(6, 5, Curve.BEZIER)

    def test_a_joint_copies_a_rotation(self):
        copy = self.animator.add_copy_rotation(2, 5)
        self.animator.pose[5, 3:7] = (0, 0, 0.6, 0.8)
        self.animator.solve()
        self.assertGreater(abs(rotation_of(self.skeleton, self.animator.pose, 2) @ (0, 0, 0.6, 0.8)), 1 - 1e-6)
        copy.remove()
        goal = self.animator.add_copy_rotation(2, swing=1.0, twist=0.0)
        self.animator.reset_pose()
        goal.set_rotation((0, 0.6, 0, 0.8))
        self.animator.solve()
        np.testing.assert_allclose(self.animator.pose, self.skeleton.rest, atol=1e-6)

    def test_trees_tips_and_springs(self):
        parents = [-1, 0, 1, 2, 1, 4]
        places = [(0, 0, 0), (0, 0.5, 0), (0.3, 0.4, 0), (0, 0.5, 0), (-0.3, 0.4, 0), (0, 0.5, 0)]
        tree = Skeleton(parents, transforms(places))
        animator = Animator(tree)
        both = animator.add_chain([3, 5], tips=[(0, 0.1, 0), (0, 0, 0)])
        self.assertEqual(both.end_count(), 2)
        goals = [(0.6, 1.1, 0.4), (-0.5, 1.2, -0.3)]
        for i, goal in enumerate(goals):
            both.set_position(goal, end=i)
        animator.solve()
        tip = position_of(tree, animator.pose, 3) + rotate(rotation_of(tree, animator.pose, 3), (0, 0.1, 0))
        self.assertLess(np.linalg.norm(tip - goals[0]), 1e-4)
        self.assertLess(np.linalg.norm(position_of(tree, animator.pose, 5) - goals[1]), 1e-4)
        spring = self.animator.add_chain(6, solver=ChainSolver.SPRING, spring_bias=np.ones(7))
        self.assertEqual(len(self.animator.constraints()), 1)
        self.assertEqual(self.animator.constraints()[0].handle.bits, spring.handle.bits)
        for wrong in (np.ones(3), "long", np.ones((7, 2)), 1.0):
            with self.assertRaises(ValueError):
                self.animator.add_chain(6, solver=ChainSolver.SPRING, spring_bias=wrong)
        with self.assertRaises(ValueError):
            self.animator.add_chain(6, spring_bias=np.ones(7), spring_bias_count=99)
        with self.assertRaises(SinewError):
            self.animator.add_aim(6, (0, 1, 0), joint_count=3, weights=[1, 1])
        self.animator.add_aim(6, (0, 1, 0), joint_count=3, weights=[1, 1, 1])
        gc.collect()
        with self.assertRaises(ValueError):
            self.animator.add_chain([5, 6], tips=[(0, 0, 0)])

    def test_goals_of_constraints(self):
        chain = self.animator.add_chain(6)
        chain.set_position((0, 2, 0))
        chain.set_distance(DistanceMode.ON, 0.5)
        self.animator.solve()
        self.assertAlmostEqual(np.linalg.norm(self.place(6) - (0, 2, 0)), 0.5, delta=1e-3)
        self.assertEqual(chain.goal()["distance_mode"], DistanceMode.ON)
        chain.clear_goal()
        self.assertEqual(chain.goal()["set"], 0)
        chain.set_goal(position=(0.5, 2, 0.5), position_weight=0.5)
        self.assertEqual(chain.goal()["set"], sinew.lib.SINEW_CONSTRAINT_POSITION)
        chain.set_position_weight(1)
        chain.set_axis((0, 1, 0), (1, 0, 0))
        chain.set_rotation_weight(1)
        self.animator.reset_pose()
        self.animator.solve()
        self.assertLess(np.linalg.norm(self.place(6) - (0.5, 2, 0.5)), 1e-3)
        self.assertGreater(rotate(rotation_of(self.skeleton, self.animator.pose, 6), (0, 1, 0))[0], 1 - 1e-3)
        self.assertTrue(chain.outcome().is_reached)
        chain.set_weight(0.5)
        self.assertEqual(chain.weight(), 0.5)
        chain.set_placement(ConstraintPlacement.BEFORE, FrameStep.LIMBS)
        self.assertEqual(chain.placement(), (ConstraintPlacement.BEFORE, FrameStep.LIMBS))

    def test_switch_times_of_constraints(self):
        chain = self.animator.add_chain(6)
        self.assertEqual(chain.inertialization_time(), 0)
        chain.set_inertialization_time(0.4)
        self.assertAlmostEqual(chain.inertialization_time(), 0.4)
        chain.set_position((0.4, 2, 0.4))
        for _ in range(3):
            self.animator.reset_pose()
            self.animator.advance(0.02)
            self.animator.solve()
        self.assertFalse(chain.is_inertializing())
        before = last = self.place(6)
        chain.inertialize()
        self.assertTrue(chain.is_inertializing())
        chain.set_position((-0.4, 2, 0.4))
        for frame in range(120):
            self.animator.reset_pose()
            self.animator.advance(0.02 if frame else 0)
            self.animator.solve()
            now = self.place(6)
            self.assertLess(np.linalg.norm(now - last), 0.15 if frame else 1e-3)
            last = now
        self.assertGreater(np.linalg.norm(before - last), 0.5)
        self.assertLess(np.linalg.norm(last - (-0.4, 2, 0.4)), 1e-3)
        self.assertFalse(chain.is_inertializing())

    def test_poles(self):
        limb = self.animator.add_two_bone(2)
        self.assertTrue(limb.bend_is_arbitrary())
        self.assertIsNone(limb.pole())
        limb.set_position((0, 0.7, 0))
        limb.set_pole((1, 0.3, 0), angle_rad=0.5)
        self.assertAlmostEqual(limb.pole()["angle_rad"], 0.5)
        self.assertTrue(-np.pi <= limb.compute_pole_angle((0, 0.3, 1)) <= np.pi)
        limb.clear_pole()
        self.assertIsNone(limb.pole())

    def test_limits_of_joints(self):
        lib = sinew.lib
        self.animator.set_joint_limits(3, flags=lib.SINEW_LIMIT_RANGE_X | lib.SINEW_LIMIT_RANGE_Z,
                                       min_rad=(-0.1, 0, -0.1), max_rad=(0.1, 0, 0.1))
        self.assertAlmostEqual(self.animator.joint_limits(3)["max_rad"][2], 0.1)
        self.animator.pose[3, 3:7] = (np.sin(0.25), 0, 0, np.cos(0.25))
        self.assertAlmostEqual(self.animator.joint_violation(3), 0.4, delta=1e-4)
        chain = self.animator.add_chain(6)
        chain.set_position((1, 1.5, 0))
        self.animator.reset_pose()
        self.animator.solve()
        self.assertLess(2 * np.arccos(min(1, abs(self.animator.pose[3, 6]))), 0.2)
        self.animator.clear_joint_limits(3)
        self.assertEqual(self.animator.joint_limits(3)["flags"], 0)
        self.assertGreater(len(self.animator.debug_lines()), 6)


class Refusals(People):
    def test_every_setter_names_its_argument(self):
        a, limb = self.animator, self.animator.add_two_bone(self.avatar.joint(HumanBone.LEFT_HAND))
        typed = [
            (lambda: a.set_ik_position("hand", (0, 0, 0)), "goal"),
            (lambda: a.set_ik_position_weight(IkGoal.LEFT_HAND, "full"), "weight"),
            (lambda: a.set_ik_rotation_weight(IkGoal.LEFT_HAND, None), "weight"),
            (lambda: a.set_ik_hint_position_weight(IkHint.LEFT_KNEE, [1]), "weight"),
            (lambda: a.set_look_at_weight(1, eyes="open"), "eyes"), (lambda: a.ik_outcome("hand"), "goal"),
            (lambda: a.advance("later"), "dt"), (lambda: a.restore("text"), "snapshot"),
            (lambda: a.bone_joint("Hips"), "bone"), (lambda: a.joint_world("Hips"), "joint"),
            (lambda: a.joint_world(1.5), "joint"), (lambda: a.set_max_work(1.5), "steps"),
            (lambda: a.set_cancelled("yes"), "cancelled"), (lambda: a.add_chain("hand"), "end"),
            (lambda: a.add_two_bone(None), "end"), (lambda: a.add_copy_rotation(1, "x"), "source"),
            (lambda: a.add_spline(1, curve="bezier"), "curve"), (lambda: limb.set_weight("x"), "weight"),
            (lambda: limb.set_position((0, 0, 0), end="last"), "end"),
            (lambda: limb.set_distance("on", 1), "mode"), (lambda: limb.set_placement("first"), "placement"),
            (lambda: a.set_joint_limits("knee"), "joint"), (lambda: a.set_body_effector("hip"), "effector"),
            (lambda: a.set_body_effector(HumanEffector.HIPS, position_weight="x"), "position_weight"),
        ]
        valued = [
            (lambda: a.set_ik_position(IkGoal.LEFT_HAND, "here"), "position"),
            (lambda: a.set_ik_position(IkGoal.LEFT_HAND, (0, 0)), "position"),
            (lambda: a.set_ik_position(9, (0, 0, 0)), "goal"),
            (lambda: a.set_ik_rotation(IkGoal.LEFT_HAND, (0, 0, 0)), "rotation"),
            (lambda: a.set_root("origin"), "root"), (lambda: a.set_body_position(None), "position"),
            (lambda: a.set_settings(spine="x"), "spine"), (lambda: a.set_settings(spine_weight="x"), "spine_weight"),
            (lambda: a.set_settings(pull_weights=(1, 1)), "pull_weights"),
            (lambda: a.set_settings(pull_weights="full"), "pull_weights"),
            (lambda: a.set_settings(limits_enabled=7), "limits_enabled"),
            (lambda: a.set_body_solver(mode=9), "mode"), (lambda: a.joint_world(-1), "joint"),
            (lambda: limb.set_position((0, 0), end=0), "position"), (lambda: limb.set_pole("left"), "at"),
            (lambda: limb.set_goal(positions=(0, 0, 0)), "positions"), (lambda: limb.set_position((0, 0, 0), 5), "end"),
        ]
        before = a.hash()
        for kind, cases in ((TypeError, typed), (ValueError, valued)):
            for call, word in cases:
                with self.assertRaises(kind) as caught:
                    call()
                self.assertIn(word, str(caught.exception))
                self.assertNotIn("cdata", str(caught.exception))
        self.assertEqual(a.hash(), before)

    def test_what_is_returned_outlives_its_animator(self):
        animator = Animator(person(), None)
        chain, matrices, root = animator.add_chain(2), animator.world_matrices(), animator.root()
        handle = animator.handle
        del animator
        gc.collect()
        valid = sinew.ffi.new("uint32_t *")
        sinew.must(sinew.lib.sinew_animator_is_valid(handle, valid))
        self.assertEqual((valid[0], chain.weight()), (1, 1.0))
        del chain
        gc.collect()
        sinew.must(sinew.lib.sinew_animator_is_valid(handle, valid))
        self.assertEqual(valid[0], 0)
        self.assertTrue(np.isfinite(matrices).all() and np.isfinite(root).all())


if __name__ == "__main__":
    unittest.main()
