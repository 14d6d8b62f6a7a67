"""The stage while the proposer is asked: what it says, as it comes."""

from __future__ import annotations

from jiti_tui.engine.interface.waiting import Waiting
from jiti_tui.tui.pages.page import Page, top_of
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.pages.spent import spent
from jiti_tui.tui.pages.verdicts import deciding_goals
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Pane, Place
from jiti_tui.tui.text.line import Line
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role


def thinking(scene: Scene, paper: Paper, height: int) -> Page:
    """Return the stage with the rationale; it follows its end until the operator scrolls."""
    snapshot = scene.stage
    who = speaker(snapshot)
    lines: list[Line] = [paper.heading("Asked")]
    if snapshot.request is not None:
        lines += paper.field("request", snapshot.request.text)
    wanted = [goal.name for goal in deciding_goals(snapshot.checks) if goal.ok is not True]
    lines += paper.field("not met yet", ", ".join(wanted) or "nothing")
    lines += paper.field("generation", str(snapshot.generation))
    for what, told in (
        ("the request", spent(snapshot.request_usage, snapshot.request_budget)),
        ("the session", spent(snapshot.usage, snapshot.session_budget)),
    ):
        lines += paper.field(what, told) if told else []
    if snapshot.waiting is not None:
        left = seconds_left(snapshot.waiting, scene.now)
        lines += paper.field("asked again", f"in {left} s; p asks now. {snapshot.waiting.reason}")
    lines.append(paper.heading(f"The {who} says"))
    lines += paper.prose(snapshot.rationale) or paper.prose("Nothing yet.", Role.MUTED)
    name = scene.stage_name
    place = scene.view.places.get(Pane.STAGE)
    if place is None or place.page != name:
        place = Place(name, top=len(lines))
    return Page(name, "Model", lines, top=top_of(len(lines), height, place, None), height=height)


def seconds_left(waiting: Waiting, now: float) -> int:
    """Return after how many seconds the proposer is asked again; `now` is in seconds since the epoch."""
    return max(0, round(waiting.until - now))
