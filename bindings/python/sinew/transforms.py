# SPDX-License-Identifier: MIT OR Apache-2.0
"""Transforms as arrays, and arrays as the library's pointers."""

import numpy as np

from ._native import ffi

#: Floats of one transform: position x y z, rotation x y z w, scale x y z.
TRANSFORM_FLOATS = 10


def transforms(positions, rotations=None, scales=None):
    """Transforms of shape (..., 10) from positions (..., 3), rotations (..., 4) and scales (..., 3).

    Without rotations: none turned; without scales: 1.
    """
    positions = np.asarray(positions, np.float32)
    out = np.empty(positions.shape[:-1] + (TRANSFORM_FLOATS,), np.float32)
    out[..., 0:3] = positions
    out[..., 3:7] = (0, 0, 0, 1) if rotations is None else rotations
    out[..., 7:10] = 1 if scales is None else scales
    return out


def transform_array(values, count, what):
    """``values`` as float32 of shape (count, 10): a copy only where the type or order differs."""
    array = np.ascontiguousarray(values, np.float32)
    if array.shape != (count, TRANSFORM_FLOATS):
        raise ValueError(f"{what}: shape {array.shape}, not ({count}, {TRANSFORM_FLOATS})")
    return array


def pointer(array, c_type):
    """Address of a contiguous array. The array must outlive the call."""
    return ffi.cast(f"{c_type} *", array.ctypes.data)


def vector(values, struct):
    """A SinewVec3, SinewQuat or SinewTransform from a sequence of floats."""
    out = ffi.new(f"{struct} *")
    floats = ffi.buffer(out)
    array = np.array(values, np.float32)
    if array.nbytes != len(floats):
        raise ValueError(f"{struct} has {len(floats) // 4} numbers, not {array.size}")
    floats[:] = array.tobytes()
    return out


def floats(struct):
    """The numbers of a struct of floats."""
    return np.frombuffer(bytes(ffi.buffer(struct)), np.float32)
