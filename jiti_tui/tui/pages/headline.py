"""The first row: whose turn it is, the state, and one sentence."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import CheckKind, Snapshot
from jiti_tui.frozen import frozen
from jiti_tui.tui.pages.candidates import candidates_of, is_choice, numbered
from jiti_tui.tui.pages.speaker import speaker
from jiti_tui.tui.pages.verdicts import deciding_goals, gained, goals_met, lost, lost_of_others
from jiti_tui.tui.pages.what_if import gains_and_losses
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.text.glyphs import Glyphs
from jiti_tui.tui.text.line import Line, Run
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.words import counted

WORKING_PHASES = frozenset({Phase.STARTING, Phase.THINKING, Phase.TRYING, Phase.CHECKING, Phase.PUBLISHING})


@frozen
class Headline:
    """The state in a word with its sign and role, and what follows it."""

    sign: str
    state: str
    role: Role
    rest: str
    briefer: tuple[str, ...] = ()
    """What follows instead where it would be cut, the longest first."""

    def fitting(self, room: int) -> str:
        """Return the longest wording that fits `room` cells, the last one in any case."""
        wordings = (self.rest, *self.briefer)
        return next((wording for wording in wordings if len(wording) <= room), wordings[-1])


def is_working(snapshot: Snapshot) -> bool:
    """Somebody else than the operator is at work: the badge says WORKING."""
    return snapshot.phase in WORKING_PHASES or (
        snapshot.phase is Phase.PAUSED and snapshot.proposer_busy and snapshot.suggestion is None
    )


def is_operators_turn(snapshot: Snapshot) -> bool:
    """The badge says YOUR TURN."""
    return not is_working(snapshot) and snapshot.phase not in (Phase.HELD, Phase.READING, Phase.CLOSED)


def badge_role(snapshot: Snapshot) -> Role:
    """Return the role of the badge, which the primary key shares."""
    if is_working(snapshot):
        return Role.BADGE_BUSY
    return Role.BADGE if is_operators_turn(snapshot) else Role.BADGE_MUTED


def headline(scene: Scene, paper: Paper) -> Line:
    """Return the first row."""
    snapshot = scene.snapshot
    badge = paper.run(f" {badge_text(scene)} ", badge_role(snapshot))
    said = say(snapshot, paper.glyphs)
    state = paper.run(f" {said.sign} {said.state}", said.role)
    used = sum(len(run.text) for run in (badge, state))
    room = paper.width - used - 1
    return paper.line(badge, state, Run(paper.clip(said.fitting(room), room), Role.STRONG))


def badge_text(scene: Scene) -> str:
    """Return "YOUR TURN", "WORKING 12 s", "READ-ONLY" or "HELD"."""
    if is_working(scene.snapshot):
        return f"WORKING {int(scene.elapsed)} s"
    if scene.snapshot.phase is Phase.READING:
        return "READ-ONLY"
    return "YOUR TURN" if is_operators_turn(scene.snapshot) else "HELD"


def say(snapshot: Snapshot, glyphs: Glyphs) -> Headline:
    """Return the state and the sentence of `snapshot`."""
    who = speaker(snapshot)
    if is_choice(snapshot):
        return _choose(snapshot, glyphs)
    match snapshot.phase:
        case Phase.STARTING:
            rest = " the world in a Lisp process of its own."
            return Headline(glyphs.working, "Starting", Role.BUSY, rest, (" the world.",))
        case Phase.NEW:
            return _new(snapshot, glyphs)
        case Phase.THINKING if snapshot.waiting is not None:
            return Headline(glyphs.working, "Waiting:", Role.BUSY, f" the {who} is asked again soon; p asks it now.")
        case Phase.THINKING:
            about = f" about request {snapshot.request.number}." if snapshot.request is not None else "."
            asked = f" the {who} is asked"
            return Headline(glyphs.working, "Thinking:", Role.BUSY, f"{asked}{about}", (f"{asked}.",))
        case Phase.TRYING if candidates_of(snapshot):
            rest = f" {len(candidates_of(snapshot))} answers side by side, each in a copy of the world."
            return Headline(glyphs.working, "Trying", Role.BUSY, rest, (" several answers.",))
        case Phase.TRYING:
            return Headline(glyphs.working, "Trying", Role.BUSY, f" attempt {snapshot.attempt} in a copy of the world.")
        case Phase.CHECKING:
            checks = counted(sum(check.decides for check in snapshot.checks), "check")
            return Headline(glyphs.working, "Checking", Role.BUSY, f" attempt {snapshot.attempt}: {checks}.")
        case Phase.PUBLISHING:
            outcome = snapshot.outcome
            name = f" revision {outcome.revision}" if outcome is not None else " the revision"
            rest = f"{name}: checked again, then written to disk."
            return Headline(glyphs.working, "Publishing", Role.BUSY, rest, (f"{name}.",))
        case Phase.ASKS:
            return _asks(snapshot, glyphs)
        case Phase.PAUSED:
            return _paused(snapshot, glyphs)
        case Phase.READY:
            return _ready(snapshot, glyphs)
        case Phase.MET:
            return _met(snapshot, glyphs)
        case Phase.RECOVERED:
            return Headline(
                glyphs.recovered, "Recovered", Role.BUSY, f" revision {snapshot.revision}. {snapshot.reason}".rstrip()
            )
        case Phase.BLOCKED:
            return Headline(glyphs.bad, "Blocked:", Role.BAD, f" {snapshot.reason}")
        case Phase.HELD:
            return _held(snapshot, glyphs)
        case Phase.READING:
            what = f" revision {snapshot.revision}"
            rest = f"{what}, beside who holds the store."
            return Headline(glyphs.held, "Reading", Role.MUTED, rest, (f"{what}.",))
        case Phase.CLOSED:
            return Headline(glyphs.held, "Closed.", Role.MUTED, f" {snapshot.reason}")


def _new(snapshot: Snapshot, glyphs: Glyphs) -> Headline:
    what = " session." if snapshot.revision or snapshot.proposals else " world."
    if not snapshot.proposer:
        rest, brief = " There is no model to ask. ! evaluates your own forms.", " ! evaluates your own forms."
    elif snapshot.request is None and snapshot.next_request is None:
        rest, brief = " There is no request yet. i writes one.", " i writes a request."
    elif snapshot.recorded:
        rest, brief = " No recorded answer is played before p.", " p starts."
    else:
        rest, brief = " Nothing is sent to a model before p.", " p starts."
    return Headline(glyphs.turn, "New", Role.TURN, what + rest, (what + brief,))


def _held(snapshot: Snapshot, glyphs: Glyphs) -> Headline:
    rest = " there is no model to ask. ! evaluates your own forms."
    if snapshot.proposer:
        rest = f" the {speaker(snapshot)} is asked nothing until p."
    return Headline(glyphs.held, "Held:", Role.MUTED, rest)


def _asks(snapshot: Snapshot, glyphs: Glyphs) -> Headline:
    suggestion = snapshot.suggestion
    kind = suggestion.kind if suggestion is not None else "go on"
    return Headline(glyphs.asks, "Asks:", Role.TURN, f" may the {speaker(snapshot)} {kind}?")


def _choose(snapshot: Snapshot, glyphs: Glyphs) -> Headline:
    rows = numbered(snapshot)
    if not all(row.ended for _, row in rows):
        many = f" {counted(len(rows), 'candidate')}"
        return Headline(glyphs.turn, "Choose:", Role.TURN, f"{many}, not all of which are known yet.", (f"{many}.",))
    number, best = min(rows, key=lambda row: row[1].rank)
    gains, _ = gains_and_losses(best)
    told = f"; number {number} gains {counted(gains, 'goal')}." if best.acceptable else "; none of them passes."
    many = f" {counted(len(rows), 'candidate')}"
    whole = f"{many} for revision {snapshot.revision + 1}{told}"
    return Headline(glyphs.turn, "Choose:", Role.TURN, whole, (many + told, f"{many}."))


def _paused(snapshot: Snapshot, glyphs: Glyphs) -> Headline:
    levels = snapshot.pause.levels if snapshot.pause is not None else ()
    level = f" level {levels[-1].level}" if levels else ""
    if snapshot.suggestion is not None:
        who = ", answer waits" if snapshot.recorded else ", model waits"
    elif snapshot.proposer_busy:
        who = f", {speaker(snapshot)} chooses"
    else:
        who = ""
    role = Role.BUSY if is_working(snapshot) else Role.TURN
    condition = f" {levels[-1].condition}" if levels else ""
    # Row `a` tells as well that an answer waits.
    briefer = (f"{level}:{condition}",) if snapshot.suggestion is not None else ()
    return Headline(glyphs.paused, "Paused,", role, f"{level}{who}:{condition}", briefer)


def _ready(snapshot: Snapshot, glyphs: Glyphs) -> Headline:
    goals = deciding_goals(snapshot.checks)
    gains, losses = sum(map(gained, goals)), sum(map(lost, goals))
    others = len(lost_of_others(snapshot.checks))
    number = f" revision {snapshot.outcome.revision}" if snapshot.outcome is not None else " a revision"
    all_lost = f"{losses}, {others} of other requests" if others else f"{losses}"
    told = f" gains {counted(gains, 'goal')}, loses {all_lost}."
    brief = f" gains {gains}, loses {losses}{f', {others} of others' if others else ''}."
    return Headline(glyphs.turn, "Ready:", Role.TURN, f" candidate for{number}{told}", (f"{number}{told}", told, brief))


def _met(snapshot: Snapshot, glyphs: Glyphs) -> Headline:
    if snapshot.request is None:
        return Headline(glyphs.good, "Met:", Role.GOOD, " no request is left. i writes one.")
    met, total = goals_met(snapshot.checks)
    broken = sum(check.kind is CheckKind.INVARIANT and check.decides and check.ok is False for check in snapshot.checks)
    but = f", but {counted(broken, 'invariant')} BROKEN" if broken else ""
    following = " n shows the next one." if snapshot.next_request is not None else ""
    request = f" request {snapshot.request.number} of {snapshot.request.total}"
    stands = f"{request}, {met} of {counted(total, 'goal')}{but}."
    return Headline(glyphs.good, "Met:", Role.GOOD, stands + following, (stands,))
