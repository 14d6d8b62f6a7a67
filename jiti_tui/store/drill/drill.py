"""The drill: every mishap at every operation of every act, and what came of it."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jiti_tui.errors import JitiError
from jiti_tui.store.drill.acts import ACTS, Act
from jiti_tui.store.drill.faults import SteppingFiles
from jiti_tui.store.drill.mishaps import MISHAPS, STORE, Mishap
from jiti_tui.store.drill.story import Lost


@dataclass(frozen=True, slots=True)
class Row:
    """How often `mishap` struck `act`, how often the store survived, and a sentence for each time it did not.

    `whole`: it was let loose on every operation.
    """

    mishap: str
    act: str
    injected: int
    lost: tuple[str, ...]
    whole: bool

    @property
    def survived(self) -> int:
        """How often what was promised held."""
        return self.injected - len(self.lost)


def drill(
    folder: Path,
    *,
    seconds: float | None = None,
    acts: Sequence[Act] = ACTS,
    mishaps: Sequence[Mishap] = MISHAPS,
) -> Iterator[Row]:
    """Break stores in `folder`, a directory that is there, and tell a row for each mishap and act.

    With `seconds`, about, a mishap strikes at as many operations as there is time for, all over the act. Leaves nothing
    behind. Raises OSError when the folder cannot be written.
    """
    end = None if seconds is None else time.monotonic() + seconds
    operations = {act.name: _operations(folder, act) for act in acts}
    left = len(acts) * len(mishaps)
    for mishap in mishaps:
        for act in acts:
            now = time.monotonic()
            yield _row(folder, mishap, act, operations[act.name], None if end is None else now + (end - now) / left)
            left -= 1


def _operations(folder: Path, act: Act) -> list[int]:
    """The numbers of the operations of `act`, in an order whose beginnings are spread over all of it."""
    top = folder / "counted"
    top.mkdir()
    try:
        story = act.prepare(top / STORE)
        files = SteppingFiles()
        act.run(top / STORE, files, story)
    finally:
        shutil.rmtree(top)
    numbers = list(range(1, files.steps + 1))
    random.Random(files.steps).shuffle(numbers)  # noqa: S311 - the same dice each time, no secret
    return numbers


def _row(folder: Path, mishap: Mishap, act: Act, operations: Sequence[int], end: float | None) -> Row:
    injected, tried, lost = 0, 0, []
    for at in operations:
        if end is not None and time.monotonic() > end:
            break
        tried += 1
        top = folder / f"{at}"
        top.mkdir()
        reached = True
        try:
            struck = mishap.strike(act, top, at)
            reached = struck.reached
            act.check(struck.directory, struck.story)
        except (Lost, JitiError) as error:
            lost.append(f"{mishap.name}, {act.name}, operation {at}: {error}")
        finally:
            shutil.rmtree(top)
        injected += reached
    return Row(mishap.name, act.name, injected, tuple(lost), tried == len(operations))
