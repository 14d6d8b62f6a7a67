"""A store's life in a few revisions, and what must be left of it after any crash."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from fakes.faulty_files import QuickFiles

from jiti_tui.store.files import Files
from jiti_tui.store.manifest import Manifest
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


@dataclass
class Story:
    """Plays revisions into a store and remembers, outside it, what was reported and what was begun."""

    reported: int = -1
    publishing: int = -1
    tell: Callable[[str], None] = lambda line: None

    def accept(self, store: Store, revision: int) -> Manifest:
        """Stage and publish `revision`, and log it as the engine does."""
        staged = store.stage(revision, *CONTENTS[revision])
        manifest = manifest_of(staged)
        self.publishing = revision
        self.tell(f"publishing {revision}")
        store.publish(staged, manifest)
        self.reported = revision
        self.tell(f"reported {revision}")
        store.append({"event": "accepted", "revision": revision, "generation": 2 * revision})
        return manifest

    def play(self, directory: Path, files: Files) -> None:
        """Two sessions: revisions 0 to 2, outcomes staged and rejected; then revision 3."""
        store = Store.open(directory, files=files)
        store.append({"event": "session", "recovered": False})
        self.accept(store, 0)
        self.accept(store, 1)
        store.append({"event": "attempt", "number": 2, "revision": 1})
        store.discard(store.stage(2, "(defun bad () 1)\n", CONTENTS[1][1]))
        store.append({"event": "restored", "reason": "no\nreason"}, flush=True)
        store.stage(2, "(defun bad () 2)\n", "")
        self.accept(store, 2)
        store.append({"event": "closed"})
        store.close()
        store = Store.open(directory, files=files)
        store.append({"event": "session", "recovered": True})
        self.accept(store, 3)
        store.append({"event": "closed"})
        store.close()


def check_survival(directory: Path, story: Story) -> None:
    """Open what a crash left; it is the last reported revision or the one being published, whole, and life goes on."""
    with closing(Store.open(directory, files=QuickFiles())) as store:
        current = -1 if store.current is None else store.current.revision
        assert current in {story.reported, story.publishing}
        if current >= 0:
            content = store.read(current)
            assert (content.definitions, content.data) == CONTENTS[current]
            assert [manifest.revision for manifest in store.history()] == list(range(current, store.lowest - 1, -1))
        assert verify_store(directory) == []
    with closing(Store.open(directory, files=QuickFiles())) as store:
        assert store.recovery.archived == ()
        Story().accept(store, current + 1)
    assert verify_store(directory) == []
