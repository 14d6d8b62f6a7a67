"""The proposals, newest first."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import ProposalRow
from jiti_tui.tui.pages.fates import fate, fate_words
from jiti_tui.tui.pages.matching import NO_MATCH, Matching
from jiti_tui.tui.pages.page import Lines, Page, cursor_of, top_of
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Pane
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

_FEWEST_DIGITS = 4
"""Width of the generations, the margin included."""

_matching: Matching[ProposalRow] = Matching(
    lambda row: (row.kind, fate_words(row), row.origin, row.body, row.rationale)
)


def proposals(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the page of the proposals pane."""
    known, only = scene.snapshot.proposals, scene.view.lists.fate
    found = _matching(known, scene.sought(Pane.PROPOSALS), only, (lambda row: row.fate is only) if only else None)
    rows = found[::-1]
    digits = max(_FEWEST_DIGITS, 1 + len(str(known[-1].generation))) if known else 0
    place = scene.view.place(Pane.PROPOSALS, "proposals")
    choices = [(row.number, index) for index, row in enumerate(rows)]
    cursor = cursor_of(choices, place)
    in_front = scene.view.front is Pane.PROPOSALS
    index = next((index for number, index in choices if number == cursor), None)

    def write(row: ProposalRow) -> Line:
        line = _line(row, scene, paper, digits)
        return paper.select(line) if in_front and row.number == cursor else line

    return Page(
        name="proposals",
        title=proposals_title(scene, len(rows)),
        lines=Lines(rows, write) if rows else paper.prose(NO_MATCH if known else _empty(scene), Role.MUTED),
        choices=choices,
        cursor=cursor,
        top=top_of(len(rows), height, place, index),
        height=height,
    )


def proposals_title(scene: Scene, shown: int) -> str:
    """Return "Proposals", with how many are shown and why where that are not all."""
    sought, only, all_rows = scene.sought(Pane.PROPOSALS), scene.view.lists.fate, len(scene.snapshot.proposals)
    if not sought and only is None:
        return "Proposals" if scene.wide else f"Proposals {all_rows}"
    why = " ".join(part for part in (only.value if only is not None else "", f"/{sought}" if sought else "") if part)
    return f"Proposals {shown}/{all_rows} {why}"


def _empty(scene: Scene) -> str:
    snapshot = scene.snapshot
    if snapshot.phase is Phase.STARTING:
        return "No proposal yet."
    if not snapshot.proposer:
        return "No proposal yet. ! evaluates your own forms."
    request = snapshot.request or snapshot.next_request
    about = f" about request {request.number}" if request is not None else ""
    return f"No proposal yet. p asks the {speaker(snapshot)}{about}."


def _line(row: ProposalRow, scene: Scene, paper: Paper, digits: int) -> Line:
    stands = fate(row, scene.snapshot.phase, paper.glyphs)
    # One run a row: a page of them is what a switch to this pane writes.
    text = f"{row.generation:>{digits}} {row.kind:<9}{stands.sign} {stands.word}"
    return paper.line(paper.fit(text, paper.width - 1, Role.TEXT if stands.role is Role.GOOD else stands.role))
