"""Keys that choose a restart of a pause, or try one without choosing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jiti_tui.engine.interface.commands import Abandon, Command, Painted, Resume, TakeSuggestion, TakeTrial, WhatIf
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import RestartRow, Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow
from jiti_tui.tui.keys.inside import look, looks, show_frame
from jiti_tui.tui.keys.trying import leads_back, suggestion_trial, tried_with
from jiti_tui.tui.pages.other_answers import other_of
from jiti_tui.tui.pages.page import top_of
from jiti_tui.tui.pages.restarts import SUGGESTION
from jiti_tui.tui.pages.stack import frame_index
from jiti_tui.tui.pages.what_if import is_abandon
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Identity, Pane, Place, Prompt, Sheet
from jiti_tui.tui.text.words import counted


def restart_word(scene: Scene) -> str:
    """Return what the digits do."""
    return "Restart" if _restarts(scene.stage) else ""


def restart_label(scene: Scene) -> str:
    """Return the digits that choose a restart: "0-3"."""
    last = min(len(_restarts(scene.stage)), 10) - 1
    return f"0-{last}" if last > 0 else "0"


def restart(shown: Shown, name: str) -> Step:
    """Choose the restart of a digit."""
    rows = _restarts(shown.scene.stage)
    return _choose(shown, rows[int(name)]) if int(name) < len(rows) else Step(shown.scene.view)


def selected_word(scene: Scene) -> str:
    """Return what Enter does on the stage of a pause."""
    in_pause = scene.stage.phase is Phase.PAUSED and scene.view.front is Pane.STAGE and scene.sheet is None
    return "Choose" if in_pause else ""


def selected(shown: Shown, _: str) -> Step:
    """Choose the row under the cursor."""
    cursor, scene = shown.page.cursor, shown.scene
    if cursor == SUGGESTION:
        return take_suggestion(shown) if scene.stage.suggestion is not None else Step(scene.view)
    if frame_index(cursor) is not None:
        return show_frame(shown)
    other = other_of(cursor, scene.stage)
    if other is not None:
        return _take_other(shown, other)
    rows = [row for row in _restarts(shown.scene.stage) if row.id == cursor]
    return _choose(shown, rows[0]) if rows else Step(shown.scene.view)


def continue_word(scene: Scene) -> str:
    """Return what `c` does."""
    return "Continue" if _named_continue(scene.stage) else ""


def go_on(shown: Shown, _: str) -> Step:
    """Choose the restart that is named continue."""
    return _choose(shown, _named_continue(shown.scene.stage)[0])


def what_if_word(scene: Scene) -> str:
    """Return what `w` does."""
    return "What if" if _restarts(scene.stage) and scene.sheet is not Sheet.DRAFT else ""


def what_if(shown: Shown, _: str) -> Step:
    """Try the selected restart without choosing it, with values where it takes any; the outcome is its row's."""
    scene, cursor = shown.scene, shown.page.cursor
    snapshot = scene.stage
    row = next((row for row in _restarts(snapshot) if row.id == cursor), None)
    if cursor == SUGGESTION:
        trial = suggestion_trial(snapshot)
        if trial is None:
            return Step(scene.view, notice="There is no suggestion with values or a repair to be tried.")
        return Step(scene.view, (trial,))
    if row is None:
        return Step(scene.view, notice="Select a restart with the arrows, then w.")
    if leads_back(row, snapshot):
        return Step(scene.view, notice=f"{row.name} leads nowhere but back: there is nothing to try.")
    if row.most == 0:
        return Step(scene.view, (WhatIf(scene.painted, row.id),))
    return _ask_argument(scene, row, (), _trying)


def _trying(painted: Painted, restart: str, values: tuple[str, ...]) -> Command:
    return WhatIf(painted, restart, values)


def _resuming(painted: Painted, restart: str, values: tuple[str, ...]) -> Command:
    return Resume(painted, restart, values)


def _named_continue(snapshot: Snapshot) -> list[RestartRow]:
    return [row for row in _restarts(snapshot) if row.name.lower() == "continue"]


