# SPDX-License-Identifier: MIT OR Apache-2.0
"""Many whole bodies in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._native import SinewError, ffi, lib, must
from .arguments import integer, number
from .body import Body
from .body_task import BodyTask
from .enums import Status
from .structs import array_of, fill
from .transforms import TRANSFORM_FLOATS, shaped

if TYPE_CHECKING:
    from .world import World

_Poses = Union[npt.NDArray[np.float32], Sequence[npt.NDArray[np.float32]]]


def solve_bodies(
    bodies: Sequence[Body],
    poses: _Poses,
    dt: float = 0.0,
    world: Optional[World] = None,
    iteration_share: npt.ArrayLike = 1.0,
    max_level: npt.ArrayLike = 3,
) -> npt.NDArray[Any]:
    """Solves many bodies with one pose each, in place, with the bits of ``Body.solve``.

    ``poses``: an array (bodies, joints, 10), or a sequence of arrays (joints, 10) where the rigs
    differ; float32, writeable, in one piece, no two in the same memory. ``dt``: length of the
    frame, seconds, for track mode. ``world``: its threads and its budget count; None: the calling
    thread. ``iteration_share``: share of the iterations, 0 … 1, a number or (bodies,).
    ``max_level``: highest priority level whose tasks count, 0 … 3, a number or (bodies,).

    Returns one record per body: ``state`` (a BodyWorkState), ``result`` (a SinewResult) and
    ``outcome`` with ``status``, ``iterations``, ``attempts``, ``residual_m``, ``residual_rad``.
    SinewError with the first body that failed; its ``rows`` are these records, and the others are
    solved. ValueError and TypeError: nothing is solved.
    """
    count, seconds = len(bodies), number(dt, "dt")
    if len(poses) != count:
        raise ValueError(f"poses: {len(poses)} for {count} bodies")
    shares = _per_body(iteration_share, count, np.float32, "iteration_share")
    levels = _per_body(max_level, count, np.int64, "max_level")
    if count and not 0 <= levels.min() <= levels.max() <= lib.SINEW_BODY_MAX_LEVEL:
        raise ValueError(f"max_level: not in 0 ... {lib.SINEW_BODY_MAX_LEVEL}")
    rows: List[Any] = [poses[i] for i in range(count)]
    works = ffi.new("SinewBodyWork[]", max(1, count))
    for i, (body, pose) in enumerate(zip(bodies, rows)):
        must(lib.sinew_body_work_default(works + i))
        works[i].body = body.handle
        works[i].pose = body.pose_memory(pose, f"poses[{i}]")
        works[i].joint_count = len(body.skeleton)
        works[i].iteration_share, works[i].max_level = float(shares[i]), int(levels[i])
    _apart(rows)
    for body in bodies:
        body._failure.clear()
    of = ffi.new("SinewWorld *")[0] if world is None else world.handle
    # Functions of hosts may fail: their poses must be as they were then.
    kept = [pose.copy() if body._hosts else None for body, pose in zip(bodies, rows)]
    code = lib.sinew_body_solve_batch(works, count, seconds, of, ffi.NULL)
    for body, pose, before in zip(bodies, rows, kept):
        if before is not None and body._failure.is_set:
            pose[...] = before
    found = array_of("SinewBodyWork", works, count)[["state", "result", "outcome"]]
    for body in bodies:
        body._failure.raise_it()
    try:
        must(code)
    except SinewError as error:
        error.rows = found
        raise
    return found


def _per_body(given: npt.ArrayLike, count: int, kind: Any, what: str) -> npt.NDArray[Any]:
    """One number per body, or one for all."""
    numbers = np.asarray(given)
    if numbers.dtype.kind not in ("fiu" if kind is np.float32 else "iu") and numbers.size:
        raise TypeError(f"{what}: {given!r:.80} are no numbers of the type that it has")
    if numbers.shape not in ((), (count,)):
        raise ValueError(f"{what}: shape {numbers.shape}, not a number or ({count},)")
    return np.broadcast_to(numbers.astype(kind), (count,))


def _apart(poses: Sequence[npt.NDArray[np.float32]]) -> None:
    """ValueError where two poses share memory: threads write both at once."""
    spans = sorted((pose.ctypes.data, pose.ctypes.data + pose.nbytes, i) for i, pose in enumerate(poses))
    for (_, end, first), (start, _, second) in zip(spans, spans[1:]):
        if start < end:
            raise ValueError(f"poses[{max(first, second)}]: shares memory with poses[{min(first, second)}]")


class BodyMeeting(NamedTuple):
    """How bodies met."""

    #: REACHED: all tied tasks are met at their place. UNREACHABLE: not all are, and moving the
    #: places gains nothing. OUT_OF_ITERATIONS: it does. INACTIVE: there are no ties.
    status: Status
    rounds: int
    #: Largest distance between tied points, metres.
    gap_m: float
    #: Largest angle between tied joints, radians, 0 … pi.
    gap_rad: float
    #: What the last round left of each tie, metres or radians, (ties,).
    gaps: npt.NDArray[np.float32]


def meet_bodies(
    poses: Sequence[Tuple[Body, npt.ArrayLike]],
    ties: Sequence[Tuple[BodyTask, BodyTask]],
    dt: float = 0.0,
    max_rounds: int = 8,
    share: npt.ArrayLike = 0.5,
    rotations: Optional[npt.ArrayLike] = None,
) -> BodyMeeting:
    """Sets the goals of tied tasks of several bodies to a place that both effectors can be brought
    to, or where they are nearest to each other: hands are held, two carry a box. Solve the bodies
    next.

    ``poses``: each body with the pose (joints, 10) that it will be solved from, read only; at most
    16, no body twice. ``ties``: at most 32 pairs of tasks of two of the bodies, both of the kind
    POSITION or both ORIENTATION. ``dt``: seconds, for track mode. ``max_rounds``: 1 … 64.
    ``share``: a number or (ties,), 0 … 1, where between the first effector and the second the
    place is looked for first. ``rotations``: (ties, 4), of orientations the first joint's rotation
    seen from the second; None: none. On an error no goal has changed.
    """
    count, seconds, rounds = len(poses), number(dt, "dt"), integer(max_rounds, "max_rounds")
    shares = _per_body(share, len(ties), np.float32, "share")
    turns = None if rotations is None else shaped(rotations, (len(ties), 4), "rotations")
    works, kept = ffi.new("SinewBodyWork[]", max(1, count)), []
    for i, (body, pose) in enumerate(poses):
        must(lib.sinew_body_work_default(works + i))
        shape = (len(body.skeleton), TRANSFORM_FLOATS)
        kept.append(np.array(shaped(pose, shape, f"poses[{i}]"), order="C"))
        works[i].body, works[i].joint_count = body.handle, len(body.skeleton)
        works[i].pose = body.pose_memory(kept[-1], f"poses[{i}]")
    place = {body.handle.bits: i for i, (body, _) in enumerate(poses)}
    own = ffi.new("SinewBodyTie[]", max(1, len(ties)))
    for i, (first, second) in enumerate(ties):
        must(lib.sinew_body_tie_default(own + i))
        for name, task in (("first", first), ("second", second)):
            if task.body.handle.bits not in place:
                raise ValueError(f"ties[{i}]: the body of the {name} task is not among the poses")
            setattr(own[i], f"{name}_task", task.handle)
            setattr(own[i], f"{name}_work", place[task.body.handle.bits])
        own[i].share = float(shares[i])
        if turns is not None:
            fill(own + i, "SinewBodyTie", {"rotation": turns[i]})
    out = ffi.new("SinewBodyMeeting *")
    for body, _ in poses:
        body._failure.clear()
    code = lib.sinew_body_meet(works, count, own, len(ties), seconds, rounds, out)
    for body, _ in poses:
        body._failure.raise_it()
    must(code)
    gaps = array_of("SinewBodyTie", own, len(ties))["gap"].copy()
    return BodyMeeting(Status(out.status), out.rounds, out.gap_m, out.gap_rad, gaps)
