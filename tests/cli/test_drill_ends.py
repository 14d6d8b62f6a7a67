"""A drill that is ended early leaves nothing behind, and says nothing that is not so."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest


def started(folder: Path) -> subprocess.Popen[str]:
    program = Path(sys.executable).with_name("jiti-tui")
    process = subprocess.Popen(
        [str(program), "drill", str(folder), "--seconds", "30", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("{")
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_by_a_signal(number: signal.Signals, tmp_path: Path) -> None:
    process = started(tmp_path)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert list(tmp_path.iterdir()) == []


def test_by_a_reader_that_goes(tmp_path: Path) -> None:
    process = started(tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 0
    assert list(tmp_path.iterdir()) == []
