"""Which keys the last row shows, the primary one first."""

from __future__ import annotations

from dataclasses import dataclass

from jiti_tui.engine.phase import Phase
from jiti_tui.tui.keys.decide import restart_label
from jiti_tui.tui.keys.press import find
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
    Phase.ASKS: ("a", "r", "e", "p"),
    Phase.PAUSED: ("a", "0", "exclamation_mark", "r", "colon", "escape"),
    Phase.READY: ("a", "r", "e", "d"),
    Phase.MET: ("n", "i", "colon", "u"),
    Phase.HELD: ("p", "m", "i", "colon"),
    Phase.BLOCKED: ("p", "m", "i", "colon"),
    Phase.RECOVERED: ("p", "e", "i", "colon"),
    Phase.READING: ("colon", "ctrl+q"),
    Phase.CLOSED: ("ctrl+q",),
}
_PAUSED_AND_HELD = ("0", "exclamation_mark", "r", "p", "colon")
_WITHOUT_MODEL = {"p": "exclamation_mark", "i": "exclamation_mark"}
"""What takes the place of keys that want a proposer."""
_PANES: dict[Pane, tuple[str, ...]] = {
    Pane.GOALS: ("f2", "enter"),
    Pane.REVISIONS: ("f2", "enter", "u"),
    Pane.PROPOSALS: ("f2", "enter", "e"),
}
_SHEETS: dict[Sheet, tuple[str, ...]] = {
    Sheet.CHANGES: ("a", "r", "e", "escape"),
    Sheet.DRAFT: ("a", "e", "r", "escape"),
    Sheet.MODES: ("enter", "escape"),
    Sheet.PROPOSAL: ("escape", "e"),
}


@dataclass(frozen=True, slots=True)
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
        return [Hint("Esc", "Leave, draft stays")]
    if scene.view.prompt is not None:
        return [*_answering(scene, scene.view.prompt), Hint("Esc", "Leave")]
    if scene.sheet is Sheet.KEYS:
        return [Hint("Enter", "Press"), Hint("Esc", "Back")]
    hints: list[Hint] = []
    for name in _names(scene):
        key = find(name, scene)
        if key is not None:
            hints.append(Hint(_label(name, key.label, scene), _word(name, key.word(scene), scene)))
    while len(hints) > 1 and sum(hint.cells for hint in (*hints, *_ALWAYS)) >= scene.width:
        hints.pop()
    return [*hints, *_ALWAYS]


def _answering(scene: Scene, prompt: Prompt) -> list[Hint]:
    if not prompt.typed:
        return [Hint("Enter", "Go")]
    return [Hint("Enter", "Next line" if prompt.lisp and scene.view.typed.goes_on else "Send"), Hint("Up", "History")]


def _names(scene: Scene) -> tuple[str, ...]:
    if scene.sheet is not None:
        return _SHEETS.get(scene.sheet, ("escape",))
    if scene.view.front in _PANES:
        return _PANES[scene.view.front]
    if scene.stage.phase is Phase.PAUSED and scene.stage.held and scene.stage.suggestion is None:
        return _PAUSED_AND_HELD
    names = _PHASES[scene.stage.phase]
    return names if scene.stage.proposer else tuple(dict.fromkeys(_WITHOUT_MODEL.get(name, name) for name in names))


def _label(name: str, label: str, scene: Scene) -> str:
    if name == "0":
        return restart_label(scene)
    return name.upper() if name == "f2" else label


def _word(name: str, word: str, scene: Scene) -> str:
    return stage_title(scene.stage) if name == "f2" else word
