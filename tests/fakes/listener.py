"""A listener to a call that keeps what it is told, and waits no longer than it must."""

from __future__ import annotations

import asyncio


class Ear:
    """`told` are the rationales so far, `waits` the pauses that were asked for, with their reasons."""

    def __init__(self, *, patient: bool = False) -> None:
        self.told: list[str] = []
        self.waits: list[tuple[float, str]] = []
        self.begun = asyncio.Event()
        """Something has been told."""
        self._patient = patient

    def rationale(self, text: str) -> None:
        self.told.append(text)
        self.begun.set()

    async def wait(self, seconds: float, reason: str) -> None:
        self.waits.append((seconds, reason))
        self.begun.set()
        if self._patient:
            await asyncio.sleep(seconds)
