"""Medians of two subjects measured in turn, so that what else the machine does falls on both."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from statistics import median

Subject = Callable[[], Awaitable[float]]
"""Does its work once and returns how long it took, in seconds."""


async def alternate(ours: Subject, theirs: Subject, *, rounds: int, warm_up: int = 1) -> tuple[float, float]:
    """Runs both in turn, who goes first changing each round, and returns the two medians in milliseconds.

    The first `warm_up` rounds are not counted: they fill caches.
    """
    times: dict[Subject, list[float]] = {ours: [], theirs: []}
    for number in range(warm_up + rounds):
        order = (ours, theirs) if number % 2 else (theirs, ours)
        for subject in order:
            seconds = await subject()
            if number >= warm_up:
                times[subject].append(seconds)
    return median(times[ours]) * 1000, median(times[theirs]) * 1000
