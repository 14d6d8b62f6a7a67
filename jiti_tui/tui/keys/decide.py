"""Keys that decide: yes, no, and the restarts."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.commands import Abandon, Accept, Evaluate, Reject, Repair, Resume, TakeSuggestion
from jiti_tui.engine.phase import Phase
from jiti_tui.engine.snapshot import RestartRow, Snapshot
from jiti_tui.tui.pages.page import top_of
from jiti_tui.tui.pages.paused import SUGGESTION
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Identity, Pane, Place, Prompt, Sheet

_AT_WORK = (Phase.STARTING, Phase.TRYING, Phase.CHECKING, Phase.PUBLISHING, Phase.READING, Phase.CLOSED)

ABANDON = "abandon"
"""Name of the last restart of every menu: it drops the attempt."""


def yes_word(scene: Scene) -> str:
    """Return what `a` does."""
    stage = scene.stage
    if scene.sheet is Sheet.DRAFT:
        return "" if stage.phase in _AT_WORK else "Run"
    match stage.phase:
        case Phase.READY:
            return "Accept"
        case Phase.ASKS if stage.suggestion is not None:
            return "Finish" if stage.suggestion.kind == "finish" else "Run"
        case Phase.PAUSED if stage.suggestion is not None:
            return "As recorded" if stage.recorded else "As model"
        case _:
            return ""


def yes(shown: Shown, _: str) -> Step:
    """Accept the outcome, run the proposal, do as the suggestion says, or run the draft."""
    scene = shown.scene
    painted = scene.painted
    if scene.sheet is Sheet.DRAFT:
        text = scene.view.draft.form.text if scene.view.draft is not None else ""
        if not text.strip():
            return Step(scene.view, notice="The draft is empty. e edits it, r discards it.")
        run = Repair(painted, text) if scene.stage.phase is Phase.PAUSED else Evaluate(painted, text)
        return Step(scene.view.bring(Pane.STAGE), (run,))
    if scene.stage.phase is Phase.PAUSED:
        return _take(shown)
    if scene.stage.phase is Phase.ASKS:
        return Step(scene.view, (TakeSuggestion(painted),))
    return Step(scene.view.bring(Pane.STAGE), (Accept(painted),))


def no_word(scene: Scene) -> str:
    """Return what `r` does."""
    if scene.sheet is Sheet.DRAFT:
        return "Discard"
    return {Phase.READY: "Reject", Phase.ASKS: "Reject", Phase.PAUSED: "Abandon"}.get(scene.stage.phase, "")


def no(shown: Shown, _: str) -> Step:
    """Ask for the reason, then reject or abandon; a draft is discarded at once."""
    scene = shown.scene
    if scene.sheet is Sheet.DRAFT:
        return Step(replace(scene.view.bring(Pane.STAGE), draft=None))
    if scene.stage.phase is Phase.PAUSED:
        return _abandon(scene)
    painted = scene.painted

    def submit(later: Scene, reason: str) -> Step:
        return Step(later.view.bring(Pane.STAGE), (Reject(painted, reason.strip()),))

    return _ask(scene, Prompt("reject", "Reject. Reason (may be empty):", submit))


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
    cursor = shown.page.cursor
    if cursor == SUGGESTION:
        return _take(shown) if shown.scene.stage.suggestion is not None else Step(shown.scene.view)
    rows = [row for row in _restarts(shown.scene.stage) if row.id == cursor]
    return _choose(shown, rows[0]) if rows else Step(shown.scene.view)


def _restarts(snapshot: Snapshot) -> tuple[RestartRow, ...]:
    return snapshot.pause.restarts if snapshot.phase is Phase.PAUSED and snapshot.pause is not None else ()


def _take(shown: Shown) -> Step:
    scene = shown.scene
    if not shown.page.in_sight(SUGGESTION):
        return _scroll_to(shown, SUGGESTION)
    return Step(scene.view, (TakeSuggestion(scene.painted),))


def _choose(shown: Shown, row: RestartRow) -> Step:
    scene = shown.scene
    if not shown.page.in_sight(row.id):
        return _scroll_to(shown, row.id)
    if row.name.lower() == ABANDON and row is _restarts(scene.stage)[-1]:
        return _abandon(scene)
    if row.most == 0:
        return Step(scene.view, (Resume(scene.painted, row.id),))
    return _ask_argument(scene, row, ())


def _scroll_to(shown: Shown, identity: Identity) -> Step:
    """Nothing acts unseen: a row that was scrolled away comes into sight first."""
    scene, page = shown.scene, shown.page
    line = page.line_of(identity)
    top = top_of(len(page.lines), page.height, Place(page.name, top=page.top), line)
    return Step(scene.view.at(scene.slot, Place(page.name, identity, top)))


def _ask_argument(scene: Scene, row: RestartRow, given: tuple[str, ...]) -> Step:
    """Ask for the next value of a restart; one Lisp datum a line."""
    painted = scene.painted
    number = len(given) + 1
    if row.least == row.most == 1:
        label = f"{row.id} {row.name} takes 1 value:"
    else:
        may_end = ", empty to end" if number > row.least else ""
        label = f"{row.id} {row.name}, value {number}{f' of {row.most}' if row.most else ''}{may_end}:"

    def submit(later: Scene, text: str) -> Step:
        view = later.view.bring(Pane.STAGE)
        datum = text.strip()
        if not datum and number <= row.least:
            needed = f"{row.id} {row.name} needs a value here, a Lisp datum:"
            return _ask(later, Prompt("argument", needed, submit, lisp=True))
        values = (*given, datum) if datum else given
        if datum and (row.most is None or len(values) < row.most):
            return _ask_argument(later, row, values)
        return Step(view, (Resume(painted, row.id, values),))

    return _ask(scene, Prompt("argument", label, submit, lisp=True))


def _abandon(scene: Scene) -> Step:
    painted = scene.painted
    pause = scene.stage.pause
    repaired = pause is not None and len(pause.levels) > 1
    what = f"attempt {scene.stage.attempt}{' and its repair' if repaired else ''}"

    def submit(later: Scene, reason: str) -> Step:
        return Step(later.view.bring(Pane.STAGE), (Abandon(painted, reason.strip()),))

    return _ask(scene, Prompt("abandon", f"Abandon {what}? Reason (may be empty):", submit))


def _ask(scene: Scene, prompt: Prompt) -> Step:
    return Step(scene.view.ask(prompt))
