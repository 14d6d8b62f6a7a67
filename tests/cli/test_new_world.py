"""From nothing to a world that runs, and what is told of one that does not."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from jiti_tui.cli.parser import Commands

Jiti = Callable[..., subprocess.CompletedProcess[str]]
RunJson = Callable[..., tuple[list[dict[str, object]], int]]


def test_a_new_world_runs_to_its_last_goal(tmp_path: Path, jiti: Jiti, run_json: RunJson) -> None:
    world = tmp_path / "my stock"
    made = jiti("new", world)
    assert made.returncode == 0
    assert f"Next: jiti-tui '{world}' opens it" in made.stdout
    assert jiti("check", world).stdout.startswith("Nothing is wrong.")
    events, code = run_json(world, "--proposer", "replay")
    assert code == 0
    assert [event["request"] for event in events if event["event"] == "goals-met"] == [1, 2]
    again = jiti("new", world)
    assert (again.returncode, again.stderr.startswith("jiti-tui: ")) == (2, True)


def test_a_new_world_shows_where_code_of_ones_own_goes(tmp_path: Path, jiti: Jiti) -> None:
    world = tmp_path / "my stock"
    assert jiti("new", world).returncode == 0
    toml = (world / "world.toml").read_text()
    (world / "world.toml").write_text(toml.replace("# load =", "load ="))
    (world / "base.lisp").write_text("(in-package #:my-stock)\n(defun own (item) (list :mine item))\n")
    assert "it begins with (in-package #:my-stock)" in toml
    assert jiti("eval", world, "(own 1)").stdout == "(:MINE 1)\n"
    described = jiti("eval", world, "(describe 'own)").stderr
    assert "Lambda-list: (ITEM)" in described
    assert "(LIST :MINE ITEM)" in described


def test_check_names_file_and_line_of_everything(sales_tax: Path, jiti: Jiti) -> None:
    (sales_tax / "goals.lisp").write_text('(goal "a"\n  t)\n(goal "a" t)\n')
    (sales_tax / "invariants.lisp").write_text('(invariant "b" t)\n(invariant "c"\n')
    (sales_tax / "transcript.jsonl").write_text('{"action": {"kind": "dance"}}\n')
    told = jiti("check", sales_tax)
    assert (told.returncode, told.stderr) == (2, "")
    lines = told.stdout.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith('goals.lisp line 3: The name "a" is taken')
    assert lines[1].startswith("invariants.lisp line 2: ")
    assert lines[2].startswith("transcript.jsonl line 1: The action's kind is 'dance'")
    (sales_tax / "invariants.lisp").write_text('(invariant "tax is never negative" t)\n')
    (sales_tax / "goals.lisp").write_text('(goal "the tax on 100.00 is 5.00" t)\n')
    names = jiti("check", sales_tax).stdout
    assert names.count("world.toml line ") == 6
    assert 'request 1 names the goal "100.00 costs 105.00", which is not in goals.lisp' in names


def test_check_reads_the_checks_where_the_base_does_not_load(sales_tax: Path, jiti: Jiti) -> None:
    toml = (sales_tax / "world.toml").read_text()
    (sales_tax / "world.toml").write_text('load = ["base.lisp"]\n' + toml)
    (sales_tax / "base.lisp").write_text('(in-package #:sales-tax)\n\n(error "no luck")\n')
    (sales_tax / "goals.lisp").write_text("(goal)\n")
    told = jiti("check", sales_tax)
    base, goals = told.stdout.splitlines()
    assert base.startswith("The base does not load: base.lisp line 3: ")
    assert goals.startswith("goals.lisp line 1: ")
    assert told.returncode == 2


def test_every_command_says_what_comes_next(jiti: Jiti) -> None:
    for parser in Commands().parsers.values():
        assert (parser.epilog or "").startswith("next: ")
    assert "first steps: jiti-tui new DIR" in jiti("--help").stdout


SHELLS = {
    "bash": "source /dev/stdin; COMP_WORDS=({}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
    '_jiti_tui; echo "${{COMPREPLY[@]}}"',
    "fish": "source; complete -C '{}'",
}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "found"),
    [("jiti-tui hist", "history"), ("jiti-tui run x --acc", "--accept"), ("jiti-tui open x --mode rev", "review")],
)
def test_shells_complete(shell: str, line: str, found: str, jiti: Jiti) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = jiti("completion", shell).stdout
    ended = subprocess.run(
        [shell, "-c", SHELLS[shell].format(line)], input=script, capture_output=True, text=True, check=True
    )
    assert found in ended.stdout.split()
    assert ended.stderr == ""


def test_the_script_for_zsh_is_one(jiti: Jiti) -> None:
    script = jiti("completion", "zsh").stdout
    assert script.startswith("#compdef jiti-tui\n")
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    subprocess.run(["zsh", "-n"], input=script, text=True, check=True)
