from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jiti_tui.errors import Exit, WorldFolderError
from jiti_tui.world.folder import World, read_world

Write = Callable[..., World]
BARE = 'packages = ["BANK"]\n'


def test_only_packages_is_required(write: Write, folder: Path) -> None:
    world = write(BARE)
    assert (world.path, world.name, world.title) == (folder, "bank", "bank")
    assert world.packages == ("BANK",)
    assert (world.load, world.systems, world.requests) == ((), (), ())
    assert world.invariants is world.goals is world.transcript is None
    assert world.store == folder / "store"
    limits = world.limits
    assert (limits.heap_mb, limits.evaluate_seconds, limits.check_seconds) == (1024, 10, 2)
    assert (limits.output_bytes, limits.forms_bytes, limits.depth) == (65536, 65536, 200)
    assert world.policy.allow == world.policy.deny == ()


def test_everything_that_world_toml_can_say(write: Write, folder: Path) -> None:
    world = write(
        """
title = "Bank"
packages = ["BANK", "BANK-UTIL"]
load = ["base/util.lisp", "base/bank.lisp"]
systems = ["alexandria"]
invariants = "checks/invariants.lisp"
goals = "checks/goals"

[[requests]]
text = "Open accounts."
goals = ["an account opens"]
invariants = ["nobody owes"]

[[requests]]
text = "Move money."

[model]
model = "gpt-5.1-mini"
base_url = "http://127.0.0.1:8080/v1"
reasoning_effort = "low"
max_output_tokens = 4096
temperature = 1

[limits]
heap_mb = 512
evaluate_seconds = 0.5

[policy]
allow = ["ALEXANDRIA"]
deny = ["CL:FORMAT"]
""",
        {
            "base/util.lisp": "1",
            "base/bank.lisp": "2",
            "checks/invariants.lisp": "3",
            "checks/goals/a.lisp": "4",
            "transcript.jsonl": "",
        },
    )
    assert world.title == "Bank"
    assert world.load == (folder / "base/util.lisp", folder / "base/bank.lisp")
    assert world.systems == ("alexandria",)
    assert (world.invariants, world.goals) == (folder / "checks/invariants.lisp", folder / "checks/goals")
    assert world.requests[0].goals == ("an account opens",)
    assert world.requests[0].invariants == ("nobody owes",)
    assert (world.requests[1].text, world.requests[1].goals, world.requests[1].invariants) == ("Move money.", None, ())
    assert (world.model.model, world.model.max_output_tokens, world.model.temperature) == ("gpt-5.1-mini", 4096, 1.0)
    assert (world.limits.heap_mb, world.limits.evaluate_seconds, world.limits.check_seconds) == (512, 0.5, 2)
    assert (world.policy.allow, world.policy.deny) == (("ALEXANDRIA",), ("CL:FORMAT",))
    assert world.transcript == folder / "transcript.jsonl"
    assert world.shown(world.load[0]) == "base/util.lisp"


def test_default_check_files_are_found(write: Write, folder: Path) -> None:
    world = write(BARE, {"invariants.lisp": "", "goals/one.lisp": ""})
    assert (world.invariants, world.goals) == (folder / "invariants.lisp", folder / "goals")


def test_two_places_for_goals_are_one_too_many(write: Write) -> None:
    with pytest.raises(WorldFolderError, match=r"both goals\.lisp and goals/"):
        write(BARE, {"goals.lisp": "", "goals/one.lisp": ""})


def test_the_store_can_be_elsewhere(folder: Path, write: Write, tmp_path: Path) -> None:
    write(BARE)
    assert read_world(folder, tmp_path / "elsewhere").store == tmp_path / "elsewhere"


