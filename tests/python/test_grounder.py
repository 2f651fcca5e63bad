"""Grounders of the Python package; feet are judged by forward kinematics in float64."""

import gc
import unittest

import numpy as np
import sinew
from sinew import (
    Animator, Avatar, Gait, GroundContact, Grounded, Grounder, GroundQuality, HumanBone, SinewError, Skeleton,
    begin_grounders, contacts_from_clip, finish_grounders, foot_from_outline, foot_from_rest, ground_hits,
    grounder_frames, transforms,
)
from test_sinew import position_of, rotate

LEFT_FOOT, RIGHT_FOOT = 5, 9


def walker():
    """A person with toes who stands with the soles at y = 0."""
    joints = [("Hips", -1, (0, 0.95, 0)), ("Spine", 0, (0, 0.2, 0))]
    for side, x in (("Left", 1), ("Right", -1)):
        first = len(joints)
        joints += [(f"{side}UpperLeg", 0, (0.1 * x, -0.03, 0)), (f"{side}LowerLeg", first, (0, -0.42, 0.03)),
                   (f"{side}Foot", first + 1, (0, -0.41, -0.03)), (f"{side}Toes", first + 2, (0, -0.06, 0.12))]
    joints += [("Head", 1, (0, 0.4, 0))]
    for side, x in (("Left", 1), ("Right", -1)):
        first = len(joints)
        joints += [(f"{side}UpperArm", 1, (0.2 * x, 0.3, 0)), (f"{side}LowerArm", first, (0.28 * x, 0, 0)),
                   (f"{side}Hand", first + 1, (0.25 * x, 0, 0))]
    names, parents, positions = zip(*joints)
    return Skeleton(parents, transforms(positions), names)


def plane(height=0.0, slope=0.0):
    """The ground y = height + slope * x, as a function of arrays."""
    normal = np.array([-slope, 1, 0]) / np.hypot(slope, 1)

    def ground(origins, directions, lengths):
        over = (origins - (0, height, 0)) @ normal
        way = over / np.maximum(-(directions @ normal), 1e-9)
        points = origins + way[:, None] * directions
        return (way >= 0) & (way <= lengths), points, np.broadcast_to(normal, points.shape)

    return ground


class OnGround(unittest.TestCase):
    def setUp(self):
        self.skeleton = walker()
        self.avatar = Avatar(self.skeleton)
        self.joint = self.skeleton.find
        self.grounder = Grounder.for_avatar(self.avatar)

    def stand(self, ground, frames=90, grounder=None, **frame):
        for _ in range(frames):
            found = (grounder or self.grounder).solve(self.skeleton.rest, None, 1 / 60, ground, **frame)
        return found


