"""What would come of a restart or a candidate, in a sign and a few words."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.snapshot import CheckKind, PauseLevel, RestartRow, Snapshot
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.tui.pages.verdicts import Verdict, gained, lost
from jiti_tui.tui.text.glyphs import Glyphs
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.words import counted

ABANDON = "abandon"
"""Name of the last restart of every menu: it drops the attempt."""
DROP_REPAIR = "drop-repair"
"""Name of the one before it while a repair stands."""

_LONGEST_VALUES, _LONGEST_VALUES_FOLLOWED = 12, 7
"""Characters of the values that are shown before an outcome; fewer where that tells of restarts besides."""


def is_abandon(restart: RestartRow, menu: tuple[RestartRow, ...]) -> bool:
    """Say whether `restart` is the kernel's own last line of `menu`."""
    return restart.name.lower() == ABANDON and restart is menu[-1]


def innermost_level(snapshot: Snapshot) -> PauseLevel | None:
    """Return the level of the pause on which nothing else stands; None where nothing is paused."""
    levels = snapshot.pause.levels if snapshot.pause is not None else ()
    return levels[-1] if levels else None


def trial_of(restart: RestartRow, snapshot: Snapshot) -> TrialRow | None:
    """Return the latest trial of `restart` without a repair before it. That of the suggestion has a row of its own."""
    found = [row for row in snapshot.trials if row.restart == restart.id and not row.forms]
    if snapshot.suggestion is not None and snapshot.suggested_arguments:
        found = [row for row in found if row.arguments != snapshot.suggested_arguments]
    return found[-1] if found else None


def trial_of_suggestion(snapshot: Snapshot) -> TrialRow | None:
    """Return the latest trial of what the suggestion says."""
    suggestion = snapshot.suggestion
    if suggestion is None:
        return None
    if suggestion.kind == "evaluate":
        found = [row for row in snapshot.trials if not row.restart and row.forms == suggestion.body]
    elif suggestion.kind == "repair":
        found = [row for row in snapshot.trials if row.restart and row.forms == suggestion.body]
    else:
        wanted = (snapshot.suggested_restart, snapshot.suggested_arguments, "")
        found = [row for row in snapshot.trials if (row.restart, row.arguments, row.forms) == wanted]
    return found[-1] if found else None


def foreseen(restart: RestartRow, snapshot: Snapshot, glyphs: Glyphs) -> Verdict:
    """Return what is known of taking `restart` at the present pause."""
    pause = snapshot.pause
    menu = pause.restarts if pause is not None else ()
    if is_abandon(restart, menu):
        return Verdict(glyphs.same, f"revision {snapshot.revision} as it is", Role.TEXT)
    trial = trial_of(restart, snapshot)
    if trial is not None:
        stands = outcome(trial, innermost_level(snapshot), glyphs)
        if not trial.arguments:
            return stands
        values = " ".join(trial.arguments)
        most = _LONGEST_VALUES_FOLLOWED if trial.then else _LONGEST_VALUES
        brief = values if len(values) <= most else values[:most] + glyphs.ellipsis
        word = stands.word.partition(": ")[2] if trial.then else stands.word
        return Verdict(stands.sign, f"{brief}: {word}", stands.role)
    if restart.name == DROP_REPAIR and restart in menu[-2:]:
        return Verdict(glyphs.same, "the pause before it", Role.TEXT)
    if restart.least:
        return Verdict(glyphs.asks_value, f"{counted(restart.least, 'value')}: w tries it", Role.TEXT)
    return Verdict(glyphs.asks_value, "w tries it", Role.TEXT)


def outcome(trial: TrialRow, level: PauseLevel | None, glyphs: Glyphs) -> Verdict:
    """Return how `trial`, of a pause at `level` if it is given, has ended or stands."""
    if trial.then and level is not None:
        stands = outcome(replace(trial, then=()), None, glyphs)
        word = stands.word.removeprefix("value: ").removeprefix("value, ")
        return replace(stands, word=f"to level {level.level - 1}: {' '.join(trial.then)} {word}")
    match trial.state:
        case TrialState.RUNNING:
            return Verdict(glyphs.working, "trying", Role.BUSY)
        case TrialState.VALUE:
            return _value(trial, glyphs)
        case TrialState.PAUSED if not trial.type:
            back = f"to level {level.level - 1}" if level is not None and level.level else "the repair returns"
            return Verdict(glyphs.same, back, Role.TEXT)
        case TrialState.PAUSED if level is not None and (trial.type, trial.text) == (level.type, level.condition):
            return Verdict(glyphs.bad, "the same condition", Role.BAD)
        case TrialState.PAUSED:
            return Verdict(glyphs.paused, f"pauses: {short_type(trial.type)}", Role.STRONG)
        case TrialState.TIMED_OUT:
            return Verdict(glyphs.bad, "takes too long", Role.BAD)
        case TrialState.FAILED:
            return Verdict(glyphs.bad, trial.text, Role.BAD)


def gains_and_losses(trial: TrialRow) -> tuple[int, int]:
    """Return how many of the deciding goals `trial` gains and loses."""
    goals = [check for check in trial.checks if check.kind is CheckKind.GOAL and check.decides]
    return sum(map(gained, goals)), sum(map(lost, goals))


def short_type(name: str) -> str:
    """Return the name of a condition's type without its package."""
    return name.rpartition(":")[2]


def _value(trial: TrialRow, glyphs: Glyphs) -> Verdict:
    if trial.broken:
        return Verdict(glyphs.bad, f"breaks {trial.broken[0]}", Role.BAD)
    gains, losses = gains_and_losses(trial)
    if losses:
        return Verdict(glyphs.lost, f"gains {gains}, loses {losses}", Role.BAD)
    if gains:
        return Verdict(glyphs.gained, f"value: gains {gains}", Role.GOOD)
    if not (trial.definitions or trial.data):
        return Verdict(glyphs.same, "value, no change", Role.TEXT)
    return Verdict(glyphs.same, "value: gains 0, loses 0", Role.TEXT)
