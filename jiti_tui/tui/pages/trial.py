"""The sheets of trials: what one of them has led to, in full; and two candidates side by side."""

from __future__ import annotations

from jiti_tui.engine.interface.snapshot import Change, ChangeSign
from jiti_tui.engine.interface.trial_row import TrialRow, TrialState
from jiti_tui.tui.pages.candidates import numbered
from jiti_tui.tui.pages.changes import flips, section, written
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.reading import sheet_page
from jiti_tui.tui.pages.what_if import innermost_level, outcome
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Identity
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role


def trial(scene: Scene, subject: Identity, paper: Paper, height: int) -> Page:
    """Return the sheet that leaves nothing of a trial out."""
    row = next((row for row in scene.snapshot.trials if row.number == subject), None)
    if row is None:
        gone = paper.prose("It is no longer there: what it was tried for has passed.", Role.MUTED)
        return sheet_page(scene, "gone", "What if", gone, height)
    title = "What if" if row.restart else "Candidate"
    lines = [*_asked(row, paper), *_ended(row, scene, paper)]
    return sheet_page(scene, f"trial {row.number} {row.state}", title, lines, height)


def compared(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the sheet with how the second of the two marked candidates differs from the first."""
    known = {row.number: (number, row) for number, row in numbered(scene.stage)}
    marked = [known[number] for number in scene.view.marked(scene.stage_name) if number in known]
    if len(marked) != 2:
        return sheet_page(
            scene, "gone", "Compared", paper.prose("Two candidates are marked with Space.", Role.MUTED), height
        )
    (one, first), (other, second) = marked
    lines: list[Line] = [paper.heading(f"From candidate {one} to candidate {other}")]
    lines += section("Definitions", between(first.definitions, second.definitions), paper)
    lines += section("Data", between(first.data, second.data), paper)
    return sheet_page(scene, f"compared {first.number} {second.number}", "Compared", lines, height)


def between(first: tuple[Change, ...], second: tuple[Change, ...]) -> tuple[Change, ...]:
    """Return what leads from what `first` makes of a world to what `second` makes of the same world."""
    ones, others = ({(change.kind, change.name): change for change in changes} for changes in (first, second))
    found: list[Change] = []
    for key in dict.fromkeys([*ones, *others]):
        one, other = ones.get(key), others.get(key)
        before = one.after if one is not None else (other.before if other is not None else "")
        after = other.after if other is not None else (one.before if one is not None else "")
        if before != after:
            sign = ChangeSign.CHANGED if before and after else ChangeSign.ADDED if after else ChangeSign.REMOVED
            found.append(Change(sign, *key, before, after))
    return tuple(found)


def _asked(row: TrialRow, paper: Paper) -> list[Line]:
    lines: list[Line] = []
    if row.restart:
        lines.append(paper.heading(f"If {row.restart} {row.name} is taken"))
        for argument in row.arguments:
            lines += paper.field("with", argument)
    if row.forms:
        lines += [paper.heading("After the repair" if row.restart else "Forms"), *paper.lisp(row.forms)]
    return lines


def _ended(row: TrialRow, scene: Scene, paper: Paper) -> list[Line]:
    stands = outcome(row, innermost_level(scene.stage), paper.glyphs)
    lines: list[Line] = [paper.heading("What comes of it", f"{row.seconds:.2f} s" if row.seconds else "")]
    lines += paper.field("outcome", f"{stands.sign} {stands.word}", stands.role)
    if row.then:
        lines += paper.field("then", f"{', '.join(row.then)}: it leads back to an outer level, which goes on so")
    if row.type:
        lines += paper.field("condition", f"{row.type}: {row.text}")
    elif row.state in (TrialState.FAILED, TrialState.TIMED_OUT):
        lines += paper.field("reason", row.text)
    for name in row.broken:
        lines += paper.field("breaks", name, Role.BAD)
    if row.state is not TrialState.VALUE:
        return [*lines, *([paper.heading("Output"), *paper.code(row.output)] if row.output else [])]
    return [
        *lines,
        *flips(row.checks, paper),
        *written(row.definitions, row.data, row.warnings, row.text, row.output, paper),
    ]
