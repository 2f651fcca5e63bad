# SPDX-License-Identifier: MIT OR Apache-2.0
"""A whole body from trackers: headset, controllers and whatever else is worn."""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .animator import Animator
from .arguments import member, number, octets, text
from .enums import CalibrationPose, TrackedPart, TrackerRole, TrackerScale
from .outcome import Outcome, outcome_of
from .owned import Owned
from .skeleton import Avatar
from .structs import changed, default, grown, read, values
from .transforms import TRANSFORM_FLOATS, memory, pointer, shaped, vector


class TrackedBody(Owned):
    """Three to 25 trackers in, the pose of an avatar out. One thread at a time.

    ``settings``: fields of SinewTrackedBodySettings, for example ``min_cutoff_hz=2``. It belongs to
    no animator: ``apply`` and ``apply_to_animator`` carry its pose away.

    Trackers are in tracking space: axes as the avatar's model space, metres of the room, the origin
    anywhere on the floor. Times are seconds of any clock that all samples and updates share. Each
    frame: ``set_tracker`` for what has reported, ``update``, ``apply``.
    """

    #: SinewTrackedBody.
    handle: Any
    #: The avatar, with its skeleton.
    avatar: Avatar

    def __init__(self, avatar: Avatar, **settings: Any) -> None:
        handle = ffi.new("SinewTrackedBody *")
        own = default("SinewTrackedBodySettings", **settings)
        must(lib.sinew_tracked_body_create(avatar.handle, own, handle))
        self.avatar = avatar
        self._own(handle[0], lib.sinew_tracked_body_destroy)

    def settings(self) -> Dict[str, Any]:
        """The settings: the fields of SinewTrackedBodySettings by name."""
        return values(read("SinewTrackedBodySettings", lib.sinew_tracked_body_get_settings, self.handle))

    def set_settings(self, **fields: Any) -> None:
        """Changes some settings: fields of SinewTrackedBodySettings. What lasts between frames
        stays."""
        changes = changed(
            "SinewTrackedBodySettings", lib.sinew_tracked_body_get_settings, (self.handle,), fields)
        must(lib.sinew_tracked_body_set_settings(self.handle, changes))

    # Trackers.

    def set_tracker(
        self,
        role: TrackerRole,
        position: Optional[npt.ArrayLike],
        rotation: Optional[npt.ArrayLike],
        time: float,
        confidence: float = 1.0,
    ) -> None:
        """Sets a sample of a tracker: ``position`` (3), metres, ``rotation`` (4), x y z w, None for
        what it does not sense; ``time``, seconds; ``confidence`` 0 (lost) … 1, clamped. A sample
        that is older than the newest of its role is dropped. A tracker that stops reporting fades
        out."""
        sample = ffi.new("SinewTrackerSample *")
        sample.time_s, sample.confidence = number(time, "time"), number(confidence, "confidence")
        sample.rotation.w = 1
        if position is not None:
            sample.position = vector(position, "SinewVec3", "position")[0]
            sample.set |= lib.SINEW_TRACKER_SAMPLE_POSITION
        if rotation is not None:
            sample.rotation = vector(rotation, "SinewQuat", "rotation")[0]
            sample.set |= lib.SINEW_TRACKER_SAMPLE_ROTATION
        must(lib.sinew_tracked_body_set_tracker(self.handle, member(role, "role"), sample))

    def clear_tracker(self, role: TrackerRole) -> None:
        """Clears a tracker at once, without fading."""
        must(lib.sinew_tracked_body_clear_tracker(self.handle, member(role, "role")))

    def presence(self, role: TrackerRole) -> float:
        """Which part a tracker has in the body: 0 (lost) … 1."""
        which = member(role, "role")
        return float(read("float", lib.sinew_tracked_body_get_presence, self.handle, which)[0])

    def set_origin(
        self, position: npt.ArrayLike, rotation: npt.ArrayLike = (0.0, 0.0, 0.0, 1.0)
    ) -> None:
        """Sets where tracking space is in the host's world: ``position`` (3) of its origin, metres
        of the avatar; ``rotation`` (4), of which only the turn about up counts. Default: the world
        itself. Untracked feet stand still in that world."""
        place, turn = vector(position, "SinewVec3", "position"), vector(rotation, "SinewQuat", "rotation")
        must(lib.sinew_tracked_body_set_origin(self.handle, place, turn))

    def set_part_weight(self, part: TrackedPart, weight: float) -> None:
        """Sets how much of a part is the tracked body's own answer: ``weight`` 0 … 1 (default),
        clamped. The rest is the animation's: of the pose that ``apply`` writes over. It counts for
        trackers of that part, too."""
        which = member(part, "part")
        must(lib.sinew_tracked_body_set_part_weight(self.handle, which, number(weight, "weight")))

    def part_weight(self, part: TrackedPart) -> float:
        """How much of a part is the tracked body's own answer, 0 … 1."""
        which = member(part, "part")
        return float(read("float", lib.sinew_tracked_body_get_part_weight, self.handle, which)[0])

    # Frames.

    def update(self, time: float) -> None:
        """Solves the body for a time, seconds, on the clock of the samples. Trackers out of reach
        are outcomes."""
        must(lib.sinew_tracked_body_update(self.handle, number(time, "time")))

    def apply(self, pose: npt.NDArray[np.float32]) -> None:
        """Writes the body of the last update into a pose (joints, 10), float32, writeable, in one
        piece; ValueError for others. Hips, spine, limbs, toes and tracked fingers change; all other
        joints stay. With the character's root at the origin of tracking space, the body is where
        the player is."""
        count = len(self.avatar.skeleton)
        own = memory(pose, "pose", np.float32, (count, TRANSFORM_FLOATS), "SinewTransform")
        must(lib.sinew_tracked_body_apply(self.handle, own, count))

    def pose(self, base: Optional[npt.ArrayLike] = None) -> npt.NDArray[np.float32]:
        """The body of the last update as a new array (joints, 10); ``base``: the pose of the joints
        that it does not move, None: the rest pose."""
        skeleton = self.avatar.skeleton
        start = skeleton.rest if base is None else shaped(base, skeleton.rest.shape, "base")
        pose = np.array(start, np.float32, order="C")
        self.apply(pose)
        return pose

    def apply_to_animator(self, animator: Animator) -> None:
        """Writes the body of the last update into the pose of an animator, before its ``solve``.
        SinewError for an animator of another skeleton."""
        must(lib.sinew_tracked_body_apply_to_animator(self.handle, animator.handle))

    def outcome(self, role: TrackerRole) -> Outcome:
        """How near a tracker's bone came to it in the last update; INACTIVE where it took no
        part."""
        return outcome_of(lib.sinew_tracked_body_get_outcome, self.handle, member(role, "role"))

    def reset(self) -> None:
        """Resets all that lasts between frames but the newest samples: after a teleport or a
        cut."""
        must(lib.sinew_tracked_body_reset(self.handle))

    def snapshot(self) -> bytes:
        """All that lasts between frames, but not what was packed and received. Set in any tracked
        body with the same avatar, settings and calibration, the frames that follow from the same
        samples have the same bits."""
        size = int(read("uint32_t", lib.sinew_tracked_body_get_snapshot_size, self.handle)[0])
        out = ffi.new("uint8_t[]", size)
        must(lib.sinew_tracked_body_get_snapshot(self.handle, out, size))
        return bytes(ffi.buffer(out))

    def restore(self, snapshot: bytes) -> None:
        """Sets all that lasts between frames from a snapshot; SinewError for bytes of another size.
        Outcomes are INACTIVE until the next update."""
        own = octets(snapshot, "snapshot")
        must(lib.sinew_tracked_body_set_snapshot(self.handle, own, len(own)))

    # Calibration.

    def calibrate(
        self,
        pose: CalibrationPose = CalibrationPose.T_POSE,
        scale: TrackerScale = TrackerScale.HEIGHT,
        floor: float = 0.0,
    ) -> None:
        """Sets the calibration from the newest samples, while the player stands in ``pose``: how
        each tracker is mounted, and the avatar's size by ``scale``. ``floor``: its height in
        tracking space, metres. SinewError without a head tracker with a position."""
        must(lib.sinew_tracked_body_calibrate(
            self.handle, member(pose, "pose"), member(scale, "scale"), number(floor, "floor")))

    def calibration(self) -> Dict[str, Any]:
        """The calibration: the fields of SinewTrackerCalibration by name. ``offsets``: 25 records
        by TrackerRole with ``is_set``, ``position`` (3), metres of the avatar, ``rotation`` (4)."""
        return values(
            read("SinewTrackerCalibration", lib.sinew_tracked_body_get_calibration, self.handle))

    def set_calibration(self, **fields: Any) -> None:
        """Changes some fields of SinewTrackerCalibration: ``set_calibration(**saved)`` with what
        ``calibration`` returned, or ``set_calibration(scale=0.9)``."""
        changes = changed(
            "SinewTrackerCalibration", lib.sinew_tracked_body_get_calibration, (self.handle,), fields)
        must(lib.sinew_tracked_body_set_calibration(self.handle, changes))

    def calibration_json(self) -> str:
        """The calibration as JSON text, for a settings file."""
        out, _ = grown("char", lambda out, capacity, length: lib.sinew_tracked_body_get_calibration_json(
            self.handle, out, capacity, length))
        return str(ffi.string(out).decode())

    def set_calibration_json(self, json: str) -> None:
        """Sets a calibration from JSON text: missing parts have their defaults, unknown ones are
        skipped. SinewError, which states where, for a text that is none; nothing has changed."""
        must(lib.sinew_tracked_body_set_calibration_json(self.handle, text(json, "json")))

    def assign_trackers(self, places: npt.ArrayLike, floor: float = 0.0) -> npt.NDArray[np.int32]:
        """Finds what unlabelled trackers are worn on, while the player stands in the T-pose:
        (count,) int32, a TrackerRole each, or -1 for a stray. ``places``: (count, 3), tracking
        space, metres, 1 to 64 of them; ``floor``: its height in tracking space, metres. The head
        must have a sample; those of the hands report left from right."""
        given = np.asarray(places)
        if given.ndim != 2:
            raise ValueError(f"places: shape {given.shape}, not (count, 3)")
        rows = np.ascontiguousarray(shaped(given, (len(given), 3), "places"))
        roles = np.full(len(rows), -1, np.int32)
        must(lib.sinew_tracked_body_assign_trackers(
            self.handle, pointer(rows, "SinewVec3"), len(rows), number(floor, "floor"),
            pointer(roles, "int32_t")))
        return roles

    # Remote players.

    def pack(self) -> bytes:
        """The trackers of the last update as a packet of at most 200 bytes. The receiver needs the
        calibration, once."""
        room = int(lib.SINEW_TRACKER_PACKET_SIZE)
        out, size = ffi.new("uint8_t[]", room), ffi.new("uint32_t *")
        must(lib.sinew_tracked_body_pack(self.handle, out, room, size))
        return bytes(ffi.buffer(out, size[0]))

    def receive(self, packet: bytes, arrival: float) -> None:
        """Receives a packet of ``pack``, in any order. ``arrival``: when it arrived, seconds of the
        clock of ``update_remote``. SinewError for bytes that are no packet."""
        own = octets(packet, "packet")
        must(lib.sinew_tracked_body_receive(self.handle, own, len(own), number(arrival, "arrival")))

    def update_remote(self, now: float) -> None:
        """Solves the body of a remote player from what was received, as late as the network's
        jitter demands. ``now``: seconds, on the clock of the arrivals."""
        must(lib.sinew_tracked_body_update_remote(self.handle, number(now, "now")))

    def network_delay(self) -> float:
        """How much later than the network's fastest packet would allow a remote player is shown:
        seconds; 0 before the first packet."""
        return float(read("float", lib.sinew_tracked_body_get_network_delay, self.handle)[0])
