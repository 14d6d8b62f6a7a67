"""What can go wrong: each mishap strikes at one file operation of an act."""

from __future__ import annotations

import errno
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from jiti_tui.errors import JitiError
from jiti_tui.frozen import frozen
from jiti_tui.store.drill.acts import Act
from jiti_tui.store.drill.faults import FaultyFiles, KilledFiles
from jiti_tui.store.drill.power import Disk, PowerFiles, PowerLost, Remains, every_chance, one_chance, restart
from jiti_tui.store.drill.story import Lost, Story

STORE = "store"


@frozen
class Struck:
    """What is left in `directory`; `story` remembers what was reported. `reached`: the act came to the operation."""

    directory: Path
    story: Story
    reached: bool


class Mishap(Protocol):
    """`strike` lets `act` run in the folder `top`, which is empty, until operation `at`, from 1, goes wrong.

    It yields each state in which that can leave the store, and removes it before the next one. `looking`: operations
    that change nothing count, too.
    """

    @property
    def name(self) -> str: ...

    @property
    def looking(self) -> bool: ...

    def strike(self, act: Act, top: Path, at: int) -> Iterator[Struck]: ...


@frozen
class Kill:
    """The process is killed before the operation."""

    name: str = "SIGKILL"
    looking: bool = False

    def strike(self, act: Act, top: Path, at: int) -> Iterator[Struck]:
        directory = top / STORE
        story = act.prepare(directory)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            with suppress(Exception), os.fdopen(writing, "w", buffering=1) as told:
                teller = Story(story.reported, story.publishing, lambda line: print(line, file=told))
                act.run(directory, KilledFiles(at), teller)
                status = 0
            os._exit(status)
        os.close(writing)
        with os.fdopen(reading) as told:
            for line in told:
                what, revision = line.split()
                setattr(story, what, int(revision))
        status = os.waitpid(child, 0)[1]
        if status != 0 and not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
            raise Lost("the process that was to be killed failed")
        yield Struck(directory, story, status != 0)


@frozen
class Power:
    """Power goes in the middle of the operation; `chances`, given a seed, says what is left of what was not flushed."""

    name: str
    chances: Callable[[Disk, int], Iterator[Remains]]
    looking: bool = False

    def strike(self, act: Act, top: Path, at: int) -> Iterator[Struck]:
        before, after = top / "before", top / "after"
        before.mkdir()
        story = act.prepare(before / STORE)
        files = PowerFiles(before, at)
        with suppress(PowerLost):
            act.run(before / STORE, files, story)
        for remains in self.chances(files.disk, at):
            restart(remains, after)
            yield Struck(after / STORE, story, files.lost)
            shutil.rmtree(after)


@frozen
class Refusal:
    """The disk refuses the operation, and with `lasting` everything after it; with `done` it had carried it out."""

    name: str
    number: int
    done: bool = False
    lasting: bool = False
    looking: bool = False

    def strike(self, act: Act, top: Path, at: int) -> Iterator[Struck]:
        directory = top / STORE
        story = act.prepare(directory)
        files = FaultyFiles(self.number, done=self.done, lasting=self.lasting, looking=self.looking)
        files.at = at
        try:
            act.run(directory, files, story)
        except JitiError:
            if not files.failed:
                raise
        yield Struck(directory, story, bool(files.failed))


MISHAPS: tuple[Mishap, ...] = (
    Kill(),
    Power("power lost, any part left, writes torn", one_chance),
    Power("power lost, every part left, writes torn", every_chance),
    Refusal("EIO, at what only reads too", errno.EIO, looking=True),
    Refusal("EIO for what was done", errno.EIO, done=True),
    Refusal("EACCES, at what only reads too", errno.EACCES, looking=True),
    Refusal("ENOSPC from then on", errno.ENOSPC, lasting=True),
    Refusal("EROFS from then on", errno.EROFS, lasting=True),
)
