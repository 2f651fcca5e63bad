# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tasks of a whole body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, NamedTuple

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .arguments import number
from .callbacks import CallbackFailure
from .enums import Status
from .structs import changed, read, records, values
from .transforms import vector

if TYPE_CHECKING:
    from .body import Body

#: What computes the rows of a host's task: see Body.add_host_task.
HostRows = Callable[[npt.NDArray[Any], npt.NDArray[Any]], None]


class BodyTaskOutcome(NamedTuple):
    """How one task of a body ended."""

    #: INACTIVE at blend 0, REACHED within tolerance, else as the whole solve ended.
    status: Status
    #: Iterations of the solve.
    iterations: int
    #: What is left of the blended goal, metres, world space; 0 for tasks in radians.
    residual_m: float
    #: What is left of the blended goal, radians; 0 for tasks in metres.
    residual_rad: float
    #: Number of joints the task depends on that stand on a border of their limits.
    limited_joint_count: int

    @property
    def is_reached(self) -> bool:
        """Whether the status is REACHED."""
        return self.status == Status.REACHED


class BodyTask:
    """One task of one body. Every call raises SinewError once the task is removed."""

    #: The body.
    body: Body
    #: SinewBodyTask.
    handle: Any

    def __init__(self, body: Body, handle: Any) -> None:
        self.body, self.handle = body, handle

    def fields(self) -> Dict[str, Any]:
        """The task as it was set: the fields of SinewBodyTaskDef by name."""
        return values(read("SinewBodyTaskDef", lib.sinew_body_get_task, self.body.handle, self.handle))

    def set(self, **fields: Any) -> None:
        """Changes some fields of SinewBodyTaskDef; vectors in world space, metres."""
        owner = (self.body.handle, self.handle)
        changes = changed("SinewBodyTaskDef", lib.sinew_body_get_task, owner, fields)
        must(lib.sinew_body_set_task(self.body.handle, self.handle, changes))

    def set_goal(self, goal: npt.ArrayLike) -> None:
        """Sets the goal: three numbers, world space, metres. Allocates nothing."""
        point = vector(goal, "SinewVec3", "goal")
        must(lib.sinew_body_set_task_goal(self.body.handle, self.handle, point))

    def set_rotation(self, rotation: npt.ArrayLike) -> None:
        """Sets the goal rotation: a quaternion x y z w, in the space that the kind has it in."""
        turn = vector(rotation, "SinewQuat", "rotation")
        must(lib.sinew_body_set_task_rotation(self.body.handle, self.handle, turn))

    @property
    def blend(self) -> float:
        """How far the goal moves from where the incoming pose has the effector to the goal: 0 (the
        task is absent, bit for bit) … 1, the default. It fades a task in and out."""
        return float(self.fields()["blend"])

    @blend.setter
    def blend(self, blend: float) -> None:
        must(lib.sinew_body_set_task_blend(self.body.handle, self.handle, number(blend, "blend")))

    def outcome(self) -> BodyTaskOutcome:
        """How the task ended in the last solve."""
        out = read("SinewBodyTaskOutcome", lib.sinew_body_get_task_outcome, self.body.handle, self.handle)
        return BodyTaskOutcome(
            Status(out.status), out.iterations, out.residual_m, out.residual_rad, out.limited_joint_count)

    def limited_joints(self) -> npt.NDArray[np.uint32]:
        """Joints that the task depends on and that stand on a border of their limits, uint32."""
        return self.body.limited_joints(self)

    def check_host_rows(self) -> float:
        """How far the Jacobian of a host's task is from the differences of its own rows, as a share
        of the largest derivative: below 0.01 where forces and torques are right. For tests."""
        failure = self.body._failure
        failure.clear()
        out = ffi.new("float *")
        code = lib.sinew_body_check_host_task(self.body.handle, self.handle, out)
        failure.raise_it()
        must(code)
        return float(out[0])

    def remove(self) -> None:
        """Removes the task from its body."""
        must(lib.sinew_body_remove_task(self.body.handle, self.handle))
        self.body._hosts.pop(self.handle.bits, None)


def host_callback(compute: HostRows, failure: CallbackFailure) -> Any:
    """A SinewComputeRows that calls a function of Python. It must be kept as long as the task."""
    if not callable(compute):
        raise TypeError(f"compute: {compute!r:.80} is no function")
    placement, rows = records("SinewTaskPlacement"), records("SinewTaskRows")

    def call(_user: Any, at: Any, out: Any) -> None:
        # Copies: the memory is the library's, and only for the call.
        places = np.frombuffer(bytes(ffi.buffer(at, 3 * placement.itemsize)), placement)
        found = np.zeros((), rows)
        try:
            compute(places, found)
        except BaseException as error:  # an exception must not leave a callback of C
            failure.keep(error)
            found["value"] = np.nan
        ffi.buffer(out, rows.itemsize)[:] = found.tobytes()

    return ffi.callback("void(void *, const SinewTaskPlacement *, SinewTaskRows *)", call)
