"""What a store does while it is broken: each act is prepared, done, and looked at afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from jiti_tui.errors import StoreDamaged
from jiti_tui.frozen import frozen
from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.drill.older import STEPS_FROM_OLDER, make_older
from jiti_tui.store.drill.story import Lost, Story, check_survival
from jiti_tui.store.files import Files
from jiti_tui.store.moving import intact_revisions, move_to
from jiti_tui.store.store import Store


@frozen
class Act:
    """`prepare` makes the store that `run` works on, both in the same directory; `check` raises what was lost."""

    name: str
    prepare: Callable[[Path], Story]
    run: Callable[[Path, Files, Story], None]
    check: Callable[[Path, Story], None] = check_survival


_TORN = b"0badf00d (:event"


def _nothing(_: Path) -> Story:
    return Story()


def _four_revisions(directory: Path) -> Story:
    story = Story()
    story.play(directory, QuickFiles())
    return story


def _debris(directory: Path) -> Story:
    """A store as a crash leaves it: a revision begun, its manifest half written, a record torn."""
    story = _four_revisions(directory)
    store = Store.open(directory, files=QuickFiles())
    store.append({"event": "session"})
    store.stage(4, "(defun lost () 1)\n", "")
    (directory / "revision-4" / "manifest.sexp").write_bytes(b'(:seal "')
    with (directory / "events.sexp").open("ab") as log:
        log.write(_TORN)
    copy = directory.with_name("copy")
    shutil.copytree(directory, copy)
    store.close()
    shutil.rmtree(directory)
    copy.rename(directory)
    return story


def _check_debris(directory: Path, story: Story) -> None:
    check_survival(directory, story)
    kept = [path.read_bytes() for path in (directory / "archive").glob("events.sexp-torn-*")]
    if _TORN not in kept:
        raise Lost("the torn record is not in the archive")


def _damaged(directory: Path) -> Story:
    """A store whose CURRENT is damaged."""
    story = _four_revisions(directory)
    (directory / "CURRENT").write_bytes(b"revision-?\n")
    return story


def _publish(directory: Path, files: Files, story: Story) -> None:
    story.play(directory, files)


def _revert(directory: Path, files: Files, story: Story) -> None:
    with closing(Store.open(directory, files=files)) as store:
        story.accept(store, 4, 1)


def _check_revert(directory: Path, story: Story) -> None:
    check_survival(directory, story, lambda number: 1 if number == 4 else number)


def _prune(directory: Path, files: Files, _: Story) -> None:
    with closing(Store.open(directory, files=files)) as store:
        store.prune(1)


def _open(directory: Path, files: Files, _: Story) -> None:
    Store.open(directory, files=files).close()


def _rotate(directory: Path, files: Files, _: Story) -> None:
    with closing(Store.open(directory, files=files)) as store:
        for number in range(3):
            store.append({"event": "note", "number": number, "text": "x" * 1024 * 1024})


def _older(directory: Path) -> Story:
    """A store of an older format, with a record torn."""
    story = _four_revisions(directory)
    make_older(directory)
    with (directory / "events.sexp").open("ab") as log:
        log.write(_TORN)
    return story


def _migrate(directory: Path, files: Files, _: Story) -> None:
    Store.open(directory, files=files, steps=STEPS_FROM_OLDER).close()


def _check_migrate(directory: Path, story: Story) -> None:
    """The store has come to this format, and a copy of it as it was is kept, once and whole."""
    check_survival(directory, story, steps=STEPS_FROM_OLDER)
    kept = [path for path in (directory / "archive").iterdir() if path.name.startswith("format-")]
    if len(kept) != 1:
        raise Lost(f"the archive has {len(kept)} copies")
    whole = [revision.manifest.revision for revision in intact_revisions(kept[0], steps=STEPS_FROM_OLDER)]
    if whole != [3, 2, 1, 0] or (kept[0] / "CURRENT").read_bytes() != b"revision-3\n":
        raise Lost(f"the copy in the archive has the revisions {whole}")


def _move(directory: Path, files: Files, story: Story) -> None:
    move_to(directory, 2, files)
    story.report(2)
    Store.open(directory, files=files).close()


def _check_move(directory: Path, story: Story) -> None:
    """Either nothing has happened yet or all; what was begun can be done again, and what was done lasts."""
    try:
        Store.open(directory, files=QuickFiles()).close()
    except StoreDamaged:
        if story.reported == 2:
            raise
        move_to(directory, 2, QuickFiles())
    check_survival(directory, Story(reported=2))


ACTS = (
    Act("publish", _nothing, _publish),
    Act("revert", _four_revisions, _revert, _check_revert),
    Act("prune", _four_revisions, _prune),
    Act("recover", _debris, _open, _check_debris),
    Act("move to another revision", _damaged, _move, _check_move),
    Act("rotate the log", _four_revisions, _rotate),
    Act("migrate", _older, _migrate, _check_migrate),
)
"""Publishing is a store's life from its beginning: four revisions and what is staged and rejected in between."""
