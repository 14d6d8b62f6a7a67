"""A store's life in a few revisions, and what must be left of it after anything that happens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.files import Files
from jiti_tui.store.layout import block_file
from jiti_tui.store.manifest import Manifest, Steps
from jiti_tui.store.migration import STEPS
from jiti_tui.store.publish import Staged
from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store

CONTENTS = {
    0: ("", ""),
    1: ("(defun rate () 0.05)\n", '(setf (value :note) "ä")\n'),
    2: ("(defun rate () 0.05)\n", "(setf (value :count) 2)\n"),
    3: ("(defun rate () 0.08) ; \ud800\n", "(setf (value :count) 2)\n"),
    4: ("(defun rate () 0.08) ; \ud800\n", "(setf (value :count) 2)\n"),
}
"""Definitions and data by revision; some equal their parent's, so that links are made."""

FILES: dict[int, dict[str, bytes]] = {
    0: {},
    1: {"docs/a.txt": b"a\n"},
    2: {"docs/a.txt": b"a\n"},
    3: {"docs/a.txt": b"b\n", "docs/deep/b.bin": b"\x00\xff"},
    4: {"docs/deep/b.bin": b"\x00\xff"},
}
"""The world's files."""

_ONE, _TWO = "0000000000000001", "0000000000000002"
BLOCKS: dict[int, dict[str, str]] = {
    0: {},
    1: {_ONE: "(value 1) 1\n"},
    2: {_ONE: "(value 1) 1\n"},
    3: {_ONE: "(value 1) 1\n", _TWO: "(value 2) 2\n"},
    4: {_TWO: "(value 2) 2\n"},
}
"""The blocks of data; those that the accepted revision has are taken over as they are."""


class Lost(Exception):
    """The store has not kept what it promises; the message is a sentence."""


def manifest_of(staged: Staged) -> Manifest:
    """The manifest with which the story publishes `staged`."""
    revision = staged.revision
    return staged.manifest(
        generation=2 * revision,
        request="Create a\nsales-tax calculator.",
        transcript_line=revision,
        sbcl="2.2.9.debian",
        kernel="k1",
        base={"base.lisp": "00ff"},
        events=[{"event": "proposal", "action": {"forms": "(+ 1\n   1)", "restart": None}, "tokens": 3}],
        time=1_800_000_000.25 + revision,
        summary=f"~rate {revision}",
        origin="operator",
        goals=(revision, 4),
    )


def stage(store: Store, revision: int, like: int | None = None) -> Staged:
    """Stage `revision`, with the content of `like` if given."""
    like = revision if like is None else like
    accepted = store.current
    there = {entry.name for entry in accepted.files} if accepted else set()
    kept = [name for name in BLOCKS[like] if block_file(name) in there]
    new = {name: text for name, text in BLOCKS[like].items() if name not in kept}
    return store.stage(revision, *CONTENTS[like], FILES[like], new, kept)


@dataclass
class Story:
    """Plays revisions into a store and remembers, outside it, what was reported and what was begun."""

    reported: int = -1
    publishing: int = -1
    tell: Callable[[str], None] = lambda line: None

    def accept(self, store: Store, revision: int, like: int | None = None) -> Manifest:
        """Stage and publish `revision`, with the content of `like` if given, and log it as the engine does."""
        staged = stage(store, revision, like)
        manifest = manifest_of(staged)
        self.publishing = revision
        self.tell(f"publishing {revision}")
        store.publish(staged, manifest)
        self.report(revision)
        store.append({"event": "accepted", "revision": revision, "generation": 2 * revision})
        return manifest

    def report(self, revision: int) -> None:
        """From now on `revision` is the accepted one, whatever happens."""
        self.reported = revision
        self.tell(f"reported {revision}")

    def play(self, directory: Path, files: Files) -> None:
        """Two sessions: revisions 0 to 2, outcomes staged and rejected; then revision 3."""
        with closing(Store.open(directory, files=files)) as store:
            store.append({"event": "session", "recovered": False})
            self.accept(store, 0)
            self.accept(store, 1)
            store.append({"event": "attempt", "number": 2, "revision": 1})
            store.discard(store.stage(2, "(defun bad () 1)\n", CONTENTS[1][1]))
            store.append({"event": "restored", "reason": "no\nreason"}, flush=True)
            store.stage(2, "(defun bad () 2)\n", "")
            self.accept(store, 2)
            store.append({"event": "closed"})
        with closing(Store.open(directory, files=files)) as store:
            store.append({"event": "session", "recovered": True})
            self.accept(store, 3)
            store.append({"event": "closed"})


def check_survival(
    directory: Path,
    story: Story,
    content_of: Callable[[int], int] = lambda number: number,
    steps: Steps = STEPS,
) -> None:
    """Open what is left; it is the last reported revision or the one being published, whole, and life goes on.

    `content_of` tells whose content a revision has, `steps` migrate the store. Raises Lost, or a StoreError.
    """
    with closing(Store.open(directory, files=QuickFiles(), steps=steps)) as store:
        current = -1 if store.current is None else store.current.revision
        _require(current in {story.reported, story.publishing}, f"revision {current} instead of {story.reported}")
        if current >= 0:
            content = store.read(current)
            like = content_of(current)
            found = (content.definitions, content.data), content.files, content.blocks
            same = found == (CONTENTS[like], FILES[like], BLOCKS[like])
            _require(same, f"revision {current} has another content")
            numbers = [manifest.revision for manifest in store.history()]
            _require(numbers == list(range(current, store.lowest - 1, -1)), f"the history is {numbers}")
        _require_whole(directory)
    with closing(Store.open(directory, files=QuickFiles())) as store:
        _require(not store.recovery.archived, f"recovery left {', '.join(store.recovery.archived)}")
        Story().accept(store, current + 1, 4)
    _require_whole(directory)


def _require_whole(directory: Path) -> None:
    findings = verify_store(directory)
    _require(not findings, "; ".join(map(str, findings)))


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise Lost(sentence)
