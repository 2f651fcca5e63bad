# SPDX-License-Identifier: MIT OR Apache-2.0
"""Many characters of one rig in one call, as arrays."""

from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._native import SinewError, ffi, lib, must
from .animator import Animator
from .arguments import integer, number
from .callbacks import CallbackFailure
from .enums import IkGoal, IkHint, Lod
from .outcome import Outcome
from .owned import Owned
from .skeleton import Avatar, Skeleton
from .structs import default, read, records
from .transforms import TRANSFORM_FLOATS, memory

#: SinewHumanoidInput.
_INPUT = records("SinewHumanoidInput")


class WorldReport(NamedTuple):
    """What a solve of a world did, in numbers of characters."""

    #: Solved.
    solved: int
    #: Not their turn: the pose got an interpolated correction.
    between: int
    #: The budget was used up: the pose got the correction of its last solve, or none.
    cut: int
    #: Lod.OFF: not touched.
    off: int
    #: Refused: see ``results``.
    failed: int


class World(Owned):
    """``count`` characters with one skeleton and avatar, solved together.

    ``poses`` (count, joints, 10) and ``roots`` (count, 10) are NumPy arrays that the solve reads
    and writes in place; write all of ``poses`` from the animation before each solve. Results have
    the same bits as from one Animator per character.

    ``animators`` are the characters: constraints that are added to them, their settings and their
    outcomes are those of the world. Their ``pose`` is not: the world solves ``poses``. To have
    ``joint_world`` or ``model_frames`` of the result, copy it first: ``world.animators[i].pose =
    world.poses[i]``. Goals, hints and look-at that are set on an animator are replaced by those of
    the world at each solve, and so is its root.

    ``row`` is the place of a character in all of them, 0 … ``len(world)`` - 1. A row whose animator
    left is free: the solve does not touch it, and the next that joins gets it.
    """

    #: SinewWorld.
    handle: Any
    skeleton: Skeleton
    #: The avatar of the characters, or None.
    avatar: Optional[Avatar]
    #: One per row: see above. In a free row the one that left, which the world does not solve.
    animators: list[Animator]
    #: Local transforms, (count, joints, 10) float32, solved in place. At first the rest pose.
    poses: npt.NDArray[np.float32]
    #: The transform of each character's root object in the world, (count, 10) float32.
    roots: npt.NDArray[np.float32]
    #: Fields of SinewHumanoidInput, one record per character; None without an avatar.
    inputs: Optional[npt.NDArray[Any]]
    #: SinewResult of each character, (count,) int32, written by solve.
    results: npt.NDArray[np.int32]
    #: SinewRowState of each character, (count,) int32, written by solve.
    states: npt.NDArray[np.int32]

    def __init__(self, skeleton: Skeleton, avatar: Optional[Avatar] = None, count: int = 1) -> None:
        count = integer(count, "count")
        handle = ffi.new("SinewWorld *")
        must(lib.sinew_world_create(handle))
        self._own(handle[0], lib.sinew_world_destroy)
        self._clock: Any = ffi.NULL
        self._failure = CallbackFailure()
        self.animators = [Animator(skeleton, avatar) for _ in range(count)]
        for animator in self.animators:
            must(lib.sinew_world_join(self.handle, animator.handle, ffi.NULL))
        self.skeleton, self.avatar = skeleton, avatar
        self.poses = np.repeat(skeleton.rest[None], count, axis=0)
        self.roots = np.zeros((count, TRANSFORM_FLOATS), np.float32)
        self.roots[:, 6:] = 1
        self.inputs = None
        if avatar is not None:
            blank = default("SinewHumanoidInput")
            self.inputs = np.repeat(np.frombuffer(bytes(ffi.buffer(blank)), _INPUT), count)
        self.results = np.zeros(count, np.int32)
        self.states = np.zeros(count, np.int32)

    def __len__(self) -> int:
        return len(self.animators)

    # Characters that come and go.

    def join(self, animator: Optional[Animator] = None) -> int:
        """Adds a character of the world's skeleton, by default a new one, and returns its row: the
        lowest free one, else a new row at the end.

        Its pose is the rest pose, its root the identity, its input blank. A new row makes new
        arrays of ``poses``, ``roots``, ``inputs``, ``results`` and ``states``, so references to the
        old ones are no longer the world's. SinewError for a member of a world."""
        if animator is None:
            animator = Animator(self.skeleton, self.avatar)
        elif not np.array_equal(animator.skeleton.parents, self.skeleton.parents):
            raise ValueError("animator: its skeleton is another one than the world's")
        members = int(read("uint32_t", lib.sinew_world_get_count, self.handle)[0])
        wider = self._wider() if members == len(self.animators) else {}
        row = ffi.new("uint32_t *")
        must(lib.sinew_world_join(self.handle, animator.handle, row))
        place = int(row[0])
        if wider:
            self.animators.append(animator)
            vars(self).update(wider)
        self.animators[place] = animator
        self.poses[place] = self.skeleton.rest
        self.roots[place] = (0, 0, 0, 0, 0, 0, 1, 1, 1, 1)
        if self.inputs is not None:
            self.inputs[place] = np.frombuffer(bytes(ffi.buffer(default("SinewHumanoidInput"))), _INPUT)[0]
        return place

    def leave(self, row: int) -> Animator:
        """Removes the character in a row, which is free from then on, and returns its animator with
        goals and constraints. SinewError for a free row."""
        animator = self._animator(row)
        must(lib.sinew_world_leave(self.handle, animator.handle))
        return animator

    # Levels of detail, budget, threads.

    def set_lod_full(self, row: int) -> None:
        """Solves a character in every call, with all iterations: the default."""
        must(lib.sinew_world_set_lod_full(self.handle, self._animator(row).handle))

    def set_lod_iterations(self, row: int, fraction: float) -> None:
        """Solves a character in every call, with a fraction of the iterations of its chains and of
        its whole-body solver: above 0, at most 1."""
        own = self._animator(row).handle
        must(lib.sinew_world_set_lod_iterations(self.handle, own, number(fraction, "fraction")))

    def set_lod_interval(self, row: int, calls: int) -> None:
        """Solves a character in every n-th call and interpolates in between: n from 1 to 1000."""
        own = self._animator(row).handle
        must(lib.sinew_world_set_lod_interval(self.handle, own, integer(calls, "calls")))

    def set_lod_off(self, row: int) -> None:
        """Leaves a character out: its pose is neither read nor written."""
        must(lib.sinew_world_set_lod_off(self.handle, self._animator(row).handle))

    def lod(self, row: int) -> Tuple[Lod, float, int]:
        """Level of detail of a character, its fraction of iterations and its calls per solve."""
        lod, fraction, calls = ffi.new("int32_t *"), ffi.new("float *"), ffi.new("uint32_t *")
        own = self._animator(row).handle
        must(lib.sinew_world_get_lod(self.handle, own, lod, fraction, calls))
        return Lod(lod[0]), float(fraction[0]), int(calls[0])

    def set_budget(
        self, seconds: Optional[float], clock: Optional[Callable[[], float]] = None
    ) -> None:
        """Sets for how long one solve may last: seconds, 0 or more; None: no budget, the default.

        Those that are not solved get the correction of their last solve (RowState.CUT in
        ``states``) and are among the first in the next call. With a budget results depend on time.
        ``clock``: a function without arguments that returns seconds, called from any thread; None:
        the system's clock. An exception in it comes out of ``solve`` after all is done."""
        time = -1.0 if seconds is None else number(seconds, "seconds")
        own = ffi.NULL if clock is None else _clock_of(clock, self._failure)
        must(lib.sinew_world_set_budget(self.handle, time, own, ffi.NULL))
        self._clock = own  # C calls it until another is set

    def set_threads(self, count: int) -> None:
        """Makes a pool of ``count`` threads solve, at most 256; 0 or 1, the default: the calling
        thread. Results have the same bits with any number. Starts and ends threads."""
        must(lib.sinew_world_set_threads(self.handle, integer(count, "count")))

    def hash(self) -> int:
        """A hash of the world: of the hashes of its animators with their rows; 64 bits."""
        return int(read("uint64_t", lib.sinew_world_hash, self.handle)[0])

    def _animator(self, row: int) -> Animator:
        """The animator in a row; SinewError for a free one."""
        place = integer(row, "row", 0, len(self.animators) - 1)
        animator = self.animators[place]
        # One that left may have joined again, in another row.
        if read("uint32_t", lib.sinew_world_get_row, self.handle, animator.handle)[0] != place:
            raise SinewError(lib.SINEW_ERROR_NOT_MEMBER, f"row: {place} is free")
        return animator

    def _wider(self) -> Dict[str, npt.NDArray[Any]]:
        """The arrays with one row more, which is zero."""
        wider = {}
        for name in ("poses", "roots", "inputs", "results", "states"):
            array = getattr(self, name)
            if array is not None:
                blank = np.zeros((1, *array.shape[1:]), array.dtype)
                wider[name] = np.concatenate([array, blank])
        return wider

    def set_ik_goal(
        self,
        goal: IkGoal,
        positions: Optional[npt.ArrayLike] = None,
        rotations: Optional[npt.ArrayLike] = None,
        weight: npt.ArrayLike = 1.0,
    ) -> None:
        """Goals of one hand or foot of all characters, in world space: positions (count, 3) or (3,)
        in metres, rotations (count, 4) or (4,) as quaternions x y z w, weight a number or (count,)
        from 0 (animation) to 1. What is None is left to the animation."""
        inputs, place = self._inputs("set_ik_goal"), int(IkGoal(goal))
        # All are checked before the first is written: a refused call changes nothing.
        places = self._rows(positions, 3, "positions")
        turns = self._rows(rotations, 4, "rotations")
        share = self._numbers(weight, "weight")
        record = inputs["goals"][:, place]
        self._give(inputs, record, "position", places, 1 << place, share)
        self._give(inputs, record, "rotation", turns, 1 << (place + 4), share)

    def set_ik_hint(
        self, hint: IkHint, positions: Optional[npt.ArrayLike], weight: npt.ArrayLike = 1.0
    ) -> None:
        """Points at which the knees or elbows of all characters point, in world space: (count, 3)
        or (3,) in metres, or None: no hint. ``weight``: a number or (count,) from 0 to 1."""
        inputs, place = self._inputs("set_ik_hint"), int(IkHint(hint))
        places, share = self._rows(positions, 3, "positions"), self._numbers(weight, "weight")
        record, bit = inputs["hints"][:, place], np.uint32(1 << (place + 8))
        if places is None:
            record["weight"] = 0
            inputs["set"] &= ~bit
        else:
            record["position"], record["weight"] = places, share
            inputs["set"] |= bit

    def set_look_at(
        self,
        positions: Optional[npt.ArrayLike],
        weight: npt.ArrayLike = 1.0,
        body: npt.ArrayLike = 0.0,
        head: npt.ArrayLike = 1.0,
        eyes: npt.ArrayLike = 0.0,
        clamp: npt.ArrayLike = 0.5,
    ) -> None:
        """Points that all characters look at, in world space: (count, 3) or (3,) in metres, or
        None: no look-at. The weights, numbers or (count,) from 0 to 1, are those of
        Animator.set_look_at_weight."""
        inputs, bit = self._inputs("set_look_at"), np.uint32(lib.SINEW_INPUT_LOOK_AT_POSITION)
        places = self._rows(positions, 3, "positions")
        given = {"weight": weight, "body": body, "head": head, "eyes": eyes, "clamp": clamp}
        weights = {name: self._numbers(value, name) for name, value in given.items()}
        if places is None:
            inputs["look_at_weight"]["weight"] = 0
            inputs["set"] &= ~bit
            return
        inputs["look_at_position"] = places
        for name, value in weights.items():
            inputs["look_at_weight"][name] = value
        inputs["set"] |= bit

    def solve(self) -> WorldReport:
        """Solves all characters; SinewError with the first that failed, the others are solved.

        ValueError, and nothing is solved, when one of the arrays ``poses``, ``roots``, ``inputs``,
        ``results`` and ``states`` was replaced by one of another type, shape or order, by a
        read-only one, or by one that shares memory with another of them.
        """
        count, joints = len(self), len(self.skeleton)
        row = (count, TRANSFORM_FLOATS)
        frame = default(
            "SinewWorldFrame", row_count=count, layout=lib.SINEW_POSE_LAYOUT_RECORDS,
            records=memory(self.poses, "poses", np.float32, (count, joints, TRANSFORM_FLOATS), "SinewTransform"),
            records_stride=joints * TRANSFORM_FLOATS * 4,
            roots=memory(self.roots, "roots", np.float32, row, "SinewTransform", written=False),
            roots_stride=TRANSFORM_FLOATS * 4,
            out_results=memory(self.results, "results", np.int32, (count,), "int32_t"),
            out_states=memory(self.states, "states", np.int32, (count,), "int32_t"))
        arrays: list[Tuple[str, npt.NDArray[Any]]] = [
            ("poses", self.poses), ("results", self.results), ("states", self.states), ("roots", self.roots)]
        if self.inputs is not None:
            frame.inputs = memory(self.inputs, "inputs", _INPUT, (count,), "SinewHumanoidInput", written=False)
            frame.inputs_stride = _INPUT.itemsize
            arrays.append(("inputs", self.inputs))
        # The first three are written: none of the others may be where they are.
        for i in range(3):
            for name, other in arrays[i + 1:]:
                if np.may_share_memory(arrays[i][1], other):
                    raise ValueError(f"{name}: shares memory with {arrays[i][0]}")
        if self.inputs is not None and (self.inputs["struct_size"] != _INPUT.itemsize).any():
            raise ValueError("inputs: struct_size was changed")
        report = ffi.new("SinewWorldReport *")
        self._failure.clear()
        code = lib.sinew_world_solve(self.handle, frame, report)
        self._failure.raise_it()
        must(code)
        return WorldReport(report.solved, report.between, report.cut, report.off, report.failed)

    def ik_outcomes(self, goal: IkGoal) -> list[Outcome]:
        """Outcome of one goal of every character."""
        return [animator.ik_outcome(goal) for animator in self.animators]

    def _inputs(self, call: str) -> npt.NDArray[Any]:
        if self.inputs is None:
            raise ValueError(f"{call}: a world without an avatar has no goals, hints and look-at")
        return self.inputs

    def _rows(self, values: Optional[npt.ArrayLike], size: int, what: str) -> Optional[npt.NDArray[np.float32]]:
        """One row of numbers per character, or one for all."""
        if values is None:
            return None
        array = np.asarray(values, np.float32)
        if array.shape not in ((size,), (len(self), size)):
            raise ValueError(f"{what}: shape {array.shape}, not ({size},) or ({len(self)}, {size})")
        return array

    def _numbers(self, values: npt.ArrayLike, what: str) -> npt.NDArray[np.float32]:
        """One number per character, or one for all."""
        array = np.asarray(values, np.float32)
        if array.shape not in ((), (len(self),)):
            raise ValueError(f"{what}: shape {array.shape}, not a number or ({len(self)},)")
        return array

    @staticmethod
    def _give(
        inputs: npt.NDArray[Any], record: npt.NDArray[Any], field: str,
        values: Optional[npt.NDArray[np.float32]], bit: int, weight: npt.NDArray[np.float32],
    ) -> None:
        if values is None:
            inputs["set"] &= ~np.uint32(bit)
            record[f"{field}_weight"] = 0
        else:
            record[field] = values
            record[f"{field}_weight"] = weight
            inputs["set"] |= np.uint32(bit)


def _clock_of(clock: Callable[[], float], failure: CallbackFailure) -> Any:
    """A SinewClock that calls a function of Python. It must be kept as long as it is set."""
    if not callable(clock):
        raise TypeError(f"clock: {clock!r:.80} is no function")
    last = [0.0]

    def call(_user: Any) -> float:
        try:
            last[0] = max(last[0], number(clock(), "clock"))
        except BaseException as error:  # an exception must not leave a callback of C
            failure.keep(error)
        return last[0]

    return ffi.callback("double(void *)", call)
