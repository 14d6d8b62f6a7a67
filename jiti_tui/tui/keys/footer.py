"""Which keys the last row shows, the primary one first."""

from __future__ import annotations

from jiti_tui.engine.interface.phase import Phase
from jiti_tui.frozen import frozen
from jiti_tui.tui.keys.candidates import select_label
from jiti_tui.tui.keys.menu import MENUS
from jiti_tui.tui.keys.press import find
from jiti_tui.tui.keys.restarts import restart_label
from jiti_tui.tui.pages.candidates import is_choice
from jiti_tui.tui.pages.headline import is_working
from jiti_tui.tui.pages.stages import stage_title
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.view import Pane, Prompt, Sheet

_WORKING = ("escape", "p", "i", "colon")
_PHASES: dict[Phase, tuple[str, ...]] = {
    Phase.STARTING: ("ctrl+q",),
    Phase.NEW: ("p", "i", "colon", "m", "ctrl+q"),
    Phase.THINKING: _WORKING,
    Phase.TRYING: _WORKING,
    Phase.CHECKING: _WORKING,
    Phase.PUBLISHING: _WORKING,
    Phase.ASKS: ("a", "r", "e", "w", "p"),
    Phase.PAUSED: ("a", "0", "w", "exclamation_mark", "r", "escape", "t"),
    Phase.READY: ("a", "r", "e", "d"),
    Phase.MET: ("n", "i", "colon", "u"),
    Phase.HELD: ("p", "m", "i", "colon"),
    Phase.BLOCKED: ("p", "m", "i", "colon"),
    Phase.RECOVERED: ("p", "e", "i", "colon"),
    Phase.READING: ("colon", "ctrl+q"),
    Phase.CLOSED: ("ctrl+q",),
}
_PAUSED_AND_HELD = ("0", "w", "exclamation_mark", "r", "p", "t")
_CHOOSING = ("a", "0", "d", "r", "e")
_WITHOUT_MODEL = {"p": "exclamation_mark", "i": "exclamation_mark"}
"""What takes the place of keys that want a proposer."""
_PANES: dict[Pane, tuple[str, ...]] = {
    Pane.GOALS: ("f2", "enter", "o", "slash"),
    Pane.REVISIONS: ("f2", "enter", "u", "space", "d", "x"),
    Pane.PROPOSALS: ("f2", "enter", "e", "f", "slash"),
}
_SHEETS: dict[Sheet, tuple[str, ...]] = {
    Sheet.CHANGES: ("a", "r", "e", "escape"),
    Sheet.DRAFT: ("a", "e", "w", "r", "escape"),
    Sheet.MODES: ("enter", "escape"),
    Sheet.PROPOSAL: ("escape", "e", "left", "y"),
    Sheet.REVISION: ("escape", "d", "x", "left", "y"),
    Sheet.DIFFERENCE: ("escape", "y"),
    Sheet.CHECK: ("escape", "o", "y"),
    Sheet.LOOKED: ("escape", "y"),
    Sheet.OUTCOMES: ("enter", "escape"),
    Sheet.TRIAL: ("escape", "d"),
    Sheet.COMPARED: ("escape", "d"),
}


@frozen
class Hint:
    """A key as the footer shows it."""

    label: str
    word: str

    @property
    def cells(self) -> int:
        """The cells that it takes with the blanks around."""
        return len(self.label) + len(self.word) + 3


_ALWAYS = (Hint("Tab", "Panes"), Hint("?", "Keys"))
"""At the end of every row; others leave it to them where there is no room."""


def footer(scene: Scene) -> list[Hint]:
    """Return the keys to show. The first one is the primary action."""
    if scene.view.editing:
        return [Hint("Esc", "Leave, draft stays"), Hint("Tab", "Complete, indent"), Hint("^z", "Undo")]
    prompt = scene.view.prompt
    if prompt is not None and prompt.menu:
        return [Hint("Enter", "Run" if prompt.name in MENUS else "Keep"), Hint("Up Down", "Move"), Hint("Esc", "Leave")]
    if prompt is not None:
        return _fitting(_answering(scene, prompt), (Hint("Esc", "Leave"),), scene.width)
    hints: list[Hint] = []
    for name in _names(scene):
        key = find(name, scene)
        if key is not None:
            hints.append(Hint(_label(name, key.label, scene), _word(name, key.word(scene), scene)))
    return _fitting(hints, _ALWAYS, scene.width)


def _fitting(hints: list[Hint], last: tuple[Hint, ...], width: int) -> list[Hint]:
    """As many of `hints` as there is room for, the first in any case, and the `last` ones."""
    while len(hints) > 1 and sum(hint.cells for hint in (*hints, *last)) >= width:
        hints.pop()
    return [*hints, *last]


def _answering(scene: Scene, prompt: Prompt) -> list[Hint]:
    if not prompt.typed:
        return [Hint("Enter", "Go")]
    if scene.view.typed.search is not None:
        return [Hint("Enter", "Take"), Hint("^r", "Older")]
    hints = [Hint("Enter", "Next line" if prompt.lisp and scene.view.typed.goes_on else "Send")]
    if prompt.lisp:
        hints.append(Hint("Tab", "Complete"))
    if prompt.prose:
        hints.append(Hint("Alt-Enter", "Next line"))
    hints.append(Hint("Up", "History"))
    if prompt.remembered and scene.view.memory.sent.get(prompt.name):
        hints.append(Hint("^r", "Search"))
    if prompt.tries is not None:
        hints.append(Hint("^t", "What if"))
    return hints


def _names(scene: Scene) -> tuple[str, ...]:
    if scene.sheet is not None:
        return _SHEETS.get(scene.sheet, ("escape",))
    if scene.view.front in _PANES:
        return _PANES[scene.view.front]
    if scene.stage.phase is Phase.PAUSED and scene.stage.held and scene.stage.suggestion is None:
        return _PAUSED_AND_HELD
    if is_choice(scene.stage):
        return _CHOOSING
    names = _PHASES[scene.stage.phase]
    if scene.stage.phase is Phase.PAUSED and not is_working(scene.snapshot):
        # Trials that end would take it away under the eye.
        names = tuple(name for name in names if name != "escape")
    return names if scene.stage.proposer else tuple(dict.fromkeys(_WITHOUT_MODEL.get(name, name) for name in names))


def _label(name: str, label: str, scene: Scene) -> str:
    if name == "0" and is_choice(scene.stage):
        return select_label(scene)
    if name == "0":
        return restart_label(scene)
    return name.upper() if name == "f2" else scene.keymap.label(label)


def _word(name: str, word: str, scene: Scene) -> str:
    return stage_title(scene.stage) if name == "f2" else word
