# SPDX-License-Identifier: MIT OR Apache-2.0
"""The whole body: any number of tasks on one skeleton, met in one solve."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .arguments import integer, member, number, octets
from .body_task import BodyTask, HostRows, host_callback
from .callbacks import CallbackFailure
from .enums import BodyTaskKind
from .outcome import BodyOutcome, body_outcome
from .owned import Owned
from .skeleton import Avatar, Skeleton
from .structs import array_of, changed, default, fill, grown, read, values
from .transforms import TRANSFORM_FLOATS, floats, memory, shaped, vector

#: Kinds of tasks that read no joint.
_NO_JOINT = (lib.SINEW_BODY_TASK_KIND_CENTER_OF_MASS, lib.SINEW_BODY_TASK_KIND_SUPPORT)


class Body(Owned):
    """Any number of tasks on one skeleton, met in one solve; limits, priorities, centre of mass.

    ``root_joint`` carries the body, such as the hips: joints that are not below it stay.
    ``settings``: fields of SinewBodySettings, for example ``mode=BodyMode.TRACK``. It belongs to no
    animator: ``solve`` takes poses and changes them in place. Without tasks, limits and masses at
    first. One thread at a time per body.

    Poses are arrays of shape (joints, 10), float32, writeable and in one piece; goals are in world
    space, metres and radians.
    """

    #: SinewBody.
    handle: Any
    #: The rig.
    skeleton: Skeleton

    def __init__(self, skeleton: Skeleton, root_joint: int = 0, **settings: Any) -> None:
        handle = ffi.new("SinewBody *")
        joint = integer(root_joint, "root_joint")
        must(lib.sinew_body_create(skeleton.handle, joint, default("SinewBodySettings", **settings), handle))
        self.skeleton = skeleton
        self._hosts: Dict[int, Any] = {}
        self._failure = CallbackFailure()
        self._own(handle[0], lib.sinew_body_destroy)

    # Settings.

    def settings(self) -> Dict[str, Any]:
        """The settings: the fields of SinewBodySettings by name."""
        return values(read("SinewBodySettings", lib.sinew_body_get_settings, self.handle))

    def set_settings(self, **fields: Any) -> None:
        """Changes some settings: fields of SinewBodySettings. Another ``mode`` forgets what track
        mode remembers."""
        changes = changed("SinewBodySettings", lib.sinew_body_get_settings, (self.handle,), fields)
        must(lib.sinew_body_set_settings(self.handle, changes))

    def set_root(self, root: npt.ArrayLike) -> None:
        """Sets where the character's model space is in the world: ten numbers, metres, with a
        scale of the same size above 0 on every axis, which may mirror. Default: the identity."""
        must(lib.sinew_body_set_root(self.handle, vector(root, "SinewTransform", "root")))

    def root(self) -> npt.NDArray[np.float32]:
        """Where model space is in the world: ten numbers."""
        return floats(read("SinewTransform", lib.sinew_body_get_root, self.handle))

    def set_max_work(self, steps: int) -> None:
        """Sets how many steps of work one solve in converge mode may take: then it ends with the
        best pose so far. Default, and greatest number: SINEW_MAX_WORK."""
        must(lib.sinew_body_set_max_work(self.handle, integer(steps, "steps")))

    def max_work(self) -> int:
        """How many steps of work a solve may take."""
        return int(read("uint32_t", lib.sinew_body_get_max_work, self.handle)[0])

    # Joints.

    def set_joint_limits(self, joint: int, **fields: Any) -> None:
        """Sets what a joint may do: fields of SinewJointLimits (range, locks, stiffness, stretch,
        slide), the others at their defaults. ``set_joint_limits(5,
        flags=lib.SINEW_LIMIT_RANGE_X, min_rad=(-1, 0, 0), max_rad=(1, 0, 0))``; ``corners`` of
        shape (count, 3)."""
        limits = default("SinewJointLimits", **fields)
        must(lib.sinew_body_set_joint_limits(self.handle, integer(joint, "joint"), limits))

    def clear_joint_limits(self, joint: int) -> None:
        """Frees a joint."""
        must(lib.sinew_body_set_joint_limits(self.handle, integer(joint, "joint"), ffi.NULL))

    def joint_limits(self, joint: int) -> Dict[str, Any]:
        """What a joint may do: the fields of SinewJointLimits by name."""
        number_of = integer(joint, "joint")
        return values(read("SinewJointLimits", lib.sinew_body_get_joint_limits, self.handle, number_of))

    def set_joint_coupling(self, joint: int, driver: int, **fields: Any) -> None:
        """Makes a joint follow another, ``driver``, as twist bones do; fields of
        SinewJointCoupling, for example ``ratio=0.5``."""
        coupling = default("SinewJointCoupling", driver=integer(driver, "driver", 0, 2**31 - 1), **fields)
        must(lib.sinew_body_set_joint_coupling(self.handle, integer(joint, "joint"), coupling))

    def clear_joint_coupling(self, joint: int) -> None:
        """Makes a joint turn freely again."""
        must(lib.sinew_body_set_joint_coupling(self.handle, integer(joint, "joint"), ffi.NULL))

    def joint_coupling(self, joint: int) -> Dict[str, Any]:
        """How a joint follows another: the fields of SinewJointCoupling by name; ``driver`` -1: it
        does not."""
        number_of = integer(joint, "joint")
        return values(read("SinewJointCoupling", lib.sinew_body_get_joint_coupling, self.handle, number_of))

    def set_mass(self, joint: int, mass: float, center: Optional[npt.ArrayLike] = None) -> None:
        """Sets the mass of a joint for the centre of mass: any unit, 0 (default) or more.
        ``center``: its place in the joint's space, metres; None: the joint itself."""
        place = ffi.NULL if center is None else vector(center, "SinewVec3", "center")
        must(lib.sinew_body_set_mass(self.handle, integer(joint, "joint"), number(mass, "mass"), place))

    def mass(self, joint: int) -> Tuple[float, npt.NDArray[np.float32]]:
        """Mass of a joint, and its place (3) in the joint's space, metres."""
        mass, center = ffi.new("float *"), ffi.new("SinewVec3 *")
        must(lib.sinew_body_get_mass(self.handle, integer(joint, "joint"), mass, center))
        return float(mass[0]), floats(center)

    def set_human_masses(self, avatar: Avatar) -> None:
        """Sets the masses of all joints to those of an average person; joints that are no human
        bones get none."""
        must(lib.sinew_body_set_human_masses(self.handle, avatar.handle))

    def set_human_ranges(self, avatar: Optional[Avatar]) -> None:
        """Sets the human ranges of an avatar as limits; None: no ranges, as by default. Limits of
        single joints come before them."""
        none = ffi.new("SinewAvatar *")[0]
        must(lib.sinew_body_set_human_ranges(self.handle, none if avatar is None else avatar.handle))

    # Tasks.

    def add_task(self, kind: BodyTaskKind, joint: Optional[int] = None, **fields: Any) -> BodyTask:
        """Adds a task; ``fields`` of SinewBodyTaskDef, of which the kind reads some:
        ``add_task(BodyTaskKind.POSITION, hand, goal=(0, 1, 0.5), level=1)``. ``joint`` may be left
        out for the centre of mass and the support; ``corners`` has the shape (count, 3)."""
        task = ffi.new("SinewBodyTask *")
        must(lib.sinew_body_add_task(self.handle, self._definition(kind, joint, fields), task))
        return BodyTask(self, task[0])

    def add_host_task(self, compute: HostRows, joint: int, **fields: Any) -> BodyTask:
        """Adds a task whose rows a function computes; ``fields`` of SinewBodyTaskDef. As many rows
        count as ``axes`` has flags.

        ``compute(at, rows)``: ``at`` has three records, of ``joint``, ``other`` and ``end`` of the
        task, with ``position`` (3), metres, and ``rotation`` (4), x y z w, in world space. It
        writes into the record ``rows``, all zero beforehand: ``value`` (3), what is left of each
        row, and in ``terms`` (3, as ``at``) the fields ``point`` (3), ``force`` (3 rows, 3) and
        ``torque`` (3 rows, 3), by which the values fall when the joint moves and turns; see
        SinewTaskTerm. It is called several times in each iteration, by ``solve_bodies`` on threads
        of the world. An exception comes out of ``solve``; the pose is as it was.
        """
        definition = self._definition(BodyTaskKind.HOST, joint, fields)
        function, task = host_callback(compute, self._failure), ffi.new("SinewBodyTask *")
        code = lib.sinew_body_add_host_task(self.handle, definition, function, ffi.NULL, task)
        self._failure.raise_it()
        must(code)
        self._hosts[task[0].bits] = function
        return BodyTask(self, task[0])

    @staticmethod
    def _definition(kind: BodyTaskKind, joint: Optional[int], fields: Dict[str, Any]) -> Any:
        which, definition = member(kind, "kind"), ffi.new("SinewBodyTaskDef *")
        must(lib.sinew_body_task_default(which, definition))
        if joint is None and which not in _NO_JOINT:
            raise TypeError(f"joint: tasks of the kind {BodyTaskKind(which).name} need one")
        definition.joint = 0 if joint is None else integer(joint, "joint")
        return fill(definition, "SinewBodyTaskDef", fields)

    # Solve.

    def solve(self, pose: npt.NDArray[np.float32], dt: float = 0.0) -> BodyOutcome:
        """Solves a pose for all tasks, in place: the animation before, the answer after it.

        ``pose``: (joints, 10) float32, writeable, in one piece; ValueError for others. ``dt``:
        length of the frame, seconds, 0 … 1000, default 0; only track mode reads it.
        Goals out of reach are outcomes. On an error the pose is as it was.
        """
        count, out = len(self.skeleton), ffi.new("SinewBodyOutcome *")
        address = self.pose_memory(pose, "pose")
        seconds = number(dt, "dt")
        if not self._hosts:
            must(lib.sinew_body_solve(self.handle, address, count, seconds, out))
            return body_outcome(out)
        # A function that fails must leave the pose as it was.
        own = pose.copy()
        self._failure.clear()
        code = lib.sinew_body_solve(self.handle, self.pose_memory(own, "pose"), count, seconds, out)
        self._failure.raise_it()
        must(code)
        pose[...] = own
        return body_outcome(out)

    def drag(
        self,
        pose: npt.NDArray[np.float32],
        joint: int,
        goal: npt.ArrayLike,
        rotation: Optional[npt.ArrayLike] = None,
        chain_length: int = 0,
        point: npt.ArrayLike = (0.0, 0.0, 0.0),
        pins: Iterable[int] = (),
        rotation_pins: Iterable[int] = (),
    ) -> BodyOutcome:
        """Drags a joint of a pose to ``goal`` in place, for editors: world space, metres.

        ``rotation``: how the joint is turned, world space, x y z w; None: freely.
        ``chain_length``: joints above it that turn; 0: all up to the body's root. ``point``: the
        point of the joint that goes to the goal, in its space, metres. ``pins``: joints that stay;
        those of ``rotation_pins`` keep their rotation, too. Limits hold, tasks do not count. Give
        each call the pose at which the drag began: then the answer depends on the goal alone.
        """
        drag = default(
            "SinewBodyDrag", joint=integer(joint, "joint"), chain_length=integer(chain_length, "chain_length"),
            point=shaped(point, (3,), "point"), goal=shaped(goal, (3,), "goal"))
        if rotation is not None:
            drag.flags = lib.SINEW_BODY_DRAG_ROTATION
            fill(drag, "SinewBodyDrag", {"rotation": shaped(rotation, (4,), "rotation")})
        stay = [(integer(pin, "pins"), 0) for pin in pins]
        stay += [(integer(pin, "rotation_pins"), lib.SINEW_BODY_PIN_ROTATION) for pin in rotation_pins]
        held = ffi.new("SinewBodyPin[]", stay)
        drag.pins, drag.pin_count = held, len(stay)
        address, out = self.pose_memory(pose, "pose"), ffi.new("SinewBodyOutcome *")
        must(lib.sinew_body_drag(self.handle, drag, address, len(self.skeleton), out))
        return body_outcome(out)

    def pose_memory(self, pose: Any, what: str) -> Any:
        """Address of a pose that C writes; ValueError unless it is (joints, 10) float32, writeable
        and in one piece."""
        shape = (len(self.skeleton), TRANSFORM_FLOATS)
        return memory(pose, what, np.float32, shape, "SinewTransform")

    # What the last solve left, and what lasts.

    def outcome(self) -> BodyOutcome:
        """How the last solve ended; INACTIVE before the first."""
        return body_outcome(read("SinewBodyOutcome", lib.sinew_body_get_outcome, self.handle))

    def center_of_mass(self) -> npt.NDArray[np.float32]:
        """The centre of mass (3) in the pose of the last solve, world space, metres; of the rest
        pose before the first. SinewError while no joint has a mass."""
        return floats(read("SinewVec3", lib.sinew_body_get_center_of_mass, self.handle))

    def limited_joints(self, task: Optional[BodyTask] = None) -> npt.NDArray[np.uint32]:
        """Joints that stand on a border of their limits after the last solve, (count,) uint32, in
        joint order; with ``task`` those that it depends on only."""
        which = ffi.new("SinewBodyTask *")[0] if task is None else task.handle
        joints, count = grown("uint32_t", lambda out, capacity, length: lib.sinew_body_get_limited_joints(
            self.handle, which, out, capacity, length))
        found: npt.NDArray[np.uint32] = np.frombuffer(bytes(ffi.buffer(joints, 4 * count)), np.uint32).copy()
        return found

    def debug_lines(self) -> npt.NDArray[Any]:
        """Lines that show the body as its last solve left it: records with ``from`` (3) and ``to``
        (3), world space, metres, and ``part``, a DebugPart."""
        lines, count = grown("SinewDebugLine", lambda out, capacity, length: lib.sinew_body_get_debug_lines(
            self.handle, out, capacity, length))
        return array_of("SinewDebugLine", lines, count)

    def reset(self) -> None:
        """Resets what track mode remembers: after a teleport or a cut."""
        must(lib.sinew_body_reset(self.handle))

    def snapshot(self) -> bytes:
        """What track mode remembers. A body with the same rig, tasks, settings and poses that
        restores it goes on with the same bits."""
        out, size = grown("uint8_t", lambda out, capacity, length: lib.sinew_body_snapshot(
            self.handle, out, capacity, length))
        return bytes(ffi.buffer(out, size))

    def restore(self, snapshot: bytes) -> None:
        """Sets what track mode remembers from a snapshot; SinewError for bytes that are not one of
        a body with the same rig and tasks."""
        own = octets(snapshot, "snapshot")
        must(lib.sinew_body_restore(self.handle, own, len(own)))
