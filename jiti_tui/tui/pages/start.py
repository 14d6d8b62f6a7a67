"""The stage before anything was sent to a proposer, and while the world starts."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.pages.reading import key_lines, keys_section, stage_page
from jiti_tui.tui.pages.speaker import proposer_name, speaker
from jiti_tui.tui.pages.spent import limits
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role


def start(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage that explains itself to somebody who sees it for the first time."""
    snapshot = scene.stage
    lines: list[Line] = [paper.heading("What this is")]
    who = "a model changes" if snapshot.proposer or snapshot.phase is Phase.STARTING else "you change"
    lines += paper.prose(f"A Lisp world that {who} while it lives. You decide what stays.")
    lines.append(paper.blank())
    for number, text in enumerate(_steps(snapshot), start=1):
        lines += key_lines(paper, str(number), text)
    lines.append(paper.blank())
    lines += paper.prose("Nothing that you press can lose an accepted revision.")
    if not snapshot.sandboxed:
        lines.append(paper.blank())
        lines += paper.prose(f"NOT SANDBOXED: {snapshot.sandbox_reason}", Role.BAD)
    if snapshot.phase is Phase.STARTING:
        return stage_page(scene, "Starting", lines, height)
    lines.append(paper.blank())
    lines += keys_section(
        paper,
        "Start",
        [
            ("p", _start(snapshot)),
            ("!", "" if snapshot.proposer else "evaluate your own forms for keeps"),
            ("i", _write(snapshot)),
            (":", f"evaluate a form in {'the empty' if snapshot.revision == 0 else 'a copy of the'} world"),
            ("?", "all keys"),
        ],
    )
    return stage_page(scene, "Start", lines, height)


def _steps(snapshot: Snapshot) -> list[str]:
    proposes = f"The {speaker(snapshot)} proposes a change. It runs"
    if not snapshot.proposer and snapshot.phase is not Phase.STARTING:
        proposes = "No model is there to propose changes: you evaluate forms. They run"
    return [
        f"{proposes} in a copy of the world.",
        "You see the outcome: goals, definitions, data.",
        "a keeps it as a revision on disk. r throws the copy away.",
    ]


def _start(snapshot: Snapshot) -> str:
    number = _first_request(snapshot)
    if not number or not snapshot.proposer:
        return ""
    if snapshot.recorded:
        return f"play the recorded answers to request {number}; no model is asked"
    budget = limits(snapshot.session_budget) or limits(snapshot.request_budget)
    money = f" (costs money{f'; budget {budget}' if budget else ''})" if snapshot.costs_money else ""
    return f"send request {number} to {proposer_name(snapshot, short=True)}{money}"


def _write(snapshot: Snapshot) -> str:
    if not snapshot.proposer:
        return "write a request, for a session that has a model"
    return "write another request, and start with that" if _first_request(snapshot) else "write a request, and start"


def _first_request(snapshot: Snapshot) -> int:
    request = snapshot.request or snapshot.next_request
    return request.number if request is not None else 0
