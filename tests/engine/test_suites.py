"""Suites in a session: tests as rows of the checklist, requests that name them, files that are saved meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.interface.commands import Go
from jiti_tui.engine.interface.phase import Mode, Phase

Open = Callable[..., Any]

FIVEAM = Path("/usr/share/common-lisp/source/fiveam")

pytestmark = pytest.mark.skipif(not FIVEAM.is_dir(), reason="FiveAM is missing; scripts/setup.sh installs it")

TOML = """
packages = ["PLAIN"]
systems = ["fiveam"]
load = ["tests.lisp"]

[[requests]]
text = "Make two."
goals = ["plain: makes-two"]

[[requests]]
text = "Make the rest."
goals = ["suite plain", "own"]
"""

TESTS = """
(defpackage #:plain (:use #:cl) (:export #:two #:three))
(defpackage #:plain-tests (:use #:cl #:fiveam #:plain))
(in-package #:plain-tests)
(def-suite :plain)
(in-suite :plain)
(test makes-two (is (= 2 (two))))
(test makes-three (is (= 3 (three))))
"""


@pytest.fixture
def world(plain_world: Path) -> Path:
    (plain_world / "world.toml").write_text(TOML)
    (plain_world / "tests.lisp").write_text(TESTS)
    (plain_world / "goals.lisp").write_text('(suite :plain)\n(goal "own" (= 5 (+ (two) (three))))\n')
    return plain_world


def test_a_session_with_a_suite(world: Path, open_session: Open, record: Callable[..., None]) -> None:
    record(
        world,
        {"kind": "evaluate", "rationale": "Two.", "forms": "(defun two () 2)"},
        {"kind": "evaluate", "rationale": "Three.", "forms": "(defun three () 3)"},
    )
    operator = open_session(world, mode=Mode.AUTO, proposer="replay")
    first = operator.wait(lambda snapshot: len(snapshot.checks) == 3)
    assert [(row.name, row.decides) for row in first.checks] == [
        ("plain: makes-two", True),
        ("plain: makes-three", False),
        ("own", False),
    ]
    assert "unexpected UNDEFINED-FUNCTION" in first.checks[0].detail
    operator.send(Go())
    last = operator.wait(lambda snapshot: snapshot.revision == 2 and snapshot.phase is Phase.MET)
    assert [row.ok for row in last.checks] == [True, True, True]
    assert [row.decides for row in last.checks] == [True, True, True]


def test_a_goals_file_that_is_saved_with_another_suite(world: Path, open_session: Open) -> None:
    (world / "world.toml").write_text(TOML.partition("[[requests]]")[0])
    operator = open_session(world)
    operator.wait(lambda snapshot: len(snapshot.checks) == 3)
    (world / "goals.lisp").write_text("(suite :plane)\n")
    changed = operator.wait(lambda snapshot: [row.name for row in snapshot.checks] == ["suite plane"])
    assert changed.checks[0].detail == "The base has no suite :plane; it has :plain."
