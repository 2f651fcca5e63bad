# SPDX-License-Identifier: MIT OR Apache-2.0
"""The enums of sinew.h that the classes use; their members come from the header.

The wheel has them written out for type checkers, in enums.pyi.
"""

from enum import IntEnum

from ._native import ffi


def _enum(name):
    prefix = "SINEW" + "".join("_" + c if c.isupper() else c.upper() for c in name) + "_"  # IK_GOAL_
    values = ffi.typeof(f"enum Sinew{name}").relements
    return IntEnum(name, {member[len(prefix):]: value for member, value in values.items()}, module=__name__)


AvatarTarget = _enum("AvatarTarget")
BodyFrame = _enum("BodyFrame")
BodyMode = _enum("BodyMode")
BodyRoot = _enum("BodyRoot")
BodySide = _enum("BodySide")
BodySolverMode = _enum("BodySolverMode")
BodyTaskKind = _enum("BodyTaskKind")
BodyWorkState = _enum("BodyWorkState")
CalibrationPose = _enum("CalibrationPose")
ChainSolver = _enum("ChainSolver")
ConstraintPlacement = _enum("ConstraintPlacement")
Curve = _enum("Curve")
DebugPart = _enum("DebugPart")
DistanceMode = _enum("DistanceMode")
FrameStep = _enum("FrameStep")
Gait = _enum("Gait")
GroundContact = _enum("GroundContact")
Grounded = _enum("Grounded")
GroundPurpose = _enum("GroundPurpose")
GroundQuality = _enum("GroundQuality")
HumanBone = _enum("HumanBone")
HumanEffector = _enum("HumanEffector")
IkGoal = _enum("IkGoal")
IkHint = _enum("IkHint")
Lod = _enum("Lod")
RowState = _enum("RowState")
Status = _enum("Status")
TrackConverge = _enum("TrackConverge")
TrackedPart = _enum("TrackedPart")
TrackerRole = _enum("TrackerRole")
TrackerScale = _enum("TrackerScale")
TrackSolver = _enum("TrackSolver")
