"""Tracked bodies of the Python package; poses are judged by forward kinematics in float64."""

import gc
import json
import unittest

import numpy as np
import sinew
from sinew import (
    Animator, Avatar, CalibrationPose, HumanBone, SinewError, Status, TrackedBody, TrackedPart, TrackerRole, TrackerScale,
)
from test_grounder import walker
from test_sinew import person, position_of

HEAD, LEFT, RIGHT = TrackerRole.HEAD, TrackerRole.LEFT_HAND, TrackerRole.RIGHT_HAND
BONES = {HEAD: HumanBone.HEAD, LEFT: HumanBone.LEFT_HAND, RIGHT: HumanBone.RIGHT_HAND,
         TrackerRole.HIPS: HumanBone.HIPS, TrackerRole.LEFT_FOOT: HumanBone.LEFT_FOOT,
         TrackerRole.RIGHT_FOOT: HumanBone.RIGHT_FOOT}
STILL = (0, 0, 0, 1)


class Tracked(unittest.TestCase):
    def setUp(self):
        self.skeleton = walker()
        self.avatar = Avatar(self.skeleton)
        self.body = TrackedBody(self.avatar)

    def at(self, role, pose=None):
        joint = self.avatar.joint(BONES[role])
        return position_of(self.skeleton, self.skeleton.rest if pose is None else pose, joint)

    def report(self, time, body=None, **moved):
        for role in BONES:
            place = self.at(role) + moved.get(role.name, (0, 0, 0))
            (body or self.body).set_tracker(role, place, STILL, time)

    def play(self, until, body=None, start=0.0, **moved):
        for time in np.arange(start, until, 1 / 60):
            self.report(time, body, **moved)
            (body or self.body).update(time)


class Frames(Tracked):
    def test_bones_come_to_their_trackers(self):
        up = (-0.15, 0.2, 0.2)
        self.play(1.0, LEFT_HAND=up, LEFT_FOOT=(0.05, 0.1, 0.1))
        pose = self.body.pose()
        for role, way in ((HEAD, 0), (LEFT, np.array(up)), (RIGHT, 0), (TrackerRole.LEFT_FOOT, (0.05, 0.1, 0.1))):
            self.assertLess(np.linalg.norm(self.at(role, pose) - self.at(role) - way), 0.01, role)
            self.assertAlmostEqual(self.body.presence(role), 1.0, delta=1e-3)
            self.assertLess(self.body.outcome(role).residual_m, 0.01)
        self.assertEqual(self.body.outcome(TrackerRole.CHEST).status, Status.INACTIVE)

    def test_an_animated_leg_is_the_pose_that_is_written_over(self):
        self.play(0.5, LEFT_FOOT=(0.05, 0.15, 0.1))
        tracked = self.body.pose()
        self.assertEqual(self.body.part_weight(TrackedPart.LEFT_LEG), 1.0)
        self.body.set_part_weight(TrackedPart.LEFT_LEG, -0.5)
        self.assertEqual(self.body.part_weight(TrackedPart.LEFT_LEG), 0.0)
        with self.assertRaises(SinewError):
            self.body.set_part_weight(TrackedPart.PELVIS, float("nan"))
        pose = self.body.pose()
        foot = TrackerRole.LEFT_FOOT
        # The rest pose has the foot on the floor.
        self.assertLess(abs(self.at(foot, pose)[1] - self.at(foot)[1]), 0.02)
        self.assertGreater(self.at(foot, tracked)[1] - self.at(foot)[1], 0.1)
        self.assertLess(np.linalg.norm(self.at(LEFT, pose) - self.at(LEFT, tracked)), 1e-5)
        self.body.set_part_weight(TrackedPart.LEFT_LEG, 1.0)
        np.testing.assert_array_equal(self.body.pose(), tracked)

    def test_the_pose_goes_into_arrays_and_animators(self):
        self.play(0.5, RIGHT_HAND=(-0.1, 0.2, 0.3))
        own = self.skeleton.rest.copy()
        self.body.apply(own)
        np.testing.assert_array_equal(own, self.body.pose(self.skeleton.rest.astype(float)))
        animator = Animator(self.skeleton, self.avatar)
        self.body.apply_to_animator(animator)
        np.testing.assert_array_equal(animator.pose, own)
        with self.assertRaises(SinewError):
            self.body.apply_to_animator(Animator(person()))
        wide = np.zeros((2 * len(own), 10), np.float32)
        for wrong in (self.skeleton.rest, own.astype(float), wide, wide[::2], own.tolist(), None):
            with self.assertRaises(ValueError) as caught:
                self.body.apply(wrong)
            self.assertIn("pose", str(caught.exception))
        with self.assertRaises(ValueError):
            self.body.pose(own[:2])

    def test_a_tracker_that_is_lost_fades_and_one_that_is_cleared_is_gone(self):
        self.play(0.5)
        for time in np.arange(0.5, 1.5, 1 / 60):
            self.body.set_tracker(HEAD, self.at(HEAD), STILL, time)
            self.body.update(time)
        self.assertEqual((self.body.presence(LEFT), self.body.presence(HEAD)), (0.0, 1.0))
        self.body.clear_tracker(HEAD)
        self.assertEqual(self.body.presence(HEAD), 0.0)
        self.body.set_tracker(HEAD, None, STILL, 2.0, confidence=0.5)
        self.body.set_tracker(HEAD, self.at(HEAD), None, 2.1)

    def test_an_origin_and_a_reset(self):
        self.body.set_origin((3, 0, 1), (0, 1, 0, 0))
        self.play(0.3)
        self.body.reset()
        self.body.update(0.3)
        self.assertLess(np.linalg.norm(self.at(HEAD, self.body.pose()) - self.at(HEAD)), 0.01)

    def test_a_snapshot_goes_on_with_the_same_bits(self):
        self.play(0.4, LEFT_HAND=(0, 0.2, 0))
        saved, twin = self.body.snapshot(), TrackedBody(self.avatar)
        twin.restore(saved)
        for body in (self.body, twin):
            self.play(0.8, body, 0.4, LEFT_HAND=(0, 0.1, 0.1))
        self.assertEqual(self.body.pose().tobytes(), twin.pose().tobytes())


