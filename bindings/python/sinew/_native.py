# SPDX-License-Identifier: MIT OR Apache-2.0
"""The native library: found, checked, called."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from . import _abi

ffi: Any = _abi.ffi
_NAMES = {"win32": "sinew.dll", "darwin": "libsinew.dylib"}


class SinewError(ValueError):
    """A refused call: nothing has changed. ``code`` is the SinewResult.

    Of calls on many objects, of which some were done, ``rows`` has what was done with each.
    """

    code: int
    rows: Any = None

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


if version()[3] != lib.SINEW_ABI_VERSION:
    raise ImportError(f"sinew: the library has ABI {version()[3]}, this package needs {lib.SINEW_ABI_VERSION}")
