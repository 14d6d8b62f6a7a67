"""All that is wrong with a world folder, and the files of a new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiti_tui.model.replay import transcript_problems
from jiti_tui.world.folder import read_world
from jiti_tui.world.problems import file_problems, folder_problems
from jiti_tui.world.template import package_for, template_files


def test_a_folder_tells_all_of_its_problems(tmp_path: Path) -> None:
    (tmp_path / "world.toml").write_text(
        'packages = ["W"]\ncolour = 1\nload = ["gone.lisp", "/etc/passwd"]\n[limits]\nheap_mb = 5\n'
    )
    keys, heap, gone, outside = sorted(folder_problems(tmp_path), key=lambda problem: problem[:17])[:4]
    assert keys.startswith("world.toml line 2: colour is not a known key")
    assert gone.startswith('world.toml line 3: load names "')
    assert {"does not exist" in gone, "does not exist" in heap} == {True, False}
    assert "outside the world folder" in gone + heap
    assert outside.startswith("world.toml line 5: limits.heap_mb")


@pytest.mark.parametrize("text", ["packages = [", "", 'packages = ["cl"]'])
def test_one_problem_is_told_once(tmp_path: Path, text: str) -> None:
    (tmp_path / "world.toml").write_text(text)
    assert len(folder_problems(tmp_path)) == 1
    (tmp_path / "world.toml").unlink()
    assert "has no world.toml" in folder_problems(tmp_path)[0]


def test_files_that_are_no_text_are_told_together(tmp_path: Path) -> None:
    (tmp_path / "world.toml").write_text('packages = ["W"]\nload = ["base.lisp"]\n')
    (tmp_path / "base.lisp").write_bytes(b";\n\xff")
    (tmp_path / "goals.lisp").write_bytes(b"\xfe")
    base, goals = file_problems(read_world(tmp_path))
    assert base.startswith("base.lisp line 2: ")
    assert goals.startswith("goals.lisp line 1: ")


def test_lines_of_a_transcript_that_are_no_action_are_named(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text(
        '{"action": {"kind": "resume", "generation": null, "restart": "use-value"}}\n'
        "\nnot json\n"
        '{"action": {"kind": "evaluate", "generation": 0}}\n'
    )
    third, fourth = transcript_problems(path)
    assert third.startswith("transcript.jsonl line 3: The answer is not JSON")
    assert fourth == "transcript.jsonl line 4: The action evaluate lacks its forms."


@pytest.mark.parametrize(
    ("folder", "package"),
    [("my stock", "MY-STOCK"), ("jiti", "WORLD-JITI"), ("sb-x", "WORLD-SB-X"), ("Größe", "GR-SSE"), ("!", "WORLD")],
)
def test_a_new_world_reads_whatever_its_folder_is_called(tmp_path: Path, folder: str, package: str) -> None:
    assert package_for(folder) == package
    path = tmp_path / folder
    path.mkdir()
    for name, text in template_files(folder).items():
        (path / name).write_text(text)
    assert read_world(path).packages == (package,)
