"""The stage of an outcome that waits for consent: checks that flip, changes, the difference, what was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from jiti_tui.engine.interface.snapshot import Change, ChangeSign, CheckKind, CheckRow, Fate, Outcome, Snapshot
from jiti_tui.tui.pages.differences import in_brief
from jiti_tui.tui.pages.page import Page, top_of
from jiti_tui.tui.pages.reading import span
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.pages.spent import tokens_of
from jiti_tui.tui.pages.verdicts import NAME_COLUMN, WORD_CELLS, gained, lost, lost_of_others, mark, seen
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Pane
from jiti_tui.tui.text.line import Line, Run
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.words import counted

_VERIFIED = {True: "verified", None: "being verified", False: "could not be written"}
_MOST_FLIPS = 5
_MOST_NAMES = 8
_NAME_CELLS = 33
_SHORT_CELLS = 10
_ROOMY = 76
"""From this width on short facts share a line."""


def review(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage of the outcome."""
    snapshot, outcome = scene.stage, scene.stage.outcome
    name = scene.stage_name
    if outcome is None:
        return Page(name, "Review", paper.prose("Nothing waits for consent.", Role.MUTED), height=height)
    before = [
        paper.heading("Checks", f"F3 has all, now {paper.glyphs.arrow} after"),
        *_checks(snapshot.checks, paper),
        paper.heading("Changes", f"{_VERIFIED[outcome.verified]}, d in full"),
        *_changes(snapshot, outcome, paper),
    ]
    differs = differences((*outcome.definitions, *outcome.data), paper)
    said = _said(snapshot, outcome, paper)
    length = len(before) + 1 + len(differs) + len(said)
    top = top_of(length, height, scene.view.place(Pane.STAGE, name), None)
    heading = paper.heading(
        f"Difference to revision {snapshot.revision}", span(len(before) + 1, len(differs), top, height)
    )
    return Page(name, "Review", [*before, heading, *differs, *said], top=top, height=height)


def described(change: Change) -> str:
    """Return a definition's or datum's sign, name and kind."""
    return f"{change.sign.value}{change.name.lower()} ({change.kind.lower()})"


def _checks(checks: Sequence[CheckRow], paper: Paper) -> list[Line]:
    deciding = [check for check in checks if check.decides]
    flips = [check for check in deciding if lost(check)] + [check for check in deciding if gained(check)]
    lines = [_flip(check, paper) for check in flips[:_MOST_FLIPS]]
    if len(flips) > _MOST_FLIPS:
        lines.append(paper.text(f"{len(flips) - _MOST_FLIPS} more: F3", Role.MUTED))
    same = _same([check for check in deciding if check not in flips])
    if same:
        unchanged = paper.run(f" {paper.glyphs.same} {'same':<{WORD_CELLS}}")
        lines.append(paper.line(unchanged, paper.fit(same, paper.width - NAME_COLUMN - 1)))
    others = [check.name for check in lost_of_others(checks)]
    if others:
        elsewhere = paper.run(f" {paper.glyphs.lost} {'others':<{WORD_CELLS}}", Role.MUTED)
        told = f"no longer met, of other requests: {', '.join(others)}"
        lines.append(paper.line(elsewhere, paper.fit(told, paper.width - NAME_COLUMN - 1)))
    return lines


def _flip(check: CheckRow, paper: Paper) -> Line:
    name_cells = min(max(_NAME_CELLS, paper.width // 3), (paper.width - NAME_COLUMN) // 2)
    room = paper.width - NAME_COLUMN - name_cells - 2
    values = Run(paper.clip(seen(check, paper.glyphs, room), room), Role.BAD if lost(check) else Role.TEXT)
    return paper.line(mark(check, paper), paper.fit(check.name, name_cells), paper.run(" "), values)


def _same(checks: list[CheckRow]) -> str:
    goals = [check for check in checks if check.kind is CheckKind.GOAL]
    met = sum(check.candidate_ok is True for check in goals)
    holding = sum(check.kind is CheckKind.INVARIANT and check.candidate_ok is True for check in checks)
    broken = sum(check.kind is CheckKind.INVARIANT and check.candidate_ok is False for check in checks)
    parts = [
        f"{counted(met, 'goal')} met" if met else "",
        f"{counted(len(goals) - met, 'goal')} not met" if len(goals) > met else "",
        (f"{counted(holding, 'invariant')} {'holds' if holding == 1 else 'hold'}") if holding else "",
        f"{counted(broken, 'invariant')} BROKEN as before" if broken else "",
    ]
    return ", ".join(part for part in parts if part)


def _changes(snapshot: Snapshot, outcome: Outcome, paper: Paper) -> list[Line]:
    data = names(outcome.data)
    warnings = f"{len(outcome.warnings)}: {outcome.warnings[0]}" if outcome.warnings else "none"
    reach, role = out_of_reach(snapshot)
    if max(len(data), len(warnings)) < _SHORT_CELLS and role is Role.TEXT and paper.width >= _ROOMY:
        beside = f"{data:<{_SHORT_CELLS}}warnings {warnings:<{_SHORT_CELLS}}out of reach {reach}"
        rows = _fact("data", beside, paper)
    else:
        rows = [*_fact("data", data, paper), *_fact("warnings", warnings, paper)[:2]]
        rows += _fact("out of reach", reach, paper, role)
    steps = f" {paper.glyphs.arrow} ".join(outcome.steps)
    return [*_fact("definitions", names(outcome.definitions), paper), *rows, *_fact("steps", steps, paper)]


def _fact(label: str, text: str, paper: Paper, role: Role = Role.TEXT) -> list[Line]:
    """A field of one role: each run of a role is bytes on the wire."""
    return paper.field(label, text, role, label_role=role)


def out_of_reach(snapshot: Snapshot) -> tuple[str, Role]:
    """Return what an attempt can have changed that its checkpoint does not bring back, and the role to say it in.

    Memory and the files of adapters are inside it. Threads and timers that an evaluation starts end with it, and the
    sandbox keeps everything else away.
    """
    if snapshot.sandboxed:
        return "nothing", Role.TEXT
    return "NOT SANDBOXED: other files, the network and other processes are not restored", Role.BAD


def names(changes: Iterable[Change]) -> str:
    """Return how many were added, changed and removed, with their names: "+1 food-rate  ~1 total-price"."""
    parts = []
    for sign in ChangeSign:
        named = [change.name.lower() for change in changes if change.sign is sign]
        if named:
            more = f" and {len(named) - _MOST_NAMES} more" if len(named) > _MOST_NAMES else ""
            parts.append(f"{sign.value}{len(named)} {' '.join(named[:_MOST_NAMES])}{more}")
    return "  ".join(parts) or "none"


@lru_cache(maxsize=16)
def differences(changes: tuple[Change, ...], paper: Paper) -> Sequence[Line]:
    """Return what differs in brief, one change after the other."""
    lines: list[Line] = []
    for change in changes:
        if lines:
            lines.append(paper.blank())
        lines += in_brief(change, paper)
    return lines or paper.prose("None.", Role.MUTED)


def _said(snapshot: Snapshot, outcome: Outcome, paper: Paper) -> list[Line]:
    if not outcome.rationale:
        return []
    row = next((row for row in reversed(snapshot.proposals) if row.fate is Fate.READY), None)
    spent = f"{tokens_of(row)} tokens" if row is not None and row.tokens else ""
    return [paper.heading(f"The {speaker(snapshot)} says", spent), *paper.prose(outcome.rationale)]
