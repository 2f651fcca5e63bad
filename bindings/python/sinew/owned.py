# SPDX-License-Identifier: MIT OR Apache-2.0
"""Objects of the native library that an object of Python owns."""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import Any, Callable, Optional, Type, TypeVar

from ._native import must

_Self = TypeVar("_Self", bound="Owned")


class Owned:
    """A native object: ``close()``, the end of a ``with`` block or of the last reference destroys
    it."""

    #: The native handle.
    handle: Any

    def _own(self, handle: Any, destroy: Callable[[Any], int]) -> None:
        self.handle, self._destroy = handle, destroy
        self._end = weakref.finalize(self, destroy, handle)

    def close(self) -> None:
        """Destroys the native object at once; a second call does nothing. Every other call raises
        SinewError from then on. SinewError while another thread uses it: nothing was done."""
        if self._end.alive:
            must(self._destroy(self.handle))
            self._end.detach()

    @property
    def is_closed(self) -> bool:
        """Whether ``close`` was called."""
        return not self._end.alive

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()
