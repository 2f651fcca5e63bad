# SPDX-License-Identifier: MIT OR Apache-2.0
"""Constraints of an animator, and what they aim at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

import numpy.typing as npt

from ._native import ffi, lib, must
from .arguments import integer, member, number
from .enums import ConstraintPlacement, DistanceMode, FrameStep
from .outcome import Outcome, outcome_of
from .structs import changed, default, read, values
from .transforms import shaped, vector

if TYPE_CHECKING:
    from .animator import Animator


class Constraint:
    """One constraint of one animator, added with weight 1.

    ``end`` is 0 but for chains with several ends and for splines, whose ends are the control
    points. Every call raises SinewError once the constraint is removed.
    """

    #: The character.
    animator: Animator
    #: SinewConstraint.
    handle: Any

    def __init__(self, animator: Animator, handle: Any) -> None:
        self.animator, self.handle = animator, handle

    @property
    def _own(self) -> Tuple[Any, Any]:
        return self.animator.handle, self.handle

    def set_weight(self, weight: float) -> None:
        """Sets how much of the result replaces the animation, clamped to 0 … 1."""
        must(lib.sinew_animator_set_constraint_weight(*self._own, number(weight, "weight")))

    def weight(self) -> float:
        """How much of the result replaces the animation."""
        return float(read("float", lib.sinew_animator_get_constraint_weight, *self._own)[0])

    def end_count(self) -> int:
        """Number of ends; of a spline: of control points."""
        return int(read("uint32_t", lib.sinew_animator_get_constraint_end_count, *self._own)[0])

    def bend_is_arbitrary(self) -> bool:
        """Whether it is a limb that is straight at rest and has no ``bend_side``: without a pole it
        bends to an arbitrary fixed side."""
        return bool(read("uint32_t", lib.sinew_animator_get_constraint_bend_is_arbitrary, *self._own)[0])

    # Goals.

    def set_position(self, position: npt.ArrayLike, end: int = 0) -> None:
        """Sets the goal of an end: three numbers, world space, metres. Without a goal the
        constraint does nothing."""
        goal = vector(position, "SinewVec3", "position")
        must(lib.sinew_animator_set_constraint_position(*self._own, integer(end, "end"), goal))

    def set_rotation(self, rotation: npt.ArrayLike, end: int = 0) -> None:
        """Sets the goal rotation of an end's joint: a quaternion x y z w, world space."""
        goal = vector(rotation, "SinewQuat", "rotation")
        must(lib.sinew_animator_set_constraint_rotation(*self._own, integer(end, "end"), goal))

    def set_axis(self, axis: npt.ArrayLike, direction: npt.ArrayLike, end: int = 0) -> None:
        """Sets the goal direction (three numbers, world space) of an axis (three numbers, in the
        joint's space) of an end's joint; the twist about it stays free."""
        own, way = vector(axis, "SinewVec3", "axis"), vector(direction, "SinewVec3", "direction")
        must(lib.sinew_animator_set_constraint_axis(*self._own, integer(end, "end"), own, way))

    def set_position_weight(self, weight: float, end: int = 0) -> None:
        """Sets the weight of an end's position goal, clamped to 0 … 1, default 1."""
        share = number(weight, "weight")
        must(lib.sinew_animator_set_constraint_position_weight(*self._own, integer(end, "end"), share))

    def set_importance(self, position: float, rotation: float, end: int = 0) -> None:
        """Sets how much an end's goals count where not all goals of a chain can be met, each
        clamped to 0.01 … 1, default 1; only ratios matter."""
        shares = number(position, "position"), number(rotation, "rotation")
        must(lib.sinew_animator_set_constraint_importance(*self._own, integer(end, "end"), *shares))

    def set_rotation_weight(self, weight: float, end: int = 0) -> None:
        """Sets the weight of an end's rotation or axis goal, clamped to 0 … 1, default 1."""
        share = number(weight, "weight")
        must(lib.sinew_animator_set_constraint_rotation_weight(*self._own, integer(end, "end"), share))

    def set_distance(self, mode: DistanceMode, radius: float = 0.0, end: int = 0) -> None:
        """Makes an end's position goal the centre of a sphere to be inside, on or outside of;
        ``radius``: metres, 0 or more. DistanceMode.NONE clears it."""
        must(lib.sinew_animator_set_constraint_distance(
            *self._own, integer(end, "end"), member(mode, "mode"), number(radius, "radius")))

    def set_goal(self, end: int = 0, **fields: Any) -> None:
        """Changes some fields of SinewConstraintGoal of an end; ``position``, ``rotation`` and
        ``axis`` with ``direction`` count from then on, unless ``set`` is given."""
        which = integer(end, "end")
        goal = changed(
            "SinewConstraintGoal", lib.sinew_animator_get_constraint_goal, (*self._own, which), fields)
        if "set" not in fields:
            flags = {"position": lib.SINEW_CONSTRAINT_POSITION, "rotation": lib.SINEW_CONSTRAINT_ROTATION,
                     "axis": lib.SINEW_CONSTRAINT_AXIS}
            for name, flag in flags.items():
                goal.set |= flag if name in fields else 0
        must(lib.sinew_animator_set_constraint_goal(*self._own, which, goal))

    def goal(self, end: int = 0) -> Dict[str, Any]:
        """The goal of an end: the fields of SinewConstraintGoal by name. ``set``: which count."""
        which = integer(end, "end")
        return values(
            read("SinewConstraintGoal", lib.sinew_animator_get_constraint_goal, *self._own, which))

    def clear_goal(self, end: int = 0) -> None:
        """Clears the goal of an end: nothing given, weights 1, no sphere."""
        must(lib.sinew_animator_clear_constraint_goal(*self._own, integer(end, "end")))

    # Poles.

    def set_pole(self, at: npt.ArrayLike, **fields: Any) -> None:
        """Sets the side to which the limb bends: a point, three numbers, world space, metres, with
        weight 1; ``fields`` of SinewPole, for example ``flags=lib.SINEW_POLE_DIRECTION``."""
        must(lib.sinew_animator_set_constraint_pole(*self._own, _pole(at, fields)))

    def clear_pole(self) -> None:
        """Clears the pole: the limb bends as the animation does."""
        must(lib.sinew_animator_set_constraint_pole(*self._own, ffi.NULL))

    def pole(self) -> Optional[Dict[str, Any]]:
        """The pole: the fields of SinewPole by name; None without one."""
        pole, found = ffi.new("SinewPole *"), ffi.new("uint32_t *")
        must(lib.sinew_animator_get_constraint_pole(*self._own, pole, found))
        return values(pole) if found[0] else None

    def compute_pole_angle(self, at: npt.ArrayLike, **fields: Any) -> float:
        """The ``angle_rad`` of a pole, -pi … pi, with which the limb bends as it does without: for
        ``set_pole(at, angle_rad=...)``. Arguments as for ``set_pole``."""
        out = ffi.new("float *")
        must(lib.sinew_animator_compute_pole_angle(*self._own, _pole(at, fields), out))
        return float(out[0])

    # Order, outcome, end.

    def set_placement(
        self, placement: ConstraintPlacement, step: FrameStep = FrameStep.CONSTRAINTS
    ) -> None:
        """Sets where in a frame the constraint is solved: before or after a step, or with the
        others (STACK, the default)."""
        must(lib.sinew_animator_set_constraint_placement(
            *self._own, member(placement, "placement"), member(step, "step")))

    def placement(self) -> Tuple[ConstraintPlacement, FrameStep]:
        """Where in a frame the constraint is solved."""
        placement, step = ffi.new("int32_t *"), ffi.new("int32_t *")
        must(lib.sinew_animator_get_constraint_placement(*self._own, placement, step))
        return ConstraintPlacement(placement[0]), FrameStep(step[0])

    def set_inertialization_time(self, seconds: float) -> None:
        """Sets the time in which the joints go over to other weights or goals, 0 (default): at
        once. Changed weights, goals and poles that are set or cleared, and ``inertialize()`` start
        a switch; time passes with ``advance()`` of the animator."""
        must(lib.sinew_animator_set_constraint_inertialization_time(*self._own, number(seconds, "seconds")))

    def inertialization_time(self) -> float:
        """The time in which the joints go over to other weights or goals, seconds."""
        return float(read("float", lib.sinew_animator_get_constraint_inertialization_time, *self._own)[0])

    def inertialize(self) -> None:
        """Starts a switch: goals and pole set from now on replace the old ones within
        ``inertialization_time()``."""
        must(lib.sinew_animator_inertialize_constraint(*self._own))

    def is_inertializing(self) -> bool:
        """Whether a switch is announced or under way: the outcome is then that of the solution it
        goes to."""
        return bool(read("uint32_t", lib.sinew_animator_get_constraint_is_inertializing, *self._own)[0])

    def outcome(self) -> Outcome:
        """How the last solve ended for this constraint: of its worst end."""
        return outcome_of(lib.sinew_animator_get_constraint_outcome, *self._own)

    def remove(self) -> None:
        """Removes the constraint from its animator."""
        must(lib.sinew_animator_remove_constraint(*self._own))


def _pole(at: npt.ArrayLike, fields: Dict[str, Any]) -> Any:
    return default("SinewPole", at=shaped(at, (3,), "at"), **{"weight": 1.0, **fields})
