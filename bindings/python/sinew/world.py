# SPDX-License-Identifier: MIT OR Apache-2.0
"""Many characters of one rig in one call, as arrays."""

import weakref

import numpy as np

from ._native import default, ffi, lib, must
from .animator import Animator
from .transforms import TRANSFORM_FLOATS, pointer

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
    """

    def __init__(self, skeleton, avatar=None, count=1):
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
        #: Fields of SinewHumanoidInput, one record per character; None without an avatar.
        self.inputs = None
        if avatar is not None:
            blank = default("SinewHumanoidInput")
            self.inputs = np.repeat(np.frombuffer(bytes(ffi.buffer(blank)), _INPUT), count)
        #: SinewResult and SinewRowState of each character, written by solve.
        self.results = np.zeros(count, np.int32)
        self.states = np.zeros(count, np.int32)

    def __len__(self):
        return len(self.animators)

    def set_ik_goal(self, goal, positions=None, rotations=None, weight=1.0):
        """Goals of one hand or foot of all characters: positions (count, 3) or (3,), rotations
        (count, 4) or (4,), weight a number or (count,). What is None is left to the animation."""
        record = self.inputs["goals"][:, goal]
        self._give(record, "position", positions, 1 << int(goal), weight)
        self._give(record, "rotation", rotations, 1 << (int(goal) + 4), weight)

    def _give(self, record, field, values, bit, weight):
        if values is None:
            self.inputs["set"] &= ~np.uint32(bit)
            record[f"{field}_weight"] = 0
        else:
            record[field] = values
            record[f"{field}_weight"] = weight
            self.inputs["set"] |= np.uint32(bit)

    def set_ik_hint(self, hint, positions, weight=1.0):
        """Points at which the knees or elbows of all characters point."""
        record = self.inputs["hints"][:, hint]
        record["position"], record["weight"] = positions, weight
        self.inputs["set"] |= np.uint32(1 << (int(hint) + 8))

    def set_look_at(self, positions, weight=1.0, body=0.0, head=1.0, eyes=0.0, clamp=0.5):
        """Points that all characters look at."""
        self.inputs["look_at_position"] = positions
        for name, value in (("weight", weight), ("body", body), ("head", head), ("eyes", eyes), ("clamp", clamp)):
            self.inputs["look_at_weight"][name] = value
        self.inputs["set"] |= np.uint32(lib.SINEW_INPUT_LOOK_AT_POSITION)

    def solve(self):
        """Solves all characters; SinewError with the first that failed, the others are solved."""
        count, joints = len(self), len(self.skeleton)
        arrays = {"poses": (self.poses, (count, joints, TRANSFORM_FLOATS)), "roots": (self.roots, (count, TRANSFORM_FLOATS))}
        for name, (array, shape) in arrays.items():
            if array.shape != shape or array.dtype != np.float32 or not array.flags.c_contiguous:
                raise ValueError(f"{name}: must be contiguous float32 of shape {shape}")
        frame = default(
            "SinewWorldFrame", row_count=count, layout=lib.SINEW_POSE_LAYOUT_RECORDS,
            records=pointer(self.poses, "SinewTransform"), records_stride=joints * TRANSFORM_FLOATS * 4,
            roots=pointer(self.roots, "SinewTransform"), roots_stride=TRANSFORM_FLOATS * 4,
            out_results=pointer(self.results, "int32_t"), out_states=pointer(self.states, "int32_t"))
        if self.inputs is not None:
            frame.inputs, frame.inputs_stride = pointer(self.inputs, "SinewHumanoidInput"), _INPUT.itemsize
        must(lib.sinew_world_solve(self.handle, frame, ffi.NULL))

    def ik_outcomes(self, goal):
        """Outcome of one goal of every character, as a list."""
        return [animator.ik_outcome(goal) for animator in self.animators]


