"""Keys that ask for something: a request, a form, a mode, another revision; and the one that starts and holds work."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.commands import (
    AddRequest,
    Evaluate,
    Go,
    GoBack,
    Hold,
    Look,
    NextRequest,
    Repair,
    SetMode,
    WhatIf,
)
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow
from jiti_tui.tui.keys.beside import tries_beside
from jiti_tui.tui.keys.inside import looks
from jiti_tui.tui.keys.trying import goes_on, tried_with
from jiti_tui.tui.pages.candidates import tried
from jiti_tui.tui.pages.records import live_revision
from jiti_tui.tui.pages.stack import frame_looked_at
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Pane, Prompt, Sheet, View

_CLOSED = (Phase.STARTING, Phase.CLOSED)
_UNCHANGING = (*_CLOSED, Phase.READING)
_IDLE = (Phase.NEW, Phase.HELD, Phase.THINKING, Phase.MET, Phase.RECOVERED, Phase.BLOCKED)


def request_word(scene: Scene) -> str:
    """Return what `i` does."""
    return "" if scene.stage.phase in _UNCHANGING else "Request"


def request(shown: Shown, _: str) -> Step:
    """Open the request line."""

    def submit(later: Scene, text: str) -> Step:
        return Step(_answered(later), (AddRequest(text.strip()),) if text.strip() else ())

    return _ask(shown, Prompt("request", "Request:", submit, prose=True))


def look_word(scene: Scene) -> str:
    """Return what `:` does."""
    return "" if scene.stage.phase in _CLOSED else "Evaluate"


def look(shown: Shown, _: str) -> Step:
    """Open the line for a form that is evaluated in a throwaway copy, in a pause in the frame that is looked at."""
    stage = shown.scene.stage
    pause = stage.pause if stage.phase is Phase.PAUSED else None
    frame = frame_looked_at(pause, looks(shown.scene)) if pause is not None else None

    def submit(later: Scene, text: str) -> Step:
        return Step(_answered(later), (Look(text.strip(), frame),) if text.strip() else ())

    where = f" in {pause.frames[frame].call}" if pause is not None and frame is not None else ""
    return _ask(shown, Prompt("look", f"Evaluate{where}, throwaway:", submit, lisp=True))


def keep_word(scene: Scene) -> str:
    """Return what `!` does."""
    if scene.stage.phase is Phase.PAUSED:
        return "Repair"
    return "For keeps" if scene.stage.phase in (*_IDLE, Phase.ASKS) else ""


def keep(shown: Shown, _: str) -> Step:
    """Open the line for a form that is evaluated for keeps, inside the pause if there is one."""
    painted = shown.scene.painted
    paused = shown.scene.stage.phase is Phase.PAUSED

    def submit(later: Scene, text: str) -> Step:
        if not text.strip():
            return Step(_answered(later))
        return Step(_answered(later), (Repair(painted, text) if paused else Evaluate(painted, text),))

    def tried_beside(later: Scene, text: str) -> Step:
        return replace(tries_beside(later, text), view=later.view) if text.strip() else Step(later.view)

    def candidate(snapshot: Snapshot, text: str) -> TrialRow | None:
        return tried(text, snapshot) if text.strip() else None

    if not paused:
        label = "Evaluate for keeps:"
        return _ask(shown, Prompt("keep", label, submit, lisp=True, tries=tried_beside, trial=candidate))
    restart = goes_on(shown.scene.stage)

    def tries(later: Scene, text: str) -> Step:
        if not restart:
            return Step(later.view, notice="No restart goes on without a value: the repair cannot be tried.")
        return Step(later.view, (WhatIf(painted, restart, (), text),) if text.strip() else ())

    def trial(snapshot: Snapshot, text: str) -> TrialRow | None:
        return tried_with(snapshot, restart, (), text) if text.strip() else None

    asked = Prompt("keep", "Repair, inside the pause:", submit, lisp=True, tries=tries, trial=trial)
    return _ask(shown, asked)


def next_word(scene: Scene) -> str:
    """Return what `n` does."""
    return "Next" if scene.stage.phase in _IDLE and scene.stage.next_request is not None else ""


def next_request(shown: Shown, _: str) -> Step:
    """Show the next request; Enter goes there."""
    following = shown.scene.stage.next_request
    if following is None:
        return Step(shown.scene.view)
    painted = shown.scene.painted

    def submit(later: Scene, _: str) -> Step:
        return Step(_answered(later), (NextRequest(painted),))

    label = f"Enter goes to request {following.number} of {following.total}: {following.text}"
    return _ask(shown, Prompt("next", label, submit, typed=False))


def go_word(scene: Scene) -> str:
    """Return what `p` does."""
    stage = scene.stage
    if stage.phase in (*_UNCHANGING, Phase.MET) or (stage.held and not stage.proposer):
        return ""
    if not stage.held:
        return "Hold" if stage.waiting is None else "Now"
    return {Phase.NEW: "Start", Phase.BLOCKED: "Try again"}.get(stage.phase, "Go on")


def go(shown: Shown, _: str) -> Step:
    """Let the proposer be asked, or hold it; where it waits to be asked again, ask it now."""
    stage = shown.scene.stage
    return Step(shown.scene.view, (Go() if stage.held or stage.waiting is not None else Hold(),))


def mode_word(scene: Scene) -> str:
    """Return what `m` does."""
    return "" if scene.stage.phase in (Phase.CLOSED, Phase.READING) else "Mode"


def mode(shown: Shown, _: str) -> Step:
    """Open the menu of modes."""
    return Step(shown.scene.view.open(Sheet.MODES))


def choose_mode_word(scene: Scene) -> str:
    """Return what Enter does in the menu of modes."""
    return "Choose" if scene.sheet is Sheet.MODES else ""


def choose_mode(shown: Shown, _: str) -> Step:
    """Take the selected mode."""
    return set_mode(shown.scene, Mode(str(shown.page.cursor)))


def set_mode(scene: Scene, chosen: Mode) -> Step:
    """Change the mode; auto without a sandbox must be typed."""
    closed = scene.view.close()
    if chosen is not Mode.AUTO or scene.snapshot.sandboxed:
        return Step(closed, (SetMode(chosen),))

    def submit(later: Scene, text: str) -> Step:
        if text.strip() == Mode.AUTO.value:
            return Step(_answered(later), (SetMode(Mode.AUTO),))
        return Step(_answered(later), notice=f"Not typed: the mode is still {later.snapshot.mode.value}.")

    asked = Prompt("auto", "auto accepts without you, NOT SANDBOXED. Type auto:", submit, remembered=False)
    return Step(closed.ask(asked))


def back_word(scene: Scene) -> str:
    """Return what `u` does."""
    return "Go back" if scene.stage.phase in _IDLE and len(scene.snapshot.revisions) > 1 else ""


def back(shown: Shown, _: str) -> Step:
    """Ask whether to go back to the selected revision; Enter goes."""
    scene = shown.scene
    chosen = shown.page.cursor
    if not isinstance(chosen, int) or chosen == live_revision(scene.snapshot):
        return Step(scene.view, notice=f"Revision {chosen} is live. Select an earlier one with the arrows, then u.")
    painted = scene.painted

    def submit(later: Scene, _: str) -> Step:
        return Step(_answered(later).bring(Pane.STAGE), (GoBack(painted, chosen),))

    label = f"Enter goes back to revision {chosen}, as a new revision. Esc stays."
    return _ask(shown, Prompt("back", label, submit, typed=False))


def _ask(shown: Shown, prompt: Prompt) -> Step:
    return Step(shown.scene.view.ask(prompt))


def _answered(scene: Scene) -> View:
    """The view once its prompt has been answered."""
    return replace(scene.view, prompt=None)
