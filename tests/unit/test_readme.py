"""What the README and docs/model.md show is read as they say, and the README's world of one's own works."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jiti_tui.model.action import KINDS, parse_action
from jiti_tui.model.address import is_local
from jiti_tui.tui.settings import read_screen_settings
from jiti_tui.world.folder import read_world

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
MODEL_PAGE = (ROOT / "docs" / "model.md").read_text()

ANSWERS = (
    """(defvar *stock* (make-hash-table))
       (defun left (item) (gethash item *stock* 0))
       (defun receive (item count) (note (list :received item count)) (incf (gethash item *stock* 0) count))""",
    """(defun take (item count)
         (when (> count (left item)) (error "There are not ~D of ~A." count item))
         (decf (gethash item *stock*) count))
       (receive :screw 7)""",
)


def blocks(language: str, page: str = README) -> list[str]:
    """The code blocks of one language on a page, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


@pytest.fixture
def stock(tmp_path: Path) -> Path:
    """The README's world folder, with answers that meet its requests."""
    world = tmp_path / "stock"
    world.mkdir()
    toml, _, _ = blocks("toml")
    checks, adapter = blocks("lisp")
    goals, invariants = re.split(r"(?=^\(invariant)", checks, flags=re.MULTILINE)
    (world / "world.toml").write_text(toml)
    (world / "base.lisp").write_text(adapter)
    (world / "goals.lisp").write_text(goals)
    (world / "invariants.lisp").write_text(invariants)
    lines = [{"action": {"kind": "evaluate", "generation": None, "rationale": "", "forms": forms}} for forms in ANSWERS]
    (world / "transcript.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return world


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("jiti-tui")
    return subprocess.run(
        [str(program), *map(str, arguments)], capture_output=True, text=True, check=False, timeout=100
    )


def test_its_world_meets_its_requests_and_keeps_what_its_adapter_holds(stock: Path) -> None:
    told = run("run", stock, "--proposer", "replay", "--json", "--unsandboxed")
    assert told.returncode == 0, told.stdout + told.stderr
    kept = run("eval", stock, "(list (left :screw) (notes))")
    assert kept.stdout.splitlines()[-1:] == ["(7 ((:RECEIVED :SCREW 7)))"], kept.stderr


def test_a_transcript_has_a_line_of_each_kind() -> None:
    (lines,) = blocks("json", MODEL_PAGE)
    shown = [parse_action(line.replace("null", "0"), KINDS).kind for line in lines.splitlines()]
    assert sorted(shown) == sorted(KINDS)


def test_its_local_server_needs_no_key(tmp_path: Path) -> None:
    _, model, _ = blocks("toml")
    (tmp_path / "world.toml").write_text(f'packages = ["STOCK"]\n{model}')
    settings = read_world(tmp_path).model
    assert (settings.api, settings.model) == ("chat", "qwen3-coder")
    assert is_local(settings.base_url or "")


def test_its_config_file_reads_as_it_says(tmp_path: Path) -> None:
    _, _, config = blocks("toml")
    (tmp_path / "jiti-tui").mkdir()
    (tmp_path / "jiti-tui" / "config.toml").write_text(config)
    settings = read_screen_settings({"XDG_CONFIG_HOME": str(tmp_path)})
    assert (settings.theme, settings.complaints) == ("light", ())
    assert settings.keymap.name("U") == "u"
