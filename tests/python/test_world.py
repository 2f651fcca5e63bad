"""Levels of detail, budgets, threads and rows of worlds of the Python package."""

import gc
import unittest

import numpy as np
import sinew
from sinew import Animator, Avatar, IkGoal, Lod, RowState, SinewError, Status, World
from test_sinew import person, position_of

HAND = 11


class Worlds(unittest.TestCase):
    def setUp(self):
        self.skeleton = person()
        self.avatar = Avatar(self.skeleton)

    def world(self, count=20, goal=(-0.3, 1.2, 0.4)):
        world = World(self.skeleton, self.avatar, count)
        world.set_ik_goal(IkGoal.RIGHT_HAND, goal)
        return world

    def miss(self, world, row, goal=(-0.3, 1.2, 0.4)):
        return np.linalg.norm(position_of(self.skeleton, world.poses[row], HAND) - goal)


class Detail(Worlds):
    def test_threads_give_the_same_bits(self):
        one, two = self.world(), self.world()
        two.set_threads(2)
        self.assertEqual(one.solve().solved, 20)
        two.solve()
        self.assertEqual(one.poses.tobytes(), two.poses.tobytes())
        self.assertEqual(one.hash(), two.hash())
        two.set_threads(0)
        two.close()
        with self.assertRaises(SinewError):
            two.solve()
        with self.assertRaises(SinewError):
            one.set_threads(100000)

    def test_levels_of_detail(self):
        world = self.world(4)
        world.set_lod_off(0)
        world.set_lod_interval(1, 3)
        world.set_lod_iterations(2, 0.5)
        self.assertEqual(world.lod(0)[0], Lod.OFF)
        self.assertEqual(world.lod(1), (Lod.EVERY_NTH, 1.0, 3))
        self.assertEqual(world.lod(2), (Lod.REDUCED_ITERATIONS, 0.5, 1))
        self.assertEqual(world.lod(3), (Lod.FULL, 1.0, 1))
        report = world.solve()
        self.assertEqual((report.off, report.solved + report.between, report.failed), (1, 3, 0))
        self.assertEqual(world.states[0], RowState.OFF)
        np.testing.assert_array_equal(world.poses[0], self.skeleton.rest)
        self.assertLess(self.miss(world, 3), 1e-4)
        world.set_lod_full(0)
        world.poses[:] = self.skeleton.rest
        world.solve()
        self.assertLess(self.miss(world, 0), 1e-4)

    def test_a_budget_cuts_and_the_next_call_goes_on(self):
        time = [0.0]

        def clock():
            time[0] += 1.0
            return time[0]

        world = self.world(40)
        world.set_budget(0.5, clock)
        gc.collect()
        report = world.solve()
        self.assertGreater(report.cut, 0)
        self.assertGreater(report.solved, 0)
        self.assertEqual(np.count_nonzero(world.states == RowState.CUT), report.cut)
        cut = np.flatnonzero(world.states == RowState.CUT)
        world.poses[:] = self.skeleton.rest
        world.solve()
        self.assertTrue((world.states[cut] == RowState.SOLVED).any())
        world.set_budget(None)
        world.poses[:] = self.skeleton.rest
        self.assertEqual(world.solve().solved, 40)

    def test_an_exception_of_a_clock_comes_out(self):
        def broken():
            raise KeyError("time")

        world = self.world(10)
        world.set_budget(1.0, broken)
        with self.assertRaises(KeyError):
            world.solve()
        world.set_budget(1.0)
        world.solve()
        for kind, call in ((TypeError, lambda: world.set_budget("x")), (TypeError, lambda: world.set_budget(1, 3)),
                           (TypeError, lambda: world.set_threads(1.5)), (TypeError, lambda: world.lod("first")),
                           (TypeError, lambda: World(self.skeleton, None, "3")),
                           (TypeError, lambda: self.avatar.joint("Hips")),
                           (ValueError, lambda: world.lod(10)), (ValueError, lambda: world.set_lod_off(-1)),
                           (ValueError, lambda: world.set_lod_interval(0, 0)),
                           (ValueError, lambda: world.set_lod_iterations(0, 2))):
            with self.assertRaises(kind):
                call()


class Rows(Worlds):
    def test_characters_join_and_leave(self):
        world = self.world(3)
        left = world.leave(1)
        self.assertIs(left, world.animators[1])
        for call in (world.leave, world.lod, world.set_lod_off):
            with self.assertRaises(SinewError):
                call(1)
        world.solve()
        self.assertEqual(list(world.states), [RowState.SOLVED, RowState.EMPTY, RowState.SOLVED])
        np.testing.assert_array_equal(world.poses[1], self.skeleton.rest)
        own = Animator(self.skeleton, self.avatar)
        self.assertEqual(world.join(own), 1)
        self.assertIs(world.animators[1], own)
        self.assertEqual(world.inputs["set"][1], 0)
        self.assertEqual(world.join(), 3)
        self.assertEqual((len(world), world.poses.shape, world.roots.shape), (4, (4, 15, 10), (4, 10)))
        world.set_ik_goal(IkGoal.RIGHT_HAND, (-0.2, 1.3, 0.3))
        world.poses[:] = self.skeleton.rest
        self.assertEqual(world.solve().solved, 4)
        for row in range(4):
            self.assertLess(self.miss(world, row, (-0.2, 1.3, 0.3)), 1e-4)
        self.assertTrue(all(outcome.status == Status.REACHED for outcome in world.ik_outcomes(IkGoal.RIGHT_HAND)))
        with self.assertRaises(SinewError):
            world.join(own)
        with self.assertRaises(ValueError):
            world.join(Animator(sinew.Skeleton([-1], np.float32([[0, 0, 0, 0, 0, 0, 1, 1, 1, 1]]))))
        other = World(self.skeleton, self.avatar, 0)
        self.assertEqual(other.join(left), 0)
        other.solve()

    def test_one_that_joins_again_in_another_row_has_that_row_alone(self):
        world = self.world(3)
        last = world.leave(2)
        world.leave(0)
        self.assertEqual(world.join(last), 0)
        world.set_lod_off(0)
        for call in (world.leave, world.set_lod_full):
            with self.assertRaises(SinewError):
                call(2)
        self.assertEqual(world.lod(0)[0], Lod.OFF)

    def test_an_input_of_another_size_is_refused(self):
        world = self.world(2)
        world.inputs["struct_size"][1] += 4
        with self.assertRaises(ValueError):
            world.solve()

    def test_a_world_that_is_dropped_is_destroyed_and_its_animators_stay(self):
        world = self.world(2)
        handle, animator, poses = world.handle, world.animators[0], world.poses
        world.set_budget(1.0, lambda: 0.0)
        del world
        gc.collect()
        valid = sinew.ffi.new("uint32_t *")
        sinew.must(sinew.lib.sinew_world_is_valid(handle, valid))
        self.assertEqual(valid[0], 0)
        animator.solve()
        np.testing.assert_array_equal(poses[0], self.skeleton.rest)
        with World(self.skeleton) as one:
            one.solve()
        self.assertTrue(one.is_closed)


if __name__ == "__main__":
    unittest.main()
