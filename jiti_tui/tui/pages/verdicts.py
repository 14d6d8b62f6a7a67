"""How a check stands, in a sign, a word and a role; now and in the candidate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jiti_tui.engine.interface.snapshot import CheckKind, CheckRow
from jiti_tui.frozen import frozen
from jiti_tui.tui.text.glyphs import Glyphs
from jiti_tui.tui.text.line import Line, Run
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

WORD_CELLS = 8
"""Width of the word of a verdict, the blank after it included."""

NAME_COLUMN = 3 + WORD_CELLS
"""Where the name of a check begins."""


@frozen
class Verdict:
    """A sign, a word and their role."""

    sign: str
    word: str
    role: Role


def mark(check: CheckRow, paper: Paper) -> Run:
    """Return the margin, the sign and the word of how `check` stands."""
    stands = verdict(check, paper.glyphs)
    return paper.run(f" {stands.sign} {stands.word:<{WORD_CELLS}}", stands.role)


def check_line(check: CheckRow, paper: Paper) -> Line:
    """Return how `check` stands and its name."""
    return paper.line(mark(check, paper), paper.fit(check.name, paper.width - NAME_COLUMN - 1))


def gained(check: CheckRow) -> bool:
    """The candidate passes a check that the accepted world does not."""
    return check.candidate_ok is True and check.ok is not True


def lost(check: CheckRow) -> bool:
    """The candidate fails a check that the accepted world passes."""
    return check.candidate_ok is False and check.ok is True


def lost_of_others(checks: Iterable[CheckRow]) -> Sequence[CheckRow]:
    """Return the goals of other requests that the candidate loses."""
    return [check for check in checks if check.kind is CheckKind.GOAL and not check.decides and lost(check)]


def verdict(check: CheckRow, glyphs: Glyphs) -> Verdict:
    """Return how `check` stands: what the candidate changes about it, else what holds in the accepted world."""
    if check.kind is CheckKind.GOAL and gained(check):
        return Verdict(glyphs.gained, "gained", Role.GOOD)
    if check.kind is CheckKind.GOAL and lost(check):
        return Verdict(glyphs.lost, "lost", Role.BAD)
    ok = check.ok if check.candidate_ok is None else check.candidate_ok
    quiet = not check.decides
    if ok is None:
        return Verdict(glyphs.unknown, "unknown", Role.MUTED)
    if check.kind is CheckKind.GOAL:
        if ok:
            return Verdict(glyphs.good, "met", Role.MUTED if quiet else Role.GOOD)
        return Verdict(glyphs.not_met, "not met", Role.MUTED if quiet else Role.STRONG)
    if ok:
        return Verdict(glyphs.good, "holds", Role.MUTED if quiet else Role.GOOD)
    if quiet:
        return Verdict(glyphs.unknown, "not yet", Role.MUTED)
    return Verdict(glyphs.bad, "BROKEN", Role.BAD)


def seen(check: CheckRow, glyphs: Glyphs, room: int) -> str:
    """Return what was seen of a failure, or "now -> after" where the candidate flips it; in brief beyond `room`."""
    flips = gained(check) or lost(check)
    if flips:
        passes = "passes" if check.candidate_ok else "fails"
        told = [check.detail or "-", check.candidate_detail or passes]
    elif check.candidate_ok is None:
        told = [check.detail if check.ok is False else ""]
    else:
        told = [check.candidate_detail if check.candidate_ok is False else ""]
    arrow = f" {glyphs.arrow} "
    whole = arrow.join(told)
    return whole if len(whole) <= room else arrow.join(map(brief, told))


def brief(detail: str) -> str:
    """Return the values alone of "FORM => VALUE; FORM => VALUE", the type alone, without package, of "TYPE: report"."""
    if " => " in detail:
        return "; ".join(part.rpartition(" => ")[2] for part in detail.split("; "))
    head, colon, _ = detail.partition(": ")
    return head.rpartition(":")[2] if colon and " " not in head else detail


def goals_met(checks: Iterable[CheckRow]) -> tuple[int, int]:
    """Return how many of the deciding goals are met, and how many there are."""
    goals = deciding_goals(checks)
    return sum(goal.ok is True for goal in goals), len(goals)


def goals_after(checks: Iterable[CheckRow]) -> int | None:
    """Return how many of the deciding goals the candidate meets, None while there are no verdicts on it."""
    goals = deciding_goals(checks)
    if not any(goal.candidate_ok is not None for goal in goals):
        return None
    return sum(goal.candidate_ok is True for goal in goals)


def deciding_goals(checks: Iterable[CheckRow]) -> Sequence[CheckRow]:
    """Return the goals that decide about the current request."""
    return [check for check in checks if check.kind is CheckKind.GOAL and check.decides]
