"""Keys that filter the lists: by what a row holds, and proposals by what became of them."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.snapshot import Fate
from jiti_tui.tui.pages.outcomes import ALL
from jiti_tui.tui.state.scene import Scene, Shown, filter_name
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.typed import Typed
from jiti_tui.tui.state.view import Pane, Prompt, Sheet, View


def filter_word(scene: Scene) -> str:
    """Return what `/` does."""
    return "Filter" if scene.view.front is not Pane.STAGE and scene.sheet is None else ""


def ask_filter(shown: Shown, _: str) -> Step:
    """Open the line for what the rows of this pane must hold; they follow while it is typed."""
    view = shown.scene.view
    pane = view.front

    def submit(later: Scene, text: str) -> Step:
        return Step(replace(later.view, prompt=None, lists=later.view.lists.seeking(pane, text.strip())))

    prompt = Prompt(filter_name(pane), "Filter:", submit, remembered=False, menu=True)
    return Step(replace(view.ask(prompt), typed=Typed.of(view.lists.sought(pane))))


def outcome_word(scene: Scene) -> str:
    """Return what `f` does."""
    return "Outcome" if scene.view.front is Pane.PROPOSALS and scene.sheet is None else ""


def outcome(shown: Shown, _: str) -> Step:
    """Open the menu of outcomes."""
    return Step(shown.scene.view.open(Sheet.OUTCOMES))


def choose_outcome_word(scene: Scene) -> str:
    """Return what Enter does in the menu of outcomes."""
    return "Choose" if scene.sheet is Sheet.OUTCOMES else ""


def choose_outcome(shown: Shown, _: str) -> Step:
    """Show proposals of the selected outcome alone."""
    view, chosen = shown.scene.view, str(shown.page.cursor)
    lists = replace(view.lists, fate=None if chosen == ALL else Fate(chosen))
    return Step(replace(view.close(), lists=lists))


def is_filtered(view: View) -> bool:
    """Say whether the pane in front leaves rows out."""
    only = view.lists.fate if view.front is Pane.PROPOSALS else None
    return view.overlay is None and bool(view.lists.sought(view.front) or only)


def unfiltered(view: View) -> View:
    """Return the view with every row of the pane in front."""
    lists = view.lists.seeking(view.front, "")
    return replace(view, lists=replace(lists, fate=None) if view.front is Pane.PROPOSALS else lists)
