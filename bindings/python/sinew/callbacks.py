# SPDX-License-Identifier: MIT OR Apache-2.0
"""Exceptions of functions of Python that the library calls."""

from __future__ import annotations

from typing import List


class CallbackFailure:
    """The first exception of functions that C called: C code cannot carry it out."""

    def __init__(self) -> None:
        self._errors: List[BaseException] = []

    @property
    def is_set(self) -> bool:
        """Whether a function has raised one."""
        return bool(self._errors)

    def clear(self) -> None:
        """Forgets exceptions of calls before."""
        self._errors.clear()

    def keep(self, error: BaseException) -> None:
        """Keeps an exception until the call has returned."""
        self._errors.append(error)

    def raise_it(self) -> None:
        """Raises the first exception, if there is one."""
        if self._errors:
            first = self._errors[0]
            self._errors.clear()
            raise first
