# SPDX-License-Identifier: MIT OR Apache-2.0
"""Transforms as arrays, and arrays as the library's pointers."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._native import ffi

#: Floats of one transform: position x y z, rotation x y z w, scale x y z.
TRANSFORM_FLOATS = 10


def transforms(
    positions: npt.ArrayLike,
    rotations: Optional[npt.ArrayLike] = None,
    scales: Optional[npt.ArrayLike] = None,
) -> npt.NDArray[np.float32]:
    """Transforms of shape (..., 10) from positions (..., 3), rotations (..., 4) and scales (...,
    3).

    Positions in metres, rotations as unit quaternions x y z w. Without rotations: none turned;
    without scales: 1. One rotation or scale serves all positions. ValueError for other shapes.
    """
    places = np.asarray(positions, np.float32)
    if places.ndim == 0 or places.shape[-1] != 3:
        raise ValueError(f"positions: shape {places.shape}, not (..., 3)")
    out = np.empty(places.shape[:-1] + (TRANSFORM_FLOATS,), np.float32)
    out[..., 0:3] = places
    out[..., 3:7] = _part(rotations, (0, 0, 0, 1), "rotations")
    out[..., 7:10] = _part(scales, (1, 1, 1), "scales")
    return out


def _part(values: Optional[npt.ArrayLike], unit: Tuple[int, ...], what: str) -> npt.NDArray[np.float32]:
    array = np.asarray(unit if values is None else values, np.float32)
    # An array of length 1 would be repeated over all numbers of a rotation or scale.
    if array.ndim == 0 or array.shape[-1] != len(unit):
        raise ValueError(f"{what}: shape {array.shape}, not (..., {len(unit)})")
    return array


def fixed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, read-only from here on."""
    array.flags.writeable = False
    return array


def shaped(values: npt.ArrayLike, shape: Tuple[int, ...], what: str) -> npt.NDArray[np.float32]:
    """``values`` as float32 of exactly this shape, without broadcasting; ValueError for others."""
    try:
        array = np.asarray(values, np.float32)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what}: {values!r:.80} are no numbers: {error}") from None
    if array.shape != shape:
        raise ValueError(f"{what}: shape {array.shape}, not {shape}")
    return array


def integers(values: npt.ArrayLike, what: str) -> npt.NDArray[np.int32]:
    """A copy of ``values`` as one row of int32; ValueError for fractions, other shapes and
    ranges."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{what}: shape {array.shape}, not (count,)")
    if array.size == 0:
        return np.zeros(0, np.int32)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{what}: type {array.dtype}, not integers")
    limits = np.iinfo(np.int32)
    for worst in (array.min(), array.max()):
        if not limits.min <= int(worst) <= limits.max:
            raise ValueError(f"{what}: {worst} does not fit int32")
    return array.astype(np.int32)


def pointer(array: npt.NDArray[Any], c_type: str) -> Any:
    """Address of an array of this package. The array must outlive the call."""
    return ffi.cast(f"{c_type} *", array.ctypes.data)


def memory(
    array: Any, what: str, dtype: npt.DTypeLike, shape: Tuple[int, ...], c_type: str, written: bool = True
) -> Any:
    """Address of an array of the caller, which C reads, or with ``written`` writes in place.

    ValueError unless type, shape and order are exactly those that C expects.
    """
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{what}: a {type(array).__name__}, not a NumPy array")
    if array.dtype != dtype:
        raise ValueError(f"{what}: type {array.dtype}, not {np.dtype(dtype)}")
    if array.shape != shape:
        raise ValueError(f"{what}: shape {array.shape}, not {shape}")
    flags = array.flags
    if not (flags.c_contiguous and flags.aligned):
        raise ValueError(f"{what}: strides {array.strides}: not contiguous, or not aligned")
    if written and not flags.writeable:
        raise ValueError(f"{what}: read-only (writeable is False), but the call writes into it: copy it")
    return pointer(array, c_type)


def vector(values: npt.ArrayLike, struct: str, what: str = "") -> Any:
    """A SinewVec3, SinewQuat or SinewTransform from a row of floats; ValueError names the argument
    ``what``."""
    out = ffi.new(f"{struct} *")
    own = ffi.buffer(out)
    own[:] = shaped(values, (len(own) // 4,), f"{what} ({struct})" if what else struct).tobytes()
    return out


def floats(struct: Any) -> npt.NDArray[np.float32]:
    """The numbers of a struct of floats, read-only."""
    return np.frombuffer(bytes(ffi.buffer(struct)), np.float32)
