# SPDX-License-Identifier: MIT OR Apache-2.0
"""Arguments that are no arrays: numbers, indices and texts, checked before C gets them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np


def number(value: Any, what: str) -> float:
    """A number of Python or NumPy; TypeError for texts, arrays and everything else."""
    if type(value) is float:
        return value
    array = np.asarray(value)
    if array.ndim != 0 or array.dtype.kind not in "fiub":
        raise TypeError(f"{what}: {value!r:.80} is no number")
    return float(array)


def integer(value: Any, what: str, low: int = 0, high: int = 2**32 - 1) -> int:
    """An integer from ``low`` to ``high``, by default what uint32 holds; TypeError for fractions
    and texts, ValueError for other integers."""
    try:
        index = operator.index(value)
    except TypeError:
        raise TypeError(f"{what}: {value!r:.80} is no integer") from None
    if not low <= index <= high:
        raise ValueError(f"{what}: {index} is not in {low} ... {high}")
    return index


def member(value: Any, what: str) -> int:
    """A member of an enum, or its number; C refuses unknown ones. TypeError for texts."""
    return integer(value, what, -(2**31), 2**31 - 1)


def text(value: Any, what: str) -> bytes:
    """A text as C reads it; ValueError for other types and for texts with zeros."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"{what}: {value!r:.80} is no text without zeros")
    return value.encode()


def octets(value: Any, what: str) -> bytes:
    """Bytes, as snapshots are; TypeError for texts and everything else."""
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"{what}: {value!r:.80} are no bytes")
    return bytes(value)
