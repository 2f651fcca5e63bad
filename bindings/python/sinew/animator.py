# SPDX-License-Identifier: MIT OR Apache-2.0
"""One character: pose, goals, constraints, outcomes."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .arguments import member
from .enums import IkGoal, IkHint, Status
from .skeleton import Avatar, Skeleton
from .structs import default
from .transforms import TRANSFORM_FLOATS, floats, shaped, vector


class Outcome(NamedTuple):
    """How a solve ended. A goal out of reach is an outcome, not an error."""

    status: Status
    iterations: int
    #: Distance from effector to weighted goal, metres.
    residual_m: float
    #: Angle to the weighted goal, radians.
    residual_rad: float

    @property
    def is_reached(self) -> bool:
        """Whether the status is REACHED."""
        return self.status == Status.REACHED


def outcome_of(call: Callable[..., int], *arguments: Any) -> Outcome:
    """The outcome that ``call(*arguments, out)`` writes."""
    out = ffi.new("SinewOutcome *")
    must(call(*arguments, out))
    return Outcome(Status(out.status), out.iterations, out.residual_m, out.residual_rad)


class Animator:
    """One character of any rig; with an avatar a humanoid.

    Each frame: write every joint of ``pose`` from the animation (or call ``reset_pose``), set goals,
    ``solve()``, read ``pose``. Weights start at 0. One thread at a time per animator.
    """

    #: SinewAnimator.
    handle: Any
    #: The rig.
    skeleton: Skeleton

    def __init__(self, skeleton: Skeleton, avatar: Optional[Avatar] = None) -> None:
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
    def pose(self) -> npt.NDArray[np.float32]:
        """Local transforms, (joints, 10) float32, in the library's memory: copy it to keep it.

        Assigning an array copies its numbers; ValueError for another shape."""
        return self._pose

    @pose.setter
    def pose(self, values: npt.ArrayLike) -> None:
        self._pose[...] = shaped(values, self._pose.shape, "pose")

    def reset_pose(self) -> None:
        """Writes the rest pose."""
        must(lib.sinew_animator_reset_pose(self.handle))

    def set_root(self, root: npt.ArrayLike) -> None:
        """The transform of the character's root object in the world: ten numbers, metres. At first
        the identity."""
        must(lib.sinew_animator_set_root(self.handle, vector(root, "SinewTransform")))

    def solve(self) -> None:
        """Solves ``pose`` in place. SinewError for a pose with numbers that are not finite."""
        must(lib.sinew_animator_solve(self.handle))

    # Unity's Animator IK calls.

    def set_ik_position(self, goal: IkGoal, position: npt.ArrayLike) -> None:
        """Sets the goal of a wrist or ankle joint: three numbers, world space, metres. No effect
        while the position weight is 0."""
        must(lib.sinew_animator_set_ik_position(self.handle, goal, vector(position, "SinewVec3")))

    def set_ik_rotation(self, goal: IkGoal, rotation: npt.ArrayLike) -> None:
        """Sets the goal rotation of a hand or foot: a quaternion x y z w, world space, in Unity's
        goal frame (X right, Y out of the back of the hand or the top of the foot, Z along fingers
        or toes). No effect while the rotation weight is 0."""
        must(lib.sinew_animator_set_ik_rotation(self.handle, goal, vector(rotation, "SinewQuat")))

    def set_ik_rotation_bone(self, goal: IkGoal, rotation: npt.ArrayLike) -> None:
        """Sets the goal rotation of a hand or foot by the rotation of its joint: a quaternion
        x y z w, world space, in the joint's axes. It replaces the goal of ``set_ik_rotation`` and
        has the same weight."""
        turn = vector(rotation, "SinewQuat", "rotation")
        must(lib.sinew_animator_set_ik_rotation_bone(self.handle, member(goal, "goal"), turn))

    def set_ik_position_weight(self, goal: IkGoal, weight: float) -> None:
        """Sets the weight of a goal's position, clamped to 0 (animation) … 1. Default 0."""
        must(lib.sinew_animator_set_ik_position_weight(self.handle, goal, weight))

    def set_ik_rotation_weight(self, goal: IkGoal, weight: float) -> None:
        """Sets the weight of a goal's rotation, clamped to 0 (animation) … 1. Default 0."""
        must(lib.sinew_animator_set_ik_rotation_weight(self.handle, goal, weight))

    def set_ik_hint_position(self, hint: IkHint, position: npt.ArrayLike) -> None:
        """Sets the point at which a knee or elbow points: three numbers, world space, metres. No
        effect while the hint's weight is 0."""
        must(lib.sinew_animator_set_ik_hint_position(self.handle, hint, vector(position, "SinewVec3")))

    def set_ik_hint_position_weight(self, hint: IkHint, weight: float) -> None:
        """Sets the weight of a hint, clamped to 0 … 1. Default 0."""
        must(lib.sinew_animator_set_ik_hint_position_weight(self.handle, hint, weight))

    def set_look_at_position(self, position: npt.ArrayLike) -> None:
        """Sets the point that the character looks at: three numbers, world space, metres. No effect
        while the look-at weight is 0."""
        must(lib.sinew_animator_set_look_at_position(self.handle, vector(position, "SinewVec3")))

    def set_look_at_weight(
        self, weight: float, body: float = 0.0, head: float = 1.0, eyes: float = 0.0, clamp: float = 0.5
    ) -> None:
        """Sets the look-at weights, each clamped to 0 … 1: ``weight`` multiplies the others, of
        which ``body`` is the fraction of the turn that the spine takes, ``head`` that of the rest
        which neck and head take, ``eyes`` that of the rest which the eyes take. The head turns at
        most (1 - ``clamp``) * 180 degrees from the chest's forward direction. At first all
        weights are 0."""
        must(lib.sinew_animator_set_look_at_weight(self.handle, weight, body, head, eyes, clamp))

    def ik_outcome(self, goal: IkGoal) -> Outcome:
        """How the last solve ended for a hand or foot."""
        return outcome_of(lib.sinew_animator_get_ik_outcome, self.handle, goal)

    def look_at_outcome(self) -> Outcome:
        """How the last solve ended for the look-at."""
        return outcome_of(lib.sinew_animator_get_look_at_outcome, self.handle)

    # Constraints on any joints.

    def add_chain(self, end: int, **fields: Any) -> Constraint:
        """A chain of joints that brings ``end`` to its goal; ``fields`` of SinewChainDef."""
        ends = ffi.new("SinewChainEnd[]", 1)
        ends[0].joint = end
        return self._add("SinewChainDef", lib.sinew_animator_add_chain, ends=ends, end_count=1, **fields)

    def add_two_bone(self, end: int, **fields: Any) -> Constraint:
        """An arm or leg whose last joint is ``end``; ``fields`` of SinewTwoBoneDef."""
        return self._add("SinewTwoBoneDef", lib.sinew_animator_add_two_bone, end=end, **fields)

    def add_aim(self, end: int, axis: npt.ArrayLike, **fields: Any) -> Constraint:
        """Turns ``end`` so that ``axis`` (three numbers, in its space) points at the goal;
        ``fields`` of SinewAimDef."""
        axis = shaped(axis, (3,), "axis")
        return self._add("SinewAimDef", lib.sinew_animator_add_aim, end=end, axis=axis, **fields)

    def _add(self, struct: str, call: Callable[..., int], **fields: Any) -> Constraint:
        out = ffi.new("SinewConstraint *")
        must(call(self.handle, default(struct, **fields), out))
        constraint = Constraint(self, out[0])
        constraint.set_weight(1.0)
        return constraint

    def joint_world(self, joint: int) -> Tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Position (3), metres, and rotation (4), x y z w, of a joint in the world, from ``pose``."""
        position, rotation = ffi.new("SinewVec3 *"), ffi.new("SinewQuat *")
        must(lib.sinew_animator_get_joint_world(self.handle, joint, position, rotation))
        return floats(position), floats(rotation)

    def model_frames(self) -> npt.NDArray[np.float32]:
        """Frames of all joints in model space, (joints, 16): position, rotation, three axes."""
        frames = ffi.new("SinewModelFrame[]", len(self._pose))
        must(lib.sinew_animator_get_model_frames(self.handle, frames, len(self._pose)))
        return floats(frames).reshape(len(self._pose), 16)


class Constraint:
    """One constraint of one animator, added with weight 1.

    ``end`` is 0 but for chains with several ends. Every call raises SinewError once the constraint
    is removed.
    """

    #: The character.
    animator: Animator
    #: SinewConstraint.
    handle: Any

    def __init__(self, animator: Animator, handle: Any) -> None:
        self.animator, self.handle = animator, handle

    def set_weight(self, weight: float) -> None:
        """Sets how much of the result replaces the animation, clamped to 0 … 1."""
        must(lib.sinew_animator_set_constraint_weight(self.animator.handle, self.handle, weight))

    def set_position(self, position: npt.ArrayLike, end: int = 0) -> None:
        """Sets the goal of an end: three numbers, world space, metres. Without a goal the
        constraint does nothing."""
        goal = vector(position, "SinewVec3")
        must(lib.sinew_animator_set_constraint_position(self.animator.handle, self.handle, end, goal))

    def set_rotation(self, rotation: npt.ArrayLike, end: int = 0) -> None:
        """Sets the goal rotation of an end's joint: a quaternion x y z w, world space."""
        goal = vector(rotation, "SinewQuat")
        must(lib.sinew_animator_set_constraint_rotation(self.animator.handle, self.handle, end, goal))

    def set_pole(self, at: npt.ArrayLike, **fields: Any) -> None:
        """Sets the side to which the limb bends: a point, three numbers, world space, metres, with
        weight 1; ``fields`` of SinewPole, for example ``flags=lib.SINEW_POLE_DIRECTION``."""
        point = shaped(at, (3,), "at")
        pole = default("SinewPole", at=point, **{"weight": 1.0, **fields})
        must(lib.sinew_animator_set_constraint_pole(self.animator.handle, self.handle, pole))

    def outcome(self) -> Outcome:
        """How the last solve ended for this constraint."""
        return outcome_of(lib.sinew_animator_get_constraint_outcome, self.animator.handle, self.handle)

    def remove(self) -> None:
        """Removes the constraint from its animator."""
        must(lib.sinew_animator_remove_constraint(self.animator.handle, self.handle))
