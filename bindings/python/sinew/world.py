# SPDX-License-Identifier: MIT OR Apache-2.0
"""Many characters of one rig in one call, as arrays."""

from __future__ import annotations

import weakref
from typing import Any, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .animator import Animator
from .enums import IkGoal, IkHint
from .outcome import Outcome
from .skeleton import Avatar, Skeleton
from .structs import default
from .transforms import TRANSFORM_FLOATS, memory

_VEC3, _QUAT = ("<f4", (3,)), ("<f4", (4,))
_GOAL = np.dtype([("position", *_VEC3), ("rotation", *_QUAT), ("position_weight", "<f4"), ("rotation_weight", "<f4")])
_HINT = np.dtype([("position", *_VEC3), ("weight", "<f4")])
_LOOK = np.dtype([(name, "<f4") for name in ("weight", "body", "head", "eyes", "clamp")])
#: SinewHumanoidInput.
_INPUT = np.dtype([
    ("struct_size", "<u4"), ("set", "<u4"), ("goals", _GOAL, (4,)), ("hints", _HINT, (4,)),
    ("look_at_position", *_VEC3), ("look_at_weight", _LOOK), ("body_position", *_VEC3), ("body_rotation", *_QUAT),
])
assert _INPUT.itemsize == ffi.sizeof("SinewHumanoidInput")


class World:
    """``count`` characters with one skeleton and avatar, solved together.

    ``poses`` (count, joints, 10) and ``roots`` (count, 10) are NumPy arrays that the solve reads and
    writes in place; write all of ``poses`` from the animation before each solve. Results have the
    same bits as from one Animator per character.

    ``animators`` are the characters: constraints that are added to them, their settings and their
    outcomes are those of the world. Their ``pose`` is not: the world solves ``poses``. To have
    ``joint_world`` or ``model_frames`` of the result, copy it first:
    ``world.animators[i].pose = world.poses[i]``. Goals, hints and look-at that are set on an
    animator are replaced by those of the world at each solve, and so is its root.
    """

    #: SinewWorld.
    handle: Any
    skeleton: Skeleton
    #: One per character: see above.
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
        if count < 0:
            raise ValueError(f"count: {count} is below 0")
        handle = ffi.new("SinewWorld *")
        must(lib.sinew_world_create(handle))
        self.handle = handle[0]
        weakref.finalize(self, lib.sinew_world_destroy, self.handle)
        self.animators = [Animator(skeleton, avatar) for _ in range(count)]
        for animator in self.animators:
            must(lib.sinew_world_join(self.handle, animator.handle, ffi.NULL))
        self.skeleton = skeleton
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
        """Points at which the knees or elbows of all characters point, in world space: (count, 3) or
        (3,) in metres, or None: no hint. ``weight``: a number or (count,) from 0 to 1."""
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
        """Points that all characters look at, in world space: (count, 3) or (3,) in metres, or None:
        no look-at. The weights, numbers or (count,) from 0 to 1, are those of
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

    def solve(self) -> None:
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
        # The first three are written: none of the others may lie where they do.
        for i in range(3):
            for name, other in arrays[i + 1:]:
                if np.may_share_memory(arrays[i][1], other):
                    raise ValueError(f"{name}: shares memory with {arrays[i][0]}")
        must(lib.sinew_world_solve(self.handle, frame, ffi.NULL))

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
