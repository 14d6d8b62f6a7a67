"""The restart that a repair is made for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

KERNEL_RESTARTS = frozenset({"drop-repair", "abandon"})
"""The lines of a menu that lead nowhere but back."""
_FIRST = ("continue", "retry")
"""Restarts that try again what a repair has mended, the likeliest first."""


class MenuRow(Protocol):
    """A line of a restart menu."""

    @property
    def id(self) -> str:
        """`level/index`."""

    @property
    def name(self) -> str:
        """The restart's name."""

    @property
    def least(self) -> int:
        """How many arguments it takes at least."""


def restart_after_repair(menu: Sequence[MenuRow]) -> str:
    """The id of the restart of `menu` that goes on after a repair, "" where none does without a value."""
    free = [row for row in menu if row.least == 0 and row.name.lower() not in KERNEL_RESTARTS]
    named = [row for name in _FIRST for row in free if row.name.lower() == name]
    return next((row.id for row in (*named, *free)), "")
