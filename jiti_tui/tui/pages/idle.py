"""The stages of an idle session: met, held, blocked, recovered, and of one that only reads."""

from __future__ import annotations

from jiti_tui.engine.interface.snapshot import CheckKind, Fate, ProposalRow, Snapshot
from jiti_tui.tui.pages.fates import fate_words
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.reading import keys_section, stage_page
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.pages.verdicts import check_line, deciding_goals
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

_RECENT = 3


def met(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage of a request whose goals all pass."""
    snapshot = scene.stage
    lines: list[Line] = []
    if snapshot.request is not None:
        lines += [paper.heading(f"Request {snapshot.request.number} is met"), *paper.prose(snapshot.request.text)]
        lines.append(paper.blank())
        lines += _checks(snapshot, paper)
    lines += _live(snapshot, paper)
    if snapshot.next_request is not None:
        following = snapshot.next_request
        lines += [paper.heading(f"Next: request {following.number}"), *paper.prose(following.text)]
    go_on = [
        ("n", "go on with the next request" if snapshot.next_request is not None else ""),
        ("i", "write a request of your own"),
        ("u", "go back to an earlier revision" if len(snapshot.revisions) > 1 else ""),
    ]
    lines += keys_section(paper, "What now", go_on)
    return stage_page(scene, "Met", lines, height)


def held(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage while the operator holds the proposer."""
    snapshot = scene.stage
    lines = [*_request(snapshot, paper), *_live(snapshot, paper), *_recent(snapshot, paper)]
    lines += keys_section(paper, "What now", _idle_keys(snapshot, f"ask the {speaker(snapshot)} again"))
    return stage_page(scene, "Held", lines, height)


def blocked(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage when the session cannot go on by itself."""
    snapshot = scene.stage
    lines = [paper.heading("Why"), *paper.prose(snapshot.reason)]
    lines += [*_request(snapshot, paper), *_recent(snapshot, paper)]
    lines += keys_section(paper, "What now", _idle_keys(snapshot, "try again"))
    return stage_page(scene, "Blocked", lines, height)


def recovered(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage after a session that was cut off: what is there, and what was lost."""
    snapshot = scene.stage
    lines = [paper.heading("What was lost")]
    lines += paper.prose(snapshot.reason or "Nothing was under way.")
    for row in _lost(snapshot)[:_RECENT]:
        lines += [paper.heading(f"Lost: {row.kind}", f"for generation {row.generation}"), *paper.code(row.body)]
    lines += _live(snapshot, paper)
    lines += _checks(snapshot, paper)
    lost = any(row.fate is Fate.LOST and row.body for row in snapshot.proposals)
    keys = [*_idle_keys(snapshot, "go on"), ("e", "edit what was lost, then try it" if lost else "")]
    lines += keys_section(paper, "What now", keys)
    return stage_page(scene, "Recovered", lines, height)


def _lost(snapshot: Snapshot) -> list[ProposalRow]:
    """What the last session lost, the latest first: its attempt began with an evaluation."""
    rows: list[ProposalRow] = []
    for row in reversed(snapshot.proposals):
        if row.fate is Fate.LOST:
            rows.append(row)
            if row.kind == "evaluate":
                break
    return rows


def reading(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage of a session that only reads."""
    snapshot = scene.stage
    lines: list[Line] = []
    if snapshot.holder:
        again = "Open this again when that has ended, and the world is yours to change."
        lines += [paper.heading("Who holds the store"), *paper.prose(f"It was {snapshot.holder}. {again}")]
    lines += [*_live(snapshot, paper), *_request(snapshot, paper), *_recent(snapshot, paper)]
    lines += keys_section(paper, "What now", [(":", "evaluate in a throwaway copy"), ("F4", "see the revisions")])
    return stage_page(scene, "Reading", lines, height)


def _idle_keys(snapshot: Snapshot, go: str) -> list[tuple[str, str]]:
    return [
        ("p", go if snapshot.proposer else ""),
        ("i", "write a request of your own"),
        ("!", "evaluate your own forms for keeps"),
        ("m", f"change the mode, now {snapshot.mode.value}"),
    ]


def _request(snapshot: Snapshot, paper: Paper) -> list[Line]:
    request = snapshot.request
    if request is None:
        return []
    wanted = [goal for goal in deciding_goals(snapshot.checks) if goal.ok is not True]
    lines: list[Line] = [paper.heading(f"Request {request.number} of {request.total}"), *paper.prose(request.text)]
    for goal in wanted:
        lines.append(check_line(goal, paper))
    return lines


def _live(snapshot: Snapshot, paper: Paper) -> list[Line]:
    live = next((row for row in snapshot.revisions if row.live), None)
    if live is None:
        return []
    lines: list[Line] = [paper.heading(f"Revision {live.number} is live"), *paper.prose(live.summary)]
    if live.request:
        lines += paper.prose(live.request, Role.MUTED)
    return lines


def _recent(snapshot: Snapshot, paper: Paper) -> list[Line]:
    rows = snapshot.proposals[: -_RECENT - 1 : -1]
    if not rows:
        return []
    told = [paper.field(row.kind, fate_words(row)) for row in rows]
    return [paper.heading("Last proposals", "F5"), *(line for lines in told for line in lines)]


def _checks(snapshot: Snapshot, paper: Paper) -> list[Line]:
    """The deciding goals, and the invariants that are broken."""
    return [
        check_line(check, paper)
        for check in snapshot.checks
        if check.decides and (check.kind is CheckKind.GOAL or check.ok is False)
    ]
