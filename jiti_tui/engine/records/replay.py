"""Makes the revisions of a store again from their evidence, and tells whether each is the same."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from jiti_tui.engine.driver import Driver, Refused
from jiti_tui.engine.interface import commands
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.records.evidence import Evaluation, GoingBack, RepairStep, ResumeStep, Step, accepted_steps
from jiti_tui.errors import JitiError, StoreError
from jiti_tui.frozen import frozen
from jiti_tui.store.current import pointer
from jiti_tui.store.layout import CURRENT, PRUNED, revision_name
from jiti_tui.store.manifest import Manifest
from jiti_tui.store.store import Store
from jiti_tui.world.folder import World


@frozen
class Replayed:
    """What came of making a revision again. `reason` says why it is not the same, "" when it is.

    It is `pruned` when it cannot be made again, since what it was made from was removed on purpose.
    """

    revision: int
    id: str
    reason: str = ""
    pruned: bool = False


def replay(world: World, folder: Path) -> Iterator[Replayed]:
    """Make every revision of the world's store again, in a store of its own in `folder`, which is empty.

    Each begins from the one before as it is on disk, so that one which differs does not make all later ones differ.
    The lowest revision that is kept is made again only where it is the base, and none that went back to one which was
    pruned. Raises StoreError when a revision of the
    store is damaged, and what a session on the world can raise.
    """
    store = Store.open(world.store, read_only=True)
    current = store.current
    if current is None:
        raise StoreError(f"{world.store} has no revision yet.")
    numbers = range(store.lowest, current.revision + 1)
    lowest = numbers[0]
    replayer = _Replayer(replace(world, store=folder / "store"), world.store)
    try:
        for number in numbers:
            manifest = store.read(number).manifest
            gone = _gone(manifest, lowest)
            if gone:
                yield Replayed(number, manifest.id, gone, pruned=True)
            elif number == 0:
                yield replayer.base(manifest)
            else:
                yield replayer.made_again(manifest)
    finally:
        replayer.close()


def _gone(manifest: Manifest, lowest: int) -> str:
    """What was pruned that this revision was made from, a sentence; "" when all of it is there."""
    if manifest.revision == lowest > 0:
        return f"It was made from revision {lowest - 1}, which was pruned."
    for step in accepted_steps(manifest.events):
        if isinstance(step, GoingBack) and step.revision < lowest:
            return f"It went back to revision {step.revision}, which was pruned."
    return ""


class _Replayer:
    """A session on a copy of the store that ends before the revision which is to be made again."""

    def __init__(self, world: World, original: Path) -> None:
        self._world = world
        self._original = original
        self._driver: Driver | None = None
        self._made = -1
        """The last revision of the copy, which is that of the original."""

    def base(self, manifest: Manifest) -> Replayed:
        """Make revision 0 again."""
        try:
            self._open().idle()
        except JitiError as error:
            return self._failed(manifest, str(error))
        made = Store.open(self._world.store, read_only=True).read(0).manifest
        return self._compared(manifest, made.id)

    def made_again(self, manifest: Manifest) -> Replayed:
        """Make the revision of `manifest` again from the one before it."""
        if self._made != manifest.revision - 1:
            self._begin_after(manifest.revision - 1)
        steps = accepted_steps(manifest.events)
        if not steps:
            return self._failed(manifest, "Its evidence does not tell how it began.")
        try:
            return self._compared(manifest, self._perform(steps))
        except JitiError as error:
            return self._failed(manifest, str(error))

    def close(self) -> None:
        """End the session."""
        driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()

    def _perform(self, steps: list[Step]) -> str:
        driver = self._open()
        picture = driver.idle()
        for step in steps:
            picture = driver.attempt(_command(step, picture))
        return str(driver.accept().fields["id"])

    def _open(self) -> Driver:
        if self._driver is None:
            self._driver = Driver(self._world, Options(mode=Mode.REVIEW, compiles=False, environ=dict(os.environ)))
        return self._driver

    def _compared(self, manifest: Manifest, made: str) -> Replayed:
        if made != manifest.id:
            return self._failed(manifest, f"It comes out as {made}.")
        self._made = manifest.revision
        return Replayed(manifest.revision, manifest.id)

    def _failed(self, manifest: Manifest, reason: str) -> Replayed:
        self.close()
        return Replayed(manifest.revision, manifest.id, reason)

    def _begin_after(self, number: int) -> None:
        """Begin again with a copy of the original up to revision `number`."""
        self.close()
        copy = self._world.store
        if copy.exists():
            shutil.rmtree(copy)
        copy.mkdir(0o700)
        for other in range(number + 1):
            if (self._original / revision_name(other)).is_dir():
                shutil.copytree(self._original / revision_name(other), copy / revision_name(other))
        if (self._original / PRUNED).exists():
            shutil.copy(self._original / PRUNED, copy / PRUNED)
        (copy / CURRENT).write_bytes(pointer(number))
        self._made = number


def _command(step: Step, picture: Snapshot) -> commands.Command:
    painted = picture.painted
    match step:
        case Evaluation():
            return commands.Evaluate(painted, step.forms)
        case GoingBack():
            return commands.GoBack(painted, step.revision)
        case RepairStep():
            return commands.Repair(painted, step.forms)
        case ResumeStep():
            return commands.Resume(painted, _restart(step, picture), step.arguments)


def _restart(step: ResumeStep, picture: Snapshot) -> str:
    rows = picture.pause.restarts if picture.pause is not None else ()
    like = [row.id for row in rows if row.name == step.name]
    if step.nth >= len(like):
        raise Refused(f"The pause offers no restart {step.name} where the evidence has one.")
    return like[step.nth]
