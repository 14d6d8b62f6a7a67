"""Keys that choose one of several candidates, mark two of them, and compare these."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.commands import TakeSuggestion, TakeTrial
from jiti_tui.tui.pages.candidates import chosen, is_choice, numbered
from jiti_tui.tui.pages.page import top_of
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Identity, Marks, Pane, Place

_MARKED = 2


def take_word(scene: Scene) -> str:
    """Return what `a` does: what breaks an invariant, or leads nowhere, is not offered."""
    selected = chosen(scene)
    return f"Take {selected[0]}" if selected is not None and selected[1].stands else ""


def take(shown: Shown) -> Step:
    """Go on with the selected candidate, once its row is in sight: it is reviewed as any other."""
    scene = shown.scene
    selected = chosen(scene)
    if selected is None or not selected[1].stands:
        return Step(scene.view, notice="It breaks an invariant or leads nowhere: select another, or r rejects all.")
    _, row = selected
    if not shown.page.in_sight(row.number):
        return _select(shown, row.number)
    suggestion = scene.stage.suggestion
    if suggestion is not None and suggestion.body == row.forms:
        return Step(scene.view, (TakeSuggestion(scene.painted),))
    return Step(scene.view, (TakeTrial(scene.painted, row.number),))


def select_word(scene: Scene) -> str:
    """Return what the digits do."""
    return "Select" if is_choice(scene.stage) else ""


def select(shown: Shown, name: str) -> Step:
    """Select the candidate of a digit, so that what it changes is in sight; once it is selected, take it."""
    known = dict(numbered(shown.scene.stage))
    row, selected = known.get(int(name)), chosen(shown.scene)
    if row is None or selected is None:
        return Step(shown.scene.view)
    return take(shown) if selected[1].number == row.number else _select(shown, row.number)


def enter_word(scene: Scene) -> str:
    """Return what Enter does among candidates."""
    in_front = is_choice(scene.stage) and scene.view.front is Pane.STAGE and scene.sheet is None
    return take_word(scene) if in_front else ""


def enter(shown: Shown, _: str) -> Step:
    """Take the candidate under the cursor."""
    return take(shown)


def mark_word(scene: Scene) -> str:
    """Return what Space does."""
    return "Mark" if is_choice(scene.stage) and scene.stage_in_front else ""


def mark(shown: Shown, _: str) -> Step:
    """Mark the selected candidate, or take its mark away; of three the first loses it."""
    scene = shown.scene
    selected = chosen(scene)
    if selected is None:
        return Step(scene.view)
    number, marked = selected[1].number, scene.view.marked(scene.stage_name)
    numbers = tuple(known for known in marked if known != number) if number in marked else (*marked, number)[-_MARKED:]
    return Step(replace(scene.view, marks=Marks(scene.stage_name, numbers)))


def select_label(scene: Scene) -> str:
    """Return the digits that select: "1-3"."""
    return f"1-{min(9, len(numbered(scene.stage)))}"


def _select(shown: Shown, identity: Identity) -> Step:
    scene, page = shown.scene, shown.page
    top = top_of(len(page.lines), page.height, Place(page.name, top=page.top), page.line_of(identity))
    return Step(scene.view.at(scene.slot, Place(page.name, identity, top)))
