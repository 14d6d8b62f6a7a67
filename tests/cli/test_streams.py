"""Standard streams that are closed, full, or read by nobody."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[list[dict[str, Any]], int]]


def test_reader_that_goes_away_ends_a_run_in_order(
    sales_tax: Path, environment: dict[str, str], run_json: Run, family: Callable[[int], set[int]]
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "jiti_tui", "run", sales_tax, "--json", "--unsandboxed"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert (process.wait(60), process.stderr.read()) == (130, "")
    process.stderr.close()
    assert '"closed"' in (sales_tax / "store/events.sexp").read_text()
    events, code = run_json(sales_tax)
    assert (events[-1]["revision"], code) == (3, 0)


@pytest.mark.parametrize("arguments", [("run", "--json", "--unsandboxed"), ("history",), ("history", "--json")])
def test_full_disk_behind_standard_output_is_told(
    arguments: tuple[str, ...], sales_tax: Path, environment: dict[str, str], run_json: Run
) -> None:
    run_json(sales_tax)
    command, *options = arguments
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "jiti_tui", command, sales_tax, *options],
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert ended.returncode == 3
    assert ended.stderr == "jiti-tui: Standard output cannot be written: No space left on device.\n"


@pytest.mark.parametrize("arguments", [("run", "--accept", "ask"), ("open",)])
def test_closed_standard_input_is_no_terminal(
    arguments: tuple[str, ...], sales_tax: Path, environment: dict[str, str]
) -> None:
    command, *options = arguments
    ended = subprocess.run(
        [sys.executable, "-m", "jiti_tui", command, sales_tax, *options],
        env=environment,
        preexec_fn=lambda: os.close(0),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, "needs a terminal" in ended.stderr) == (2, True)


def test_a_value_cannot_steer_the_terminal_that_shows_it(sales_tax: Path, environment: dict[str, str]) -> None:
    terminal, end = os.openpty()
    ended = subprocess.run(
        [sys.executable, "-m", "jiti_tui", "eval", sales_tax, "(string (code-char 27))"],
        env=environment,
        stdout=end,
        timeout=60,
        check=False,
    )
    os.close(end)
    assert (ended.returncode, os.read(terminal, 100)) == (0, b'"\\x1b"\r\n')
    os.close(terminal)


def test_a_world_folder_that_cannot_be_looked_at_is_told_at_a_terminal(environment: dict[str, str]) -> None:
    terminal, end = os.openpty()
    ended = subprocess.run(
        [sys.executable, "-m", "jiti_tui", "x" * 300],
        env={**environment, "TERM": "xterm"},
        stdin=end,
        stdout=end,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    os.close(end)
    os.close(terminal)
    assert (ended.returncode, ended.stderr.count("\n"), "File name too long" in ended.stderr) == (2, 1, True)


def test_closed_standard_error_does_not_send_errors_to_standard_output(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "jiti_tui", "run", tmp_path / "nowhere", "--json"],
        env=environment,
        preexec_fn=lambda: os.close(2),
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")


def test_what_the_encoding_of_standard_output_lacks_is_escaped(sales_tax: Path, environment: dict[str, str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "jiti_tui", "eval", sales_tax, '"größer λ"'],
        env={**environment, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (ended.stdout, ended.stderr) == (b'"gr\xf6\xdfer \\u03bb"\n', b"")


@pytest.mark.parametrize("as_json", [True, False])
def test_answers_of_any_shape_are_invalid_and_nothing_else(
    as_json: bool, sales_tax: Path, tmp_path: Path, jiti: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    shapes: list[Any] = [
        {"action": "evaluate"},
        {"action": [1]},
        [],
        {"action": {"kind": "evaluate", "generation": 0, "forms": "1", "deep": deep}},
        {"action": {"kind": "evaluate", "generation": 10**200, "forms": "1"}},
        {"action": {"kind": "evaluate", "generation": 1.5, "": {"a b": True}}},
        {"action": {"kind": "evaluate", "generation": float("nan"), "forms": "\ud800"}},
    ]
    answers = [json.dumps(shape) for shape in shapes]
    transcript = tmp_path / "answers.jsonl"
    transcript.write_text("".join(f"{answer}\n" for answer in [*answers, "no JSON"]))
    ended = jiti("run", sales_tax, "--unsandboxed", "--transcript", transcript, *(["--json"] if as_json else []))
    assert ended.returncode == 1
    assert ended.stdout.count("invalid") == len(answers) + 1
    assert ended.stderr == "jiti-tui: answers.jsonl has no answer left after line 8.\n"


def test_output_of_a_form_ends_in_one_line_end(
    sales_tax: Path, jiti: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    for form in ('(progn (format t "said~%") 1)', '(progn (format t "said") 1)'):
        ended = jiti("eval", sales_tax, form)
        assert (ended.stdout, ended.stderr) == ("1\n", "said\n")


def test_what_is_told_of_an_error_steers_no_terminal(environment: dict[str, str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "jiti_tui", "run", "no\x1b[2Jworld"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr.startswith("jiti-tui: no\\x1b[2Jworld does not exist")


def test_an_error_that_nobody_reads_keeps_its_exit_code(environment: dict[str, str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "jiti_tui", "run", "nowhere"], env=environment, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    process.stderr.close()
    assert process.wait(60) == 2
