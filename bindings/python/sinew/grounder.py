# SPDX-License-Identifier: MIT OR Apache-2.0
"""Feet on the ground."""

from __future__ import annotations

from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .animator import Animator
from .arguments import integer, number, octets
from .enums import IkGoal
from .ground import Ground, answers, foot_from_rest
from .legs import AvatarLegs, frames_of, human_feet, human_legs
from .owned import Owned
from .skeleton import Avatar, Skeleton
from .structs import array_of, changed, default, fill, grown, read, records, values
from .transforms import TRANSFORM_FLOATS, floats, memory, shaped


class Grounding(NamedTuple):
    """What a frame of a grounder is to do with the character, world space, metres; copies."""

    #: Displacement of the pelvis, (3).
    offset: npt.NDArray[np.float32]
    #: Turn of the body about the pelvis, (4), x y z w.
    turn: npt.NDArray[np.float32]
    #: Unit normal of the ground under the feet, (3).
    ground_normal: npt.NDArray[np.float32]
    #: Part of the correction in force: 1 on the ground, 0 in the air.
    presence: float
    #: Number of planted feet.
    planted: int
    #: The legs, records of SinewGrounderLegResult: ``hip``, ``knee``, ``ankle``, ``ball`` (3),
    #: ``foot``, ``toes_turn`` (4), ``planted``, ``time_to_landing_s``, ``landing`` (3),
    #: ``shortage_m``.
    legs: npt.NDArray[Any]


