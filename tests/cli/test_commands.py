"""Exit codes and sentences of the commands, as scripts rely on them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[list[dict[str, Any]], int]]
Jiti = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize("options", [(), ("--ascii",), ("--mode", "ask"), ("--store", "/tmp/elsewhere", "--ascii")])
def test_screen_without_a_terminal_names_run(options: tuple[str, ...], sales_tax: Path, jiti: Jiti) -> None:
    ended = jiti(*options, sales_tax)
    assert ended.returncode == 2
    assert "jiti-tui run" in ended.stderr


@pytest.mark.parametrize("arguments", [(), ("--store", "/tmp/elsewhere")])
def test_nothing_to_open_is_said_in_a_sentence(arguments: tuple[str, ...], jiti: Jiti) -> None:
    ended = jiti(*arguments)
    assert ended.returncode == 2
    assert "name a world folder, or a command" in ended.stderr


@pytest.mark.parametrize("first", [True, False])
def test_the_store_can_be_named_before_the_command_and_after_it(
    first: bool, sales_tax: Path, tmp_path: Path, jiti: Jiti
) -> None:
    store = tmp_path / "nowhere"
    arguments = ("--store", store, "verify", sales_tax) if first else ("verify", sales_tax, "--store", store)
    ended = jiti(*arguments)
    assert (ended.returncode, f"{store} does not exist" in ended.stderr) == (3, True)


@pytest.mark.parametrize("command", ["history", "verify"])
def test_a_place_that_no_store_can_have_is_told(command: str, sales_tax: Path, jiti: Jiti) -> None:
    ended = jiti(command, sales_tax, "--store", "x" * 300)
    assert (ended.returncode, "cannot be read: File name too long" in ended.stderr) == (3, True)
    assert "Traceback" not in ended.stderr


def test_an_answer_that_is_no_action_takes_one_line(sales_tax: Path, tmp_path: Path, jiti: Jiti) -> None:
    transcript = tmp_path / "answers.jsonl"
    transcript.write_text("not JSON")
    told = jiti("run", sales_tax, "--transcript", transcript).stdout.splitlines()
    assert [line for line in told if "invalid" in line or "?" in line] == [
        "  invalid: Line 1 of the transcript: The answer is not JSON: Expecting value at line 1."
    ]


@pytest.mark.parametrize(
    ("form", "code", "out"),
    [
        ("(+ 1 2)", 0, "3"),
        ('(progn (format t "hello~%") :done)', 0, ":DONE"),
        ("'sales-tax::price", 0, "PRICE"),
        ("1.0d0", 0, "1.0d0"),
        ('(error "no")', 1, ""),
        ("(car 1)", 1, ""),
        ("(+ 1", 2, ""),
        (")", 2, ""),
        ("; nothing", 2, ""),
        ("1 #| open", 2, ""),
        ("(string (code-char #xD800))", 0, '"\\ud800"'),
        ("(map 'string #'code-char '(27 7 #x200C 65))", 0, '"\x1b\x07\u200cA"'),
    ],
)
def test_eval(form: str, code: int, out: str, sales_tax: Path, jiti: Jiti) -> None:
    ended = jiti("eval", sales_tax, form)
    assert (ended.returncode, ended.stdout.strip()) == (code, out)
    assert "Traceback" not in ended.stderr


def test_eval_prints_output_on_standard_error_and_changes_nothing(sales_tax: Path, jiti: Jiti) -> None:
    ended = jiti("eval", sales_tax, '(progn (setf (jiti:value :x) 1) (princ "said") (jiti:value :x))')
    assert (ended.stdout.splitlines()[-1], "said" in ended.stderr) == ("1", True)
    assert jiti("eval", sales_tax, "(jiti:value :x)").stdout.splitlines()[-1] == "NIL"


def test_eval_prints_the_output_of_a_form_that_signals(sales_tax: Path, jiti: Jiti) -> None:
    ended = jiti("eval", sales_tax, '(progn (princ "so far") (error "no further"))')
    assert ended.stderr.splitlines() == ["so far", "jiti-tui: SIMPLE-ERROR: no further"]


def test_any_character_goes_through_json(sales_tax: Path, tmp_path: Path, run_json: Run) -> None:
    transcript = tmp_path / "answers.jsonl"
    forms = "(setf (jiti:value :odd) (map (quote string) (function code-char) (list 0 27 955 #xD800)))"
    transcript.write_text(json.dumps({"action": {"kind": "evaluate", "generation": None, "forms": forms}}))
    events, _ = run_json(sales_tax, "--request", "Keep it.", "--transcript", transcript)
    assert [event["value"] for event in events if event["event"] == "value"] == ['"\x00\x1b\u03bb\ud800"']
    assert events[-1]["revision"] == 1


def test_endless_loop_in_eval_is_a_condition(sales_tax: Path, jiti: Jiti) -> None:
    (sales_tax / "world.toml").write_text(
        (sales_tax / "world.toml")
        .read_text()
        .replace("[[requests]]", "[limits]\nevaluate_seconds = 0.5\n[[requests]]", 1)
    )
    ended = jiti("eval", sales_tax, "(loop)")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "TIME-LIMIT" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "Try: jiti-tui --help"),
        (("run", "/nowhere"), 2, "does not exist"),
        (("/nowhere",), 2, "does not exist"),
        (("frobnicate",), 2, "does not exist"),
        (("verify", "{world}"), 3, "has not been opened"),
        (("run", "{world}", "--max-attempts", "0"), 2, "above 0"),
        (("run", "{world}", "--accept", "maybe"), 2, "jiti-tui run: argument --accept: invalid choice"),
        (("run", "{world}", "--proposer", "openai"), 4, "OPENAI_API_KEY"),
        (("run", "{world}", "--accept", "ask"), 2, "needs a terminal"),
        (("run", "{world}", "--transcript", "/nowhere"), 2, "/nowhere"),
        (("run", "{world}", "--request", ""), 2, "The request cannot be taken"),
    ],
)
def test_errors(arguments: tuple[str, ...], code: int, said: str, sales_tax: Path, jiti: Jiti) -> None:
    ended = jiti(*(argument.format(world=sales_tax) for argument in arguments))
    assert said in ended.stderr
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr


def test_verify_names_what_is_damaged(sales_tax: Path, tmp_path: Path, jiti: Jiti) -> None:
    store = tmp_path / "another place"
    assert jiti("run", sales_tax, "--unsandboxed", "--store", store).returncode == 0
    world, log = store / "revision-1/world.lisp", store / "events.sexp"
    world.write_text(world.read_text() + ";")
    log.write_bytes(b"0" + log.read_bytes())
    ended = jiti("verify", sales_tax, "--store", store)
    assert ended.returncode == 3
    first, second, remedy = ended.stderr.splitlines()
    assert first.startswith("jiti-tui: events.sexp: The record at byte 0 does not count")
    assert second.startswith(f"jiti-tui: {world} has not the ")
    assert remedy == f"jiti-tui: What is intact: jiti-tui recover {sales_tax} --store '{store}'"


def test_an_invariant_that_is_newer_than_the_revision_is_no_damage(sales_tax: Path, jiti: Jiti) -> None:
    assert jiti("run", sales_tax, "--unsandboxed").returncode == 0
    with (sales_tax / "invariants.lisp").open("a") as file:
        file.write('(invariant "food is free" (= 100.0 (total-price 100.0 :food)))\n')
    verified = jiti("verify", sales_tax)
    assert verified.returncode == 0
    assert 'Revision 3 breaks the invariant "food is free": (total-price 100.0 :food) => 102.0. That' in verified.stderr
    assert "imports and exports as it should" in verified.stdout


def test_budget(sales_tax: Path, run_json: Run) -> None:
    events, code = run_json(sales_tax, "--max-attempts", "3")
    assert (code, events[-1]["event"], events[-1]["revision"]) == (1, "stopped", 2)
    assert sum(event["event"] == "attempt" for event in events) == 3


def test_answers_that_come_to_nothing_end_the_run(sales_tax: Path, tmp_path: Path, run_json: Run) -> None:
    transcript = tmp_path / "answers.jsonl"
    transcript.write_text("{}\n" * 25)
    events, code = run_json(sales_tax, "--transcript", transcript)
    assert (code, events[-1]["event"]) == (1, "stopped")
    assert "20 answers in a row" in events[-1]["reason"]


def test_end_of_the_transcript_abandons_a_pause(sales_tax: Path, run_json: Run) -> None:
    lines = (sales_tax / "transcript.jsonl").read_text().splitlines()
    (sales_tax / "transcript.jsonl").write_text("\n".join(lines[:5]) + "\n")
    events, code = run_json(sales_tax)
    assert [event["event"] for event in events[-4:]] == ["paused", "abandoned", "restored", "stopped"]
    assert (code, events[-1]["revision"], events[-1]["generation"]) == (1, 2, 6)


def test_request_without_goals_ends_with_finish(sales_tax: Path, tmp_path: Path, run_json: Run) -> None:
    transcript = tmp_path / "answers.jsonl"
    transcript.write_text(
        '{"action": {"kind": "evaluate", "generation": null, "forms": "(setf (jiti:value :greeting) \\"hello\\")"}}\n'
        '{"action": {"kind": "finish", "generation": null}}\n'
    )
    events, code = run_json(sales_tax, "--request", "Greet.", "--transcript", transcript)
    assert [event["event"] for event in events] == [
        *("session", "request", "proposal", "attempt", "value", "checked", "published", "accepted"),
        *("proposal", "goals-met"),
    ]
    assert code == 0


def test_abandon_as_a_restart_takes_no_arguments(sales_tax: Path, tmp_path: Path, run_json: Run) -> None:
    transcript = tmp_path / "answers.jsonl"
    answers: list[dict[str, object]] = [
        {"kind": "evaluate", "forms": "(car 1)"},
        {"kind": "resume", "restart": "abandon", "arguments": ["1"]},
        {"kind": "resume", "restart": "abandon", "arguments": "1"},
        {"kind": "resume", "restart": "abandon", "arguments": []},
    ]
    transcript.write_text("".join(json.dumps({"action": {**one, "generation": None}}) + "\n" for one in answers))
    events, _ = run_json(sales_tax, "--transcript", transcript)
    told = [event for event in events if event["event"] not in ("session", "request", "attempt", "proposal")]
    assert [(event["event"], event["generation"]) for event in told] == [
        *(("paused", 1), ("invalid", 1), ("invalid", 1), ("abandoned", 2), ("restored", 2), ("stopped", 2))
    ]
    assert told[1]["reason"] == "The restart 0/2 abandon takes 0 arguments, not 1."
    assert told[2]["reason"] == "Line 3 of the transcript: The arguments of the action resume must be a list."


def test_a_request_of_the_command_line_is_another_request(sales_tax: Path, tmp_path: Path, run_json: Run) -> None:
    run_json(sales_tax)
    transcript = tmp_path / "answers.jsonl"
    answers = [
        {"kind": "evaluate", "generation": 9, "forms": "(setf (jiti:value :greeting) :hello)"},
        {"kind": "finish", "generation": 10},
    ]
    used_up = "\n" * 7
    transcript.write_text(used_up + "".join(json.dumps({"action": action}) + "\n" for action in answers))
    arguments = ("--request", "Greet.", "--transcript", transcript)
    events, code = run_json(sales_tax, *arguments)
    told = [(event["event"], event["generation"]) for event in events]
    assert told[:3] == [("session", 8), ("request", 9), ("proposal", 9)]
    assert (told[-1], code) == (("goals-met", 10), 0)
    again, _ = run_json(sales_tax, *arguments)
    assert [(event["event"], event["generation"]) for event in again[:2]] == [("session", 10), ("request", 10)]


@pytest.mark.parametrize("rest", ['(goal "b" (= 1 1)', '#| (goal "b" (= 1 1))'])
def test_check_file_that_does_not_read_is_named(rest: str, sales_tax: Path, jiti: Jiti) -> None:
    (sales_tax / "goals.lisp").write_text(f'(goal "a" t)\n\n{rest}\n')
    ended = jiti("run", sales_tax)
    assert ended.returncode == 2
    assert "goals.lisp line 3" in ended.stderr


def test_a_limit_that_is_lower_already_stays(sales_tax: Path, environment: dict[str, str]) -> None:
    command = (sys.executable, "-m", "jiti_tui", "eval", str(sales_tax), "(+ 1 2)")
    limited = ("sh", "-c", 'ulimit -n 60; exec "$@"', "sh", *command)
    ended = subprocess.run(limited, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("3\n", "", 0)
