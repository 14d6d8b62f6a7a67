"""The rows of the menus: every key, or all that can be done now, those without a key of their own included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from jiti_tui.engine.interface.phase import Mode
from jiti_tui.frozen import frozen
from jiti_tui.tui.keys.ask import set_mode
from jiti_tui.tui.keys.key import Key
from jiti_tui.tui.keys.table import KEYS
from jiti_tui.tui.state.errand import UseTheme
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Pane, Sheet

_NOT_RUN = ("Enter", "arrows", "Tab", "F2-F5", "Esc", "?", "^p", "0-9", "[ ]", "Left Right", "q")
"""Keys that mean something else inside a menu, or more than one thing."""


@frozen
class Entry:
    """A row: the key's label, what it does in general and now, "" where that is nothing.

    `act` takes what was painted beneath the menu; None is a row that is only read.
    """

    name: str
    label: str
    does: str
    now: str
    act: Callable[[Shown], Step] | None


def key_entries(scene: Scene) -> Sequence[Entry]:
    """Return every key with what it does now; of several with one label, the one that does something."""
    under = _beneath(scene)
    found: dict[str, Entry] = {}
    for key in KEYS:
        word = key.word(under)
        if key.label not in found or (word and not found[key.label].now):
            act = _pressing(key) if word and key.label not in _NOT_RUN else None
            found[key.label] = Entry(key.label, scene.keymap.label(key.label), key.help, word, act)
    return _matching(list(found.values()), scene)


def palette_entries(scene: Scene) -> Sequence[Entry]:
    """Return what can be done now, keys first."""
    under = _beneath(scene)
    rows = [entry for entry in key_entries(under) if entry.act is not None]
    for number, pane in enumerate(Pane, start=2):
        if pane is not under.view.front:
            rows.append(Entry(f"show {pane}", f"F{number}", f"show the {pane}", "Show", _bring(pane)))
    if any(entry.label == scene.keymap.label("m") for entry in rows):
        for mode in (Mode.REVIEW, Mode.ASK, Mode.AUTO):
            if mode is not scene.snapshot.mode:
                rows.append(Entry(f"mode {mode}", "", f"mode {mode}: who consents", "Mode", _mode(mode)))
    for theme in scene.themes:
        rows.append(Entry(f"theme {theme}", "", f"theme {theme}", "Theme", _theme(theme)))
    return _matching(rows, scene)


def entries(scene: Scene) -> Sequence[Entry]:
    """Return the rows of the menu that is open."""
    return palette_entries(scene) if scene.sheet is Sheet.PALETTE else key_entries(scene)


def run(entry: Entry, shown: Shown) -> Step:
    """Close the menu and do what the row says, on what was painted beneath."""
    closed = replace(shown, scene=replace(shown.scene, view=shown.scene.view.close()))
    return entry.act(closed) if entry.act is not None else Step(shown.scene.view)


def _beneath(scene: Scene) -> Scene:
    """The scene without the menu: keys mean what they mean there."""
    return replace(scene, view=scene.view.close()) if scene.sheet in (Sheet.KEYS, Sheet.PALETTE) else scene


def _matching(rows: Sequence[Entry], scene: Scene) -> Sequence[Entry]:
    sought = scene.view.typed.text.casefold().split() if scene.sheet in (Sheet.KEYS, Sheet.PALETTE) else []
    return [row for row in rows if all(word in f"{row.label} {row.does} {row.now}".casefold() for word in sought)]


def _pressing(key: Key) -> Callable[[Shown], Step]:
    def press(shown: Shown) -> Step:
        # Nothing acts unseen: what needs a pane in front only brings it.
        if key.needs is not None:
            return Step(shown.scene.view.bring(key.needs))
        return key.act(shown, key.names[0])

    return press


def _bring(pane: Pane) -> Callable[[Shown], Step]:
    return lambda shown: Step(shown.scene.view.bring(pane))


def _mode(mode: Mode) -> Callable[[Shown], Step]:
    return lambda shown: set_mode(shown.scene, mode)


def _theme(name: str) -> Callable[[Shown], Step]:
    return lambda shown: Step(shown.scene.view, errand=UseTheme(name))