class Calibration(Tracked):
    def test_a_taller_player_and_shifted_mounts(self):
        for role in BONES:
            self.body.set_tracker(role, 1.2 * self.at(role) + (0, 0.0, 0.03), STILL, 0.0)
        self.body.calibrate(CalibrationPose.T_POSE, TrackerScale.HEIGHT, floor=0.0)
        found = self.body.calibration()
        self.assertAlmostEqual(found["scale"], 1 / 1.2, delta=0.05)
        self.assertEqual(found["offsets"].shape, (25,))
        self.assertEqual(list(np.flatnonzero(found["offsets"]["is_set"])), sorted(int(role) for role in BONES))
        self.body.update(0.0)
        self.assertLess(np.linalg.norm(self.at(LEFT, self.body.pose()) - self.at(LEFT)), 0.05)

    def test_calibrations_are_saved_as_numbers_and_as_text(self):
        self.report(0.0)
        self.body.calibrate()
        text, numbers = self.body.calibration_json(), self.body.calibration()
        self.assertIn("scale", json.loads(text))
        for load in (lambda body: body.set_calibration_json(text), lambda body: body.set_calibration(**numbers)):
            other = TrackedBody(self.avatar)
            load(other)
            np.testing.assert_array_equal(other.calibration()["offsets"], numbers["offsets"])
            self.assertEqual(other.calibration()["scale"], numbers["scale"])
        self.body.set_calibration(scale=0.5)
        self.assertEqual(self.body.calibration()["scale"], 0.5)
        for wrong, word in ((lambda: self.body.set_calibration(scale=0), "scale"),
                            (lambda: self.body.set_calibration(offsets=numbers["offsets"][:3]), "offsets"),
                            (lambda: self.body.set_calibration(offsets=np.zeros((25, 8))), "offsets"),
                            (lambda: self.body.set_calibration_json("{"), "calibration_json"),
                            (lambda: self.body.set_calibration_json(b"{}"), "json")):
            with self.assertRaises(ValueError) as caught:
                wrong()
            self.assertIn(word, str(caught.exception))
        self.assertEqual(self.body.calibration()["scale"], 0.5)

    def test_a_calibration_without_a_head_is_refused(self):
        with self.assertRaises(SinewError):
            self.body.calibrate()

    def test_unlabelled_trackers_get_their_roles(self):
        for role in (HEAD, LEFT, RIGHT):
            self.body.set_tracker(role, self.at(role), STILL, 0.0)
        wanted = [TrackerRole.RIGHT_FOOT, TrackerRole.HIPS, TrackerRole.LEFT_FOOT]
        places = np.array([self.at(role) for role in wanted] + [(5, 1, 5)])
        self.assertEqual(list(self.body.assign_trackers(places)), wanted + [-1])
        for wrong in (places[0], places[:, :2], np.zeros((0, 3)), np.zeros((65, 3)), "abc"):
            with self.assertRaises(ValueError):
                self.body.assign_trackers(wrong)


