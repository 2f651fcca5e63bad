# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rigs, and which of their joints are human bones."""

from __future__ import annotations

import weakref
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .arguments import member, text
from .enums import HumanBone
from .structs import default
from .transforms import TRANSFORM_FLOATS, fixed, integers, pointer, shaped


class Skeleton:
    """A rig: joints with parents, rest transforms and, optionally, names. It never changes.

    ``parents[i]`` is an index below i, or -1 for a root; ``rest`` has shape (joints, 10), local to
    the parents, metres; ``names`` has one text per joint. Both arrays are copied, and the copies
    are read-only. ValueError for other shapes, for fractions as parents and for what C refuses.
    """

    #: SinewSkeleton.
    handle: Any
    #: Parent of each joint, int32, read-only.
    parents: npt.NDArray[np.int32]
    #: Rest transform of each joint, (joints, 10) float32, read-only.
    rest: npt.NDArray[np.float32]
    #: Name of each joint; None: without names.
    names: Optional[tuple[str, ...]]

    def __init__(
        self, parents: npt.ArrayLike, rest: npt.ArrayLike, names: Optional[Sequence[str]] = None
    ) -> None:
        self.parents = fixed(integers(parents, "parents"))
        count = len(self.parents)
        self.rest = fixed(np.array(shaped(rest, (count, TRANSFORM_FLOATS), "rest"), order="C"))
        self.names = None if names is None else tuple(names)
        fields = {"joint_count": count, "parents": pointer(self.parents, "int32_t"),
                  "rest": pointer(self.rest, "SinewTransform")}
        if self.names is not None:
            if len(self.names) != count:
                raise ValueError(f"names: {len(self.names)} for {count} joints")
            texts = [ffi.new("char[]", text(name, f"names[{i}]")) for i, name in enumerate(self.names)]
            fields["names"] = ffi.new("const char *[]", texts)
        handle = ffi.new("SinewSkeleton *")
        must(lib.sinew_skeleton_create(default("SinewSkeletonDef", **fields), handle))
        self.handle = handle[0]
        weakref.finalize(self, lib.sinew_skeleton_destroy, self.handle)

    def __len__(self) -> int:
        return len(self.parents)

    def find(self, name: str) -> int:
        """Index of the joint with this name; SinewError without one."""
        out = ffi.new("uint32_t *")
        must(lib.sinew_skeleton_find_joint(self.handle, text(name, "name"), out))
        return int(out[0])

    def map_human_bones(self) -> npt.NDArray[np.int32]:
        """Joint of each HumanBone (-1: none) by names and shape: 55 int32."""
        joints = np.full(lib.SINEW_HUMAN_BONE_COUNT, -1, np.int32)
        found = ffi.new("uint32_t *")
        must(lib.sinew_skeleton_map_human_bones(self.handle, pointer(joints, "int32_t"), len(joints), found))
        return joints


class Avatar:
    """Which joint of a skeleton is which human bone, with measurements of its T-pose.

    ``human``: a dict from HumanBone to joint, 55 joints (-1: none), or None: by names and shape.
    ``settings``: other fields of SinewAvatarDef, for example ``arm_stretch=0``.
    """

    #: SinewAvatar.
    handle: Any
    #: The rig.
    skeleton: Skeleton

    def __init__(
        self,
        skeleton: Skeleton,
        human: Union[Mapping[HumanBone, int], npt.ArrayLike, None] = None,
        **settings: Any,
    ) -> None:
        bones = int(lib.SINEW_HUMAN_BONE_COUNT)
        if human is None:
            joints = skeleton.map_human_bones()
        elif isinstance(human, Mapping):
            joints = np.full(bones, -1, np.int32)
            # Values are not assigned one by one: that would cut off their fractions.
            places = [int(HumanBone(bone)) for bone in human]
            joints[places] = integers(list(human.values()), "human")
        else:
            joints = integers(human, "human")
            if joints.shape != (bones,):
                raise ValueError(f"human: shape {joints.shape}, not ({bones},)")
        self.skeleton = skeleton
        definition = default(
            "SinewAvatarDef", skeleton=skeleton.handle, human_joints=pointer(joints, "int32_t"), **settings)
        handle = ffi.new("SinewAvatar *")
        must(lib.sinew_avatar_create(definition, handle))
        self.handle = handle[0]
        weakref.finalize(self, lib.sinew_avatar_destroy, self.handle)

    def joint(self, bone: HumanBone) -> int:
        """Joint of a human bone, or -1."""
        out = ffi.new("int32_t *")
        must(lib.sinew_avatar_get_bone_joint(self.handle, member(bone, "bone"), out))
        return int(out[0])
