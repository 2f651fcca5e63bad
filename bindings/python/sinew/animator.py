# SPDX-License-Identifier: MIT OR Apache-2.0
"""One character: pose, goals, constraints, outcomes."""

from typing import NamedTuple

import numpy as np

from ._native import default, ffi, lib, must
from .enums import Status
from .transforms import TRANSFORM_FLOATS, floats, transform_array, vector


class Outcome(NamedTuple):
    """How a solve ended. A goal out of reach is an outcome, not an error."""

    status: Status
    iterations: int
    #: Distance from effector to weighted goal, metres.
    residual_m: float
    #: Angle to the weighted goal, radians.
    residual_rad: float

    @property
    def is_reached(self):
        return self.status == Status.REACHED


def _outcome(call, *arguments):
    out = ffi.new("SinewOutcome *")
    must(call(*arguments, out))
    return Outcome(Status(out.status), out.iterations, out.residual_m, out.residual_rad)


class Animator:
    """One character of any rig; with an avatar a humanoid.

    Each frame: write every joint of ``pose`` from the animation (or call ``reset_pose``), set goals,
    ``solve()``, read ``pose``. Weights start at 0. One thread at a time per animator.
    """

    def __init__(self, skeleton, avatar=None):
        fields = {"skeleton": skeleton.handle}
        if avatar is not None:
            fields["avatar"] = avatar.handle
        handle, address, count = ffi.new("SinewAnimator *"), ffi.new("SinewTransform **"), ffi.new("uint32_t *")
        must(lib.sinew_animator_create(default("SinewAnimatorDef", **fields), handle))
        self.handle = own = handle[0]
        must(lib.sinew_animator_get_pose_buffer(own, address, count))
        self.skeleton = skeleton
        # The array keeps the memory, and with it the native animator, as long as anything uses it.
        memory = ffi.gc(address[0], lambda _: lib.sinew_animator_destroy(own))
        buffer = ffi.buffer(memory, count[0] * TRANSFORM_FLOATS * 4)
        self._pose = np.frombuffer(buffer, np.float32).reshape(count[0], TRANSFORM_FLOATS)

    @property
    def pose(self):
        """Local transforms, (joints, 10) float32, in the library's memory."""
        return self._pose

    @pose.setter
    def pose(self, values):
        self._pose[...] = values

    def reset_pose(self):
        """Writes the rest pose."""
        must(lib.sinew_animator_reset_pose(self.handle))

    def set_root(self, root):
        """The transform of the character's root object in the world: ten numbers."""
        must(lib.sinew_animator_set_root(self.handle, vector(root, "SinewTransform")))

    def solve(self):
        """Solves ``pose`` in place."""
        must(lib.sinew_animator_solve(self.handle))

    # Unity's Animator IK calls.

    def set_ik_position(self, goal, position):
        must(lib.sinew_animator_set_ik_position(self.handle, goal, vector(position, "SinewVec3")))

    def set_ik_rotation(self, goal, rotation):
        must(lib.sinew_animator_set_ik_rotation(self.handle, goal, vector(rotation, "SinewQuat")))

    def set_ik_position_weight(self, goal, weight):
        must(lib.sinew_animator_set_ik_position_weight(self.handle, goal, weight))

    def set_ik_rotation_weight(self, goal, weight):
        must(lib.sinew_animator_set_ik_rotation_weight(self.handle, goal, weight))

    def set_ik_hint_position(self, hint, position):
        must(lib.sinew_animator_set_ik_hint_position(self.handle, hint, vector(position, "SinewVec3")))

    def set_ik_hint_position_weight(self, hint, weight):
        must(lib.sinew_animator_set_ik_hint_position_weight(self.handle, hint, weight))

    def set_look_at_position(self, position):
        must(lib.sinew_animator_set_look_at_position(self.handle, vector(position, "SinewVec3")))

    def set_look_at_weight(self, weight, body=0.0, head=1.0, eyes=0.0, clamp=0.5):
        must(lib.sinew_animator_set_look_at_weight(self.handle, weight, body, head, eyes, clamp))

    def ik_outcome(self, goal):
        return _outcome(lib.sinew_animator_get_ik_outcome, self.handle, goal)

    def look_at_outcome(self):
        return _outcome(lib.sinew_animator_get_look_at_outcome, self.handle)

    # Constraints on any joints.

    def add_chain(self, end, **fields):
        """A chain of joints that brings ``end`` to its goal; ``fields`` of SinewChainDef."""
        ends = ffi.new("SinewChainEnd[]", 1)
        ends[0].joint = end
        return self._add("SinewChainDef", lib.sinew_animator_add_chain, ends=ends, end_count=1, **fields)

    def add_two_bone(self, end, **fields):
        """An arm or leg whose last joint is ``end``; ``fields`` of SinewTwoBoneDef."""
        return self._add("SinewTwoBoneDef", lib.sinew_animator_add_two_bone, end=end, **fields)

    def add_aim(self, end, axis, **fields):
        """Turns ``end`` so that ``axis`` (in its space) points at the goal; ``fields`` of SinewAimDef."""
        return self._add("SinewAimDef", lib.sinew_animator_add_aim, end=end, axis=tuple(axis), **fields)

    def _add(self, struct, call, **fields):
        out = ffi.new("SinewConstraint *")
        must(call(self.handle, default(struct, **fields), out))
        constraint = Constraint(self, out[0])
        constraint.set_weight(1.0)
        return constraint

    def joint_world(self, joint):
        """Position (3) and rotation (4) of a joint in the world, from the pose buffer."""
        position, rotation = ffi.new("SinewVec3 *"), ffi.new("SinewQuat *")
        must(lib.sinew_animator_get_joint_world(self.handle, joint, position, rotation))
        return floats(position), floats(rotation)

    def model_frames(self):
        """Frames of all joints in model space, (joints, 16): position, rotation, three axes."""
        frames = ffi.new("SinewModelFrame[]", len(self._pose))
        must(lib.sinew_animator_get_model_frames(self.handle, frames, len(self._pose)))
        return floats(frames).reshape(len(self._pose), 16)


class Constraint:
    """One constraint of one animator, added with weight 1."""

    def __init__(self, animator, handle):
        self.animator, self.handle = animator, handle

    def set_weight(self, weight):
        must(lib.sinew_animator_set_constraint_weight(self.animator.handle, self.handle, weight))

    def set_position(self, position, end=0):
        goal = vector(position, "SinewVec3")
        must(lib.sinew_animator_set_constraint_position(self.animator.handle, self.handle, end, goal))

    def set_rotation(self, rotation, end=0):
        goal = vector(rotation, "SinewQuat")
        must(lib.sinew_animator_set_constraint_rotation(self.animator.handle, self.handle, end, goal))

    def set_pole(self, at, **fields):
        """Side to which the limb bends; ``fields`` of SinewPole."""
        pole = default("SinewPole", at=tuple(at), **{"weight": 1.0, **fields})
        must(lib.sinew_animator_set_constraint_pole(self.animator.handle, self.handle, pole))

    def outcome(self):
        return _outcome(lib.sinew_animator_get_constraint_outcome, self.animator.handle, self.handle)

    def remove(self):
        must(lib.sinew_animator_remove_constraint(self.animator.handle, self.handle))
