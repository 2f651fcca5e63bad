# SPDX-License-Identifier: MIT OR Apache-2.0
"""Legs of a skeleton, read from poses for a grounder."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .enums import HumanBone, IkGoal
from .skeleton import Avatar, Skeleton
from .structs import default, values
from .transforms import TRANSFORM_FLOATS, floats, pointer, shaped

_Rows = npt.NDArray[np.float64]
_SIDES = (("LEFT", IkGoal.LEFT_FOOT), ("RIGHT", IkGoal.RIGHT_FOOT))


def turned(turn: _Rows, vector: _Rows) -> _Rows:
    """A vector turned by a quaternion x y z w."""
    across = 2 * np.cross(turn[:3], vector)
    result: _Rows = vector + turn[3] * across + np.cross(turn[:3], across)
    return result


def product(first: _Rows, second: _Rows) -> _Rows:
    """The rotation of ``second``, then ``first``."""
    a, b = first, second
    sides = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.append(sides, a[3] * b[3] - a[:3] @ b[:3])


def inverse(turn: _Rows) -> _Rows:
    """The rotation backwards."""
    return turn * (-1, -1, -1, 1)


def frames_of(skeleton: Skeleton, pose: npt.ArrayLike) -> Tuple[_Rows, _Rows, _Rows]:
    """Positions (joints, 3), rotations (joints, 4) and axes (joints, 3, 3) of all joints in model
    space."""
    own = np.ascontiguousarray(shaped(pose, (len(skeleton), TRANSFORM_FLOATS), "pose"))
    frames = np.zeros((len(skeleton), 16), np.float32)
    must(lib.sinew_model_frames_compute(
        pointer(skeleton.parents, "int32_t"), pointer(own, "SinewTransform"),
        len(skeleton), pointer(frames, "SinewModelFrame")))
    wide = frames.astype(np.float64)
    return wide[:, 0:3], wide[:, 3:7], wide[:, 7:16].reshape(-1, 3, 3)


class AvatarLegs:
    """Which joints the legs of a grounder are."""

    #: The rig.
    skeleton: Skeleton
    #: The joint that moves with the ground.
    pelvis: int
    #: Hip, knee, ankle and ball of each leg, (legs, 4) int64; the ankle again without a ball.
    joints: npt.NDArray[np.int64]
    #: Whether they are the legs of an avatar.
    is_human: bool
    #: Up axis of the rig, model space: Y, or that of the avatar.
    up: _Rows

    def __init__(
        self, skeleton: Skeleton, pelvis: int, joints: npt.ArrayLike, is_human: bool = False,
        up: npt.ArrayLike = (0, 1, 0)
    ) -> None:
        rows = np.asarray(joints)
        if rows.ndim != 2 or rows.shape[1] != 4 or rows.dtype.kind not in "iu":
            raise ValueError(f"legs: shape {rows.shape}, type {rows.dtype}, not (legs, 4) of integers")
        for what, numbers in (("legs", rows), ("pelvis", np.array([pelvis]))):
            if numbers.size and not 0 <= int(numbers.min()) <= int(numbers.max()) < len(skeleton):
                raise ValueError(f"{what}: {numbers.tolist()}: not in 0 ... {len(skeleton) - 1}")
        self.skeleton, self.pelvis, self.is_human = skeleton, pelvis, is_human
        self.joints = rows.astype(np.int64)
        self.up = np.asarray(up, np.float64)

    def write(self, legs: npt.NDArray[Any], pose: npt.ArrayLike, root: Optional[npt.ArrayLike]) -> None:
        """Writes the places of the animated legs into records of SinewGrounderLeg."""
        places, turns, _ = frames_of(self.skeleton, pose)
        own = root_of(root)
        for leg, joints in zip(legs, self.joints):
            for field, joint in zip(("hip", "knee", "ankle", "ball"), joints):
                leg[field] = placed(own, places[joint])
            leg["foot"] = product(own[3:7], turns[joints[2]])

    def frame(self, pose: npt.ArrayLike, root: Optional[npt.ArrayLike]) -> Dict[str, Any]:
        """Root and pelvis as fields of SinewGrounderFrame."""
        own = root_of(root)
        pelvis = placed(own, frames_of(self.skeleton, pose)[0][self.pelvis])
        up = turned(own[3:7], self.up)
        return {"root": own[:3], "rotation": own[3:7], "up": up, "pelvis": pelvis}

    def moved(
        self,
        pose: npt.NDArray[np.float32],
        root: Optional[npt.ArrayLike],
        offset: npt.NDArray[np.float32],
        turn: npt.NDArray[np.float32],
        legs: npt.NDArray[Any],
    ) -> npt.NDArray[np.float32]:
        """A copy of a pose with the pelvis moved and turned and the toes along the ground."""
        result: npt.NDArray[np.float32] = pose.copy()
        own = root_of(root)
        places, turns, axes = frames_of(self.skeleton, pose)
        parent = int(self.skeleton.parents[self.pelvis])
        way = turned(inverse(own[3:7]), offset.astype(np.float64)) / own[7:10]
        spin = product(product(inverse(own[3:7]), turn.astype(np.float64)), own[3:7])
        if np.any(offset != 0) or np.any(turn != (0, 0, 0, 1)):
            above = np.array([0, 0, 0, 1.0]) if parent < 0 else turns[parent]
            local = way if parent < 0 else np.linalg.solve(axes[parent].T, way)
            result[self.pelvis, 0:3] += local
            whole = product(spin, turns[self.pelvis])
            result[self.pelvis, 3:7] = product(inverse(above), whole)
        for leg, (_, _, ankle, ball) in zip(legs, self.joints):
            toes = leg["toes_turn"].astype(np.float64)
            foot = leg["foot"].astype(np.float64)
            if ball != ankle and int(self.skeleton.parents[ball]) == ankle:
                world = product(toes, product(own[3:7], turns[ball]))
                result[ball, 3:7] = product(inverse(foot), world)
        return result


def root_of(root: Optional[npt.ArrayLike]) -> _Rows:
    """The transform of a root object as ten numbers, its rotation of length 1; ValueError for a
    scale that is not above 0: it would mirror the legs."""
    if root is None:
        return np.array([0, 0, 0, 0, 0, 0, 1.0, 1, 1, 1])
    own = shaped(root, (TRANSFORM_FLOATS,), "root").astype(np.float64)
    length = float(np.linalg.norm(own[3:7]))
    if not np.isfinite(own).all() or not length > 0 or not (own[7:10] > 0).all():
        raise ValueError(
            f"root: {own.tolist()}: not finite, a rotation without length, or a scale not above 0")
    own[3:7] /= length
    return own


def placed(root: _Rows, point: _Rows) -> _Rows:
    """A point of model space in the world."""
    return root[:3] + turned(root[3:7], root[7:10] * point)


def human_legs(avatar: Avatar) -> AvatarLegs:
    """The legs of a person: left and right."""
    joints: List[List[int]] = []
    for side, _ in _SIDES:
        leg = [avatar.joint(HumanBone[f"{side}_{part}"]) for part in ("UPPER_LEG", "LOWER_LEG", "FOOT", "TOES")]
        if min(leg[:3]) < 0:
            raise ValueError(f"avatar: the {side.lower()} leg is not complete: {leg[:3]}")
        joints.append(leg[:3] + [leg[3] if leg[3] >= 0 else leg[2]])
    return AvatarLegs(avatar.skeleton, avatar.joint(HumanBone.HIPS), joints, is_human=True, up=up_of(avatar))


def up_of(avatar: Avatar) -> _Rows:
    """The avatar's up axis, model space."""
    axes = ffi.new("SinewVec3[3]")
    must(lib.sinew_avatar_get_axes(avatar.handle, axes, axes + 1, axes + 2))
    up: _Rows = floats(axes).reshape(3, 3)[1].astype(np.float64)
    return up


def human_feet(avatar: Avatar, rig: AvatarLegs) -> List[Dict[str, Any]]:
    """The fields of SinewFootModel of a person's feet, measured on the T-pose."""
    count = len(rig.skeleton)
    pose = np.zeros((count, TRANSFORM_FLOATS), np.float32)
    must(lib.sinew_avatar_get_t_pose(avatar.handle, pointer(pose, "SinewTransform"), count))
    places, up, feet = frames_of(rig.skeleton, pose)[0], rig.up, []
    for (_, goal), (_, _, ankle, ball) in zip(_SIDES, rig.joints):
        height = ffi.new("float *")
        must(lib.sinew_avatar_get_goal_constants(avatar.handle, goal, ffi.NULL, height))
        foot, sole = values(default("SinewFootModel")), max(0.0, float(height[0]))
        foot["heel_height"] = sole
        if ball == ankle:
            foot.update(has_sole=0, ball_height=sole, toe_length=0.0, heel_length=0.0)
        else:
            way = places[ball] - places[ankle]
            instep = float(np.linalg.norm(way - up * (way @ up)))
            foot.update(
                ball_height=max(0.0, sole + float(way @ up)), toe_length=0.55 * instep, heel_length=0.3 * instep)
        feet.append(foot)
    return feet
