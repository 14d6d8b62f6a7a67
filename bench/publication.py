"""How long the operator waits from consent until the revision is on disk."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path

from bench.alternation import alternate
from bench.rows import Row
from jiti_tui.store.store import Store

CHECKOUT = Path(__file__).parents[1]
GOAL = 2.5
LEAST_FLUSH_MS = 1.0


async def measure() -> list[Row]:
    """Publishing a staged revision against one fsync of a new file of 4 KiB, on the disk of this checkout."""
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=CHECKOUT))
    store = Store.open(folder / "store")
    try:
        ours, theirs = await alternate(lambda: publication(store), lambda: flush(folder), rounds=101, warm_up=3)
    finally:
        store.close()
        shutil.rmtree(folder)
    applies = theirs >= LEAST_FLUSH_MS
    return [
        Row(
            "consent to published",
            ours,
            "fsync of a new 4 KiB file",
            theirs,
            remark=f"at most {GOAL} times"
            if applies
            else f"no goal: an fsync here takes less than {LEAST_FLUSH_MS:g} ms",
            met=ours <= GOAL * theirs if applies else None,
        )
    ]


async def publication(store: Store) -> float:
    """Stage the next revision, as is done before consent, then publish it; the seconds of the latter."""
    revision = store.current.revision + 1 if store.current else 0
    staged = store.stage(revision, f"(in-package #:sales-tax)\n\n(defun revision () {revision})\n", "")
    started = time.perf_counter()
    manifest = staged.manifest(
        generation=revision,
        request="Say which revision this is.",
        transcript_line=revision,
        sbcl="",
        kernel="",
        base={},
        events=(),
        time=time.time(),
        summary="~revision",
        origin="bench",
        goals=(1, 1),
    )
    store.publish(staged, manifest)
    return time.perf_counter() - started


async def flush(folder: Path) -> float:
    """Make a file of 4 KiB in `folder` and flush it; the seconds that takes."""
    path = folder / "flushed"
    started = time.perf_counter()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(descriptor, bytes(4096))
    os.fsync(descriptor)
    seconds = time.perf_counter() - started
    os.close(descriptor)
    path.unlink()
    return seconds