class Solve(OnGround):
    def test_legs_are_where_the_pose_has_them(self):
        root = transforms((3, 0.5, -2), (0, np.sin(0.4), 0, np.cos(0.4)), (2, 2, 2))
        pose = self.skeleton.rest.copy()
        pose[self.joint("Spine"), 3:7] = (0, 0.6, 0, 0.8)
        pose[self.joint("LeftUpperLeg"), 3:7] = (0.6, 0, 0, 0.8)
        legs = self.grounder.legs_of(pose, root)
        for leg, side in zip(legs, ("Left", "Right")):
            for field, name in (("hip", "UpperLeg"), ("knee", "LowerLeg"), ("ankle", "Foot"), ("ball", "Toes")):
                place = position_of(self.skeleton, pose, self.joint(side + name))
                world = root[:3] + rotate(root[3:7], 2 * place)
                np.testing.assert_allclose(leg[field], world, atol=1e-5)
        np.testing.assert_allclose(self.grounder.blank_legs()["weight"], 1)

    def test_a_person_in_centimetres_stands_as_one_in_metres(self):
        rest = self.skeleton.rest.copy()
        rest[:, :3] *= 100
        large = Skeleton(self.skeleton.parents, rest, self.skeleton.names)
        grounder = Grounder.for_avatar(Avatar(large), scale=100)
        found = self.stand(plane(slope=0.2))
        for _ in range(90):
            other = grounder.solve(large.rest, None, 1 / 60, plane(slope=0.2))
        self.assertEqual((other.planted, found.planted), (2, 2))
        for field in ("hip", "knee", "ankle", "ball"):
            np.testing.assert_allclose(other.legs[field] / 100, found.legs[field], atol=1e-5)

    def test_up_is_the_avatars(self):
        rest = self.skeleton.rest.copy()
        rest[:, 1:3] = np.stack((-rest[:, 2], rest[:, 1]), axis=1)
        upright = Skeleton(self.skeleton.parents, rest, self.skeleton.names)
        grounder = Grounder.for_avatar(Avatar(upright))
        level = plane(height=0.15)

        def ground(origins, directions, lengths):
            hit, points, normals = level(origins[:, [0, 2, 1]], directions[:, [0, 2, 1]], lengths)
            return hit, points[:, [0, 2, 1]], normals[:, [0, 2, 1]]

        for _ in range(90):
            found = self.grounder.solve(self.skeleton.rest, None, 1 / 60, level)
            other = grounder.solve(rest, None, 1 / 60, ground)
        self.assertEqual((other.planted, found.planted), (2, 2))
        self.assertGreater(found.offset[1], 0.05)
        np.testing.assert_allclose(other.offset, found.offset[[0, 2, 1]], atol=1e-4)

    def test_a_person_on_flat_ground_stays(self):
        found = self.stand(plane())
        np.testing.assert_allclose(found.offset, 0, atol=1e-3)
        self.assertEqual(found.planted, 2)
        self.assertAlmostEqual(found.presence, 1.0, delta=1e-3)
        np.testing.assert_allclose(found.ground_normal, (0, 1, 0), atol=1e-5)

    def test_feet_follow_a_slope_and_the_animator_puts_them_there(self):
        slope = 0.2
        found = self.stand(plane(slope=slope))
        self.assertLess(found.offset[1], 0.0)
        animator = Animator(self.skeleton, self.avatar)
        self.grounder.apply(animator)
        animator.solve()
        for leg, side in zip(found.legs, ("Left", "Right")):
            ankle = position_of(self.skeleton, animator.pose, self.joint(f"{side}Foot"))
            self.assertLess(np.linalg.norm(ankle - leg["ankle"]), 1e-4)
            ball = position_of(self.skeleton, animator.pose, self.joint(f"{side}Toes"))
            self.assertLess(np.linalg.norm(ball - leg["ball"]), 5e-3)
            # The ball stands its height in the foot model above the slope.
            over = (ball[1] - slope * ball[0]) / np.hypot(slope, 1)
            self.assertAlmostEqual(over, self.grounder.foot(0)["ball_height"], delta=0.01)

    def test_the_pelvis_of_a_turned_root_moves_in_the_world(self):
        root = transforms((0, 0, 0), (0, 1, 0, 0))
        for _ in range(90):
            found = self.grounder.solve(self.skeleton.rest, root, 1 / 60, plane(slope=0.2))
        animator = Animator(self.skeleton, self.avatar)
        self.grounder.apply(animator, root)
        hips = root[:3] + rotate(root[3:7], animator.pose[0, :3])
        np.testing.assert_allclose(hips, np.array([0, 0.95, 0]) + found.offset, atol=1e-5)

    def test_a_moving_platform_and_its_body(self):
        seen = []

        def platform(origins, directions, lengths):
            seen.append((origins.shape, directions.shape, lengths.shape, origins.dtype))
            hit, points, normals = plane()(origins, directions, lengths)
            count = len(origins)
            return hit, points, normals, np.full(count, 7), np.tile((1.0, 0, 0), (count, 1)), np.zeros((count, 3))

        for frame in range(30):
            found = self.grounder.solve(self.skeleton.rest, transforms((frame / 60, 0, 0)), 1 / 60, platform)
        self.assertEqual(found.planted, 2)
        np.testing.assert_allclose(found.legs["ankle"][:, 0], np.array([0.1, -0.1]) + 29 / 60, atol=2e-3)
        count = seen[0][0][0]
        self.assertEqual(seen[0], ((count, 3), (count, 3), (count,), np.float32))

    def test_without_ground_a_person_is_in_the_air(self):
        nothing = lambda o, d, l: (np.zeros(len(o), bool), np.full((len(o), 3), np.nan), np.zeros((len(o), 3)))
        found = self.stand(nothing)
        self.assertEqual((found.planted, found.presence), (0, 0.0))
        found = self.stand(plane(), grounded=Grounded.NO)
        self.assertEqual(found.planted, 0)

    def test_what_a_ground_raises_or_returns_wrong_comes_out_and_the_next_frame_works(self):
        def raises(o, d, l):
            raise KeyError("no ground")

        with self.assertRaises(KeyError):
            self.stand(raises, 1)
        count = 10
        good = (np.ones(count, bool), np.zeros((count, 3)), np.tile((0, 1, 0), (count, 1)))
        wrong = [None, good[:2], (good[0][:3], good[1][:3], good[2][:3]), (good[0], good[1][:, :2], good[2]),
                 (np.ones(count), *good[1:]), (*good, np.full(count, -1)), (*good, None, np.zeros(3)), good * 3]
        for answer in wrong:
            with self.assertRaises(ValueError):
                self.stand(lambda o, d, l: answer, 1)
        self.assertEqual(self.stand(plane(), 3).planted, 2)


