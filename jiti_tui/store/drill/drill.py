"""The drill: every mishap at every operation of every act, and what came of it."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from jiti_tui.errors import JitiError
from jiti_tui.frozen import frozen
from jiti_tui.store.drill.acts import ACTS, Act
from jiti_tui.store.drill.faults import CHANGING, SteppingFiles
from jiti_tui.store.drill.mishaps import MISHAPS, STORE, Mishap
from jiti_tui.store.drill.story import Lost, Story
from jiti_tui.store.layout import LOCK, LOG


@frozen
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
    ended: Callable[[], bool] = lambda: False,
) -> Iterator[Row]:
    """Break stores in `folder`, a directory that is there, and tell a row for each mishap and act.

    With `seconds`, about, a mishap strikes at as many operations as there is time for, all over the act. Once `ended`
    is true, the row under way is the last. Leaves nothing behind. Raises OSError when the folder cannot be written.
    """
    prepared = folder / "prepared"
    prepared.mkdir()
    try:
        once = [_prepared_once(act, prepared / f"{number}") for number, act in enumerate(acts)]
        operations = {act.name: _operations(folder, act) for act in once}
        end = None if seconds is None else time.monotonic() + seconds
        left = len(acts) * len(mishaps)
        for mishap in mishaps:
            for act in once:
                now = time.monotonic()
                limit = None if end is None else now + (end - now) / left
                strikes = _strikes(folder, mishap, act, operations[act.name][mishap.looking])
                yield _row(mishap, act, strikes, _over(limit, ended))
                if ended():
                    return
                left -= 1
    finally:
        shutil.rmtree(prepared)


def _prepared_once(act: Act, made: Path) -> Act:
    """`act`, with a store that is prepared in `made` and copied from there each time."""
    story = act.prepare(made)

    def prepare(directory: Path) -> Story:
        if made.exists():
            shutil.copytree(made, directory, copy_function=_share)
        return replace(story)

    return replace(act, prepare=prepare)


def _share(source: str, target: str) -> None:
    """Link what a store never opens for writing again, where links are possible, and copy the rest."""
    if Path(source).name not in (LOG, LOCK):
        try:
            os.link(source, target)
        except OSError:
            pass
        else:
            return
    shutil.copyfile(source, target)


def _operations(folder: Path, act: Act) -> dict[bool, list[int]]:
    """The numbers of the operations of `act`, in an order whose beginnings are spread over all of it.

    False: of those that change something; true: of all.
    """
    top = folder / "counted"
    top.mkdir()
    try:
        story = act.prepare(top / STORE)
        files = SteppingFiles(looking=True)
        act.run(top / STORE, files, story)
    finally:
        shutil.rmtree(top)
    changing = sum(seen.split()[0] in CHANGING for seen in files.seen)
    return {looking: _shuffled(count) for looking, count in ((False, changing), (True, files.steps))}


def _shuffled(count: int) -> list[int]:
    numbers = list(range(1, count + 1))
    random.Random(count).shuffle(numbers)  # noqa: S311 - the same dice each time, no secret
    return numbers


def _over(end: float | None, ended: Callable[[], bool]) -> Callable[[], bool]:
    return lambda: ended() or (end is not None and time.monotonic() > end)


def _row(mishap: Mishap, act: Act, strikes: Generator[tuple[bool, str], None, None], over: Callable[[], bool]) -> Row:
    injected = 0
    lost: list[str] = []
    while not over():
        reached, loss = next(strikes, (None, ""))
        if reached is None:
            return Row(mishap.name, act.name, injected, tuple(lost), whole=True)
        injected += reached
        lost += [f"{mishap.name}, {act.name}, {loss}"] if loss else []
    strikes.close()
    return Row(mishap.name, act.name, injected, tuple(lost), whole=False)


def _strikes(
    folder: Path, mishap: Mishap, act: Act, operations: Sequence[int]
) -> Generator[tuple[bool, str], None, None]:
    for at in operations:
        top = folder / f"{at}"
        top.mkdir()
        try:
            for reached, loss in _struck(mishap, act, top, at):
                yield reached, loss and f"operation {at}: {loss}"
        finally:
            shutil.rmtree(top)


def _struck(mishap: Mishap, act: Act, top: Path, at: int) -> Iterator[tuple[bool, str]]:
    """Whether the operation was reached, and what was lost, for each state in which the mishap left the store."""
    try:
        for struck in mishap.strike(act, top, at):
            try:
                act.check(struck.directory, struck.story)
            except (Lost, JitiError) as error:
                yield struck.reached, str(error)
            else:
                yield struck.reached, ""
    except (Lost, JitiError) as error:
        yield True, str(error)
