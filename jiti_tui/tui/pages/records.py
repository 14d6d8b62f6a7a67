"""Sheets that show one record in full: a check, a revision, a proposal, the answer to a look."""

from __future__ import annotations

from jiti_tui.engine.interface.query_results import ShownRevision
from jiti_tui.engine.interface.snapshot import CheckKind, CheckRow, Snapshot
from jiti_tui.tui.pages.fates import fate
from jiti_tui.tui.pages.goals import identity
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.reading import awaited, sheet_page
from jiti_tui.tui.pages.spent import tokens_of
from jiti_tui.tui.pages.verdicts import verdict
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Identity
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.words import age


def check(scene: Scene, subject: Identity, paper: Paper, height: int) -> Page:
    """Return the sheet of a goal or invariant: where it is written, and what was seen."""
    row = next((row for row in scene.snapshot.checks if identity(row) == subject), None)
    if row is None:
        return _gone(scene, "Check", paper, height)
    stands = verdict(row, paper.glyphs)
    lines = [paper.heading(row.kind.value.capitalize()), *paper.prose(row.name)]
    lines += paper.field("stands", f"{stands.sign} {stands.word}", stands.role)
    lines += paper.field("written in", f"{row.file}, line {row.line}")
    lines += paper.field("decides", "yes" if row.decides else _not_deciding(row.kind))
    since = _since(row, scene.snapshot)
    lines += paper.field("stands so", since or awaited("it is being looked up", scene).removesuffix("."))
    lines += [paper.heading("Seen now"), *_seen(row.ok, row.detail, paper)]
    if row.candidate_ok is not None:
        lines += [paper.heading("Seen in the candidate"), *_seen(row.candidate_ok, row.candidate_detail, paper)]
    if row.text:
        lines += [paper.heading("Source", "o opens it"), *paper.code(row.text)]
    return sheet_page(scene, f"check {subject}", row.kind.value.capitalize(), lines, height, waits=not since)


def revision(scene: Scene, subject: Identity, paper: Paper, height: int) -> Page:
    """Return the sheet of a revision: how it came about."""
    row = next((row for row in scene.snapshot.revisions if row.number == subject), None)
    if row is None:
        return _gone(scene, "Revision", paper, height)
    met, total = row.goals
    lines = [paper.heading(f"Revision {row.number}", "live" if row.live else f"{age(scene.now - row.time)} ago")]
    lines += paper.field("changes", row.summary)
    lines += paper.field("request", row.request or "none")
    lines += paper.field("proposed by", row.origin)
    lines += paper.field("parent", "none" if row.parent is None else f"revision {row.parent}")
    lines += paper.field("goals", f"{met} of {total} met when it was accepted")
    lines += paper.field("generation", str(row.generation))
    known = scene.snapshot.shown_revision
    shown = known if known is not None and known.number == row.number else None
    lines.append(paper.heading("How it came about", "d shows what differs"))
    lines += _evidence(shown, paper) if shown else paper.prose(awaited("It is being read", scene), Role.MUTED)
    return sheet_page(scene, f"revision {subject}", f"Revision {row.number}", lines, height, waits=shown is None)


def proposal(scene: Scene, subject: Identity, paper: Paper, height: int) -> Page:
    """Return the sheet of a proposal: what became of it and why, its forms, what was said."""
    row = next((row for row in scene.snapshot.proposals if row.number == subject), None)
    if row is None:
        return _gone(scene, "Proposal", paper, height)
    stands = fate(row, scene.snapshot.phase, paper.glyphs)
    lines = [paper.heading(f"Proposal {row.number}: {row.kind}", f"{age(scene.now - row.time)} ago")]
    lines += paper.field("outcome", f"{stands.sign} {stands.word}", stands.role)
    lines += paper.field("proposed by", row.origin)
    lines += paper.field("generation", str(row.generation))
    if row.tokens:
        lines += paper.field("tokens", tokens_of(row))
    if row.body:
        lines += [paper.heading("What it does"), *paper.code(row.body)]
    if row.value:
        lines += [paper.heading("Value"), *paper.code(row.value)]
    for warning in row.warnings:
        lines += paper.field("warning", warning)
    if row.output:
        lines += [paper.heading("Output"), *paper.code(row.output)]
    if row.rationale:
        lines += [paper.heading("Why"), *paper.prose(row.rationale)]
    return sheet_page(scene, f"proposal {subject}", f"Proposal {row.number}", lines, height)


def looked(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the sheet with the last answer to a look."""
    answer = scene.snapshot.looked
    if answer is None:
        return _gone(scene, "Answer", paper, height)
    lines = [paper.heading("Evaluated", "in a throwaway copy"), *paper.code(answer.expression)]
    title, role = ("Value", Role.TEXT) if answer.ok else ("Condition", Role.BAD)
    lines += [paper.heading(title), *paper.code(answer.text, role)]
    if answer.output:
        lines += [paper.heading("Output"), *paper.code(answer.output)]
    return sheet_page(scene, f"looked {answer.number}", "Answer", lines, height)


def _evidence(shown: ShownRevision, paper: Paper) -> list[Line]:
    if shown.reason:
        return paper.prose(shown.reason, Role.BAD)
    lines = [line for told in shown.lines for line in paper.code(told)]
    if shown.left:
        lines += paper.prose(f"{shown.left} more lines are not shown.", Role.MUTED)
    return lines if shown.lines else paper.prose("Nothing was done: it is the base.", Role.MUTED)


def _since(row: CheckRow, snapshot: Snapshot) -> str:
    """Since which revision the check says what it says; "" while that is looked up."""
    traced = snapshot.traced
    if traced is None or (traced.kind, traced.name) != (row.kind, row.name):
        return ""
    if traced.since is None:
        return "no revision has asked it yet"
    if row.ok is not None and traced.ok is not row.ok:
        return "since now: no revision says so"
    if traced.before is None:
        return f"since revision {traced.since}, the first that asked it"
    seen = f" ({traced.seen})" if traced.seen else ""
    return f"since revision {traced.since}; in revision {traced.before} it was otherwise{seen}"


def live_revision(snapshot: Snapshot) -> int:
    """Return the number of the revision that is live."""
    return next((row.number for row in snapshot.revisions if row.live), snapshot.revision)


def _seen(ok: bool | None, detail: str, paper: Paper) -> list[Line]:
    if ok is None:
        return paper.prose("Not asked yet.", Role.MUTED)
    return paper.code(detail) or paper.prose("It passes." if ok else "It fails.", Role.MUTED)


def _not_deciding(kind: CheckKind) -> str:
    return "no, another request's goal" if kind is CheckKind.GOAL else "no, it holds from a later request on"


def _gone(scene: Scene, title: str, paper: Paper, height: int) -> Page:
    return sheet_page(scene, "gone", title, paper.prose("It is no longer there.", Role.MUTED), height)
