"""What a thousand revisions cost on disk when each changes one function."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from bench.publication import CHECKOUT
from bench.rivals import begin_repository, git
from bench.rows import Row
from jiti_tui.store.drill.faults import QuickFiles
from jiti_tui.store.store import Store

REVISIONS = 1000
FUNCTIONS = 100
DATA = ";;; The data of this world\n" + "".join(f"(value {key}) {key}\n" for key in range(2000))


async def measure() -> list[Row]:
    """Kilobytes of disk for a revision, beside one commit of the same files to git, in loose objects."""
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=CHECKOUT))
    try:
        keep_in_store(folder / "store")
        keep_in_git(folder / "git")
        ours, theirs = (blocks(folder / name) / 1024 / REVISIONS for name in ("store", "git/.git"))
    finally:
        shutil.rmtree(folder)
    whole = (len(definitions(0)) + len(DATA)) / 1024
    return [
        Row(
            "a revision that changes one function, on disk",
            ours,
            "git commit of the same",
            theirs,
            f"no goal; all it holds is {whole:.0f} KiB",
            unit="KiB",
        )
    ]


def definitions(revision: int) -> str:
    """A world of 100 functions, of which one says which revision it is."""
    bodies = [f"(defun f{number} (x)\n  (+ x {number}))\n" for number in range(FUNCTIONS - 1)]
    return "\n".join([*bodies, f"(defun revision () {revision})\n"])


def keep_in_store(directory: Path) -> None:
    """Publish them all. It waits for no disk, which changes nothing about what is on it."""
    store = Store.open(directory, files=QuickFiles())
    for revision in range(REVISIONS):
        staged = store.stage(revision, definitions(revision), DATA)
        proposal = {"kind": "evaluate", "generation": revision, "forms": f"(defun revision () {revision})"}
        manifest = staged.manifest(
            generation=revision,
            request="Say which revision this is.",
            transcript_line=revision,
            sbcl="2.2.9",
            kernel="0" * 64,
            base={},
            events=[{"event": "proposal", "action": proposal}, {"event": "attempt", "number": revision}],
            time=time.time(),
            summary="~revision",
            origin="bench",
            goals=(1, 1),
        )
        store.publish(staged, manifest)
    store.close()


def keep_in_git(folder: Path) -> None:
    """Commit them all, with no flushing."""
    begin_repository(folder)
    git(folder, "config", "core.fsync", "none")
    (folder / "data.sexp").write_text(DATA)
    for revision in range(REVISIONS):
        (folder / "world.lisp").write_text(definitions(revision))
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", f"revision {revision}")


def blocks(folder: Path) -> int:
    """The bytes that `folder` takes on disk; what has several names counts once."""
    found = {
        status.st_ino: status.st_blocks * 512 for status in (path.lstat() for path in [folder, *folder.rglob("*")])
    }
    return sum(found.values())
