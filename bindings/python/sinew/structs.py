# SPDX-License-Identifier: MIT OR Apache-2.0
"""Structs of sinew.h: filled from keyword arguments, read as dicts, and as NumPy records."""

from __future__ import annotations

import weakref
from functools import lru_cache
from typing import Any, Callable, Dict, Iterable, Optional

import numpy as np
import numpy.typing as npt

from ._native import ffi, lib, must
from .transforms import shaped

#: Structs that are rows of floats.
_ROWS = ("SinewVec3", "SinewQuat", "SinewTransform")
_NUMBERS = {"float": "<f4", "double": "<f8", "int32_t": "<i4", "uint32_t": "<u4", "uint64_t": "<u8",
            "uint8_t": "<u1"}
#: Memory that a struct points to, kept as long as the struct.
_kept: weakref.WeakKeyDictionary[Any, list[Any]] = weakref.WeakKeyDictionary()


def default(struct: str, **fields: Any) -> Any:
    """A struct that begins with struct_size, filled by its ..._default function; then ``fields``.

    ``default("SinewChainDef", max_iterations=20)``. Vectors are sequences or arrays of exactly
    their length. Where the struct has a number of entries beside an array (``corners``,
    ``weights``, ``spring_bias``), the array alone is given: it is copied, and its length is the
    number. ValueError for a struct without such a function, an unknown field and a value of another
    type or shape.
    """
    out = ffi.new(f"{struct} *")
    must(_default_of(struct)(out))
    return fill(out, struct, fields)


def fill(out: Any, struct: str, fields: Dict[str, Any]) -> Any:
    """Writes fields by name into a struct; ValueError as for ``default``."""
    kinds = _fields(struct)
    for name, value in fields.items():
        if name not in kinds:
            raise ValueError(f"{struct} has no field {name!r}: it has {', '.join(kinds)}")
        kind, what, count = kinds[name], f"{struct}.{name}", _count_of(kinds, name)
        if isinstance(value, ffi.CData):
            _set(out, name, value, what)
        elif kind.kind == "struct" and _dtype(kind).shape:
            row = shaped(value, _dtype(kind).shape, what)
            ffi.buffer(ffi.addressof(out, name))[:] = row.tobytes()
        elif count is not None and kind.kind in ("array", "pointer"):
            _set_many(out, name, value, what)
            if fields.get(count, getattr(out, count)) != getattr(out, count):
                raise ValueError(f"{struct}.{count}: {fields[count]!r} is not the length of {name}")
        elif kind.kind == "array":
            _set_all(out, name, value, what)
        else:
            _set(out, name, value, what)
    return out


def values(out: Any) -> Dict[str, Any]:
    """The fields of a struct but for its size: numbers, and copies of vectors and arrays (of
    structs: records). Where a number of entries is given, an array has as many."""
    record = np.frombuffer(bytes(ffi.buffer(out)), _dtype(ffi.typeof(out).item))[0]
    kinds = _fields(ffi.typeof(out).item.cname)
    found: Dict[str, Any] = {}
    for name, kind in kinds.items():
        if kind.kind == "pointer":
            continue
        value, count = record[name], _count_of(kinds, name)
        if kind.kind == "array" and count is not None:
            value = value[: record[count]]
        found[name] = value.item() if value.ndim == 0 and not value.dtype.names else value.copy()
    return found


def changed(struct: str, read: Callable[..., int], owner: Any, fields: Dict[str, Any]) -> Any:
    """The struct that ``read(*owner, out)`` returns, with other values of some fields."""
    out = ffi.new(f"{struct} *")
    must(read(*owner, out))
    return fill(out, struct, fields)


def read(struct: str, call: Callable[..., int], *arguments: Any) -> Any:
    """The struct that ``call(*arguments, out)`` writes."""
    out = ffi.new(f"{struct} *")
    must(call(*arguments, out))
    return out


def records(struct: str) -> np.dtype[Any]:
    """The NumPy type with the fields, places and size of a struct. Vectors are rows of float32."""
    return _dtype(ffi.typeof(struct))


def array_of(struct: str, cdata: Any, count: int) -> npt.NDArray[Any]:
    """A copy of the first ``count`` structs of an array of C."""
    memory = bytes(ffi.buffer(cdata, count * ffi.sizeof(struct)))
    found: npt.NDArray[Any] = np.frombuffer(memory, records(struct)).copy()
    return found