def _restarts(snapshot: Snapshot) -> tuple[RestartRow, ...]:
    return snapshot.pause.restarts if snapshot.phase is Phase.PAUSED and snapshot.pause is not None else ()


def take_suggestion(shown: Shown) -> Step:
    """Do as the suggestion says, once its row is in sight."""
    scene = shown.scene
    if not shown.page.in_sight(SUGGESTION):
        return _scroll_to(shown, SUGGESTION)
    return Step(scene.view, (TakeSuggestion(scene.painted),))


def _take_other(shown: Shown, row: TrialRow) -> Step:
    scene = shown.scene
    if not row.stands:
        return Step(scene.view, notice="It breaks an invariant, leads nowhere or is still being tried: select another.")
    if not shown.page.in_sight(row.number):
        return _scroll_to(shown, row.number)
    return Step(scene.view, (TakeTrial(scene.painted, row.number),))


def _choose(shown: Shown, row: RestartRow) -> Step:
    scene = shown.scene
    if not shown.page.in_sight(row.id):
        return _scroll_to(shown, row.id)
    if is_abandon(row, _restarts(scene.stage)):
        return abandon(scene)
    if row.most == 0:
        return Step(scene.view, (Resume(scene.painted, row.id),))
    return _ask_argument(scene, row, (), _resuming)


def _scroll_to(shown: Shown, identity: Identity) -> Step:
    """Nothing acts unseen: a row that was scrolled away, or is of the inner level, comes into sight first."""
    scene, page = shown.scene, shown.page
    line = page.line_of(identity)
    top = top_of(len(page.lines), page.height, Place(page.name, top=page.top), line) if line is not None else 0
    view = look(scene, replace(looks(scene), level=None))
    return Step(view.at(scene.slot, Place(page.name, identity, top)))


def _ask_argument(
    scene: Scene,
    row: RestartRow,
    given: tuple[str, ...],
    command: Callable[[Painted, str, tuple[str, ...]], Command],
    needed: str = "",
) -> Step:
    """Ask for the next value of a restart; one Lisp datum a line. `command` is what all of them lead to."""
    painted = scene.painted
    number = len(given) + 1
    what = f"{'What if ' if command is _trying else ''}{row.id} {row.name}"
    if needed:
        label = f"{what} {needed}"
    elif row.least == row.most == 1:
        label = f"{what} takes 1 value:"
    else:
        may_end = ", empty to end" if number > row.least else ""
        label = f"{what}, value {number}{f' of {row.most}' if row.most else ''}{may_end}:"

    def values(text: str) -> tuple[str, ...]:
        return (*given, text.strip()) if text.strip() else given

    def submit(later: Scene, text: str) -> Step:
        if not text.strip() and number <= row.least:
            return _ask_argument(later, row, given, command, "needs a value here, a Lisp datum:")
        if text.strip() and (row.most is None or len(values(text)) < row.most):
            return _ask_argument(later, row, values(text), command)
        return Step(later.view.bring(Pane.STAGE), (command(painted, row.id, values(text)),))

    def tries(later: Scene, text: str) -> Step:
        if len(values(text)) < row.least:
            return Step(later.view, notice=f"{row.id} {row.name} takes {counted(row.least, 'value')}.")
        return Step(later.view, (WhatIf(painted, row.id, values(text)),))

    def trial(snapshot: Snapshot, text: str) -> TrialRow | None:
        return tried_with(snapshot, row.id, values(text))

    return _ask(scene, Prompt("argument", label, submit, lisp=True, datum=True, tries=tries, trial=trial))


def abandon(scene: Scene) -> Step:
    """Ask for the reason, then drop the attempt."""
    painted = scene.painted
    pause = scene.stage.pause
    repaired = pause is not None and len(pause.levels) > 1
    what = f"attempt {scene.stage.attempt}{' and its repair' if repaired else ''}"

    def submit(later: Scene, reason: str) -> Step:
        return Step(later.view.bring(Pane.STAGE), (Abandon(painted, reason.strip()),))

    return _ask(scene, Prompt("abandon", f"Abandon {what}? Reason (may be empty):", submit))


def _ask(scene: Scene, prompt: Prompt) -> Step:
    return Step(scene.view.ask(prompt))
