"""The commands about the store, as scripts and people use them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.store.store import Store
from jiti_tui.store.verify import verify_store

Jiti = Callable[..., subprocess.CompletedProcess[str]]


def answer(ended: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The last line of JSON that a command printed."""
    found = json.loads(ended.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def test_show_tells_how_a_revision_came_about_and_what_it_holds(world: Path, jiti: Jiti) -> None:
    told = jiti("show", world, "3").stdout
    for line in (
        "revision 3, live",
        "paused at level 0: UNDEFINED-FUNCTION: The function SALES-TAX::RECEIPT is undefined.",
        "    (defun receipt (price)",
        "  resumed by 0/0",
        "  restored: invariant",
        "  function total-price",
    ):
        assert line in told
    fields = answer(jiti("show", world, "2", "--json"))
    assert (fields["revision"], fields["parent"], fields["current"]) == (2, 1, False)
    assert [held["name"] for held in fields["holds"]] == ["sales-tax", "total-price"]
    proposals = [event for event in fields["events"] if event["event"] == "proposal"]
    assert all(len(event["view"]) == 64 and "tokens" in event for event in proposals)


def test_diff_tells_by_name(world: Path, jiti: Jiti) -> None:
    told = jiti("diff", world, "2", "3").stdout.splitlines()
    assert [line for line in told if not line.startswith(" ")] == ["~ function total-price", "+ function receipt"]
    assert "    -(defun total-price (price rate) (+ price (sales-tax price rate)))" in told
    backwards = answer(jiti("diff", world, "3", "2", "--json"))
    assert [(change["sign"], change["name"]) for change in backwards["changes"]] == [
        ("~", "total-price"),
        ("-", "receipt"),
    ]
    assert jiti("diff", world, "2", "2").stdout == ""


def test_what_no_longer_imports_is_shown_as_its_files_are(world: Path, jiti: Jiti) -> None:
    (world / "base.lisp").write_text("(defpackage #:sales-tax (:use))\n")
    (world / "world.toml").write_text('load = ["base.lisp"]\n' + (world / "world.toml").read_text())
    shown = jiti("show", world, "3")
    assert shown.returncode == 0
    assert "does not import" in shown.stderr
    assert "  file world.lisp" in shown.stdout
    assert "      (defun receipt (price)" in shown.stdout
    assert "    +(defun receipt (price)" in jiti("diff", world, "2", "3").stdout


def test_revert_makes_a_new_revision_that_is_checked(world: Path, jiti: Jiti) -> None:
    assert jiti("revert", world, "1").stdout == "Revision 4 is the world of revision 1.\n"
    store = Store.open(world / "store", read_only=True)
    assert store.read(4).definitions == store.read(1).definitions
    made = answer(jiti("revert", world, "2", "--json"))
    assert made == {"revision": 5, "like": 2, "id": store.read(5).manifest.id}
    for revision, code, said in (("5", 2, "is the accepted one already"), ("9", 3, "There is no revision 9")):
        ended = jiti("revert", world, revision)
        assert (ended.returncode, said in ended.stderr) == (code, True)


def test_revert_that_the_checks_refuse_changes_nothing(world: Path, jiti: Jiti) -> None:
    (world / "invariants.lisp").write_text('(invariant "a receipt" (fboundp (quote receipt)))\n')
    toml = (world / "world.toml").read_text()
    (world / "world.toml").write_text(
        "\n".join(row for row in toml.split("\n") if not row.startswith("invariants = ["))
    )
    ended = jiti("revert", world, "2")
    assert ended.returncode == 1
    assert 'Revision 2 does not come back: invariant "a receipt" broke' in ended.stderr
    assert Store.open(world / "store", read_only=True).pointer() == 3


def test_prune_and_what_the_history_says_of_it(world: Path, jiti: Jiti) -> None:
    assert answer(jiti("prune", world, "--keep", "2", "--json")) == {"removed": 2, "lowest": 2, "current": 3}
    assert jiti("history", world).stdout.splitlines()[-1] == "    0 to 1  pruned"
    assert answer(jiti("history", world, "--json")) == {"pruned": [0, 1]}
    assert len(jiti("history", world, "--limit", "1").stdout.splitlines()) == 1
    ended = jiti("show", world, "1")
    assert (ended.returncode, "Revision 1 was pruned" in ended.stderr) == (3, True)
    assert jiti("prune", world, "--keep", "0").returncode == 2
    assert verify_store(world / "store") == []


def test_recover_names_what_is_intact_and_moves_there(world: Path, jiti: Jiti) -> None:
    assert jiti("recover", world).stdout == "Nothing was to be done. Revision 3 is the accepted one, and whole.\n"
    definitions = world / "store" / "revision-3" / "world.lisp"
    definitions.write_text("(defun")
    refused = jiti("run", world, "--unsandboxed")
    assert refused.returncode == 3
    assert "world.lisp has not the" in refused.stderr
    assert "jiti-tui recover WORLD" in refused.stderr
    ended = jiti("recover", world)
    assert ended.returncode == 3
    assert "Intact: 2, 1, 0. `jiti-tui recover WORLD --to 2` moves to revision-2." in ended.stderr
    damaged = jiti("recover", world, "--to", "3")
    assert (damaged.returncode, "world.lisp has not the" in damaged.stderr) == (3, True)
    assert answer(jiti("recover", world, "--to", "2", "--json")) == {"revision": 2, "archived": ["revision-3"]}
    assert jiti("verify", world).returncode == 0
    assert jiti("eval", world, "(total-price 100.0 0.05)").stdout == "105.0\n"


def test_recover_does_not_move_to_what_does_not_import(world: Path, jiti: Jiti) -> None:
    (world / "base.lisp").write_text("(defpackage #:sales-tax (:use))\n")
    (world / "world.toml").write_text('load = ["base.lisp"]\n' + (world / "world.toml").read_text())
    ended = jiti("recover", world, "--to", "2")
    assert ended.returncode == 3
    assert "Nothing was moved. The revision does not import" in ended.stderr
    assert (world / "store" / "CURRENT").read_text() == "revision-3\n"


def test_replay_makes_every_revision_again(world: Path, jiti: Jiti) -> None:
    told = [json.loads(line) for line in jiti("replay", world, "--json").stdout.splitlines()]
    assert [(line["revision"], line["same"]) for line in told] == [(0, True), (1, True), (2, True), (3, True)]


def test_replay_says_what_cannot_be_made_again_since_history_was_pruned(world: Path, jiti: Jiti) -> None:
    assert jiti("revert", world, "1").returncode == 0
    assert jiti("revert", world, "3").returncode == 0
    assert jiti("prune", world, "--keep", "3").returncode == 0
    ended = jiti("replay", world, "--json")
    told = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [(line["revision"], line["same"], line["reason"]) for line in told] == [
        (3, None, "It was made from revision 2, which was pruned."),
        (4, None, "It went back to revision 1, which was pruned."),
        (5, True, ""),
    ]
    assert ended.returncode == 0
    assert jiti("verify", world).returncode == 0


def test_replay_says_which_revision_is_not_the_same(sales_tax: Path, tmp_path: Path, jiti: Jiti) -> None:
    transcript = tmp_path / "answers.jsonl"
    forms = [
        "(defun f () 1)",
        "(setf (jiti:value :when) (list (get-universal-time) (random 1000000000 (make-random-state t))))",
        "(defun f () 2)",
    ]
    actions = [{"kind": "evaluate", "generation": None, "forms": text} for text in forms]
    actions.append({"kind": "finish", "generation": None})
    transcript.write_text("".join(json.dumps({"action": action}) + "\n" for action in actions))
    jiti("run", sales_tax, "--request", "Do it.", "--transcript", transcript, "--unsandboxed")
    ended = jiti("replay", sales_tax)
    assert ended.returncode == 3
    said = [line.split()[2] for line in ended.stdout.splitlines()]
    assert said == ["the", "the", "differs", "the"]


SBCL = '(require "asdf") (push #p"{}/" asdf:*central-registry*) (asdf:test-system "{}")'


def test_export_loads_and_passes_its_tests_in_plain_sbcl(world: Path, tmp_path: Path, jiti: Jiti) -> None:
    (world / "base.lisp").write_text(
        """(in-package #:sales-tax)
(defclass ledger (jiti:adapter) () (:default-initargs :name "ledger"))
(let ((lines '()))
  (defun note (line) (push line lines))
  (defun notes () lines)
  (defmethod jiti:observe ((adapter ledger) (part (eql :data))) (list (cons "lines" lines)))
  (defmethod jiti:import-world ((adapter ledger) (part (eql :data)) items)
    (setf lines (rest (assoc "lines" items :test #'equal)))))
(make-instance 'ledger)
"""
    )
    shutil.rmtree(world / "store")
    (world / "world.toml").write_text('load = ["base.lisp"]\npackages = ["SALES-TAX"]\n[[requests]]\ntext = "Keep."\n')
    (world / "invariants.lisp").write_text("")
    (world / "goals.lisp").write_text(
        """(goal "notes" (equal (notes) '(2 1)))
(goal "a check may change" (progn (note 9) (= (length (notes)) 3)))
(goal "and the next does not see it" (= (length (notes)) 2))
(goal "the table" (and (= 59999 (jiti:value 59999)) (equal "ä" (gethash 1 (jiti:value :table)))))
(goal "one object" (eq (first *points*) (second *points*)))
(goal "an instance" (eq (slot-value *holder* 'point) (first *points*)))
(goal "not yet" (null (notes)))
"""
    )
    forms = """(defmacro twice (x) (double-form x))
(defun double-form (x) `(list ,x ,x))
(defstruct point x)
(defclass holder () ((point :initarg :point)))
(defvar *points* (twice (load-time-value (make-point :x 3))))
(defvar *holder* (make-instance 'holder :point (first *points*)))
(dotimes (i 60000) (setf (jiti:value i) i))
(setf (jiti:value :table) (let ((table (make-hash-table))) (setf (gethash 1 table) "ä") table))
(setf (second *points*) (first *points*))
(note 1) (note 2)"""
    action = {"kind": "evaluate", "generation": None, "forms": forms}
    (world / "transcript.jsonl").write_text(json.dumps({"action": action}) + "\n")
    jiti("run", world, "--unsandboxed")
    project = tmp_path / "project"
    fields = answer(jiti("export", world, "1", project, "--json"))
    assert [name for name in fields["files"] if "/data/" in f"/{name}"]
    script = tmp_path / "test.lisp"
    script.write_text(SBCL.format(project, fields["system"]))
    ended = subprocess.run(
        ["sbcl", "--non-interactive", "--no-sysinit", "--no-userinit", "--load", str(script)],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "Pass: 6 (100%)" in ended.stdout
    assert jiti("export", world, "1", project).returncode == 2


def test_drill_leaves_nothing_behind(tmp_path: Path, jiti: Jiti) -> None:
    ended = jiti("drill", tmp_path, "--seconds", "3")
    assert ended.returncode == 0
    head, *rows, last = ended.stdout.splitlines()
    assert head.split() == ["fault", "while", "the", "store", "does", "injected", "survived", "lost"]
    assert len(rows) > 50
    injected, survived, lost = map(int, last.split()[-3:])
    assert (injected > 0, survived, lost) == (True, injected, 0)
    assert list(tmp_path.iterdir()) == []
    assert jiti("drill", tmp_path / "nowhere").returncode == 2


@pytest.mark.parametrize(
    "command", ["history", "show", "diff", "revert", "export", "prune", "recover", "replay", "drill", "verify"]
)
def test_every_command_is_in_the_help_and_the_readme(command: str, jiti: Jiti) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    assert f"| `jiti-tui {command} " in readme
    assert f"\n    {command} " in jiti("--help").stdout


@pytest.mark.parametrize(
    "command", [["show", "1"], ["diff", "0", "1"], ["prune", "--keep", "1"], ["recover"], ["replay"]]
)
def test_a_world_that_was_never_opened_is_told(command: list[str], sales_tax: Path, jiti: Jiti) -> None:
    ended = jiti(command[0], sales_tax, *command[1:])
    assert ended.returncode == 3
    assert "Traceback" not in ended.stderr
    assert not (sales_tax / "store").exists()
