"""All keys. Where two keys share a name, the first that has something to do in a scene is meant."""

from __future__ import annotations

from jiti_tui.tui.keys import ask, decide, draft, move
from jiti_tui.tui.keys.key import Key
from jiti_tui.tui.state.view import Pane

_DIGITS = tuple("0123456789")
_ARROWS = ("up", "down", "j", "k", "pageup", "pagedown", "home", "end")

KEYS: tuple[Key, ...] = (
    Key(("a",), "a", "yes: accept, run, do as the model says", decide.yes_word, decide.yes, Pane.STAGE, settles=True),
    Key(("r",), "r", "no: reject, abandon, with a reason", decide.no_word, decide.no, Pane.STAGE, settles=True),
    Key(_DIGITS, "0-9", "choose a restart", decide.restart_word, decide.restart, Pane.STAGE, settles=True),
    Key(("enter",), "Enter", "choose the selected restart", decide.selected_word, decide.selected, settles=True),
    Key(("e",), "e", "edit the proposal, try again", draft.edit_word, draft.edit),
    Key(("d",), "d", "changes in full", move.changes_word, move.changes),
    Key(("n",), "n", "next request (shown first, Enter goes)", ask.next_word, ask.next_request),
    Key(("i",), "i", "write a request", ask.request_word, ask.request),
    Key(("colon",), ":", "evaluate in a throwaway copy", ask.look_word, ask.look),
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
    Key(("enter",), "Enter", "open the selected row", move.open_word, move.open_record),
    Key(_ARROWS, "arrows", "move: also j k PgUp PgDn Home End", move.move_word, move.move),
    Key(("tab", "shift+tab"), "Tab", "next pane, with Shift the previous one", move.pane_word, move.next_pane),
    Key(("f2", "f3", "f4", "f5"), "F2-F5", "stage, goals, revisions, proposals", move.pane_word, move.pane),
    Key(("escape", "ctrl+c"), "Esc", "back one step; nothing open: stop the work", move.escape_word, move.escape),
    Key(("question_mark", "f1"), "?", "this list", move.keys_word, move.keys),
    Key(("q",), "q", "nothing but a reminder that ctrl+q quits", move.remind_word, move.remind),
    Key(("ctrl+q",), "^q", "quit; nothing accepted is lost", move.quit_word, move.leave),
)
