# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rigs, and which of their joints are human bones."""

import weakref

import numpy as np

from ._native import default, ffi, lib, must
from .enums import HumanBone
from .transforms import pointer, transform_array


class Skeleton:
    """A rig: joints with parents, rest transforms and, optionally, names. It never changes.

    ``parents[i]`` is an index below i, or -1 for a root; ``rest`` has shape (joints, 10).
    """

    def __init__(self, parents, rest, names=None):
        parents = np.ascontiguousarray(parents, np.int32)
        self.parents = parents
        self.rest = transform_array(rest, len(parents), "rest")
        self.names = None if names is None else tuple(names)
        fields = {"joint_count": len(parents), "parents": pointer(parents, "int32_t"),
                  "rest": pointer(self.rest, "SinewTransform")}
        if self.names is not None:
            if len(self.names) != len(parents):
                raise ValueError(f"names: {len(self.names)} for {len(parents)} joints")
            texts = [ffi.new("char[]", name.encode()) for name in self.names]
            fields["names"] = kept = ffi.new("const char *[]", texts)
        handle = ffi.new("SinewSkeleton *")
        must(lib.sinew_skeleton_create(default("SinewSkeletonDef", **fields), handle))
        self.handle = handle[0]
        weakref.finalize(self, lib.sinew_skeleton_destroy, self.handle)

    def __len__(self):
        return len(self.parents)

    def find(self, name):
        """Index of the joint with this name; SinewError without one."""
        out = ffi.new("uint32_t *")
        must(lib.sinew_skeleton_find_joint(self.handle, name.encode(), out))
        return out[0]

    def map_human_bones(self):
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

    def __init__(self, skeleton, human=None, **settings):
        if human is None:
            joints = skeleton.map_human_bones()
        elif isinstance(human, dict):
            joints = np.full(lib.SINEW_HUMAN_BONE_COUNT, -1, np.int32)
            for bone, joint in human.items():
                joints[HumanBone(bone)] = joint
        else:
            joints = np.ascontiguousarray(human, np.int32)
            if joints.shape != (lib.SINEW_HUMAN_BONE_COUNT,):
                raise ValueError(f"human: shape {joints.shape}, not ({lib.SINEW_HUMAN_BONE_COUNT},)")
        self.skeleton = skeleton
        definition = default("SinewAvatarDef", skeleton=skeleton.handle, human_joints=pointer(joints, "int32_t"), **settings)
        handle = ffi.new("SinewAvatar *")
        must(lib.sinew_avatar_create(definition, handle))
        self.handle = handle[0]
        weakref.finalize(self, lib.sinew_avatar_destroy, self.handle)

    def joint(self, bone):
        """Joint of a human bone, or -1."""
        out = ffi.new("int32_t *")
        must(lib.sinew_avatar_get_bone_joint(self.handle, bone, out))
        return out[0]
