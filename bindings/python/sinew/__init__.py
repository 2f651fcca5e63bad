# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sinew: inverse kinematics for characters, on NumPy arrays.

A transform is ten float32: position x y z, rotation x y z w, scale x y z. Poses are arrays of shape
(joints, 10), local to each joint's parent; goals are in world space; metres and radians.

Everything that has no class here is callable as in C: ``sinew.lib`` has the functions of sinew.h,
``sinew.ffi`` makes their structs, ``sinew.must`` raises what they return.
"""

from ._native import SinewError, ffi, lib, must, version
from .animator import Animator, Constraint, Outcome
from .bodies import solve_bodies
from .body import Body, BodyOutcome
from .body_task import BodyTask, BodyTaskOutcome
from .enums import (
    BodyFrame, BodyMode, BodyRoot, BodySide, BodyTaskKind, BodyWorkState, ChainSolver, DebugPart, Gait,
    CalibrationPose, GroundContact, Grounded, GroundPurpose, GroundQuality, HumanBone, IkGoal, IkHint,
    Status, TrackConverge, TrackerRole, TrackerScale, TrackSolver,
)
from .ground import contacts_from_clip, foot_from_outline, foot_from_rest, ground_hits
from .grounder import Grounder, Grounding
from .grounders import begin_grounders, finish_grounders, grounder_frames
from .skeleton import Avatar, Skeleton
from .structs import default, records
from .tracked_body import TrackedBody
from .transforms import TRANSFORM_FLOATS, transforms
from .world import World

__all__ = [
    "Animator", "Avatar", "Body", "BodyFrame", "BodyMode", "BodyOutcome", "BodyRoot", "BodySide",
    "BodyTask", "BodyTaskKind", "BodyTaskOutcome", "BodyWorkState", "CalibrationPose",
    "ChainSolver", "Constraint", "DebugPart", "Gait", "GroundContact", "GroundPurpose",
    "GroundQuality", "Grounded", "Grounder", "Grounding", "HumanBone", "IkGoal", "IkHint",
    "Outcome", "SinewError", "Skeleton", "Status", "TRANSFORM_FLOATS", "TrackConverge",
    "TrackSolver", "TrackedBody", "TrackerRole", "TrackerScale", "World", "begin_grounders",
    "contacts_from_clip", "default", "ffi", "finish_grounders", "foot_from_outline",
    "foot_from_rest", "ground_hits", "grounder_frames", "lib", "must", "records", "solve_bodies",
    "transforms", "version",
]
__version__ = ".".join(map(str, version()[:3]))
