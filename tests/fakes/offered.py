"""What follows from every key that is offered, in every state and in every pane: the rows of a table."""

from __future__ import annotations

from fakes.keyboard import ASKS, MET, PAUSED, READY
from fakes.session import FOOD_RATE, RATES
from fakes.states import STATES

from jiti_tui.engine.interface.commands import (
    Accept,
    Compare,
    Go,
    Hold,
    Resume,
    ShowFrame,
    ShowRevision,
    Stop,
    TakeSuggestion,
    TraceCheck,
    TryProposals,
    WhatIf,
)
from jiti_tui.engine.interface.snapshot import CheckKind
from jiti_tui.tui.keys.key import Key
from jiti_tui.tui.keys.table import KEYS
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Pane

STAGES = " ".join(STATES)
PANES = "goals revisions proposals"
"""Of the state "met", each in front."""

EVERYWHERE = f"{STAGES} {PANES}"
BEGUN = EVERYWHERE.replace("starting ", "")
WORKING = "thinking trying checking publishing"
IDLE = "met recovered held blocked"
PAUSES = "paused choosing"

ALIASES = ("paused",)
"""Where a key is pressed by each of its names, elsewhere by the first one. Digits are pressed up to 4."""

ROWS: tuple[tuple[str, str, tuple[object, ...]], ...] = (
    ("a", "asks choose", (TakeSuggestion(ASKS),)),
    ("a", "paused", (TakeSuggestion(PAUSED),)),
    ("a", "ready", (Accept(READY),)),
    ("r", "asks choose ready", ("prompt reject",)),
    ("r", PAUSES, ("prompt abandon",)),
    ("0", "choose", ()),
    ("1", "choose", (TakeSuggestion(ASKS),)),
    ("2", "choose", ("moved",)),
    ("3", "choose", ("moved",)),
    ("4", "choose", ("moved",)),
    ("0", PAUSES, (Resume(PAUSED, "1/0"),)),
    ("1", PAUSES, ("prompt argument",)),
    ("2", PAUSES, ("prompt argument",)),
    ("3", PAUSES, (Resume(PAUSED, "1/3"),)),
    ("4", PAUSES, ("prompt abandon",)),
    *((digit, "paused", ()) for digit in "56789"),
    ("c", PAUSES, (Resume(PAUSED, "1/0"),)),
    ("enter", "choose", (TakeSuggestion(ASKS),)),
    ("enter", "paused", (TakeSuggestion(PAUSED),)),
    ("enter", "choosing", ()),
    ("enter", "goals", (TraceCheck(CheckKind.GOAL, "5%: 100.00 costs 105.00"), "front stage", "sheet check")),
    ("enter", "revisions", (ShowRevision(2), "front stage", "sheet revision")),
    ("enter", "proposals", ("front stage", "sheet proposal")),
    ("space", "choose", ("marked",)),
    ("space", "revisions", ("marked", "notice Marked 2. d compares.")),
    ("w", "asks", (TryProposals(ASKS, (FOOD_RATE,)),)),
    ("w", "choose", ("notice It is tried already, and stands among the candidates.",)),
    ("w", "paused", (WhatIf(PAUSED, "1/2", (RATES,)),)),
    ("w", "choosing", ("notice There is no suggestion with values or a repair to be tried.",)),
    ("w", "proposals", (TryProposals(MET, ("(total-price 100.0 :food)",)), "front stage")),
    ("t", PAUSES, (ShowFrame(PAUSED, 0), "looks inside", "moved")),
    ("v", PAUSES, ("looks inside", "moved")),
    ("left_square_bracket", PAUSES, ("looks inside",)),
    ("right_square_bracket", "paused", ("looks inside",)),
    ("e", f"thinking asks choose {PAUSES} ready {IDLE}", ("sheet draft", "editing")),
    ("e", PANES, ("front stage", "sheet draft", "editing")),
    ("d", "choose paused", ("sheet trial",)),
    ("d", "choosing", ("notice Nothing is known of it yet. Select a restart that was tried, or w tries it.",)),
    ("d", "ready", ("sheet changes",)),
    ("d", "revisions", (Compare(1, 2), "front stage", "sheet difference")),
    ("n", f"new met {PANES}", ("prompt next",)),
    ("i", BEGUN, ("prompt request",)),
    ("colon", BEGUN, ("prompt look",)),
    ("exclamation_mark", f"new thinking asks choose {PAUSES} {IDLE}", ("prompt keep",)),
    ("exclamation_mark", PANES, ("front stage",)),
    ("p", "new recovered held blocked", (Go(),)),
    ("p", f"{WORKING} asks choose {PAUSES} ready", (Hold(),)),
    ("m", STAGES, ("sheet modes",)),
    ("m", PANES, ("front stage", "sheet modes")),
    ("u", f"thinking {IDLE} goals proposals", ("front revisions",)),
    ("u", "revisions", ("notice Revision 2 is live. Select an earlier one with the arrows, then u.",)),
    ("slash", "goals", ("prompt filter goals",)),
    ("slash", "revisions", ("prompt filter revisions",)),
    ("slash", "proposals", ("prompt filter proposals",)),
    ("f", "proposals", ("front stage", "sheet outcomes")),
    ("x", "revisions", ("prompt export",)),
    ("o", "goals", ("errand OpenFile",)),
    ("y", BEGUN, ("errand CopyText",)),
    ("z", EVERYWHERE, ("zoomed",)),
    ("up", EVERYWHERE, ("moved",)),
    *((name, "paused", ("moved",)) for name in ("down", "j", "k", "pageup", "pagedown", "home", "end")),
    *((name, "paused", ("moved",)) for name in ("less_than_sign", "greater_than_sign")),
    ("tab", STAGES, ("front goals",)),
    ("tab", "goals", ("front revisions",)),
    ("tab", "revisions", ("front proposals",)),
    ("tab", "proposals", ("front stage",)),
    ("shift+tab", "paused", ("front proposals",)),
    ("f2", STAGES, ()),
    ("f2", PANES, ("front stage",)),
    ("f3", "paused", ("front goals",)),
    ("f4", "paused", ("front revisions",)),
    ("f5", "paused", ("front proposals",)),
    ("escape", f"{WORKING} choosing", (Stop(),)),
    ("escape", PANES, ("front stage",)),
    ("question_mark", STAGES, ("sheet keys", "prompt keys")),
    ("question_mark", PANES, ("front stage", "sheet keys", "prompt keys")),
    ("f1", "paused", ("sheet keys", "prompt keys")),
    ("ctrl+p", STAGES, ("sheet palette", "prompt palette")),
    ("ctrl+p", PANES, ("front stage", "sheet palette", "prompt palette")),
    ("ctrl+l", EVERYWHERE, ("errand Repaint",)),
    ("ctrl+z", EVERYWHERE, ("errand Suspend",)),
    ("q", EVERYWHERE, ("notice q does nothing here. ctrl+q quits.",)),
    ("ctrl+q", EVERYWHERE, ("ends DONE",)),
)

CONTEXTS = {
    **{state: (state, Pane.STAGE) for state in STATES},
    **{pane: ("met", Pane(pane)) for pane in PANES.split()},
}
"""The state and the pane in front, by the names that the rows use."""


def following(context: str) -> dict[str, tuple[object, ...]]:
    """Return what follows from each key that has a row for a context."""
    return {name: facts for name, contexts, facts in ROWS if context in contexts.split()}


def offered(scene: Scene, context: str) -> set[str]:
    """Return the names of the keys that do something in a scene, as far as they are pressed in its context."""
    return {name for key in KEYS if key.word(scene) for name in _names(key, context)}


def _names(key: Key, context: str) -> tuple[str, ...]:
    if context in ALIASES:
        return key.names
    return key.names[:5] if key.label == "0-9" else key.names[:1]
