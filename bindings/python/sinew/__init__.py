# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sinew: inverse kinematics for characters, on NumPy arrays.

A transform is ten float32: position x y z, rotation x y z w, scale x y z. Poses are arrays of shape
(joints, 10), local to each joint's parent; goals are in world space; metres and radians.

Everything that has no class here is callable as in C: ``sinew.lib`` has the functions of sinew.h,
``sinew.ffi`` makes their structs, ``sinew.must`` raises what they return.
"""

from ._native import SinewError, default, ffi, lib, must, version
from .animator import Animator, Constraint, Outcome
from .enums import ChainSolver, HumanBone, IkGoal, IkHint, Status
from .skeleton import Avatar, Skeleton
from .transforms import TRANSFORM_FLOATS, transforms
from .world import World

__all__ = [
    "Animator", "Avatar", "ChainSolver", "Constraint", "HumanBone", "IkGoal", "IkHint", "Outcome",
    "SinewError", "Skeleton", "Status", "TRANSFORM_FLOATS", "World", "default", "ffi", "lib", "must",
    "transforms", "version",
]
__version__ = ".".join(map(str, version()[:3]))
