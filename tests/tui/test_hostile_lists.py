"""Text that others wrote, in every list and sheet: it is painted as it is, costs what is seen, and obeys nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from fakes.keyboard import keys

from jiti_tui.engine.interface.query_results import Compared, ShownRevision, TracedCheck
from jiti_tui.engine.interface.snapshot import Change, ChangeSign, Snapshot
from jiti_tui.tui.picture import draw
from jiti_tui.tui.state.errand import CopyText
from jiti_tui.tui.state.scene import Shown

HOSTILE = (
    "[/foo][ABORT] \x1b[2J\x1b]0;mine\x07 \u202eabc\u2066 a\u200bb \ud800 \r\n\t漢字 e\u0301\u0301\u0301"
    + "x" * 1_000_000
)


@pytest.fixture
def hostile(states: dict[str, Snapshot]) -> Snapshot:
    """A session of which every text is hostile."""
    base = states["ready"]
    check = base.checks[0]
    return replace(
        base,
        checks=(replace(check, name=HOSTILE, detail=HOSTILE, file=HOSTILE, text=HOSTILE),),
        revisions=tuple(replace(row, summary=HOSTILE, request=HOSTILE, origin=HOSTILE) for row in base.revisions),
        proposals=tuple(
            replace(row, reason=HOSTILE, body=HOSTILE, rationale=HOSTILE, value=HOSTILE, warnings=(HOSTILE,))
            for row in base.proposals
        ),
        shown_revision=ShownRevision(2, (HOSTILE[:5000], HOSTILE[:300]), HOSTILE),
        compared=Compared(1, 2, (Change(ChangeSign.CHANGED, HOSTILE[:90], HOSTILE[:90], HOSTILE, HOSTILE[:300]),)),
        traced=TracedCheck(check.kind, HOSTILE, True, 1, 0, HOSTILE),
    )


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
@pytest.mark.parametrize(
    "pressed",
    [
        ("F3",),
        ("F3", "enter"),
        ("F4",),
        ("F4", "enter"),
        ("F4", "d"),
        ("F5",),
        ("F5", "enter"),
        ("F5", "/", "text foo"),
    ],
)
def test_hostile_text_is_painted_as_it_is(
    pressed: tuple[str, ...], size: tuple[int, int], hostile: Snapshot, shown: Callable[..., Shown]
) -> None:
    width, height = size
    _, _, after = keys(shown(hostile, width=width, height=height), *pressed)
    began = time.process_time()
    picture = draw(after.scene)
    assert time.process_time() - began < 2
    for line in (*picture.head, *picture.rail, *picture.stage, *picture.foot):
        text = "".join(run.text for run in line)
        assert text.isprintable()
        assert not {"\u202e", "\u2066", "\u200b", "\x1b"} & set(text)


@pytest.mark.parametrize("pressed", [("F3", "y"), ("F5", "y"), ("F4", "d", "y")])
def test_what_is_copied_is_the_text_itself(
    pressed: tuple[str, ...], hostile: Snapshot, shown: Callable[..., Shown]
) -> None:
    errand = keys(shown(hostile), *pressed)[1].errand
    assert isinstance(errand, CopyText)
    assert "\x1b[2J" in errand.text
