# SPDX-License-Identifier: MIT OR Apache-2.0
"""How solves ended."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

from .enums import Status
from .structs import read


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


class BodyOutcome(NamedTuple):
    """How a solve of a whole body ended. A goal out of reach is an outcome, not an error."""

    #: REACHED when all tasks are met.
    status: Status
    #: Iterations of all attempts.
    iterations: int
    #: Start poses tried, the incoming one included.
    attempts: int
    #: Largest residual of the tasks that are measured in metres.
    residual_m: float
    #: Largest residual of the tasks that are measured in radians.
    residual_rad: float

    @property
    def is_reached(self) -> bool:
        """Whether the status is REACHED."""
        return self.status == Status.REACHED


def outcome_of(call: Callable[..., int], *arguments: Any) -> Outcome:
    """The outcome that ``call(*arguments, out)`` writes."""
    out = read("SinewOutcome", call, *arguments)
    return Outcome(Status(out.status), out.iterations, out.residual_m, out.residual_rad)


def body_outcome(out: Any) -> BodyOutcome:
    """The outcome in a SinewBodyOutcome."""
    return BodyOutcome(
        Status(out.status), out.iterations, out.attempts, out.residual_m, out.residual_rad)
