"""The whole screen as text, from hand-made snapshots, without a terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from jiti_tui.engine.looked import Completions, Looked, ReadVerdict
from jiti_tui.engine.phase import Mode, Phase
from jiti_tui.engine.snapshot import Fate, Notice, Severity, Snapshot, Waiting
from jiti_tui.engine.trial_row import TrialState
from jiti_tui.tui.picture import draw
from jiti_tui.tui.state.form import Form
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.typed import Typed
from jiti_tui.tui.state.view import Draft, Inside, Marks, Pane, Prompt, Sheet, View
from jiti_tui.tui.text.glyphs import ASCII, UNICODE, Glyphs
from jiti_tui.tui.text.line import width_of

Rows = Callable[..., list[str]]
PICTURES = Path(__file__).parent / "pictures"
SIZES = [(80, 24), (120, 40), (100, 30), (60, 20), (200, 60), (20, 6), (1, 1)]
STATES = [
    "starting", "new", "thinking", "asks", "choose", "trying", "checking", "publishing", "paused", "choosing", "ready",
    "met", "recovered", "held", "blocked",
]  # fmt: skip


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("state", ["ready", "paused"])
def test_the_screen_is_as_it_was_designed(state: str, size: tuple[int, int], rows: Rows) -> None:
    expected = (PICTURES / f"{state}-{size[0]}x{size[1]}.txt").read_text().splitlines()
    assert [row.rstrip() for row in rows(state, *size, glyphs=ASCII)] == expected


def views(snapshot: Snapshot) -> list[View]:
    """Every pane in front, every sheet over the stage, and a form that is typed."""
    stage = f"{snapshot.phase} {snapshot.generation} {snapshot.attempt}"
    subjects: dict[Sheet, Any] = {
        Sheet.CHANGES: stage,
        Sheet.COMPARED: stage,
        Sheet.TRIAL: snapshot.trials[0].number if snapshot.trials else 0,
        Sheet.CHECK: f"goal {snapshot.checks[0].name}" if snapshot.checks else "",
        Sheet.REVISION: snapshot.revisions[0].number if snapshot.revisions else 0,
        Sheet.PROPOSAL: snapshot.proposals[-1].number if snapshot.proposals else 0,
    }
    draft = Draft(1, Form.of("(defun f ()\n\t\x1b[31m)"))
    asked = View().ask(Prompt("look", "Evaluate, throwaway:", lambda later, _: Step(later.view), lisp=True))
    return [
        *(replace(asked, typed=Typed.of("\n".join(["(list 漢 " + "x" * 90] * count))) for count in (1, 3, 50)),
        *(View(front=pane) for pane in Pane),
        *(replace(View().open(sheet, subjects.get(sheet, "")), draft=draft) for sheet in Sheet),
        replace(View().open(Sheet.DRAFT), draft=draft, editing=True),
        replace(View().open(Sheet.COMPARED, stage), marks=Marks(stage, (1, 2))),
        View(inside=Inside(stage, locals=True, source=True)),
        View(inside=Inside(stage, level=0)),
    ]


def check_shape(scene: Scene) -> None:
    picture = draw(scene)
    left = width_of(picture.rail[0]) if picture.rail else 0
    assert all(width_of(line) == scene.width for line in (*picture.head, *picture.foot))
    assert all(width_of(line) == left for line in picture.rail)
    assert all(width_of(line) == scene.width - left for line in picture.stage)
    if scene.height > 6:
        assert len(picture.head) + len(picture.stage) + len(picture.foot) == scene.height
        assert len(picture.rail) in (0, len(picture.stage))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
def test_every_state_fits_every_size(
    state: str, size: tuple[int, int], states: dict[str, Snapshot], scene: Callable[..., Scene]
) -> None:
    for view in views(states[state]):
        check_shape(scene(state, *size, view=view))


HOSTILE = "[/bold][@click=quit]\x1b[2J\x1b]0;x\x07\u202egnp\u200b\u2066漢\t\r\n]" + "x" * 500


def poisoned(value: Any) -> Any:
    """Return a record with hostile text in every string of it."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return value + HOSTILE
    if isinstance(value, tuple):
        return tuple(map(poisoned, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: poisoned(getattr(value, field.name)) for field in fields(value)})
    return value


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("state", STATES)
def test_hostile_text_stays_text_in_every_pane(
    state: str, size: tuple[int, int], states: dict[str, Snapshot], scene: Callable[..., Scene], rows: Rows
) -> None:
    answer = Looked(1, "(f)" + HOSTILE, True, HOSTILE, HOSTILE)
    typed = {"read_verdict": ReadVerdict("(list", False, False, "x", 1, 2), "completions": Completions("x", ("xy",))}
    snapshot = poisoned(replace(states[state], looked=answer, notice=Notice(1, "news"), **typed))
    for view in views(snapshot):
        made = {"view": view, "notice": snapshot.notice}
        check_shape(scene(snapshot, *size, **made))
        assert all(character.isprintable() for row in rows(snapshot, *size, **made) for character in row)
        assert all(row.isascii() for row in rows(snapshot, *size, glyphs=ASCII, **made))


