"""Consent to published beside what else keeps a text durably: a commit of SQLite, and one of git."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from bench.alternation import alternate
from bench.publication import CHECKOUT, LEAST_FLUSH_MS, flush, publication
from bench.rows import Row
from jiti_tui.store.store import Store

ROUNDS = 41
GIT_GOAL = 5


async def measure() -> list[Row]:
    """Each on the disk of this checkout, in turn with ours, with the same definitions."""
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=CHECKOUT))
    store = Store.open(folder / "store")
    database = sqlite3.connect(folder / "rival.db", isolation_level=None)
    try:
        begin_database(database)
        begin_repository(folder / "git")
        slow_enough = 1000 * median([await flush(folder) for _ in range(21)]) >= LEAST_FLUSH_MS
        return [
            await _row(store, "SQLite commit, synchronous=FULL", lambda: commit_to_database(database), 1, slow_enough),
            await _row(
                store, "git commit, core.fsync=all", lambda: commit_to_git(folder / "git"), GIT_GOAL, slow_enough
            ),
        ]
    finally:
        store.close()
        database.close()
        shutil.rmtree(folder)


async def _row(store: Store, name: str, rival: Callable[[], Awaitable[float]], times: int, slow_enough: bool) -> Row:
    ours, theirs = await alternate(lambda: publication(store), rival, rounds=ROUNDS, warm_up=2)
    goal = "faster" if times == 1 else f"{times} times faster"
    if not slow_enough:
        return Row(
            "consent to published", ours, name, theirs, f"no goal: an fsync here takes less than {LEAST_FLUSH_MS:g} ms"
        )
    return Row("consent to published", ours, name, theirs, goal, times * ours <= theirs)


def begin_database(database: sqlite3.Connection) -> None:
    """A table for revisions, in rollback-journal mode: https://sqlite.org/pragma.html."""
    database.execute("PRAGMA journal_mode=DELETE")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE revision (number INTEGER PRIMARY KEY, definitions TEXT, data TEXT, manifest TEXT)")


async def commit_to_database(database: sqlite3.Connection) -> float:
    """Insert a revision and commit; the seconds that takes."""
    started = time.perf_counter()
    database.execute(
        "INSERT INTO revision (definitions, data, manifest) VALUES (?, '', ?)",
        (f"(defun revision () {started})", "x" * 600),
    )
    return time.perf_counter() - started


def begin_repository(folder: Path) -> None:
    """An empty repository whose owner wants everything flushed: git-config(1), core.fsync."""
    git(folder.parent, "init", "-q", str(folder))
    for key, value in {
        "core.fsync": "all",
        "core.fsyncMethod": "fsync",
        "gc.auto": "0",
        "user.name": "bench",
        "user.email": "bench@localhost",
        "commit.gpgSign": "false",
    }.items():
        git(folder, "config", key, value)


async def commit_to_git(folder: Path) -> float:
    """Write the definitions and stage them, as is done before consent, then commit; the seconds of the latter."""
    (folder / "world.lisp").write_text(f"(defun revision () {time.perf_counter()})\n")
    git(folder, "add", "world.lisp")
    started = time.perf_counter()
    git(folder, "commit", "-q", "-m", "~revision")
    return time.perf_counter() - started


def git(folder: Path, *arguments: str) -> None:
    """Run git in `folder`, with nothing of the user's configuration."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True)
