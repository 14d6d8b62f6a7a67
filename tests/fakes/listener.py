"""A listener to a call that keeps what it is told, and waits no longer than it must."""

from __future__ import annotations

import asyncio

from jiti_tui.model.tokens import NONE, Tokens


class Ear:
    """`told` are the rationales so far, `waits` the pauses that were asked for, with their reasons."""

    def __init__(self, *, patient: bool = False) -> None:
        self.told: list[str] = []
        self.waits: list[tuple[float, str]] = []
        self.cost = NONE
        """Of calls without an answer."""
        self.money = 0.0
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

    def spent(self, tokens: Tokens, money: float) -> None:
        self.cost += tokens
        self.money += money