@pytest.mark.parametrize("state", STATES)
def test_ascii_draws_with_ascii_alone(state: str, rows: Rows) -> None:
    assert all(row.isascii() for row in rows(state, 120, 40, glyphs=ASCII))


@pytest.mark.parametrize(
    ("state", "badge"),
    [
        ("starting", " WORKING 12 s  » Starting"),
        ("new", " YOUR TURN  ◆ New world. Nothing is sent to a model before p."),
        ("thinking", " WORKING 12 s  » Thinking: the model is asked about request 3."),
        ("asks", " YOUR TURN  ◇ Asks: may the model evaluate?"),
        ("choose", " YOUR TURN  ◆ Choose: 4 candidates for revision 3; number 1 gains 2 goals."),
        ("trying", " WORKING 12 s  » Trying attempt 8"),
        ("checking", " WORKING 12 s  » Checking attempt 8: 7 checks."),
        ("publishing", " WORKING 12 s  » Publishing revision 3"),
        ("paused", " YOUR TURN  ‖ Paused, level 1, model waits: The variable *RATES* is unbound."),
        ("choosing", " WORKING 12 s  ‖ Paused, level 1, model chooses: "),
        ("ready", " YOUR TURN  ◆ Ready: candidate for revision 3 gains 2 goals, loses 0."),
        ("met", " YOUR TURN  ✓ Met: request 2 of 3, 4 of 4 goals. n shows the next one."),
        ("recovered", " YOUR TURN  ↺ Recovered revision 2. Attempt 8 was under way and is lost."),
        ("held", " HELD  ■ Held: the model is asked nothing until p."),
        ("blocked", " YOUR TURN  ✗ Blocked: The transcript has no more answers."),
    ],
)
def test_the_headline_says_whose_turn_it_is(state: str, badge: str, rows: Rows) -> None:
    assert rows(state)[0].startswith(badge)


@pytest.mark.parametrize(
    ("state", "keys"),
    [
        ("starting", " ^q Quit  Tab Panes  ? Keys"),
        ("new", " p Start  i Request  : Evaluate  m Mode  ^q Quit  Tab Panes  ? Keys"),
        ("thinking", " Esc Stop  p Hold  i Request  : Evaluate  Tab Panes  ? Keys"),
        ("choose", " a Take 1  1-4 Select  d Changes  r Reject all  e Edit  Tab Panes  ? Keys"),
        ("asks", " a Run  r Reject  e Edit  w What if  p Hold  Tab Panes  ? Keys"),
        ("paused", " a As model  0-4 Restart  w What if  ! Repair  r Abandon  Tab Panes  ? Keys"),
        ("choosing", " 0-4 Restart  w What if  ! Repair  r Abandon  Esc Stop  Tab Panes  ? Keys"),
        ("ready", " a Accept  r Reject  e Edit  d Changes  Tab Panes  ? Keys"),
        ("met", " n Next  i Request  : Evaluate  u Go back  Tab Panes  ? Keys"),
        ("recovered", " p Go on  e Edit lost  i Request  : Evaluate  Tab Panes  ? Keys"),
        ("held", " p Go on  m Mode  i Request  : Evaluate  Tab Panes  ? Keys"),
        ("blocked", " p Try again  m Mode  i Request  : Evaluate  Tab Panes  ? Keys"),
    ],
)
def test_the_footer_shows_what_can_be_done(state: str, keys: str, rows: Rows) -> None:
    assert rows(state)[-1].rstrip() == keys
    assert len(keys) <= 79


