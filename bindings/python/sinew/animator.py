# SPDX-License-Identifier: MIT OR Apache-2.0
"""One character: pose, goals, constraints, limits."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .arguments import integer, member, number, octets
from .constraint import Constraint
from .enums import Curve
from .humanoid import Humanoid
from .skeleton import Avatar, Skeleton
from .structs import array_of, default, grown, read, values
from .transforms import TRANSFORM_FLOATS, floats, shaped, vector


class Animator(Humanoid):
    """One character of any rig; with an avatar a humanoid.

    Each frame: write every joint of ``pose`` from the animation (or call ``reset_pose``), set
    goals, ``solve()``, read ``pose``. Weights start at 0. One thread at a time per animator.
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
        must(lib.sinew_animator_set_root(self.handle, vector(root, "SinewTransform", "root")))

    def root(self) -> npt.NDArray[np.float32]:
        """The transform of the character's root object in the world: ten numbers, a copy."""
        return floats(read("SinewTransform", lib.sinew_animator_get_root, self.handle))

    def solve(self) -> None:
        """Solves ``pose`` in place. SinewError for a pose with numbers that are not finite."""
        must(lib.sinew_animator_solve(self.handle))

    # What lasts between frames.

    def advance(self, dt: float) -> None:
        """Advances the time of blends and of the whole-body solver in track mode: seconds since the
        last call, once per frame, before ``solve``. Below 0 counts as 0."""
        must(lib.sinew_animator_advance(self.handle, number(dt, "dt")))

    def reset_state(self) -> None:
        """Resets everything that lasts between frames: after a teleport or a cut. Goals, settings
        and pose stay."""
        must(lib.sinew_animator_reset_state(self.handle))

    def snapshot(self) -> bytes:
        """Everything that lasts between frames. An animator of the same rig, goals, settings and
        pose that restores it goes on with the same bits."""
        out, size = grown("uint8_t", lambda out, capacity, length: lib.sinew_animator_snapshot(
            self.handle, out, capacity, length))
        return bytes(ffi.buffer(out, size))

    def restore(self, snapshot: bytes) -> None:
        """Sets everything that lasts between frames from a snapshot; SinewError for bytes that are
        not one of an animator with the same rig and blend times."""
        own = octets(snapshot, "snapshot")
        must(lib.sinew_animator_restore(self.handle, own, len(own)))

    def hash(self) -> int:
        """A hash of pose, root, input, goals and all that lasts between frames: 64 bits. Two
        animators that are set up alike and have the same hash go on with the same bits."""
        return int(read("uint64_t", lib.sinew_animator_hash, self.handle)[0])

    # Effort.

    def set_iteration_scale(self, scale: float) -> None:
        """Sets the share of their iterations that chains and the whole-body solver make, clamped to
        0 (one iteration) … 1, the default."""
        must(lib.sinew_animator_set_iteration_scale(self.handle, number(scale, "scale")))

    def iteration_scale(self) -> float:
        """The share of their iterations that chains and the whole-body solver make."""
        return float(read("float", lib.sinew_animator_get_iteration_scale, self.handle)[0])

    def set_max_work(self, steps: int) -> None:
        """Sets how many steps of work the iterating solvers of one solve may take. Default, and
        greatest number: SINEW_MAX_WORK."""
        must(lib.sinew_animator_set_max_work(self.handle, integer(steps, "steps")))

    def max_work(self) -> int:
        """How many steps of work the iterating solvers of one solve may take."""
        return int(read("uint32_t", lib.sinew_animator_get_max_work, self.handle)[0])

    def set_cancelled(self, cancelled: bool) -> None:
        """Makes solves end early with the best pose so far while it is True. Any thread may call it
        at any time, also while another one solves the animator. Default False."""
        must(lib.sinew_animator_set_cancelled(self.handle, integer(cancelled, "cancelled", 0, 1)))

    # Constraints on any joints.

    def add_chain(
        self, end: Union[int, Sequence[int]], tips: Optional[npt.ArrayLike] = None, **fields: Any
    ) -> Constraint:
        """A chain of joints that brings ``end`` to its goal; several ends, as a sequence, make a
        tree. ``tips``: (ends, 3), the points of the ends that have goals, in their spaces, metres;
        None: the joints. ``fields`` of SinewChainDef; ``spring_bias`` is an array."""
        joints = list(end) if isinstance(end, (list, tuple, np.ndarray)) else [end]
        ends = ffi.new("SinewChainEnd[]", max(1, len(joints)))
        points = np.zeros((len(joints), 3), np.float32)
        if tips is not None:
            points = shaped(np.reshape(tips, (-1, 3)) if len(joints) == 1 else tips, points.shape, "tips")
        for i, joint in enumerate(joints):
            ends[i].joint = integer(joint, "end")
            ends[i].tip.x, ends[i].tip.y, ends[i].tip.z = points[i].tolist()
        return self._add("SinewChainDef", lib.sinew_animator_add_chain, ends=ends, end_count=len(joints), **fields)

    def add_two_bone(self, end: int, **fields: Any) -> Constraint:
        """An arm or leg whose last joint is ``end``; ``fields`` of SinewTwoBoneDef."""
        joint = integer(end, "end")
        return self._add("SinewTwoBoneDef", lib.sinew_animator_add_two_bone, end=joint, **fields)

    def add_aim(self, end: int, axis: npt.ArrayLike, **fields: Any) -> Constraint:
        """Turns ``end`` so that ``axis`` (three numbers, in its space) points at the goal;
        ``fields`` of SinewAimDef; ``weights``, the shares of several joints, is an array."""
        joint, way = integer(end, "end"), shaped(axis, (3,), "axis")
        return self._add("SinewAimDef", lib.sinew_animator_add_aim, end=joint, axis=way, **fields)

    def add_copy_rotation(self, joint: int, source: int = -1, **fields: Any) -> Constraint:
        """A joint that turns like its rotation goal, or, while it has none, like the joint
        ``source`` (-1: none); ``fields`` of SinewCopyRotationDef, for example ``twist=0.5``."""
        which, other = integer(joint, "joint"), integer(source, "source", -1, 2**31 - 1)
        return self._add(
            "SinewCopyRotationDef", lib.sinew_animator_add_copy_rotation, joint=which, source=other, **fields)

    def add_spline(
        self, end: int, point_count: int = 4, curve: Curve = Curve.CATMULL_ROM, **fields: Any
    ) -> Constraint:
        """A chain up from ``end`` that follows a curve: the position goal of end i is control point
        i. ``point_count``: 2 … 256, for Bezier curves 3 k + 1; ``fields`` of SinewSplineDef, for
        example ``joint_count=5``."""
        joint, count = integer(end, "end"), integer(point_count, "point_count")
        return self._add(
            "SinewSplineDef", lib.sinew_animator_add_spline, end=joint, point_count=count,
            curve=member(curve, "curve"), **fields)

    def _add(self, struct: str, call: Callable[..., int], **fields: Any) -> Constraint:
        out = ffi.new("SinewConstraint *")
        must(call(self.handle, default(struct, **fields), out))
        constraint = Constraint(self, out[0])
        constraint.set_weight(1.0)
        return constraint

    def constraints(self) -> List[Constraint]:
        """The constraints in the order in which a solve comes to them."""
        found, count = grown("SinewConstraint", lambda out, capacity, length: lib.sinew_animator_get_constraints(
            self.handle, out, capacity, length))
        handles = [ffi.new("SinewConstraint *", found[i]) for i in range(count)]
        return [Constraint(self, handle[0]) for handle in handles]

    # Limits.

    def set_joint_limits(self, joint: int, **fields: Any) -> None:
        """Sets the limits of a joint: fields of SinewJointLimits, the others at their defaults.
        They hold for constraints and, with ``limits_enabled`` of the settings, for humanoid goals,
        in place of the human range of the joint's bone. ``corners`` has the shape (count, 3)."""
        limits = default("SinewJointLimits", **fields)
        must(lib.sinew_animator_set_joint_limits(self.handle, integer(joint, "joint"), limits))

    def clear_joint_limits(self, joint: int) -> None:
        """Clears the limits of a joint: the human range counts again where limits are enabled."""
        must(lib.sinew_animator_set_joint_limits(self.handle, integer(joint, "joint"), ffi.NULL))

    def joint_limits(self, joint: int) -> Dict[str, Any]:
        """The limits that a joint was given: the fields of SinewJointLimits by name."""
        which = integer(joint, "joint")
        return values(read("SinewJointLimits", lib.sinew_animator_get_joint_limits, self.handle, which))

    def joint_violation(self, joint: int) -> float:
        """How far a joint of ``pose`` is beyond its limits: radians, 0 … pi."""
        which = integer(joint, "joint")
        return float(read("float", lib.sinew_animator_get_joint_violation, self.handle, which)[0])

    # Forward kinematics of ``pose``.

    def joint_world(self, joint: int) -> Tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Position (3), metres, and rotation (4), x y z w, of a joint in the world, from
        ``pose``."""
        position, rotation = ffi.new("SinewVec3 *"), ffi.new("SinewQuat *")
        which = integer(joint, "joint")
        must(lib.sinew_animator_get_joint_world(self.handle, which, position, rotation))
        return floats(position), floats(rotation)

    def model_frames(self) -> npt.NDArray[np.float32]:
        """Frames of all joints in model space, (joints, 16): position, rotation, three axes."""
        frames = ffi.new("SinewModelFrame[]", len(self._pose))
        must(lib.sinew_animator_get_model_frames(self.handle, frames, len(self._pose)))
        return floats(frames).reshape(len(self._pose), 16)

    def world_matrices(self) -> npt.NDArray[np.float32]:
        """Matrices of all joints in the world, (joints, 4, 4), rows first: ``m @ (x, y, z, 1)`` is
        where a point of the joint is. With scales and root."""
        return self._matrices(lib.sinew_animator_get_world_matrices)

    def model_matrices(self) -> npt.NDArray[np.float32]:
        """Matrices of all joints in model space, (joints, 4, 4), as ``world_matrices``."""
        return self._matrices(lib.sinew_animator_get_model_matrices)

    def _matrices(self, call: Callable[..., int]) -> npt.NDArray[np.float32]:
        count = len(self._pose)
        matrices = ffi.new("float[]", 16 * count)
        must(call(self.handle, lib.SINEW_MATRIX_LAYOUT_ROWS4X4, matrices, count))
        return floats(matrices).reshape(count, 4, 4)

    def debug_lines(self) -> npt.NDArray[Any]:
        """Lines that show the character: records with ``from`` (3) and ``to`` (3), world space,
        metres, and ``part``, a DebugPart."""
        lines, count = grown("SinewDebugLine", lambda out, capacity, length: lib.sinew_animator_get_debug_lines(
            self.handle, out, capacity, length))
        return array_of("SinewDebugLine", lines, count)
