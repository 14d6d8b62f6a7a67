"""What would come of an answer to a pause: the key that tries one, and what the screen asks by itself."""

from __future__ import annotations

from jiti_tui.engine.deciding.restart_after_repair import restart_after_repair
from jiti_tui.engine.interface.commands import Command, ShowFrame, WhatIf, WhatIfAll
from jiti_tui.engine.interface.phase import Mode, Phase
from jiti_tui.engine.interface.snapshot import RestartRow, Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow
from jiti_tui.tui.keys.inside import looks
from jiti_tui.tui.pages.stack import frame_looked_at, shows_source
from jiti_tui.tui.pages.what_if import DROP_REPAIR, is_abandon, trial_of_suggestion
from jiti_tui.tui.state.scene import Shown


def goes_on(snapshot: Snapshot) -> str:
    """Return the id of the restart that goes on after a repair, "" where none does without a value."""
    return restart_after_repair(snapshot.pause.restarts) if snapshot.pause is not None else ""


def leads_back(row: RestartRow, snapshot: Snapshot) -> bool:
    """Say whether a restart is one of the kernel's own, which lead nowhere but back."""
    menu = snapshot.pause.restarts if snapshot.pause is not None else ()
    return is_abandon(row, menu) or (row.name == DROP_REPAIR and row in menu[-2:])


def suggestion_trial(snapshot: Snapshot) -> WhatIf | None:
    """Return the question what would come of the suggestion, None where there is none that can be tried."""
    suggestion = snapshot.suggestion
    if suggestion is None or snapshot.phase is not Phase.PAUSED:
        return None
    if snapshot.suggested_arguments:
        return WhatIf(snapshot.painted, snapshot.suggested_restart, snapshot.suggested_arguments)
    if suggestion.kind == "repair" and goes_on(snapshot):
        return WhatIf(snapshot.painted, goes_on(snapshot), (), suggestion.body)
    return None


def tried_with(snapshot: Snapshot, restart: str, arguments: tuple[str, ...], forms: str = "") -> TrialRow | None:
    """Return the latest trial of just that answer."""
    wanted = (restart, arguments, forms)
    found = [row for row in snapshot.trials if (row.restart, row.arguments, row.forms) == wanted]
    return found[-1] if found else None


def questions(shown: Shown) -> tuple[Command, ...]:
    """Return what the screen asks by itself about a pause: all of it is free, changes nothing, and moves no row."""
    scene = shown.scene
    stage = scene.stage
    if stage.phase is not Phase.PAUSED or stage.painted != scene.snapshot.painted or stage.pause is None:
        return ()
    asked: list[Command] = []
    if stage.mode is not Mode.AUTO or stage.held:
        # Where nobody waits for the operator the answer is there before the trials are.
        asked.append(WhatIfAll(stage.painted))
        suggested = suggestion_trial(stage)
        known = trial_of_suggestion(stage)
        # As the best of several answers it has been tried already.
        asked += [suggested] if suggested is not None and not (known is not None and known.answer) else []
    inside = looks(scene)
    height = shown.pages["stage"].height
    frame = frame_looked_at(stage.pause, inside)
    if frame is not None and (inside.locals or shows_source(inside, height)):
        asked.append(ShowFrame(stage.painted, frame))
    return tuple(asked)