def test_several_answers_are_told_while_they_are_tried(rows: Rows, states: dict[str, Snapshot]) -> None:
    first, *others = states["choose"].trials
    tried = replace(states["trying"], trials=(replace(first, state=TrialState.RUNNING), *others))
    text = rows(tried)
    assert text[0].startswith(" WORKING 12 s  » Trying 4 answers side by side, each in a copy of the world.")
    assert [row[41:].strip() for row in text[6:10]] == [
        "» trying", "▲ value: gains 2", "✗ breaks tax is never negative", "‖ pauses: TYPE-ERROR",
    ]  # fmt: skip


def test_a_wait_counts_down_and_says_which_key_ends_it(rows: Rows, states: dict[str, Snapshot]) -> None:
    waiting = Waiting(1_800_000_007.0, "The provider is overloaded.")
    thinking = rows(replace(states["thinking"], waiting=waiting))
    assert thinking[0].startswith(" WORKING 12 s  » Waiting: the model is asked again soon; p asks it now.")
    assert any("in 7 s; p asks now. The provider is overloaded." in row for row in thinking)
    assert thinking[-1].startswith(" Esc Stop  p Now ")
    assert any(
        "the model is asked again in 7 s: p asks now" in row
        for row in rows(replace(states["choosing"], waiting=waiting))
    )


def test_a_held_pause_says_how_the_model_is_asked(rows: Rows, states: dict[str, Snapshot]) -> None:
    text = rows(replace(states["paused"], suggestion=None, suggested_restart="", suggested_arguments=(), held=True))
    assert any("the model is held: p asks it" in row for row in text)
    assert text[-1].rstrip() == " 0-4 Restart  w What if  ! Repair  r Abandon  p Go on  Tab Panes  ? Keys"


def test_a_pause_without_frames_has_no_stack(rows: Rows, states: dict[str, Snapshot]) -> None:
    pause = states["paused"].pause
    assert pause is not None
    bare = replace(pause, levels=tuple(replace(level, frames=()) for level in pause.levels))
    assert not any("Stack" in row for row in rows(replace(states["paused"], pause=bare)))


def test_the_footer_follows_the_pane_in_front(rows: Rows) -> None:
    feet = [rows("ready", view=View(front=pane))[-1].rstrip() for pane in list(Pane)[1:]]
    assert feet == [
        " F2 Review  Enter Source  o Editor  / Filter  Tab Panes  ? Keys",
        " F2 Review  Enter Evidence  Space Mark  d Compare  x Export  Tab Panes  ? Keys",
        " F2 Review  Enter Read  e Try again  f Outcome  / Filter  Tab Panes  ? Keys",
    ]
    assert rows("met", view=View(front=Pane.REVISIONS))[-1].startswith(" F2 Met  Enter Evidence  u Go back ")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_sixty_columns_cut_no_word_that_matters(state: str, glyphs: Glyphs, rows: Rows) -> None:
    text = rows(state, 60, 20, glyphs=glyphs)
    if state not in ("paused", "choosing", "recovered"):  # there the stage says the whole of it
        assert glyphs.ellipsis not in text[0]
    assert text[2].split()[-2] == "Proposals"
    assert text[-1].rstrip().endswith("Tab Panes  ? Keys")
    assert not any(glyphs.arrow in row and row.rstrip().endswith(glyphs.ellipsis) for row in text)


