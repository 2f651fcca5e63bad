# SPDX-License-Identifier: MIT OR Apache-2.0
"""The humanoid calls of an animator: those of Unity's Animator, and what goes beyond them."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .arguments import integer, member, number
from .enums import AvatarTarget, HumanBone, HumanEffector, IkGoal, IkHint
from .outcome import BodyOutcome, Outcome, body_outcome, outcome_of
from .structs import changed, default, read, values
from .transforms import floats, vector

_Floats = npt.NDArray[np.float32]


class Humanoid:
    """Goals, look-at, body and settings of an animator with an avatar. Without one each call raises
    SinewError, but for ``is_human`` and ``human_scale``.

    What is returned is a copy. Goals that are read back are those set since the last solve, else
    those of the animation in ``pose``.
    """

    #: SinewAnimator.
    handle: Any

    # Hands and feet.

    def set_ik_position(self, goal: IkGoal, position: npt.ArrayLike) -> None:
        """Sets the goal of a wrist or ankle joint: three numbers, world space, metres. No effect
        while the position weight is 0."""
        place = vector(position, "SinewVec3", "position")
        must(lib.sinew_animator_set_ik_position(self.handle, member(goal, "goal"), place))

    def ik_position(self, goal: IkGoal) -> _Floats:
        """The goal of a wrist or ankle joint: (3), world space, metres."""
        which = member(goal, "goal")
        return floats(read("SinewVec3", lib.sinew_animator_get_ik_position, self.handle, which))

    def set_ik_rotation(self, goal: IkGoal, rotation: npt.ArrayLike) -> None:
        """Sets the goal rotation of a hand or foot: a quaternion x y z w, world space, in Unity's
        goal frame (X right, Y out of the back of the hand or the top of the foot, Z along fingers
        or toes). No effect while the rotation weight is 0."""
        turn = vector(rotation, "SinewQuat", "rotation")
        must(lib.sinew_animator_set_ik_rotation(self.handle, member(goal, "goal"), turn))

    def ik_rotation(self, goal: IkGoal) -> _Floats:
        """The goal rotation of a hand or foot: (4), x y z w, world space, in Unity's goal frame."""
        which = member(goal, "goal")
        return floats(read("SinewQuat", lib.sinew_animator_get_ik_rotation, self.handle, which))

    def set_ik_rotation_bone(self, goal: IkGoal, rotation: npt.ArrayLike) -> None:
        """Sets the goal rotation of a hand or foot by the rotation of its joint: a quaternion
        x y z w, world space, in the joint's axes. It replaces the goal of ``set_ik_rotation`` and
        has the same weight."""
        turn = vector(rotation, "SinewQuat", "rotation")
        must(lib.sinew_animator_set_ik_rotation_bone(self.handle, member(goal, "goal"), turn))

    def ik_rotation_bone(self, goal: IkGoal) -> _Floats:
        """The goal rotation of a hand or foot: (4), x y z w, world space, in the joint's axes."""
        which = member(goal, "goal")
        return floats(read("SinewQuat", lib.sinew_animator_get_ik_rotation_bone, self.handle, which))

    def set_ik_position_weight(self, goal: IkGoal, weight: float) -> None:
        """Sets the weight of a goal's position, clamped to 0 (animation) … 1. Default 0."""
        share = number(weight, "weight")
        must(lib.sinew_animator_set_ik_position_weight(self.handle, member(goal, "goal"), share))

    def ik_position_weight(self, goal: IkGoal) -> float:
        """The weight of a goal's position, 0 … 1."""
        which = member(goal, "goal")
        return float(read("float", lib.sinew_animator_get_ik_position_weight, self.handle, which)[0])

    def set_ik_rotation_weight(self, goal: IkGoal, weight: float) -> None:
        """Sets the weight of a goal's rotation, clamped to 0 (animation) … 1. Default 0."""
        share = number(weight, "weight")
        must(lib.sinew_animator_set_ik_rotation_weight(self.handle, member(goal, "goal"), share))

    def ik_rotation_weight(self, goal: IkGoal) -> float:
        """The weight of a goal's rotation, 0 … 1."""
        which = member(goal, "goal")
        return float(read("float", lib.sinew_animator_get_ik_rotation_weight, self.handle, which)[0])

    def set_ik_hint_position(self, hint: IkHint, position: npt.ArrayLike) -> None:
        """Sets the point at which a knee or elbow points: three numbers, world space, metres. No
        effect while the hint's weight is 0."""
        place = vector(position, "SinewVec3", "position")
        must(lib.sinew_animator_set_ik_hint_position(self.handle, member(hint, "hint"), place))

    def ik_hint_position(self, hint: IkHint) -> _Floats:
        """The point at which a knee or elbow points: (3), world space, metres."""
        which = member(hint, "hint")
        return floats(read("SinewVec3", lib.sinew_animator_get_ik_hint_position, self.handle, which))

    def set_ik_hint_position_weight(self, hint: IkHint, weight: float) -> None:
        """Sets the weight of a hint, clamped to 0 … 1. Default 0."""
        share = number(weight, "weight")
        must(lib.sinew_animator_set_ik_hint_position_weight(self.handle, member(hint, "hint"), share))

    def ik_hint_position_weight(self, hint: IkHint) -> float:
        """The weight of a hint, 0 … 1."""
        which, call = member(hint, "hint"), lib.sinew_animator_get_ik_hint_position_weight
        return float(read("float", call, self.handle, which)[0])

    def set_ik_goal_space(self, goal: IkGoal, joint: Optional[int]) -> None:
        """Sets the space in which position, rotation and hint of a hand or foot are given: that of
        a joint as the solve leaves it, or world space with ``None``, the default. Not a joint on or
        below the goal's own limb, nor one of a limb that follows this one by its goal's space."""
        space = -1 if joint is None else integer(joint, "joint", 0, 2**31 - 1)
        must(lib.sinew_animator_set_ik_goal_space(self.handle, member(goal, "goal"), space))

    def ik_goal_space(self, goal: IkGoal) -> Optional[int]:
        """The joint in whose space a goal is given; ``None``: world space."""
        which = member(goal, "goal")
        joint = int(read("int32_t", lib.sinew_animator_get_ik_goal_space, self.handle, which)[0])
        return None if joint < 0 else joint

    def set_ik_effector_point(self, goal: IkGoal, point: npt.ArrayLike) -> None:
        """Sets the point of a hand or foot that its goal position is for: three numbers, in the
        space of the wrist or ankle joint. Zero, the default: the joint."""
        place = vector(point, "SinewVec3", "point")
        must(lib.sinew_animator_set_ik_effector_point(self.handle, member(goal, "goal"), place))

    def ik_effector_point(self, goal: IkGoal) -> _Floats:
        """The point that the goal position of a hand or foot is for: (3)."""
        which = member(goal, "goal")
        return floats(read("SinewVec3", lib.sinew_animator_get_ik_effector_point, self.handle, which))

    def ik_outcome(self, goal: IkGoal) -> Outcome:
        """How the last solve ended for a hand or foot."""
        return outcome_of(lib.sinew_animator_get_ik_outcome, self.handle, member(goal, "goal"))

    # Look-at.

    def set_look_at_position(self, position: npt.ArrayLike) -> None:
        """Sets the point that the character looks at: three numbers, world space, metres. No effect
        while the look-at weight is 0."""
        place = vector(position, "SinewVec3", "position")
        must(lib.sinew_animator_set_look_at_position(self.handle, place))

    def look_at_position(self) -> _Floats:
        """The point that the character looks at: (3), world space, metres."""
        return floats(read("SinewVec3", lib.sinew_animator_get_look_at_position, self.handle))

    def set_look_at_weight(
        self, weight: float, body: float = 0.0, head: float = 1.0, eyes: float = 0.0, clamp: float = 0.5
    ) -> None:
        """Sets the look-at weights, each clamped to 0 … 1: ``weight`` multiplies the others, of
        which ``body`` is the fraction of the turn that the spine takes, ``head`` that of the rest
        which neck and head take, ``eyes`` that of the rest which the eyes take. The head turns at
        most (1 - ``clamp``) * 180 degrees from the chest's forward direction. At first all
        weights are 0."""
        must(lib.sinew_animator_set_look_at_weight(
            self.handle, number(weight, "weight"), number(body, "body"), number(head, "head"),
            number(eyes, "eyes"), number(clamp, "clamp")))

    def look_at_weight(self) -> Dict[str, Any]:
        """The look-at weights by name: ``weight``, ``body``, ``head``, ``eyes``, ``clamp``."""
        return values(read("SinewLookAtWeight", lib.sinew_animator_get_look_at_weight, self.handle))

    def gaze(self) -> Tuple[_Floats, _Floats]:
        """The ray along which the character looks in ``pose``: start (3), metres, and unit
        direction (3), world space."""
        origin, direction = ffi.new("SinewVec3 *"), ffi.new("SinewVec3 *")
        must(lib.sinew_animator_get_gaze(self.handle, origin, direction))
        return floats(origin), floats(direction)

    def look_at_outcome(self) -> Outcome:
        """How the last solve ended for the look-at."""
        return outcome_of(lib.sinew_animator_get_look_at_outcome, self.handle)

    # Body.

    def set_body_position(self, position: npt.ArrayLike) -> None:
        """Sets the goal of the body's centre of mass: three numbers, world space, metres. The hips
        move to reach it. Stays until ``clear_body``."""
        place = vector(position, "SinewVec3", "position")
        must(lib.sinew_animator_set_body_position(self.handle, place))

    def body_position(self) -> _Floats:
        """The body's centre of mass: (3), world space, metres."""
        return floats(read("SinewVec3", lib.sinew_animator_get_body_position, self.handle))

    def set_body_rotation(self, rotation: npt.ArrayLike) -> None:
        """Sets the goal rotation of the body about its centre of mass: a quaternion x y z w, world
        space; X right, Y up, Z forward of the body. Stays until ``clear_body``."""
        turn = vector(rotation, "SinewQuat", "rotation")
        must(lib.sinew_animator_set_body_rotation(self.handle, turn))

    def body_rotation(self) -> _Floats:
        """The rotation of the body: (4), x y z w, world space."""
        return floats(read("SinewQuat", lib.sinew_animator_get_body_rotation, self.handle))

    def clear_body(self) -> None:
        """Clears the goals of body position and body rotation."""
        must(lib.sinew_animator_clear_body(self.handle))

    def set_bone_local_rotation(self, bone: HumanBone, rotation: npt.ArrayLike) -> None:
        """Overrides the local rotation of a human bone, before anything else is solved: a
        quaternion x y z w, in the bone's parent joint. Stays until
        ``clear_bone_local_rotations``."""
        turn = vector(rotation, "SinewQuat", "rotation")
        must(lib.sinew_animator_set_bone_local_rotation(self.handle, member(bone, "bone"), turn))

    def bone_local_rotation(self, bone: HumanBone) -> _Floats:
        """The local rotation of a human bone: (4), x y z w, the override or that of ``pose``."""
        which = member(bone, "bone")
        return floats(read("SinewQuat", lib.sinew_animator_get_bone_local_rotation, self.handle, which))

    def clear_bone_local_rotations(self) -> None:
        """Clears all overrides of bone rotations."""
        must(lib.sinew_animator_clear_bone_local_rotations(self.handle))

    def reset_ik(self) -> None:
        """Clears all goals, hints, look-at, body goals and bone rotation overrides; all weights 0.
        Settings stay."""
        must(lib.sinew_animator_reset_ik(self.handle))

    # Measures.

    def is_human(self) -> bool:
        """Whether the animator has an avatar."""
        return bool(read("uint32_t", lib.sinew_animator_get_is_human, self.handle)[0])

    def human_scale(self) -> float:
        """Height of the centre of mass above the soles in the T-pose, metres; 1 without avatar."""
        return float(read("float", lib.sinew_animator_get_human_scale, self.handle)[0])

    def feet_bottom_heights(self) -> Tuple[float, float]:
        """Distances from the ankles down to the soles in the T-pose, left and right, metres."""
        left = read("float", lib.sinew_animator_get_left_feet_bottom_height, self.handle)
        right = read("float", lib.sinew_animator_get_right_feet_bottom_height, self.handle)
        return float(left[0]), float(right[0])

    def bone_joint(self, bone: HumanBone) -> int:
        """Joint of a human bone, or -1."""
        which = member(bone, "bone")
        return int(read("int32_t", lib.sinew_animator_get_bone_joint, self.handle, which)[0])

    # Settings, blends, the whole-body solver.

    def settings(self) -> Dict[str, Any]:
        """How the body compensates for hands and feet, and times of blends: the fields of
        SinewHumanoidSettings by name."""
        return values(read("SinewHumanoidSettings", lib.sinew_animator_get_settings, self.handle))

    def set_settings(self, **fields: Any) -> None:
        """Changes some fields of SinewHumanoidSettings, all 0 at first: ``shoulder_weights`` (2),
        ``spine_weight``, ``pull_weights`` (4), ``inertialization_times_s`` (4) and
        ``look_at_inertialization_time_s``, seconds,
        ``limits_enabled``, ``bend_weight``, ``trunk_avoidance``. Weights are clamped to 0 … 1."""
        changes = changed(
            "SinewHumanoidSettings", lib.sinew_animator_get_settings, (self.handle,), fields)
        must(lib.sinew_animator_set_settings(self.handle, changes))

    def inertialize(self, goal: IkGoal) -> None:
        """Starts a blend to a new goal: what is set for it from now on replaces the old goal within
        its blend time. No effect while the goal has no blend time."""
        must(lib.sinew_animator_inertialize(self.handle, member(goal, "goal")))

    def is_inertializing(self, goal: IkGoal) -> bool:
        """Whether a goal is blending."""
        which = member(goal, "goal")
        return bool(read("uint32_t", lib.sinew_animator_get_is_inertializing, self.handle, which)[0])

    def inertialize_look_at(self) -> None:
        """Starts a switch of the look-at: the position set from now on is another target, and the
        gaze goes there within ``look_at_inertialization_time_s``."""
        must(lib.sinew_animator_inertialize_look_at(self.handle))

    def is_look_at_inertializing(self) -> bool:
        """Whether a switch of the look-at is under way: its outcome is that of the target and
        weights of that moment."""
        return bool(read("uint32_t", lib.sinew_animator_get_is_look_at_inertializing, self.handle)[0])

    def body_solver(self) -> Dict[str, Any]:
        """The whole-body solver: the fields of SinewBodySolverSettings by name."""
        return values(read("SinewBodySolverSettings", lib.sinew_animator_get_body_solver, self.handle))

    def set_body_solver(self, **fields: Any) -> None:
        """Changes some fields of SinewBodySolverSettings: ``mode`` (a BodySolverMode, OFF at
        first), ``holds_feet``, ``balance_weight``, ``hips_stiffness``, ``spine_stiffness``,
        ``shoulder_stiffness``, weights clamped to 0 … 1."""
        changes = changed(
            "SinewBodySolverSettings", lib.sinew_animator_get_body_solver, (self.handle,), fields)
        must(lib.sinew_animator_set_body_solver(self.handle, changes))

    def set_body_effector(
        self,
        effector: HumanEffector,
        position: Optional[npt.ArrayLike] = None,
        rotation: Optional[npt.ArrayLike] = None,
        position_weight: float = 0.0,
        rotation_weight: float = 0.0,
    ) -> None:
        """Sets the goal of an effector of the whole-body solver, world space: ``position`` (3),
        metres, ``rotation`` (4), x y z w, of its joint; None: the animation's own, which holds the
        effector. Weights are clamped to 0 (free) … 1. No effect while the solver is off."""
        goal = ffi.new("SinewBodyEffectorInput *")
        goal.rotation.w = 1
        goal.position_weight = number(position_weight, "position_weight")
        goal.rotation_weight = number(rotation_weight, "rotation_weight")
        if position is not None:
            goal.position = vector(position, "SinewVec3", "position")[0]
            goal.set |= lib.SINEW_BODY_EFFECTOR_INPUT_POSITION
        if rotation is not None:
            goal.rotation = vector(rotation, "SinewQuat", "rotation")[0]
            goal.set |= lib.SINEW_BODY_EFFECTOR_INPUT_ROTATION
        must(lib.sinew_animator_set_body_effector(self.handle, member(effector, "effector"), goal))

    def body_effector(self, effector: HumanEffector) -> Dict[str, Any]:
        """The goal of an effector: the fields of SinewBodyEffectorInput by name."""
        which, call = member(effector, "effector"), lib.sinew_animator_get_body_effector
        return values(read("SinewBodyEffectorInput", call, self.handle, which))

    def ik_goal_priority(self, goal: IkGoal) -> Dict[str, Any]:
        """How much the goal of a hand or foot counts: the fields of SinewGoalPriority by name."""
        which, call = member(goal, "goal"), lib.sinew_animator_get_ik_goal_priority
        return values(read("SinewGoalPriority", call, self.handle, which))

    def set_ik_goal_priority(self, goal: IkGoal, **fields: Any) -> None:
        """Changes some fields of SinewGoalPriority of a hand or foot: ``position_importance`` and
        ``rotation_importance``, ratios in conflicts of one level, 1e-6 … 1e6, and ``level``, 0 … 3,
        which gives way to lower ones. For the whole-body solver. Not for fading."""
        which = member(goal, "goal")
        changes = changed("SinewGoalPriority", lib.sinew_animator_get_ik_goal_priority, (self.handle, which), fields)
        must(lib.sinew_animator_set_ik_goal_priority(self.handle, which, changes))

    def body_effector_priority(self, effector: HumanEffector) -> Dict[str, Any]:
        """How much the goal of an effector counts: the fields of SinewGoalPriority by name."""
        which, call = member(effector, "effector"), lib.sinew_animator_get_body_effector_priority
        return values(read("SinewGoalPriority", call, self.handle, which))

    def set_body_effector_priority(self, effector: HumanEffector, **fields: Any) -> None:
        """The same as :meth:`set_ik_goal_priority` of an effector."""
        which, call = member(effector, "effector"), lib.sinew_animator_get_body_effector_priority
        changes = changed("SinewGoalPriority", call, (self.handle, which), fields)
        must(lib.sinew_animator_set_body_effector_priority(self.handle, which, changes))

    def body_outcome(self) -> BodyOutcome:
        """How the whole-body solver ended in the last solve; INACTIVE while it is off."""
        return body_outcome(read("SinewBodyOutcome", lib.sinew_animator_get_body_outcome, self.handle))

    def body_effector_outcome(self, effector: HumanEffector) -> Outcome:
        """How an effector ended in the last solve."""
        which = member(effector, "effector")
        return outcome_of(lib.sinew_animator_get_body_effector_outcome, self.handle, which)

    # Matching.

    def match_goals_from_pose(self) -> None:
        """Sets all goals, hints and the look-at to ``pose``, so that raising weights afterwards
        changes nothing."""
        must(lib.sinew_animator_match_goals_from_pose(self.handle))

    def match_pose_from_goals(self) -> None:
        """Solves and keeps the result: all humanoid weights become 0, and the next solve leaves
        ``pose`` as it is."""
        must(lib.sinew_animator_match_pose_from_goals(self.handle))

    def target_pose(self, part: AvatarTarget) -> Tuple[_Floats, _Floats]:
        """Position (3), metres, and rotation (4), x y z w, of a part of the body in the world;
        hands and feet in Unity's goal frame."""
        position, rotation = ffi.new("SinewVec3 *"), ffi.new("SinewQuat *")
        which = member(part, "part")
        must(lib.sinew_animator_get_target_pose(self.handle, which, position, rotation))
        return floats(position), floats(rotation)

    def match_target(self, from_time: float, to_time: float, **fields: Any) -> _Floats:
        """The root transform (10) that brings a part of the body to a target over time, for the
        frame between two normalised clip times; pass it to ``set_root``. ``fields`` of
        SinewMatchTarget: ``part`` (an AvatarTarget), ``position``, ``rotation``,
        ``position_weight`` (3), ``rotation_weight``, ``start_time``, ``end_time``."""
        target, out = default("SinewMatchTarget", **fields), ffi.new("SinewTransform *")
        first, last = number(from_time, "from_time"), number(to_time, "to_time")
        must(lib.sinew_animator_match_target(self.handle, target, first, last, out))
        return floats(out)
