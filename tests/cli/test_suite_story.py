"""The demo world that is an ASDF system: its own test suite decides, and a recorded model repairs it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[list[dict[str, Any]], int]]
Jiti = Callable[..., subprocess.CompletedProcess[str]]

ROMAN = Path(__file__).parents[2] / "demo_worlds" / "roman_numerals"
FIVEAM = Path("/usr/share/common-lisp/source/fiveam")

pytestmark = pytest.mark.skipif(not FIVEAM.is_dir(), reason="FiveAM is missing; scripts/setup.sh installs it")

TESTS = [
    "roman: writes-small-numbers",
    "roman: writes-hundreds",
    "roman: writes-no-zero",
    "roman: reads-sums",
    "roman: reads-differences",
    "roman: reads-what-it-writes",
    "roman: refuses-what-is-no-numeral",
]


@pytest.fixture
def roman(tmp_path: Path) -> Path:
    """A copy of the demo world, with no store."""
    return Path(shutil.copytree(ROMAN, tmp_path / "roman", ignore=shutil.ignore_patterns("store")))


def test_story(played: Callable[[str], Any], jiti: Jiti) -> None:
    roman, events, code = played(ROMAN.name)
    assert code == 0
    assert [event["event"] for event in events] == [
        *("session", "request", "proposal", "attempt", "value", "checked", "published", "accepted", "goals-met"),
        *("request", "proposal", "attempt", "value", "checked", "restored"),
        *("proposal", "attempt", "paused", "proposal", "repaired", "proposal", "resumed", "value", "checked"),
        *("published", "accepted", "goals-met"),
    ]
    checked = [event for event in events if event["event"] == "checked"]
    assert [goal["name"] for goal in checked[0]["goals"]] == TESTS[:3]
    assert "a letter that is no sign is refused" in events[14]["reason"]
    assert [(goal["name"], goal["ok"]) for goal in checked[-1]["goals"]] == [(name, True) for name in TESTS]
    assert jiti("eval", roman, '(list (to-roman 1994) (from-roman "MCMXCIV"))').stdout == '("MCMXCIV" 1994)\n'
    verified = jiti("verify", roman)
    assert verified.returncode == 0, verified.stderr
    world = sorted((roman / "store").glob("revision-*"))[-1] / "world.lisp"
    assert "(defun to-roman" not in world.read_text()
    assert "(defun letters-sum" in world.read_text()


def test_a_base_that_has_changed_since(played: Callable[[str], Any], run_json: Run, jiti: Jiti) -> None:
    """The revision is imported and checked on the new base; where an invariant breaks, the start says what changed."""
    roman = played(ROMAN.name).world
    source = roman / "src" / "roman.lisp"
    text = source.read_text()
    source.write_text(text + "\n(defun added () :yes)\n")
    assert jiti("eval", roman, "(list (added) (to-roman 4))").stdout == '(:YES "IV")\n'
    events, code = run_json(roman, "--proposer", "replay")
    assert ([event["event"] for event in events], code) == (["session", "goals-met"], 0)
    source.write_text(text.replace("(write-string sign stream)", "(write-string (reverse sign) stream)"))
    broken = jiti("run", roman, "--proposer", "replay")
    assert broken.returncode == 3
    assert 'Revision 2 breaks the invariant "small numbers are written as ever"' in broken.stderr
    assert "The base has changed since revision 2 was accepted (system roman)" in broken.stderr
    source.write_text(text.rstrip().removesuffix(")"))
    unreadable = jiti("run", roman, "--proposer", "replay")
    assert unreadable.returncode == 2
    assert "world.toml line 6: the base does not load:" in unreadable.stderr
    assert "roman.lisp" in unreadable.stderr
    assert "Traceback" not in unreadable.stderr


def test_what_is_missing_is_named(roman: Path, jiti: Jiti) -> None:
    toml = (roman / "world.toml").read_text()
    (roman / "world.toml").write_text(toml.replace('"roman/tests"', '"romans"'))
    ended = jiti("run", roman)
    assert ended.returncode == 2
    assert "world.toml line 6: the base does not load: No system named romans; looked in" in ended.stderr
    (roman / "world.toml").write_text(toml.replace('"suite roman"', '"roman: sings"'))
    ended = jiti("run", roman)
    assert ended.returncode == 2
    assert 'names the goal "roman: sings", which is not in goals.lisp' in ended.stderr