def test_without_a_model_the_screen_offers_what_needs_none(rows: Rows, states: dict[str, Snapshot]) -> None:
    new = replace(states["new"], proposer="", costs_money=False)
    text = rows(new)
    assert text[0].startswith(" YOUR TURN  ◆ New world. There is no model to ask. ! evaluates your own forms.")
    assert text[-1].rstrip() == " ! For keeps  : Evaluate  m Mode  ^q Quit  Tab Panes  ? Keys"
    assert any(row.startswith(" !  evaluate your own forms for keeps") for row in text)
    assert not any("model proposes" in row or "p asks" in row for row in text)
    held = rows(replace(states["held"], proposer=""))
    assert held[0].startswith(" HELD  ■ Held: there is no model to ask.")
    assert held[-1].startswith(" ! For keeps  m Mode  : Evaluate ")
    paused = replace(states["paused"], proposer="", suggestion=None, suggested_restart="", suggested_arguments=())
    assert any("there is no model to choose" in row for row in rows(paused))
    assert "! evaluates your own forms." in "".join(rows(replace(new, proposals=()), view=View(front=Pane.PROPOSALS)))


def test_a_later_session_does_not_say_that_nothing_was_played(rows: Rows, states: dict[str, Snapshot]) -> None:
    later = replace(states["held"], phase=Phase.NEW, recorded=True, proposer="replay transcript.jsonl")
    assert rows(later)[0].rstrip() == " YOUR TURN  ◆ New session. No recorded answer is played before p."
    assert rows(replace(later, revision=0))[0].startswith(" YOUR TURN  ◆ New session.")


def test_status_names_recorded_answers(rows: Rows, states: dict[str, Snapshot]) -> None:
    recorded = replace(states["new"], proposer="replay transcript.jsonl", recorded=True)
    assert "  replay (recorded)  sandboxed" in rows(recorded)[1]
    assert "no model is asked" in "".join(rows(recorded))
    assert rows(replace(states["paused"], recorded=True))[-1].startswith(" a As recorded  0-4 Restart")


def test_an_open_sandbox_stands_first_and_the_rest_drops_from_the_right(
    rows: Rows, states: dict[str, Snapshot]
) -> None:
    snapshot = replace(states["paused"], sandboxed=False, sandbox_reason="bwrap is missing.")
    assert rows(snapshot)[1].startswith(" NOT SANDBOXED  sales_tax  rev 2  gen 7  review  gpt-5.1  5.2k tokens")
    assert rows(snapshot, 40)[1].startswith(" NOT SANDBOXED  sales_tax  rev 2  gen 7 ")
    assert "bwrap is missing." in "".join(rows(replace(snapshot, phase=Phase.NEW)))


def test_losses_stand_before_gains_and_five_of_them_at_most(rows: Rows, states: dict[str, Snapshot]) -> None:
    ready = states["ready"]
    gained, lost = ready.checks[2], ready.checks[0]
    many = tuple(replace(gained, name=f"goal {number}") for number in range(8))
    checks = (*many, replace(lost, candidate_ok=False, candidate_detail="0.0"))
    text = rows(replace(ready, checks=checks))
    assert text[0].startswith(" YOUR TURN  ◆ Ready: candidate for revision 3 gains 8 goals, loses 1.")
    assert text[4].startswith(" ▼ lost    5%: 100.00 costs 105.00")
    assert [row[:10] for row in text[5:9]] == [" ▲ gained "] * 4
    assert text[9].strip() == "4 more: F3"


def test_a_large_change_is_counted_and_named_in_part(rows: Rows, states: dict[str, Snapshot]) -> None:
    ready = states["ready"]
    added = ready.outcome.definitions[0]
    many = tuple(replace(added, name=f"F{number}") for number in range(500))
    text = " ".join(row.strip() for row in rows(replace(ready, outcome=replace(ready.outcome, definitions=many))))
    assert "definitions  +500 f0 f1 f2 f3 f4 f5 f6 f7 and 492 more" in text


def test_a_goal_of_another_request_that_is_lost_is_told(rows: Rows, states: dict[str, Snapshot]) -> None:
    ready = states["ready"]
    other = replace(ready.checks[0], decides=False, candidate_ok=False)
    snapshot = replace(ready, checks=(other, *ready.checks[1:]))
    text = rows(snapshot)
    assert text[0].rstrip().endswith("Ready: revision 3 gains 2 goals, loses 0, 1 of other requests.")
    assert rows(snapshot, 60, 20)[0].rstrip().endswith("Ready: gains 2, loses 0, 1 of others.")
    assert any("no longer met, of other requests: 5%: 100.00" in row for row in text)


