# SPDX-License-Identifier: MIT OR Apache-2.0
"""The native library: found, checked, called."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import _abi

ffi: Any = _abi.ffi
_NAMES = {"win32": "sinew.dll", "darwin": "libsinew.dylib"}


class SinewError(ValueError):
    """A refused call: nothing has changed. ``code`` is the SinewResult."""

    code: int

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def _open() -> Any:
    """The library beside this file, or the one that the variable SINEW_LIBRARY names."""
    own = Path(__file__).with_name(_NAMES.get(sys.platform, "libsinew.so"))
    path = os.environ.get("SINEW_LIBRARY") or str(own)
    try:
        return ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"sinew: the native library {path} cannot be loaded: {error}") from None


lib: Any = _open()


def must(code: int) -> None:
    """Raises SinewError for any result but SINEW_OK."""
    if code != 0:
        text = ffi.new("const char **")
        lib.sinew_last_error(text)
        raise SinewError(code, ffi.string(text[0]).decode() or f"code {code}")


def version() -> tuple[int, int, int, int]:
    """(major, minor, patch, number of the binary interface) of the library."""
    out = ffi.new("SinewVersion *")
    must(lib.sinew_version(out))
    return out.major, out.minor, out.patch, out.abi


def default(struct: str, **fields: Any) -> Any:
    """A struct that begins with struct_size, filled by its ..._default function; then ``fields``.

    ``default("SinewChainDef", max_iterations=20)``. Vectors are sequences or arrays. ValueError for
    a struct without such a function, an unknown field and a value of another type.
    """
    fill, known = _default_of(struct)
    out = ffi.new(f"{struct} *")
    must(fill(out))
    for name, value in fields.items():
        if name not in known:
            raise ValueError(f"{struct} has no field {name!r}: it has {', '.join(known)}")
        # cffi takes lists, but no arrays.
        plain = value.tolist() if hasattr(value, "tolist") else value
        try:
            setattr(out, name, plain)
        except (TypeError, OverflowError, IndexError, ValueError) as error:
            raise ValueError(f"{struct}.{name}: {value!r}: {error}") from None
    return out


@lru_cache(maxsize=None)
def _default_of(struct: str) -> tuple[Any, list[str]]:
    """The function that fills a struct, and the names of its fields."""
    words = "".join("_" + c.lower() if c.isupper() else c for c in struct)  # SinewTwoBoneDef
    fill = getattr(lib, words.lstrip("_") + "_default", None)
    if fill is None:
        raise ValueError(f"default: {struct} has no function of defaults")
    return fill, [name for name, _ in ffi.typeof(struct).fields]


if version()[3] != lib.SINEW_ABI_VERSION:
    raise ImportError(f"sinew: the library has ABI {version()[3]}, this package needs {lib.SINEW_ABI_VERSION}")
