"""All keys. Where two keys share a name, the first that has something to do in a scene is meant."""

from __future__ import annotations

from jiti_tui.tui.keys import (
    ask,
    beside,
    candidates,
    chores,
    copying,
    decide,
    draft,
    filters,
    inside,
    menu,
    move,
    records,
    restarts,
    revisions,
)
from jiti_tui.tui.keys.key import Key
from jiti_tui.tui.state.view import Pane

_DIGITS = tuple("0123456789")
_SIDES = ("left", "right")
_LEVELS = ("left_square_bracket", "right_square_bracket")
_ARROWS = ("up", "down", "j", "k", "pageup", "pagedown", "home", "end", "less_than_sign", "greater_than_sign")

KEYS: tuple[Key, ...] = (
    Key(("a",), "a", "yes: accept, run, do as the model says", decide.yes_word, decide.yes, Pane.STAGE, settles=True),
    Key(("r",), "r", "no: reject, abandon, with a reason", decide.no_word, decide.no, Pane.STAGE, settles=True),
    Key(_DIGITS, "0-9", "choose a restart", restarts.restart_word, restarts.restart, Pane.STAGE, settles=True),
    Key(("enter",), "Enter", "choose the selected restart", restarts.selected_word, restarts.selected, settles=True),
    Key(
        _DIGITS,
        "0-9",
        "select a candidate, take it",
        candidates.select_word,
        candidates.select,
        Pane.STAGE,
        settles=True,
    ),
    Key(("enter",), "Enter", "take the selected candidate", candidates.enter_word, candidates.enter, settles=True),
    Key(("space",), "Space", "mark two candidates", candidates.mark_word, candidates.mark, Pane.STAGE),
    Key(
        ("c",),
        "c",
        "choose the restart named continue",
        restarts.continue_word,
        restarts.go_on,
        Pane.STAGE,
        settles=True,
    ),
    Key(("w",), "w", "what if: try a restart, with values", restarts.what_if_word, restarts.what_if, Pane.STAGE),
    Key(("w",), "w", "what if: try forms beside others", beside.beside_word, beside.beside),
    Key(("t",), "t", "variables of the frame", inside.locals_word, inside.show_locals, Pane.STAGE),
    Key(("v",), "v", "source of the frame", inside.source_word, inside.show_source, Pane.STAGE),
    Key(_LEVELS, "[ ]", "outer, inner level of the pause", inside.level_word, inside.level, Pane.STAGE),
    Key(("e",), "e", "edit the proposal, try again", draft.edit_word, draft.edit),
    Key(("d",), "d", "compare two revisions", revisions.compare_word, revisions.compare),
    Key(("d",), "d", "changes in full", move.changes_word, move.changes),
    Key(("n",), "n", "next request (shown first, Enter goes)", ask.next_word, ask.next_request),
    Key(("i",), "i", "write a request", ask.request_word, ask.request),
    Key(("colon",), ":", "evaluate in a throwaway copy; paused: in the frame", ask.look_word, ask.look),
    Key(
        ("exclamation_mark",),
        "!",
        "evaluate for keeps; paused: repair",
        ask.keep_word,
        ask.keep,
        Pane.STAGE,
        settles=True,
    ),
    Key(("p",), "p", "hold the model, go on", ask.go_word, ask.go, settles=True),
    Key(("m",), "m", "mode: who consents to what", ask.mode_word, ask.mode),
    Key(("u",), "u", "go back to the selected revision", ask.back_word, ask.back, Pane.REVISIONS, settles=True),
    Key(("enter",), "Enter", "choose the selected mode", ask.choose_mode_word, ask.choose_mode),
    Key(("enter",), "Enter", "choose the selected outcome", filters.choose_outcome_word, filters.choose_outcome),
    Key(("enter",), "Enter", "open the selected row", records.open_word, records.open_record),
    Key(("slash",), "/", "filter this pane", filters.filter_word, filters.ask_filter),
    Key(("f",), "f", "proposals of one outcome", filters.outcome_word, filters.outcome),
    Key(("space",), "Space", "mark two revisions", revisions.mark_word, revisions.mark),
    Key(("x",), "x", "export the selected revision", revisions.export_word, revisions.export),
    Key(("o",), "o", "open the goal's file in your editor", records.editor_word, records.editor),
    Key(_SIDES, "Left Right", "older, newer record", revisions.neighbour_word, revisions.neighbour),
    Key(("y",), "y", "copy what is selected or shown", copying.copy_word, copying.copy),
    Key(("z",), "z", "give the whole screen to what is in front", move.zoom_word, move.zoom),
    Key(_ARROWS, "arrows", "move: also j k PgUp PgDn Home End < >", move.move_word, move.move),
    Key(("tab", "shift+tab"), "Tab", "next pane, with Shift the previous one", move.pane_word, move.next_pane),
    Key(("f2", "f3", "f4", "f5"), "F2-F5", "stage, goals, revisions, proposals", move.pane_word, move.pane),
    Key(("escape", "ctrl+c"), "Esc", "back one step; nothing open: stop the work", move.escape_word, move.escape),
    Key(("question_mark", "f1"), "?", "all keys", menu.keys_word, menu.keys),
    Key(("ctrl+p",), "^p", "all that can be done now", menu.palette_word, menu.palette),
    Key(("ctrl+l",), "^l", "paint everything again", chores.repaint_word, chores.repaint),
    Key(("ctrl+z",), "^z", "to the shell; fg comes back", chores.suspend_word, chores.suspend),
    Key(("q",), "q", "nothing but a reminder that ctrl+q quits", move.remind_word, move.remind),
    Key(("ctrl+q",), "^q", "quit; nothing accepted is lost", move.quit_word, move.leave),
)
