"""Exported worlds load, and pass their checks, in an SBCL that has never heard of jiti-tui."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Jiti = Callable[..., subprocess.CompletedProcess[str]]

DEMO_WORLDS = Path(__file__).parents[2] / "demo_worlds"
NAMES = sorted(path.parent.name for path in DEMO_WORLDS.glob("*/transcript.jsonl"))


def passed(jiti: Jiti, world: Path, folder: Path) -> str:
    """Export the accepted revision of `world`, have SBCL do what the command says, and return what that printed."""
    number = (world / "store" / "CURRENT").read_text().strip().removeprefix("revision-")
    exported = jiti("export", world, number, folder / "project")
    assert exported.returncode == 0, exported.stderr
    _, forms = exported.stdout.splitlines()
    (folder / "test.lisp").write_text(forms)
    ended = subprocess.run(
        ["sbcl", "--non-interactive", "--no-sysinit", "--no-userinit", "--load", str(folder / "test.lisp")],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize("name", NAMES)
def test_a_demo_world(name: str, tmp_path: Path, played: Callable[[str], Any], jiti: Jiti) -> None:
    world = played(name).world
    folder = tmp_path / '[a] "b" \\ *'
    folder.mkdir()
    assert "Fail: 0 " in passed(jiti, world, folder)
    revision = world / "store" / (world / "store" / "CURRENT").read_text().strip() / "files"
    # Checks that write files of the world do so to copies.
    for path in revision.rglob("*"):
        exported = folder / "project" / "files" / path.relative_to(revision)
        assert path.is_dir() or exported.read_bytes() == path.read_bytes()


def test_definitions_that_stand_above_what_they_need(tmp_path: Path, jiti: Jiti) -> None:
    """A new text stands where the old one stood, and a macro behind what used a function of that name."""
    world = tmp_path / "world"
    world.mkdir()
    (world / "world.toml").write_text('packages = ["ORDER"]\n[[requests]]\ntext = "Keep."\n')
    (world / "invariants.lisp").write_text("")
    (world / "goals.lisp").write_text(
        '(goal "value" (equal *value* 2))\n(goal "use" (equal (use) :macro))\n(goal "not yet" (fboundp \'nothing))\n'
    )
    forms = (
        "(defparameter *value* 1) (defun use () (m)) (defun m () :function) (defun two () 2)",
        "(fmakunbound 'm) (defmacro m () :macro) (defparameter *value* (two))",
    )
    actions = [{"kind": "evaluate", "generation": None, "forms": text} for text in forms]
    (world / "transcript.jsonl").write_text("".join(json.dumps({"action": action}) + "\n" for action in actions))
    jiti("run", world, "--proposer", "replay", "--unsandboxed")
    text = (world / "store/revision-2/world.lisp").read_text()
    assert text.index("*value* (two)") < text.index("(defun two")
    assert text.index("(defun use") < text.index("(defmacro m")
    assert "Pass: 2 (100%)" in passed(jiti, world, tmp_path)