class Grounder(Owned):
    """Feet on the ground for one character with any number of legs. One thread at a time.

    ``feet``: fields of SinewFootModel by name for each leg (see ``foot_from_rest``), or a number of
    legs with the default foot. ``settings``: fields of SinewGrounderSettings, for example
    ``quality=GroundQuality.THREE``; lengths and speeds are those of a person with legs of about 0.85
    m in metres, times ``scale``: 100 for a person in centimetres, 0.1 for a figure of a tenth.
    ``for_avatar`` and ``for_legs`` make one that reads legs from poses.

    Each frame: ``solve`` with a function that is the ground, or ``begin``, which returns the rays
    to cast, and ``finish`` with their answers.
    """

    #: SinewGrounder.
    handle: Any
    #: Number of legs.
    leg_count: int
    #: The joints of the legs; None for a grounder without a skeleton.
    rig: Optional[AvatarLegs]

    def __init__(self, feet: Union[int, Sequence[Mapping[str, Any]]], **settings: Any) -> None:
        models = [{}] * integer(feet, "feet") if not isinstance(feet, Sequence) else list(feet)
        own = ffi.new("SinewFootModel[]", max(1, len(models)))
        for i, model in enumerate(models):
            must(lib.sinew_foot_model_default(own + i))
            fill(own + i, "SinewFootModel", dict(model))
        handle = ffi.new("SinewGrounder *")
        own_settings = default("SinewGrounderSettings", **settings)
        must(lib.sinew_grounder_create(own, len(models), own_settings, handle))
        self.leg_count, self.rig = len(models), None
        self._own(handle[0], lib.sinew_grounder_destroy)

    @classmethod
    def for_avatar(cls, avatar: Avatar, **settings: Any) -> Grounder:
        """A grounder of a person's two legs, left and right, with feet measured on the T-pose. The
        avatar must have hips and both legs down to the feet; toes are optional. ``settings``:
        fields of SinewGrounderSettings."""
        rig = human_legs(avatar)
        grounder = cls(human_feet(avatar, rig), **settings)
        grounder.rig = rig
        return grounder

    @classmethod
    def for_legs(
        cls,
        skeleton: Skeleton,
        pelvis: int,
        legs: npt.ArrayLike,
        feet: Optional[Sequence[Mapping[str, Any]]] = None,
        **settings: Any,
    ) -> Grounder:
        """A grounder of legs of any rig: ``legs`` (legs, 4), integers, the joints hip, knee, ankle
        and ball of each; the ankle again where there is no ball. ``pelvis``: the joint that moves
        with the ground. ``feet``: as for the class; None: from the rest pose, which then stands on
        the plane y = 0 of model space. ``settings``: fields of SinewGrounderSettings."""
        rig = AvatarLegs(skeleton, integer(pelvis, "pelvis"), legs)
        if feet is None:
            place = frames_of(skeleton, skeleton.rest)[0]
            feet = [
                foot_from_rest(place[leg[2]], None if leg[3] == leg[2] else place[leg[3]], (0, 0, 0))
                for leg in rig.joints
            ]
        if len(feet) != len(rig.joints):
            raise ValueError(f"feet: {len(feet)} for {len(rig.joints)} legs")
        grounder = cls(list(feet), **settings)
        grounder.rig = rig
        return grounder

    # Settings.

    def settings(self) -> Dict[str, Any]:
        """The settings: the fields of SinewGrounderSettings by name."""
        return values(read("SinewGrounderSettings", lib.sinew_grounder_get_settings, self.handle))

    def set_settings(self, **fields: Any) -> None:
        """Changes some settings: fields of SinewGrounderSettings. Locks and all else that lasts
        stay."""
        changes = changed(
            "SinewGrounderSettings", lib.sinew_grounder_get_settings, (self.handle,), fields)
        must(lib.sinew_grounder_set_settings(self.handle, changes))

    def foot(self, leg: int) -> Dict[str, Any]:
        """The foot of a leg: the fields of SinewFootModel by name."""
        which = integer(leg, "leg")
        return values(read("SinewFootModel", lib.sinew_grounder_get_foot, self.handle, which))

    def set_foot(self, leg: int, **fields: Any) -> None:
        """Changes some fields of SinewFootModel of a leg: other shoes, or bare feet."""
        which = integer(leg, "leg")
        changes = changed("SinewFootModel", lib.sinew_grounder_get_foot, (self.handle, which), fields)
        must(lib.sinew_grounder_set_foot(self.handle, which, changes))

    def set_stepping(self, groups: Optional[npt.ArrayLike] = None, **fields: Any) -> None:
        """Makes the feet step by themselves: the legs of each frame are then the homes of the feet.
        ``groups``: (legs,) integers, legs of one group swing together; None: alternating around the
        body. ``fields`` of SinewSteppingSettings, for example ``gait=Gait.WAVE``."""
        settings, own = default("SinewSteppingSettings", **fields), np.zeros(0, np.uint32)
        if groups is not None:
            given = np.asarray(groups)
            if given.shape != (self.leg_count,) or given.dtype.kind not in "iu":
                raise ValueError(
                    f"groups: shape {given.shape}, type {given.dtype}, not ({self.leg_count},) of integers")
            if int(given.min()) < 0 or int(given.max()) >= 2**32:
                raise ValueError(f"groups: {given.min()} ... {given.max()} do not fit uint32")
            own = given.astype(np.uint32)
        address = ffi.cast("uint32_t *", own.ctypes.data) if len(own) else ffi.NULL
        must(lib.sinew_grounder_set_stepping(self.handle, settings, address, len(own)))

    def clear_stepping(self) -> None:
        """Makes the legs of each frame an animation again."""
        must(lib.sinew_grounder_clear_stepping(self.handle))

    # A frame.

    def blank_legs(self) -> npt.NDArray[Any]:
        """Records of SinewGrounderLeg, one per leg, with weight 1 and no rotation: ``hip``,
        ``knee``, ``ankle``, ``ball`` (3), world space, metres, ``foot`` (4), ``weight``,
        ``contact`` (a GroundContact), ``has_landing``, ``landing_time_s``, ``landing`` (3)."""
        legs = np.zeros(self.leg_count, records("SinewGrounderLeg"))
        legs["foot"][:, 3] = 1
        legs["weight"] = 1
        return legs

    def legs_of(self, pose: npt.ArrayLike, root: Optional[npt.ArrayLike] = None) -> npt.NDArray[Any]:
        """The animated legs in a pose (joints, 10) with the character's root object at ``root``
        (ten numbers, metres, scale above 0; None: the identity), as records of SinewGrounderLeg. Of
        grounders from ``for_avatar`` and ``for_legs``."""
        legs = self.blank_legs()
        self._rig("legs_of").write(legs, pose, root)
        return legs

    def begin(self, legs: npt.NDArray[Any], **frame: Any) -> npt.NDArray[Any]:
        """Starts a frame and returns the rays to cast against the ground.

        ``legs``: the animated legs, records of ``blank_legs`` or ``legs_of``. ``frame``: fields of
        SinewGrounderFrame: ``root`` and ``pelvis`` (3), ``rotation`` (4), ``up`` (3), ``dt_s``,
        seconds, 1/60 by default, ``grounded`` (a Grounded).

        Returns records of SinewGroundQuery, a copy: ``origin``, ``direction`` (3), ``length``,
        ``radius``, ``leg``, ``purpose`` (a GroundPurpose); at most the quality (1, 3 or 5) times
        the number of legs. A frame that was begun and not finished is forgotten.
        """
        own = memory(
            legs, "legs", records("SinewGrounderLeg"), (self.leg_count,), "SinewGrounderLeg", written=False)
        definition = default("SinewGrounderFrame", **frame)
        must(lib.sinew_grounder_begin(self.handle, definition, own, self.leg_count, ffi.NULL))
        found, count = grown("SinewGroundQuery", lambda out, capacity, length: lib.sinew_grounder_get_queries(
            self.handle, out, capacity, length))
        return array_of("SinewGroundQuery", found, count)

    def finish(self, hits: npt.NDArray[Any]) -> Grounding:
        """Solves the frame under way with one answer per query, in their order: records of
        ``ground_hits``. On an error the frame stays under way."""
        kind = records("SinewGroundHit")
        count = len(hits) if isinstance(hits, np.ndarray) and hits.ndim else 0
        own = memory(hits, "hits", kind, (count,), "SinewGroundHit", written=False)
        must(lib.sinew_grounder_finish(self.handle, own, count))
        return self.result()

    def solve(
        self,
        pose: npt.ArrayLike,
        root: Optional[npt.ArrayLike],
        dt: float,
        ground: Ground,
        **frame: Any,
    ) -> Grounding:
        """Solves a frame of a grounder from ``for_avatar`` or ``for_legs``.

        ``pose``: the animation, (joints, 10), read only; ``root``: the transform of the character's
        root object, ten numbers, metres, None: the identity; ``dt``: seconds since the last frame.
        ``ground(origins, directions, lengths)`` gets arrays (count, 3), (count, 3) and (count,),
        copies, and returns ``(hit, points, normals)``, also with ``bodies``, ``velocities`` and
        ``angular_velocities`` behind them: the arguments of ``ground_hits``. ``frame``: other
        fields of SinewGrounderFrame; ``up`` and the root are those of ``root`` unless they are
        given.
        """
        rig, legs = self._rig("solve"), self.legs_of(pose, root)
        fields = {**rig.frame(pose, root), "dt_s": number(dt, "dt"), **frame}
        queries = self.begin(legs, **fields)
        return self.finish(answers(ground, queries))

    def result(self) -> Grounding:
        """The result of the last finished frame; SinewError before the first."""
        legs = ffi.new("SinewGrounderLegResult[]", self.leg_count)
        must(lib.sinew_grounder_get_legs(self.handle, legs, self.leg_count))
        body = read("SinewGrounderBody", lib.sinew_grounder_get_body, self.handle)
        return Grounding(
            floats(ffi.addressof(body, "offset")), floats(ffi.addressof(body, "turn")),
            floats(ffi.addressof(body, "ground_normal")), float(body.presence), int(body.planted),
            array_of("SinewGrounderLegResult", legs, self.leg_count))

    def apply(self, animator: Animator, root: Optional[npt.ArrayLike] = None) -> None:
        """Writes the result of the last finished frame into an animator whose ``pose`` is still the
        animation: moves the pelvis, turns the toes, and sets the goals of both feet with weight 1.
        ``animator.solve()`` then places the feet. Of grounders from ``for_avatar``; ``root`` as in
        ``solve``."""
        rig = self._rig("apply")
        if not rig.is_human:
            raise ValueError("apply: feet of an animator are those of a grounder from for_avatar")
        if not np.array_equal(animator.skeleton.parents, rig.skeleton.parents):
            raise ValueError("animator: its skeleton is another one than that of the grounder's avatar")
        found = self.result()
        animator.pose = rig.moved(animator.pose, root, found.offset, found.turn, found.legs)
        animator.set_root(_identity() if root is None else root)
        for leg, goal in zip(found.legs, (IkGoal.LEFT_FOOT, IkGoal.RIGHT_FOOT)):
            animator.set_ik_position(goal, leg["ankle"])
            animator.set_ik_rotation_bone(goal, leg["foot"])
            animator.set_ik_position_weight(goal, 1.0)
            animator.set_ik_rotation_weight(goal, 1.0)

    # What lasts.

    def reset(self) -> None:
        """Resets all that lasts between frames: after a teleport or a cut."""
        must(lib.sinew_grounder_reset(self.handle))

    def snapshot(self) -> bytes:
        """All that lasts between frames; in a frame that of before it. Set in any grounder with as
        many legs and the same stepping, the frames that follow have the same bits."""
        size = int(read("uint32_t", lib.sinew_grounder_get_snapshot_size, self.handle)[0])
        out = ffi.new("uint8_t[]", size)
        must(lib.sinew_grounder_get_snapshot(self.handle, out, size))
        return bytes(ffi.buffer(out))

    def restore(self, snapshot: bytes) -> None:
        """Sets all that lasts between frames from a snapshot; a frame under way is forgotten.
        SinewError for bytes of another size."""
        own = octets(snapshot, "snapshot")
        must(lib.sinew_grounder_set_snapshot(self.handle, own, len(own)))

    def debug_lines(self) -> npt.NDArray[Any]:
        """Lines that show the last finished frame: records with ``from`` (3) and ``to`` (3), world
        space, metres, and ``part``, a DebugPart."""
        lines, count = grown("SinewDebugLine", lambda out, capacity, length: lib.sinew_grounder_get_debug_lines(
            self.handle, out, capacity, length))
        return array_of("SinewDebugLine", lines, count)

    def _rig(self, call: str) -> AvatarLegs:
        if self.rig is None:
            raise ValueError(f"{call}: a grounder without a skeleton: see for_avatar and for_legs")
        return self.rig


def _identity() -> npt.NDArray[np.float32]:
    return shaped((0, 0, 0, 0, 0, 0, 1, 1, 1, 1), (TRANSFORM_FLOATS,), "root")
