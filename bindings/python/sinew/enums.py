# SPDX-License-Identifier: MIT OR Apache-2.0
"""The enums of sinew.h that goals and outcomes use; their members come from the header.

The wheel has them written out for type checkers, in enums.pyi.
"""

from enum import IntEnum

from ._native import ffi


def _members(c_name, prefix):
    values = ffi.typeof(f"enum {c_name}").relements
    return {name[len(prefix):]: value for name, value in values.items()}


HumanBone = IntEnum("HumanBone", _members("SinewHumanBone", "SINEW_HUMAN_BONE_"), module=__name__)
IkGoal = IntEnum("IkGoal", _members("SinewIkGoal", "SINEW_IK_GOAL_"), module=__name__)
IkHint = IntEnum("IkHint", _members("SinewIkHint", "SINEW_IK_HINT_"), module=__name__)
Status = IntEnum("Status", _members("SinewStatus", "SINEW_STATUS_"), module=__name__)
ChainSolver = IntEnum("ChainSolver", _members("SinewChainSolver", "SINEW_CHAIN_SOLVER_"), module=__name__)
