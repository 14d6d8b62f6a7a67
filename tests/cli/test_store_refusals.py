"""Commands about a store that another session holds, or that a newer version has written."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jiti_tui.store.store import Store

Jiti = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def held(world: Path) -> Iterator[Path]:
    """The demo world, whose store this process holds."""
    with closing(Store.open(world / "store")):
        yield world


@pytest.mark.parametrize("command", [["history"], ["show", "3"], ["diff", "2", "3"], ["verify"]], ids=lambda c: c[0])
def test_what_reads_works_beside_a_session(command: list[str], held: Path, jiti: Jiti) -> None:
    wanted = [] if command[0] == "verify" else ["--json"]
    ended = jiti(command[0], held, *command[1:], *wanted)
    assert (ended.returncode, ended.stderr) == (0, "")
    if wanted:
        assert [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.mark.parametrize(
    "command",
    [["revert", "1"], ["prune", "--keep", "1"], ["recover"], ["recover", "--to", "1"]],
    ids=" ".join,
)
def test_what_writes_is_told_who_holds_the_store_since_when(command: list[str], held: Path, jiti: Jiti) -> None:
    ended = jiti(command[0], held, *command[1:])
    assert ended.returncode == 3
    holder = f"in use by the jiti-tui with process number {os.getpid()} on {os.uname().nodename}, since 2"
    assert holder in ended.stderr
    assert "jiti-tui open --read-only WORLD" in ended.stderr
    assert Store.open(held / "store", read_only=True).pointer() == 3


@pytest.mark.parametrize("command", [["recover"], ["history"], ["revert", "1"]], ids=lambda command: command[0])
def test_a_newer_format_is_refused_with_the_version_that_reads_it(command: list[str], world: Path, jiti: Jiti) -> None:
    manifest = world / "store" / "revision-3" / "manifest.sexp"
    body = b'(:format 9 :jiti "7.1" :shape :new)\n'
    manifest.write_bytes(b'(:seal "%s")\n%s' % (hashlib.sha256(body).hexdigest().encode(), body))
    ended = jiti(command[0], world, *command[1:])
    assert ended.returncode == 3
    assert ended.stderr.strip().endswith("reads 1; use jiti-tui 7.1 or newer. Nothing was changed.")
    assert (world / "store" / "CURRENT").read_bytes() == b"revision-3\n"


def test_a_file_in_the_place_of_a_store_is_told(sales_tax: Path, tmp_path: Path, jiti: Jiti) -> None:
    taken = tmp_path / "taken"
    taken.touch()
    ended = jiti("run", sales_tax, "--unsandboxed", "--store", taken)
    assert ended.returncode == 3
    assert f"The store {taken} cannot be opened: Not a directory ({taken}). A file stands" in ended.stderr
