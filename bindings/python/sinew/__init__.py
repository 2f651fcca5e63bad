# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sinew: inverse kinematics for characters, on NumPy arrays.

A transform is ten float32: position x y z, rotation x y z w, scale x y z. Poses are arrays of shape
(joints, 10), local to each joint's parent; goals are in world space; metres and radians.

Everything that has no class here is callable as in C: ``sinew.lib`` has the functions of sinew.h,
``sinew.ffi`` makes their structs, ``sinew.must`` raises what they return.
"""

from ._native import SinewError, ffi, lib, must, version
from .animator import Animator
from .bodies import BodyMeeting, meet_bodies, solve_bodies
from .body import Body
from .body_task import BodyTask, BodyTaskOutcome
from .constraint import Constraint
from .enums import (
    AvatarTarget, BodyFrame, BodyMode, BodyRoot, BodySide, BodySolverMode, BodyTaskKind, BodyWorkState,
    CalibrationPose, ChainSolver, ConstraintPlacement, Curve, DebugPart, DistanceMode, FrameStep, Gait,
    GroundContact, Grounded, GroundPurpose, GroundQuality, HumanBone, HumanEffector, IkGoal, IkHint, Lod,
    RowState, Status, TrackConverge, TrackedPart, TrackerRole, TrackerScale, TrackSolver,
)
from .ground import contacts_from_clip, foot_from_outline, foot_from_rest, ground_hits
from .grounder import Grounder, Grounding
from .grounders import begin_grounders, finish_grounders, grounder_frames
from .humanoid import Humanoid
from .outcome import BodyOutcome, Outcome
from .skeleton import Avatar, Skeleton
from .structs import default, records
from .tracked_body import TrackedBody
from .transforms import TRANSFORM_FLOATS, transforms
from .world import World, WorldReport

__all__ = [
    "Animator", "Avatar", "AvatarTarget", "Body", "BodyFrame", "BodyMeeting", "BodyMode",
    "BodyOutcome", "BodyRoot", "BodySide", "BodySolverMode", "BodyTask", "BodyTaskKind",
    "BodyTaskOutcome", "BodyWorkState", "CalibrationPose", "ChainSolver", "Constraint",
    "ConstraintPlacement", "Curve", "DebugPart", "DistanceMode", "FrameStep", "Gait",
    "GroundContact", "GroundPurpose", "GroundQuality", "Grounded", "Grounder", "Grounding",
    "HumanBone", "HumanEffector", "Humanoid", "IkGoal", "IkHint", "Lod", "Outcome", "RowState",
    "SinewError", "Skeleton", "Status", "TRANSFORM_FLOATS", "TrackConverge", "TrackSolver",
    "TrackedBody", "TrackedPart", "TrackerRole", "TrackerScale", "World", "WorldReport", "begin_grounders",
    "contacts_from_clip", "default", "ffi", "finish_grounders", "foot_from_outline",
    "foot_from_rest", "ground_hits", "grounder_frames", "lib", "meet_bodies", "must", "records",
    "solve_bodies", "transforms", "version",
]
__version__ = ".".join(map(str, version()[:3]))