def test_the_name_is_that_of_the_folder_however_it_is_named(
    folder: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(BARE)
    monkeypatch.chdir(folder)
    assert read_world(Path()).name == "bank"


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("", "world.toml: packages is missing"),
        ("packages = []", "world.toml line 1: packages is missing or empty"),
        ('packages = "BANK"', "world.toml line 1: packages must be a list"),
        ('packages = ["bank"]', 'write a package\'s name as Lisp prints it, "BANK"'),
        ('packages = ["BANK", "BANK"]', '"BANK" is there twice'),
        ('packages = ["SB-EXT"]', "belongs to Lisp itself"),
        ('packages = ["CL-USER"]', 'write "COMMON-LISP-USER"'),
        (f"{BARE}titel = 'x'", "world.toml line 2: titel is not a known key; write title"),
        (f"{BARE}\n[limits]\nheap = 3", "world.toml line 4: limits.heap is not a known key; write heap_mb"),
        (f"{BARE}[limits]\nheap_mb = '3'", "world.toml line 3: limits.heap_mb: input should be a valid integer"),
        (f"{BARE}[limits]\ncheck_seconds = inf", "world.toml line 3: limits.check_seconds: "),
        (f"{BARE}[limits]\ndepth = true", "world.toml line 3: limits.depth: "),
        (f"{BARE}limits.depth = 0", "limits.depth: input should be greater"),
        (f"{BARE}limits = 3", "world.toml line 2: limits must be a table"),
        (f"{BARE}[model]\napi_key = 'sk'", "model.api_key is not a known key"),
        (f"{BARE}[model]\nbase_url = 'ftp://x'", "write an address such as"),
        (f"{BARE}[[requests]]\ngoals = []", "world.toml line 2: text of request 1 is missing"),
        (
            f"{BARE}[[requests]]\ntext = 'x'\n[[requests]]\ntext = ' '",
            "world.toml line 5: text of request 2: it is empty",
        ),
        (f"{BARE}title = 'a\\u001b'\n[[requests]]\ntext = \"\\u001b[2J\"", "control character"),
        (f"{BARE}load = ['../x.lisp']", 'line 2: load names "../x.lisp", which is outside the world folder'),
        (f"{BARE}load = ['/etc/passwd']", "which is outside the world folder"),
        (f"{BARE}load = ['x.lisp']", "which does not exist"),
        (f"{BARE}load = ['.']", "which is not a file"),
        (f"{BARE}load = ['{'x' * 300}']", "which does not exist"),
        (f"{BARE}goals = 'goals'", 'line 2: goals names "goals", which does not exist'),
        (f"{BARE}invariants = 'loop'", "which does not exist"),
        (f"{BARE}title = ", "world.toml line 2: this is not TOML"),
        (f"{BARE}x = {'[' * 100_000}", "world.toml: this is not TOML"),
        (f"{BARE}x = {'9' * 5000}", "world.toml: this is not TOML"),
        (f'{BARE}"\\u001b[2J" = 1', r"'\\x1b[2J' is not a known key"),
    ],
)
def test_what_is_wrong_is_named(write: Write, folder: Path, toml: str, message: str) -> None:
    (folder / "loop").symlink_to("loop")
    with pytest.raises(WorldFolderError) as raised:
        write(toml)
    sentence = str(raised.value)
    assert message.replace("\\\\", "\\") in sentence
    assert sentence.isprintable()
    assert len(sentence) < 600
    assert raised.value.exit_code == Exit.USAGE


def test_a_link_out_of_the_folder_is_refused(write: Write, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.lisp").write_text("1")
    (folder / "base.lisp").symlink_to(tmp_path / "secret.lisp")
    with pytest.raises(WorldFolderError, match="outside the world folder"):
        write(f'{BARE}load = ["base.lisp"]')


def test_places_that_are_no_world_folder(tmp_path: Path) -> None:
    with pytest.raises(WorldFolderError, match="does not exist"):
        read_world(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(WorldFolderError, match="not a folder"):
        read_world(tmp_path / "file")
    with pytest.raises(WorldFolderError, match=r"has no world\.toml"):
        read_world(tmp_path)
    with pytest.raises(WorldFolderError, match="File name too long"):
        read_world(tmp_path / ("x" * 300))
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(WorldFolderError, match="does not exist"):
        read_world(tmp_path / "circle")


def test_world_toml_that_is_no_text(write: Write, folder: Path) -> None:
    (folder / "world.toml").write_bytes(b'packages = ["A"]\ntitle = "\xff"\n')
    with pytest.raises(WorldFolderError, match=r"world\.toml line 2: the byte 0xff is not UTF-8"):
        read_world(folder)
    (folder / "world.toml").unlink()
    os.mkfifo(folder / "world.toml")
    with pytest.raises(WorldFolderError, match="is not a file"):
        read_world(folder)
