"""The pauses of an attempt: what waits at each level, and what it was before each repair that stands."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.attempts.story import Story
from jiti_tui.engine.interface.snapshot import FrameRow, Pause, PauseLevel, RestartRow
from jiti_tui.frozen import frozen
from jiti_tui.kernel.messages import Paused, Restart


@frozen
class Savepoint:
    """What was known before a repair: the pauses from level 0 up, and the story until then."""

    levels: tuple[Paused, ...]
    story: Story


class Pauses:
    """Level 0 is the outer evaluation's pause, level n the n-th repair's inside it."""

    def __init__(self) -> None:
        self._levels: list[Paused] = []
        self._savepoints: list[Savepoint] = []

    @property
    def innermost(self) -> Paused | None:
        """The pause that an action is about, None when nothing is paused."""
        return self._levels[-1] if self._levels else None

    def enter(self, paused: Paused) -> None:
        """The evaluation has stopped at `paused`, which takes the place of what was at its level and deeper."""
        del self._levels[paused.level :]
        self._levels.append(paused)

    def leave(self) -> None:
        """The repair that had paused has returned: the pause under it is the innermost again."""
        self._levels.pop()

    def offer(self, restarts: tuple[Restart, ...]) -> None:
        """Give the innermost pause another menu."""
        self._levels[-1] = replace(self._levels[-1], restarts=restarts)

    def save(self, story: Story) -> None:
        """A repair begins, after `story`."""
        self._savepoints.append(Savepoint(tuple(self._levels), story.copy()))

    def go_back(self) -> Story:
        """The latest repair is dropped. Returns the story until then."""
        before = self._savepoints.pop()
        self._levels = list(before.levels)
        return before.story

    def abandons(self, restart: str) -> bool:
        """Whether that id is the last line of the menu, `abandon`."""
        menu = self._levels[-1].restarts
        return bool(menu) and menu[-1].id == restart and menu[-1].name == "abandon"

    @property
    def picture(self) -> Pause:
        """All levels, with the menu of the innermost."""
        levels = tuple(map(_level, self._levels))
        return Pause(levels, levels[-1].restarts)


def _level(paused: Paused) -> PauseLevel:
    return PauseLevel(
        paused.level,
        paused.type,
        paused.condition,
        tuple(RestartRow(r.id, r.name, r.report, r.least, r.most) for r in paused.restarts),
        tuple(FrameRow(frame.call, frame.place, frame.line) for frame in paused.frames),
    )
