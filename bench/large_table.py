"""What a changed key costs in a large data table, from the attempt until its revision is published."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from bench.alternation import alternate
from bench.rows import Row
from jiti_tui.engine.engine import Engine
from jiti_tui.engine.interface.commands import Evaluate, Quit
from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.errors import WorkerError
from jiti_tui.world.folder import read_world

ENTRIES = 100_000
SECONDS = 300.0
RESTING = (Phase.NEW, Phase.MET, Phase.HELD)


class Session:
    """A session on a new world, in a folder of its own, that accepts every outcome by itself."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="jiti-bench-"))
        (self._folder / "world.toml").write_text('packages = ["TABLE"]\n')
        for name in ("goals.lisp", "invariants.lisp"):
            (self._folder / name).write_text("")
        self._moved = threading.Condition()
        self._engine = Engine(
            read_world(self._folder),
            Options(mode=Mode.AUTO, unsandboxed=True),
            on_snapshot=self._notice,
            on_event=self._notice,
        )
        self._engine.start()
        self._wait(lambda snapshot: snapshot.phase in RESTING)

    def publish(self, forms: str) -> float:
        """Have `forms` evaluated, verified and published; how many seconds that takes."""
        snapshot = self._engine.snapshot
        started = time.perf_counter()
        self._engine.send(Evaluate(snapshot.painted, forms))
        self._wait(lambda now: now.revision > snapshot.revision)
        seconds = time.perf_counter() - started
        self._wait(lambda now: now.phase in RESTING)
        return seconds

    def close(self) -> None:
        """End the session and remove its folder."""
        self._engine.send(Quit())
        self._engine.join(SECONDS)
        shutil.rmtree(self._folder)

    def _notice(self, _news: Snapshot | Event) -> None:
        with self._moved:
            self._moved.notify_all()

    def _wait(self, condition: Callable[[Snapshot], bool]) -> None:
        with self._moved:
            if not self._moved.wait_for(lambda: condition(self._engine.snapshot), SECONDS):
                raise WorkerError(f"The session has not come on within {SECONDS:g} s: {self._engine.snapshot.reason}")


def filling(entries: int) -> str:
    """Forms that fill the table with lists."""
    return f"(dotimes (i {entries}) (setf (jiti:value i) (list i (* 2 i) :some)))"


def first_publication(entries: int = ENTRIES) -> float:
    """Fill the table of a new world and publish it; the seconds of that."""
    session = Session()
    try:
        return session.publish(filling(entries))
    finally:
        session.close()


async def measure() -> list[Row]:
    """One key changed and published in a table of 100,000 lists, against the first publication of that table."""
    session = await asyncio.to_thread(Session)
    keys = iter(range(0, ENTRIES, 997))
    try:
        await asyncio.to_thread(session.publish, filling(ENTRIES))

        async def changed() -> float:
            return await asyncio.to_thread(session.publish, f"(setf (jiti:value {next(keys)}) :changed)")

        async def whole() -> float:
            return await asyncio.to_thread(first_publication)

        ours, theirs = await alternate(changed, whole, rounds=5)
    finally:
        await asyncio.to_thread(session.close)
    return [Row(f"one key of {ENTRIES:,} changed and published", ours, "first publication of the table", theirs)]
