"""What differs between two revisions whose data lies in blocks."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Jiti = Callable[..., subprocess.CompletedProcess[str]]


def test_entries_of_blocks_are_told_by_name(tmp_path: Path, jiti: Jiti) -> None:
    world = tmp_path / "world"
    world.mkdir()
    (world / "world.toml").write_text('packages = ["LARGE"]\n')
    for name in ("goals.lisp", "invariants.lisp"):
        (world / name).write_text("")
    forms = (
        "(dotimes (i 60000) (setf (jiti:value i) i))",
        "(setf (jiti:value 5) :five (jiti:value 59999) nil (jiti:value :new) 1)",
    )
    actions = [{"kind": "evaluate", "generation": None, "forms": text} for text in forms]
    (world / "transcript.jsonl").write_text("".join(json.dumps({"action": action}) + "\n" for action in actions))
    jiti("run", world, "--request", "Fill it.", "--proposer", "replay", "--unsandboxed")
    assert len(list((world / "store/revision-2/data").iterdir())) > 5
    changes = json.loads(jiti("diff", world, "1", "2", "--json").stdout)["changes"]
    assert [(change["sign"], change["name"]) for change in changes] == [
        ("~", "(value 5)"),
        ("+", "(value :new)"),
        ("-", "(value 59999)"),
    ]
    assert (changes[0]["before"], changes[0]["after"]) == ("(value 5) 5", "(value 5) :five")
    assert jiti("diff", world, "2", "2").stdout == ""
