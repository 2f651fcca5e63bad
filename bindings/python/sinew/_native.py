# SPDX-License-Identifier: MIT OR Apache-2.0
"""The native library: found, checked, called."""

import os
import sys
from pathlib import Path

from ._abi import ffi

_NAMES = {"win32": "sinew.dll", "darwin": "libsinew.dylib"}


class SinewError(ValueError):
    """A refused call: nothing has changed. ``code`` is the SinewResult."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def _open():
    """The library beside this file, or the one that the variable SINEW_LIBRARY names."""
    own = Path(__file__).with_name(_NAMES.get(sys.platform, "libsinew.so"))
    path = os.environ.get("SINEW_LIBRARY") or str(own)
    try:
        return ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"sinew: the native library {path} cannot be loaded: {error}") from None


lib = _open()


def must(code):
    """Raises SinewError for any result but SINEW_OK."""
    if code != 0:
        text = ffi.new("const char **")
        lib.sinew_last_error(text)
        raise SinewError(code, ffi.string(text[0]).decode() or f"code {code}")


def version():
    """(major, minor, patch, number of the binary interface) of the library."""
    out = ffi.new("SinewVersion *")
    must(lib.sinew_version(out))
    return out.major, out.minor, out.patch, out.abi


def default(struct, **fields):
    """A struct that begins with struct_size, filled by its ..._default function; then ``fields``.

    ``default("SinewChainDef", max_iterations=20)``. Vectors are sequences.
    """
    out = ffi.new(f"{struct} *")
    must(_default_of(struct)(out))
    for name, value in fields.items():
        setattr(out, name, value)
    return out


def _default_of(struct):
    words = "".join("_" + c.lower() if c.isupper() else c for c in struct)  # SinewTwoBoneDef
    return getattr(lib, words.lstrip("_") + "_default")


if version()[3] != lib.SINEW_ABI_VERSION:
    raise ImportError(f"sinew: the library has ABI {version()[3]}, this package needs {lib.SINEW_ABI_VERSION}")