class Phases(OnGround):
    def test_queries_out_and_answers_in_are_the_same_as_solve(self):
        other, ground = Grounder.for_avatar(self.avatar), plane(slope=0.1)
        for _ in range(20):
            one = self.stand(ground, 1)
            rig = other.rig.frame(self.skeleton.rest, None)
            queries = other.begin(other.legs_of(self.skeleton.rest), dt_s=1 / 60, **rig)
            self.assertLessEqual(len(queries), 10)
            np.testing.assert_allclose(np.linalg.norm(queries["direction"], axis=1), 1, atol=1e-5)
            two = other.finish(ground_hits(*ground(queries["origin"], queries["direction"], queries["length"])))
            self.assertEqual(one.legs.tobytes(), two.legs.tobytes())

    def test_legs_without_a_skeleton(self):
        grounder = Grounder(4, quality=GroundQuality.ONE)
        legs = grounder.blank_legs()
        for i, (x, z) in enumerate(((1, 1), (-1, 1), (1, -1), (-1, -1))):
            legs["hip"][i], legs["knee"][i] = (0.2 * x, 0.8, 0.3 * z), (0.2 * x, 0.4, 0.3 * z + 0.05)
            legs["ankle"][i] = legs["ball"][i] = (0.2 * x, 0.05, 0.3 * z)
        legs["contact"] = GroundContact.PLANTED
        for _ in range(60):
            queries = grounder.begin(legs, pelvis=(0, 0.8, 0))
            self.assertLessEqual(len(queries), 4)
            hits = plane(-0.1)(queries["origin"], queries["direction"], queries["length"])
            found = grounder.finish(ground_hits(*hits))
        self.assertEqual(found.planted, 4)
        self.assertLess(found.offset[1], -0.01)
        for call in (lambda: grounder.legs_of(np.zeros((1, 10))), lambda: grounder.apply(None)):
            with self.assertRaises(ValueError):
                call()

    def test_for_legs_of_any_rig(self):
        ankle = self.joint("LeftFoot")
        legs = [(2, 3, 4, 5), (6, 7, 8, 9)]
        self.assertEqual(ankle, 4)
        grounder = Grounder.for_legs(self.skeleton, 0, legs)
        self.assertAlmostEqual(grounder.foot(0)["heel_height"], 0.09, delta=1e-5)
        self.assertEqual(self.stand(plane(), 3, grounder).planted, 2)
        for wrong in ([(2, 3, 4)], [(2, 3, 4, 99)], [(2.0, 3, 4, 5)], np.zeros((1, 1, 4), int)):
            with self.assertRaises(ValueError) as caught:
                Grounder.for_legs(self.skeleton, 0, wrong)
            self.assertIn("legs", str(caught.exception))
        with self.assertRaises(ValueError):
            Grounder.for_legs(self.skeleton, 0, legs, feet=[{}])

    def test_wrong_records_are_refused(self):
        legs = self.grounder.legs_of(self.skeleton.rest)
        for wrong in (legs[:1], np.repeat(legs, 2)[::2], np.zeros((2, 23), np.float32), legs.tolist(), None):
            with self.assertRaises(ValueError) as caught:
                self.grounder.begin(wrong)
            self.assertIn("legs", str(caught.exception))
        legs.flags.writeable = False
        queries = self.grounder.begin(legs)
        hits = np.zeros(len(queries), sinew.records("SinewGroundHit"))
        for wrong in (hits[:-1], np.repeat(hits, 2)[::2], np.zeros(len(queries)), None, hits.tolist()):
            with self.assertRaises(ValueError):
                self.grounder.finish(wrong)
        hits.flags.writeable = False
        self.grounder.finish(hits)
        with self.assertRaises(SinewError):
            self.grounder.finish(hits)

    def test_many_grounders_have_the_bits_of_single_ones(self):
        ground, poses = plane(slope=0.15), [self.skeleton.rest.copy() for _ in range(3)]
        poses[1][0, :3] = (0.2, 0.97, 0)
        alone = [Grounder.for_avatar(self.avatar) for _ in poses]
        many = [Grounder.for_avatar(self.avatar) for _ in poses]
        for _ in range(10):
            singles = [g.solve(pose, None, 1 / 60, ground) for g, pose in zip(alone, poses)]
            rigs = [g.rig.frame(pose, None) for g, pose in zip(many, poses)]
            frames = grounder_frames(3, dt_s=1 / 60, pelvis=np.array([rig["pelvis"] for rig in rigs]))
            legs = np.concatenate([g.legs_of(pose) for g, pose in zip(many, poses)])
            queries, first = begin_grounders(many, frames, legs)
            self.assertEqual(first[-1], len(queries))
            hits = ground_hits(*ground(queries["origin"], queries["direction"], queries["length"]))
            bodies, results = finish_grounders(many, hits)
        for i, single in enumerate(singles):
            self.assertEqual(single.legs.tobytes(), results[2 * i:2 * i + 2].tobytes())
            np.testing.assert_array_equal(single.offset, bodies["offset"][i])
        frames["struct_size"][1] += 4
        for call in (lambda: begin_grounders(many, frames, legs), lambda: begin_grounders(many, frames[:2], legs),
                     lambda: begin_grounders(many, grounder_frames(3), legs[:5]),
                     lambda: begin_grounders([many[0]] * 3, grounder_frames(3), legs),
                     lambda: finish_grounders(many, hits[:1]), lambda: grounder_frames(3, roots=(0, 0, 0)),
                     lambda: grounder_frames(3, root=(0, 0)), lambda: grounder_frames(3, dt_s="x")):
            with self.assertRaises(ValueError):
                call()


