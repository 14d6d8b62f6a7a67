from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from jiti_tui.errors import WorldFolderError
from jiti_tui.world.check_files import read_base_files, read_check_files, watched_folders
from jiti_tui.world.folder import World

Write = Callable[..., World]
BARE = 'packages = ["BANK"]\n'


def test_files_come_with_the_hash_of_their_bytes(write: Write) -> None:
    text = '; Zürich\r\n(goal "x" t)\n'
    files = read_check_files(write(BARE, {"goals.lisp": text, "invariants.lisp": ""}))
    (goals,) = files.goals
    assert (goals.file, goals.text) == ("goals.lisp", text)
    assert goals.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert [file.file for file in files.invariants] == ["invariants.lisp"]


def test_a_folder_of_goals_is_read_in_the_order_of_names(write: Write) -> None:
    world = write(BARE, {"goals/b.lisp": "b", "goals/a.lisp": "a", "goals/.#a.lisp": "lock", "goals/notes.txt": "no"})
    assert [file.file for file in read_check_files(world).goals] == ["goals/a.lisp", "goals/b.lisp"]


def test_the_hash_of_all_moves_with_names_and_contents(write: Write, folder: Path) -> None:
    world = write(BARE, {"goals/a.lisp": "x", "invariants.lisp": "y"})
    seen = {read_check_files(world).sha256}
    assert read_check_files(world).sha256 in seen
    (folder / "goals/a.lisp").write_text("z")
    seen.add(read_check_files(world).sha256)
    (folder / "goals/a.lisp").rename(folder / "goals/b.lisp")
    seen.add(read_check_files(world).sha256)
    (folder / "invariants.lisp").write_text("")
    seen.add(read_check_files(world).sha256)
    assert len(seen) == 4


def test_a_world_without_checks(write: Write) -> None:
    files = read_check_files(write(BARE))
    assert files.goals == files.invariants == ()


def test_a_byte_order_mark_is_no_part_of_the_text(write: Write) -> None:
    (goals,) = read_check_files(write(BARE, {"goals.lisp": b"\xef\xbb\xbf(x)"})).goals
    assert goals.text == "(x)"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"(a)\n(b \xc3\x28)\n", r"goals\.lisp line 2: the byte 0xc3 is not UTF-8"),
        (b"\xef\xbb\xbf(a)\n\xff", r"goals\.lisp line 2: the byte 0xff is not UTF-8"),
        (b" " * 1_048_577, r"goals\.lisp is larger than 1048576 bytes"),
    ],
)
def test_files_that_do_not_read(write: Write, content: bytes, message: str) -> None:
    world = write(BARE, {"goals.lisp": content})
    with pytest.raises(WorldFolderError, match=message):
        read_check_files(world)


def test_a_file_that_is_gone(write: Write, folder: Path) -> None:
    world = write(BARE, {"goals.lisp": ""})
    (folder / "goals.lisp").unlink()
    with pytest.raises(WorldFolderError, match=r"goals\.lisp is not a file, or is gone"):
        read_check_files(world)


def test_a_goal_file_that_leads_out_of_the_folder(write: Write, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.lisp").write_text("")
    world = write(BARE, {"goals/a.lisp": ""})
    (folder / "goals/b.lisp").symlink_to(tmp_path / "outside.lisp")
    with pytest.raises(WorldFolderError, match=r"goals/b\.lisp is a link to a place outside"):
        read_check_files(world)


def test_base_files_come_in_the_order_of_loading(write: Write) -> None:
    world = write(f'{BARE}load = ["z.lisp", "a.lisp"]', {"a.lisp": "1", "z.lisp": "2"})
    assert [(file.file, file.text) for file in read_base_files(world)] == [("z.lisp", "2"), ("a.lisp", "1")]


def test_the_folders_to_watch(write: Write, folder: Path) -> None:
    world = write(f'{BARE}invariants = "checks/all.lisp"', {"goals/a.lisp": "", "checks/all.lisp": ""})
    assert watched_folders(world) == (folder, folder / "checks", folder / "goals")
