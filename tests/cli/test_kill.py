"""SIGKILL of the controller at any moment of the story: nothing accepted is lost, and no process survives."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[list[dict[str, Any]], int]]


class Killed:
    """One run of the story that was killed: what it had reported, and which processes it had."""

    def __init__(
        self, world: Path, environment: dict[str, str], delay: float, family: Callable[[int], set[int]]
    ) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "jiti_tui", "run", world, "--json"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.family: set[int] = set()

        def kill() -> None:
            if process.poll() is None:
                self.family = family(process.pid)
                process.kill()

        timer = threading.Timer(delay, kill)
        timer.start()
        output, self.errors = process.communicate()
        timer.cancel()
        self.code = process.returncode
        whole = output[: output.rfind(b"\n") + 1]
        self.events: list[dict[str, Any]] = [json.loads(line) for line in whole.splitlines()]

    @property
    def accepted(self) -> int:
        """The last revision that was reported as accepted or published, -1 when none was."""
        reported = [
            event["revision"] for event in self.events if event["event"] in ("published", "accepted", "session")
        ]
        return max(reported, default=-1)


def kill_and_recover(
    world: Path,
    environment: dict[str, str],
    times: int,
    seed: int,
    family: Callable[[int], set[int]],
    wait_gone: Callable[[set[int]], None],
) -> None:
    chance = random.Random(seed)
    floor = -1
    for _ in range(times):
        killed = Killed(world, environment, chance.uniform(0.1, 2.5), family)
        wait_gone(killed.family)
        assert b"Traceback" not in killed.errors
        session = next((event for event in killed.events if event["event"] == "session"), None)
        if session is not None:
            assert floor <= session["revision"] <= floor + 1
        floor = max(floor, killed.accepted)


def test_killed_at_random_moments(
    sales_tax: Path,
    environment: dict[str, str],
    run_json: Run,
    family: Callable[[int], set[int]],
    wait_gone: Callable[[set[int]], None],
) -> None:
    kill_and_recover(sales_tax, environment, 8, 1, family, wait_gone)
    events, code = run_json(sales_tax)
    assert (events[-1]["revision"], code) == (3, 0)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(2, 8))
def test_killed_at_random_moments_many_times(
    seed: int,
    sales_tax: Path,
    environment: dict[str, str],
    run_json: Run,
    family: Callable[[int], set[int]],
    wait_gone: Callable[[set[int]], None],
) -> None:
    kill_and_recover(sales_tax, environment, 20, seed, family, wait_gone)
    events, code = run_json(sales_tax)
    assert (events[-1]["revision"], code) == (3, 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_end_a_run_with_130(
    number: signal.Signals,
    sales_tax: Path,
    environment: dict[str, str],
    family: Callable[[int], set[int]],
    wait_gone: Callable[[set[int]], None],
) -> None:
    (sales_tax / "transcript.jsonl").write_text(
        '{"action": {"kind": "evaluate", "generation": null, "forms": "(loop)"}}\n'
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "jiti_tui", "run", sales_tax, "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if '"event":"attempt"' in line:
            break
    pids = family(process.pid)
    process.send_signal(number)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, "Traceback" in errors) == (130, False)
    wait_gone(pids)