class Lasting(OnGround):
    def test_settings_and_feet_by_name(self):
        self.grounder.set_settings(quality=GroundQuality.THREE, foot_tilt=0.25)
        self.assertEqual(self.grounder.settings()["foot_tilt"], 0.25)
        self.grounder.set_foot(1, toe_length=0.2)
        self.assertAlmostEqual(self.grounder.foot(1)["toe_length"], 0.2)
        self.assertEqual(self.grounder.foot(1)["has_sole"], 1)
        for call, word in (
            (lambda: self.grounder.set_settings(foot_tilts=1), "foot_tilts"),
            (lambda: self.grounder.set_settings(foot_tilt="x"), "foot_tilt"),
            (lambda: self.grounder.set_settings(weight=2), "weight"),
            (lambda: self.grounder.set_settings(scale=0), "scale"), (lambda: self.grounder.foot(9), "leg"),
            (lambda: self.grounder.set_foot(0, heel_height=-1), "heel_height"), (lambda: Grounder(0), "count"),
            (lambda: Grounder([{"toe": 1}]), "toe"), (lambda: self.grounder.restore(b"123"), "size"),
        ):
            with self.assertRaises(ValueError) as caught:
                call()
            self.assertIn(word, str(caught.exception))
        for call in (lambda: Grounder("two"), lambda: self.grounder.foot("left"), lambda: self.grounder.restore("x"),
                     lambda: self.grounder.solve(self.skeleton.rest, None, "soon", plane())):
            with self.assertRaises((TypeError, ValueError)):
                call()

    def test_a_snapshot_goes_on_with_the_same_bits_and_reset_starts_anew(self):
        ground = plane(slope=0.2)
        self.stand(ground, 4)
        saved = self.grounder.snapshot()
        one = self.stand(ground, 3)
        two = Grounder.for_avatar(self.avatar)
        two.restore(saved)
        self.assertEqual(one.legs.tobytes(), self.stand(ground, 3, two).legs.tobytes())
        self.grounder.reset()
        fresh = self.stand(ground, 1, Grounder.for_avatar(self.avatar))
        self.assertEqual(self.stand(ground, 1).legs.tobytes(), fresh.legs.tobytes())

    def test_feet_step_by_themselves(self):
        self.grounder.set_stepping(groups=[0, 1], gait=Gait.WAVE, step_time=0.2)
        lifted = 0
        for frame in range(120):
            root = transforms((0, 0, 0.01 * frame))
            lifted += self.grounder.solve(self.skeleton.rest, root, 1 / 60, plane()).planted < 2
        self.assertGreater(lifted, 20)
        self.grounder.clear_stepping()
        for wrong in ([0], [0, -1], [0.5, 1], "ab"):
            with self.assertRaises(ValueError):
                self.grounder.set_stepping(groups=wrong)

    def test_feet_from_joints_and_outlines(self):
        foot = foot_from_rest((0, 0.1, 0), (0, 0.04, 0.12), (5, 0.01, 5), toe_tip=(0, 0.01, 0.2))
        self.assertAlmostEqual(foot["heel_height"], 0.09, delta=1e-6)
        self.assertAlmostEqual(foot["toe_length"], 0.08, delta=1e-5)
        self.assertEqual(foot_from_rest((0, 0.1, 0), None, (0, 0, 0))["has_sole"], 0)
        sole = [(0.03, 0, -0.05), (-0.03, 0, -0.05), (0, 0, 0.2)]
        self.assertAlmostEqual(foot_from_outline((0, 0.1, 0), (0, 0.04, 0.12), sole)["heel_length"], 0.05, delta=1e-5)
        self.assertEqual(Grounder([foot, foot]).foot(1)["heel_height"], foot["heel_height"])
        for wrong in ((0, 0, 0), np.zeros((0, 3)), np.zeros((2, 2))):
            with self.assertRaises(ValueError):
                foot_from_outline((0, 0.1, 0), (0, 0.04, 0.12), wrong)

    def test_contacts_of_a_clip(self):
        time = np.arange(120) / 60
        swing = (time % 1) > 0.5
        x = np.floor(time) + np.where(swing, (time % 1 - 0.5) * 2, 0)
        y = np.where(swing, 0.15 * np.sin((time % 1 - 0.5) * 2 * np.pi), 0)
        stances = contacts_from_clip(np.stack([x, y, 0 * x], axis=1), 1 / 60)
        self.assertEqual(stances.shape, (2, 2))
        for (start, end), at in zip(stances, (0, 60)):
            self.assertTrue(abs(int(start) - at) <= 5 and abs(int(end) - at - 30) <= 5, stances)
        self.assertEqual(len(contacts_from_clip(np.zeros((2, 3)), 1 / 60)), 0)
        for call in (lambda: contacts_from_clip(np.zeros(3), 1), lambda: contacts_from_clip(np.zeros((5, 3)), 0),
                     lambda: contacts_from_clip(np.zeros((5, 3)), 1, speeds=1)):
            with self.assertRaises(ValueError):
                call()

    def test_close_destroys_and_results_stay(self):
        with Grounder.for_avatar(self.avatar) as grounder:
            found = self.stand(plane(), 3, grounder)
            handle = grounder.handle
            self.assertGreater(len(grounder.debug_lines()), 0)
        valid = sinew.ffi.new("uint32_t *")
        sinew.must(sinew.lib.sinew_grounder_is_valid(handle, valid))
        self.assertEqual(valid[0], 0)
        gc.collect()
        self.assertTrue(np.isfinite(found.legs["ankle"]).all())
        with self.assertRaises(SinewError):
            grounder.reset()
        with self.assertRaises(SinewError):
            Grounder(2).result()


if __name__ == "__main__":
    unittest.main()