def grown(struct: str, call: Callable[[Any, int, Any], int]) -> Any:
    """The array that ``call(out, capacity, out_count)`` writes, however long, and its length."""
    count = ffi.new("uint32_t *")
    code = call(ffi.NULL, 0, count)
    if code not in (0, lib.SINEW_ERROR_BUFFER_TOO_SMALL):
        must(code)
    out = ffi.new(f"{struct}[]", max(1, count[0]))
    must(call(out, count[0], count))
    return out, int(count[0])


def _set(out: Any, name: str, value: Any, what: str) -> None:
    # cffi takes lists, but no arrays.
    plain = value.tolist() if hasattr(value, "tolist") else value
    try:
        setattr(out, name, plain)
    except (TypeError, OverflowError, IndexError, ValueError) as error:
        raise ValueError(f"{what}: {value!r:.80}: {error}") from None


def _set_all(out: Any, name: str, value: Any, what: str) -> None:
    """An array of a fixed length, all of it."""
    whole = _dtype(_fields(ffi.typeof(out).item.cname)[name])
    item = whole.base
    if item.names and (not isinstance(value, np.ndarray) or value.dtype != item):
        raise ValueError(f"{what}: {value!r:.80} is no array of records of {item.names}")
    if not item.names and (np.ndim(value) == 0 or np.asarray(value).dtype.kind not in "fiu"):
        raise ValueError(f"{what}: {value!r:.80} are no numbers")
    rows = np.asarray(value, item)
    if rows.shape != whole.shape:
        raise ValueError(f"{what}: shape {rows.shape}, not {whole.shape}")
    ffi.buffer(ffi.addressof(out, name))[:] = rows.tobytes()


def _set_many(out: Any, name: str, value: Any, what: str) -> None:
    """An array with its number of entries: in the struct, or beside it and kept with it."""
    kinds = _fields(ffi.typeof(out).item.cname)
    kind, item = kinds[name], _dtype(kinds[name].item)
    if item.names:
        raise ValueError(f"{what}: {value!r:.80} is no array of {kind.item.cname} of cffi")
    try:
        rows = np.asarray(value, item.base)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what}: {value!r:.80} are no numbers: {error}") from None
    if rows.ndim == 0 or (rows.size and rows.shape[1:] != item.shape):
        raise ValueError(f"{what}: shape {rows.shape}, not {('count', *item.shape)}")
    if kind.kind == "array":
        if len(rows) > kind.length:
            raise ValueError(f"{what}: {len(rows)} entries, more than {kind.length}")
        ffi.buffer(ffi.addressof(out, name))[: rows.nbytes] = rows.tobytes()
    else:
        memory = ffi.new(ffi.getctype(kind.item, "[]"), max(1, len(rows)))
        ffi.buffer(memory)[: rows.nbytes] = rows.tobytes()
        _kept.setdefault(out, []).append(memory)
        setattr(out, name, memory)
    setattr(out, str(_count_of(kinds, name)), len(rows))


def _count_of(names: Iterable[str], name: str) -> Optional[str]:
    """The field with the number of entries of another field: corners, corner_count."""
    known = set(names)
    for count in (f"{name}_count", f"{name[:-1]}_count"):
        if count in known:
            return count
    return None


@lru_cache(maxsize=None)
def _default_of(struct: str) -> Any:
    """The function that fills a struct."""
    words = "".join("_" + c.lower() if c.isupper() else c for c in struct)  # SinewTwoBoneDef
    function = getattr(lib, words.lstrip("_") + "_default", None)
    if function is None:
        raise ValueError(f"default: {struct} has no function of defaults")
    return function


@lru_cache(maxsize=None)
def _fields(struct: str) -> Dict[str, Any]:
    """The C types of the fields that are a caller's: the size is the library's."""
    return {name: field.type for name, field in ffi.typeof(struct).fields if name != "struct_size"}


@lru_cache(maxsize=None)
def _dtype(kind: Any) -> np.dtype[Any]:
    if kind.kind == "primitive":
        return np.dtype(_NUMBERS[kind.cname])
    if kind.kind == "array":
        return np.dtype((_dtype(kind.item), (kind.length,)))
    if kind.kind != "struct":
        return np.dtype(np.uintp)
    if kind.cname.replace("struct ", "") in _ROWS:
        return np.dtype(("<f4", (ffi.sizeof(kind) // 4,)))
    names, formats, offsets = [], [], []
    for name, field in kind.fields:
        names.append(name)
        formats.append(_dtype(field.type))
        offsets.append(field.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(kind)})
