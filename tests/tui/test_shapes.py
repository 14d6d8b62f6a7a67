"""Every picture fits its screen, whatever the state, the size and the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

import pytest
from fakes.states import STATES

from jiti_tui.engine.interface.query_results import Completions, Looked, ReadVerdict
from jiti_tui.engine.interface.snapshot import Notice, Snapshot
from jiti_tui.tui.picture import Picture, draw
from jiti_tui.tui.state.form import Form
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.typed import Typed
from jiti_tui.tui.state.view import Draft, Inside, Marks, Pane, Prompt, Sheet, View
from jiti_tui.tui.text.glyphs import ASCII
from jiti_tui.tui.text.line import width_of

SIZES = [(80, 24), (120, 40), (100, 30), (60, 20), (200, 60), (20, 6), (1, 1)]
Rows = Callable[..., list[str]]

HOSTILE = "[/bold][@click=quit]\x1b[2J\x1b]0;x\x07\u202egnp\u200b\u2066漢\t\r\n]" + "x" * 500


def views(snapshot: Snapshot) -> list[View]:
    """Every pane in front, every sheet over the stage, and a form that is typed."""
    stage = f"{snapshot.phase} {snapshot.generation} {snapshot.attempt}"
    subjects: dict[Sheet, Any] = {
        Sheet.CHANGES: stage,
        Sheet.COMPARED: stage,
        Sheet.TRIAL: snapshot.trials[0].number if snapshot.trials else 0,
        Sheet.CHECK: f"goal {snapshot.checks[0].name}" if snapshot.checks else "",
        Sheet.REVISION: snapshot.revisions[0].number if snapshot.revisions else 0,
        Sheet.PROPOSAL: snapshot.proposals[-1].number if snapshot.proposals else 0,
    }
    draft = Draft(1, Form.of("(defun f ()\n\t\x1b[31m)"))
    asked = View().ask(Prompt("look", "Evaluate, throwaway:", lambda later, _: Step(later.view), lisp=True))
    return [
        *(replace(asked, typed=Typed.of("\n".join(["(list 漢 " + "x" * 90] * count))) for count in (1, 3, 50)),
        *(View(front=pane) for pane in Pane),
        *(replace(View().open(sheet, subjects.get(sheet, "")), draft=draft) for sheet in Sheet),
        replace(View().open(Sheet.DRAFT), draft=draft, editing=True),
        replace(View().open(Sheet.COMPARED, stage), marks=Marks(stage, (1, 2))),
        View(inside=Inside(stage, locals=True, source=True)),
        View(inside=Inside(stage, level=0)),
    ]


def check_shape(scene: Scene) -> Picture:
    """Draw a scene, whose lines must have the widths and the number that it has room for."""
    picture = draw(scene)
    left = width_of(picture.rail[0]) if picture.rail else 0
    assert all(width_of(line) == scene.width for line in (*picture.head, *picture.foot))
    assert all(width_of(line) == left for line in picture.rail)
    assert all(width_of(line) == scene.width - left for line in picture.stage)
    if scene.height > 6:
        assert len(picture.head) + len(picture.stage) + len(picture.foot) == scene.height
        assert len(picture.rail) in (0, len(picture.stage))
    return picture


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
def test_every_state_fits_every_size(
    state: str, size: tuple[int, int], states: dict[str, Snapshot], scene: Callable[..., Scene]
) -> None:
    for view in views(states[state]):
        check_shape(scene(state, *size, view=view))


MEGABYTE = "\x1b[31m" + "(x " * 333_333


def poisoned(value: Any, poison: str = HOSTILE) -> Any:
    """Return a record with hostile text in every string of it."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return value + poison
    if isinstance(value, tuple):
        return tuple(poisoned(each, poison) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: poisoned(getattr(value, field.name), poison) for field in fields(value)})
    return value


def told(snapshot: Snapshot) -> Snapshot:
    """The session with an answer, a notice, a verdict and names to complete."""
    answer = Looked(1, "(f)" + HOSTILE, True, HOSTILE, HOSTILE)
    typed = {"read_verdict": ReadVerdict("(list", False, False, "x", 1, 2), "completions": Completions("x", ("xy",))}
    return replace(snapshot, looked=answer, notice=Notice(1, "news"), **typed)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("state", STATES)
def test_hostile_text_stays_text_in_every_pane(
    state: str, size: tuple[int, int], states: dict[str, Snapshot], scene: Callable[..., Scene], rows: Rows
) -> None:
    snapshot = poisoned(told(states[state]))
    for view in views(snapshot):
        made = {"view": view, "notice": snapshot.notice}
        check_shape(scene(snapshot, *size, **made))
        assert all(character.isprintable() for row in rows(snapshot, *size, **made) for character in row)
        assert all(row.isascii() for row in rows(snapshot, *size, glyphs=ASCII, **made))


@pytest.mark.parametrize(
    "state", [pytest.param(state, marks=() if state == "asks" else pytest.mark.slow) for state in STATES]
)
def test_a_line_of_a_megabyte_in_every_text_fits_every_pane(
    state: str, states: dict[str, Snapshot], scene: Callable[..., Scene]
) -> None:
    snapshot = poisoned(told(states[state]), MEGABYTE)
    for view in views(snapshot):
        picture = check_shape(scene(snapshot, 80, 24, view=view, notice=snapshot.notice))
        lines = (*picture.head, *picture.rail, *picture.stage, *picture.foot)
        assert all(run.text.isprintable() for line in lines for run in line)