class Remote(Tracked):
    def test_packets_show_the_body_elsewhere(self):
        remote = TrackedBody(self.avatar, min_delay_s=0.05)
        self.assertEqual(remote.network_delay(), 0.0)
        for time in np.arange(0, 1, 1 / 60):
            self.report(time, LEFT_HAND=(-0.15, 0.2, 0.2))
            self.body.update(time)
            packet = self.body.pack()
            self.assertLessEqual(len(packet), 200)
            remote.receive(packet, time + 0.1)
            remote.update_remote(time + 0.1)
        for role in BONES:
            self.assertLess(np.linalg.norm(self.at(role, remote.pose()) - self.at(role, self.body.pose())), 0.01)
        self.assertGreaterEqual(remote.network_delay(), 0.04)
        with self.assertRaises(SinewError):
            remote.receive(b"no packet", 2)


class Refusals(Tracked):
    def test_errors_name_what_is_wrong(self):
        cases = [
            (ValueError, lambda: self.body.set_tracker(HEAD, (0, 1), STILL, 0), "position"),
            (ValueError, lambda: self.body.set_tracker(HEAD, "up", STILL, 0), "position"),
            (ValueError, lambda: self.body.set_tracker(HEAD, None, (0, 0, 1), 0), "rotation"),
            (ValueError, lambda: self.body.set_tracker(HEAD, (np.nan, 0, 0), None, 0), "position"),
            (ValueError, lambda: self.body.set_tracker(25, (0, 0, 0), STILL, 0), "role"),
            (TypeError, lambda: self.body.set_tracker("head", (0, 0, 0), STILL, 0), "role"),
            (TypeError, lambda: self.body.set_tracker(HEAD, (0, 0, 0), STILL, "now"), "time"),
            (TypeError, lambda: self.body.set_tracker(HEAD, (0, 0, 0), STILL, 0, None), "confidence"),
            (TypeError, lambda: self.body.update("now"), "time"),
            (ValueError, lambda: self.body.update(np.nan), "time"),
            (TypeError, lambda: self.body.restore("bytes"), "snapshot"),
            (ValueError, lambda: self.body.restore(b"1234"), "size"),
            (ValueError, lambda: self.body.set_settings(fade_time_s=0), "fade_time_s"),
            (ValueError, lambda: self.body.set_settings(fade=1), "fade"),
            (ValueError, lambda: TrackedBody(self.avatar, head_lock="x"), "head_lock"),
            (ValueError, lambda: self.body.set_origin((0, 0)), "position"),
            (TypeError, lambda: self.body.calibrate("tall"), "pose"),
        ]
        for kind, call, word in cases:
            with self.assertRaises(kind) as caught:
                call()
            self.assertIn(word, str(caught.exception))
        self.body.set_settings(fade_time_s=0.5)
        self.assertEqual(self.body.settings()["fade_time_s"], 0.5)

    def test_close_destroys_and_poses_stay(self):
        valid = sinew.ffi.new("uint32_t *")
        with self.body as body:
            self.play(0.2)
            pose, handle = body.pose(), body.handle
        sinew.must(sinew.lib.sinew_tracked_body_is_valid(handle, valid))
        self.assertEqual(valid[0], 0)
        gc.collect()
        self.assertTrue(np.isfinite(pose).all())
        with self.assertRaises(SinewError):
            body.update(1.0)
        # An avatar may go first.
        body = TrackedBody(Avatar(self.skeleton))
        gc.collect()
        body.update(0.0)


if __name__ == "__main__":
    unittest.main()
