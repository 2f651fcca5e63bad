# SPDX-License-Identifier: MIT OR Apache-2.0
"""What grounders are made of: feet, the ground's answers, contacts of a clip."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Sequence

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .arguments import number
from .structs import default, grown, records, values
from .transforms import pointer, shaped, vector

#: Ground as a function of arrays: see Grounder.solve.
Ground = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]], Sequence[npt.ArrayLike]
]


def foot_from_rest(
    ankle: npt.ArrayLike,
    ball: Optional[npt.ArrayLike],
    ground: npt.ArrayLike,
    toe_tip: Optional[npt.ArrayLike] = None,
    up: npt.ArrayLike = (0.0, 1.0, 0.0),
) -> Dict[str, Any]:
    """The fields of SinewFootModel from joints of a pose that stands on flat ground, metres.

    ``ankle``: three numbers in any space, as all of them; ``ball``: root of the toes, None: a leg
    without a foot; ``ground``: any point of the ground; ``toe_tip``: None where there is none;
    ``up``: normal of the ground, any length but zero.
    """
    out = ffi.new("SinewFootModel *")
    points = [
        ffi.NULL if point is None else vector(point, "SinewVec3", what)
        for point, what in ((ankle, "ankle"), (ball, "ball"), (toe_tip, "toe_tip"), (ground, "ground"), (up, "up"))
    ]
    must(lib.sinew_foot_model_from_rest(*points, out))
    return values(out)


def foot_from_outline(
    ankle: npt.ArrayLike, ball: npt.ArrayLike, outline: npt.ArrayLike, up: npt.ArrayLike = (0.0, 1.0, 0.0)
) -> Dict[str, Any]:
    """The fields of SinewFootModel from the outline of a sole that stands on flat ground:
    ``outline`` (count, 3), of which the lowest point is on the ground; all in one space, metres."""
    points, out = _points(outline, "outline"), ffi.new("SinewFootModel *")
    must(lib.sinew_foot_model_from_outline(
        vector(ankle, "SinewVec3", "ankle"), vector(ball, "SinewVec3", "ball"),
        pointer(points, "SinewVec3"), len(points), vector(up, "SinewVec3", "up"), out))
    return values(out)


def ground_hits(
    hit: npt.ArrayLike,
    points: npt.ArrayLike,
    normals: npt.ArrayLike,
    bodies: Optional[npt.ArrayLike] = None,
    velocities: Optional[npt.ArrayLike] = None,
    angular_velocities: Optional[npt.ArrayLike] = None,
) -> npt.NDArray[Any]:
    """Answers to the queries of a grounder: records of SinewGroundHit, one per query.

    ``hit``: (count,) whether there is ground; the other numbers do not count where there is none.
    ``points`` (count, 3): on the surface, world space, metres. ``normals``: (count, 3), any length
    but zero. ``bodies``: (count,) numbers of moving bodies, 0 (None: all) for ground that never
    moves. ``velocities`` and ``angular_velocities``: (count, 3), metres and radians per second, of
    the surface over the last frame; None: 0.
    """
    mask = np.asarray(hit)
    if mask.ndim != 1 or mask.dtype.kind not in "biu":
        raise ValueError(f"hit: shape {mask.shape}, type {mask.dtype}, not (count,) of booleans")
    count = len(mask)
    found = np.zeros(count, records("SinewGroundHit"))
    found["hit"] = mask != 0
    rows = {"point": ("points", points), "normal": ("normals", normals),
            "velocity": ("velocities", velocities),
            "angular_velocity": ("angular_velocities", angular_velocities)}
    for field, (what, given) in rows.items():
        if given is not None:
            found[field] = np.where(found["hit"][:, None] != 0, shaped(given, (count, 3), what), 0)
    if bodies is not None:
        numbers = np.asarray(bodies)
        if numbers.shape != (count,) or numbers.dtype.kind not in "iu":
            raise ValueError(f"bodies: shape {numbers.shape}, type {numbers.dtype}, not ({count},) of integers")
        if count and not 0 <= int(numbers.min()) <= int(numbers.max()) < 2**32:
            raise ValueError(f"bodies: {numbers.min()} ... {numbers.max()} do not fit uint32")
        found["body"] = numbers
    return found


def answers(ground: Ground, queries: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What a function of arrays returns for queries, as records of SinewGroundHit."""
    given = ground(queries["origin"].copy(), queries["direction"].copy(), queries["length"].copy())
    if not isinstance(given, (tuple, list)) or not 3 <= len(given) <= 6:
        raise ValueError(f"ground: it returned {given!r:.80}, not (hit, points, normals, ...)")
    found = ground_hits(*given)
    if len(found) != len(queries):
        raise ValueError(f"ground: it returned {len(found)} answers to {len(queries)} queries")
    return found


def contacts_from_clip(
    track: npt.ArrayLike, frame_time: float, up: npt.ArrayLike = (0.0, 1.0, 0.0), **rule: Any
) -> npt.NDArray[np.uint32]:
    """Frames of a clip on flat ground in which a foot stands: (stances, 2) uint32, the first frame
    and the one after the last.

    ``track``: (frames, 3), place of the contact point in each frame, metres. ``frame_time``:
    seconds per frame, above 0. ``rule``: fields of SinewContactRule, for example ``speed=0.3``.
    """
    points = _points(track, "track")
    normal, seconds = vector(up, "SinewVec3", "up"), number(frame_time, "frame_time")
    own = default("SinewContactRule", **rule)
    ranges, count = grown("SinewFrameRange", lambda out, capacity, length: lib.sinew_contacts_from_clip(
        pointer(points, "SinewVec3"), len(points), seconds, normal, own, out, capacity, length))
    memory = bytes(ffi.buffer(ranges, count * ffi.sizeof("SinewFrameRange")))
    found: npt.NDArray[np.uint32] = np.frombuffer(memory, np.uint32).reshape(count, 2).copy()
    return found


def _points(given: npt.ArrayLike, what: str) -> npt.NDArray[np.float32]:
    """Points of any number, as C reads them."""
    points = np.asarray(given)
    if points.ndim != 2:
        raise ValueError(f"{what}: shape {points.shape}, not (count, 3)")
    return np.ascontiguousarray(shaped(points, (len(points), 3), what))
