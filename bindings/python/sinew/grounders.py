# SPDX-License-Identifier: MIT OR Apache-2.0
"""Many grounders in one call: all queries in one array."""

from __future__ import annotations

from typing import Any, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .arguments import integer
from .grounder import Grounder
from .structs import array_of, default, records
from .transforms import memory


def grounder_frames(count: int, **fields: npt.ArrayLike) -> npt.NDArray[Any]:
    """Frames of ``count`` grounders: records of SinewGrounderFrame at their defaults, then fields:
    ``root``, ``pelvis``, ``up`` (3) or (count, 3), ``rotation`` (4) or (count, 4), ``dt_s`` and
    ``grounded`` a number or (count,)."""
    kind, blank = records("SinewGrounderFrame"), default("SinewGrounderFrame")
    frames = np.repeat(np.frombuffer(bytes(ffi.buffer(blank)), kind), integer(count, "count"))
    for name, given in fields.items():
        if name not in (kind.names or ()) or name == "struct_size":
            raise ValueError(f"SinewGrounderFrame has no field {name!r}")
        shape, numbers = kind[name].shape, np.asarray(given)
        if numbers.dtype.kind not in ("iu" if name == "grounded" else "fiu"):
            raise ValueError(f"{name}: {given!r:.80} are no numbers of its type")
        if numbers.shape not in (shape, (count, *shape)):
            raise ValueError(f"{name}: shape {numbers.shape}, not {shape} or {(count, *shape)}")
        frames[name] = numbers
    return frames


def begin_grounders(
    grounders: Sequence[Grounder], frames: npt.NDArray[Any], legs: npt.NDArray[Any]
) -> Tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
    """Starts a frame of many grounders, each at most once.

    ``frames``: (grounders,) records of ``grounder_frames``. ``legs``: records of
    SinewGrounderLeg of all grounders, one grounder after the other:
    ``np.concatenate([g.legs_of(pose, root) for ...])``.

    Returns the queries, records of SinewGroundQuery, and ``first`` (grounders + 1,) uint32: those
    of grounder i are ``queries[first[i]:first[i + 1]]``; their ``leg`` counts within it. When one
    grounder fails, those before it have begun their frames.
    """
    count, handles = len(grounders), _handles(grounders)
    leg_count = sum(grounder.leg_count for grounder in grounders)
    own = memory(
        frames, "frames", records("SinewGrounderFrame"), (count,), "SinewGrounderFrame", written=False)
    # A size of another library would make C read beyond the records.
    if (frames["struct_size"] != ffi.sizeof("SinewGrounderFrame")).any():
        raise ValueError("frames: struct_size was changed: make them with grounder_frames")
    animated = memory(
        legs, "legs", records("SinewGrounderLeg"), (leg_count,), "SinewGrounderLeg", written=False)
    room = sum(grounder.settings()["quality"] * grounder.leg_count for grounder in grounders)
    queries = ffi.new("SinewGroundQuery[]", max(1, room))
    first = np.zeros(count + 1, np.uint32)
    must(lib.sinew_grounder_begin_batch(
        handles, count, own, animated, leg_count, queries, room, ffi.cast("uint32_t *", first.ctypes.data)))
    return array_of("SinewGroundQuery", queries, int(first[-1])), first


def finish_grounders(
    grounders: Sequence[Grounder], hits: npt.NDArray[Any]
) -> Tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Solves the frames under way of many grounders with one answer per query, in their order:
    records of ``ground_hits``.

    Returns the bodies, (grounders,) records of SinewGrounderBody (``offset``, ``turn``,
    ``ground_normal``, ``presence``, ``planted``), and the legs of all grounders, records of
    SinewGrounderLegResult. When one grounder fails, those before it are finished; their results are
    in their ``result()``.
    """
    count, handles = len(grounders), _handles(grounders)
    leg_count = sum(grounder.leg_count for grounder in grounders)
    hit_count = len(hits) if isinstance(hits, np.ndarray) and hits.ndim else 0
    own = memory(hits, "hits", records("SinewGroundHit"), (hit_count,), "SinewGroundHit", written=False)
    bodies = ffi.new("SinewGrounderBody[]", max(1, count))
    legs = ffi.new("SinewGrounderLegResult[]", max(1, leg_count))
    must(lib.sinew_grounder_finish_batch(handles, count, own, hit_count, bodies, legs, leg_count))
    return array_of("SinewGrounderBody", bodies, count), array_of("SinewGrounderLegResult", legs, leg_count)


def _handles(grounders: Sequence[Grounder]) -> Any:
    handles = ffi.new("SinewGrounder[]", max(1, len(grounders)))
    for i, grounder in enumerate(grounders):
        handles[i] = grounder.handle
    if len({grounder.handle.bits for grounder in grounders}) < len(grounders):
        raise ValueError("grounders: one of them is there twice")
    return handles