def test_late_suggestions_move_no_restart(rows: Rows) -> None:
    choosing, paused = rows("choosing"), rows("paused")
    for digit, name in enumerate(["continue", "use-value", "store-value", "drop-repair", "abandon"]):
        found = [index for index, row in enumerate(paused) if row.startswith(f" {digit} 1/{digit}  {name}")]
        assert len(found) == 1
        assert choosing[found[0]].startswith(f" {digit} 1/{digit}  {name}")


def test_a_suggested_repair_is_shown_in_full(rows: Rows, states: dict[str, Snapshot]) -> None:
    paused = states["paused"]
    repair = replace(paused.suggestion, kind="repair", body="(defun food-rate (kind)\n  0.02)", rationale="Missing.")
    text = rows(replace(paused, suggestion=repair, suggested_restart="", suggested_arguments=()), 80, 30)
    assert any(row.startswith("▸a      repair         the model's choice") for row in text)
    assert any(row.startswith(" (defun food-rate (kind)") for row in text)
    assert any(row.startswith("   0.02)") for row in text)
    assert any(row.startswith(" Missing.") for row in text)


def test_a_session_that_only_reads_says_so_and_offers_nothing_else(rows: Rows, states: dict[str, Snapshot]) -> None:
    text = rows(replace(states["held"], phase=Phase.READING, mode=Mode.READ_ONLY))
    live = states["held"].revision
    assert text[0].startswith(f" READ-ONLY  ■ Reading revision {live}, beside who holds the store.")
    assert " read-only " in text[1]
    assert text[-1].rstrip() == " : Evaluate  ^q Quit  Tab Panes  ? Keys"


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode is not Mode.READ_ONLY])
def test_the_menu_of_modes_starts_on_the_present_one(mode: Mode, rows: Rows, states: dict[str, Snapshot]) -> None:
    text = rows(replace(states["held"], mode=mode), view=View().open(Sheet.MODES))
    assert [row for row in text if row.startswith(f"▸ {mode.value}")]


def test_empty_panes_say_what_will_be_there(rows: Rows, states: dict[str, Snapshot]) -> None:
    empty = replace(states["new"], checks=(), revisions=(), proposals=())
    text = "\n".join("".join(rows(empty, view=View(front=pane))[3:5]) for pane in Pane)
    assert "No goals yet. o opens goals.lisp; saving loads them." in text
    assert "No revision yet. a on a ready candidate makes revision 1." in text
    assert "No proposal yet. p asks the model about request 1." in text


@pytest.mark.parametrize("fate", list(Fate))
def test_every_fate_has_a_sign_and_a_word(fate: Fate, rows: Rows, states: dict[str, Snapshot]) -> None:
    row = replace(states["held"].proposals[0], fate=fate, reason="")
    text = rows(replace(states["held"], proposals=(row,)), view=View(front=Pane.PROPOSALS))
    assert text[3][16:].strip() == fate.value
    assert not text[3][14].isspace()


def test_a_long_form_shows_the_lines_around_the_cursor(rows: Rows) -> None:
    asked = View().ask(Prompt("look", "Evaluate, throwaway:", lambda later, _: Step(later.view), lisp=True))
    text = rows("held", view=replace(asked, typed=Typed.of("\n".join(f"line {number}" for number in range(1, 51)))))
    assert text[11].rstrip() == " Evaluate, throwaway: lines 41-50 of 50"
    assert [row.strip() for row in text[12:22]] == [f"line {number}" for number in range(41, 51)]


def test_a_notice_takes_a_quarter_of_the_screen_at_most_and_moves_no_row_above(rows: Rows) -> None:
    for width, height in ((80, 24), (120, 40)):
        usual = rows("ready", width, height)
        text = rows("ready", width, height, notice=Notice(1, "A word. " * 400))
        most = height // 4
        assert text[-2].strip().endswith(" more lines")
        same = [index for index in range(height - most - 1) if text[index] == usual[index]]
        assert len(same) >= height - most - 2  # but for the heading that counts the lines in sight


def test_errors_and_news_take_the_place_of_the_request(rows: Rows) -> None:
    error = Notice(1, "goals.lisp line 12: a ) is missing. The last good goals stay.", Severity.ERROR)
    assert rows("held", notice=error)[-2].strip() == error.text
