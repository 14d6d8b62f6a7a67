"""ctrl+r: searches what was sent before, as shells do. Enter takes what was found into the line; it sends nothing."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.typed import Search, Typed
from jiti_tui.tui.state.view import View

_LEAVE = ("escape", "ctrl+c", "ctrl+g")


def searching(view: View, name: str, character: str | None) -> Step | None:
    """Return what follows from a key of the search, None from one that is none; the search then has ended."""
    search, prompt = view.typed.search, view.prompt
    if prompt is None:
        return None
    if search is None:
        return Step(_found(view, Search("", 0, view.typed))) if name == "ctrl+r" and prompt.remembered else None
    if name == "ctrl+r":
        return Step(_found(view, replace(search, skipped=search.skipped + 1)))
    if name in _LEAVE:
        return Step(replace(view, typed=search.before))
    if name == "enter":
        return Step(replace(view, typed=replace(view.typed, search=None)))
    if name == "backspace":
        return Step(_found(view, replace(search, text=search.text[:-1], skipped=0)))
    if character is not None and character.isprintable():
        return Step(_found(view, replace(search, text=search.text + character, skipped=0)))
    return None


def ended(view: View) -> View:
    """Return the view with what the search has found, and no search."""
    return replace(view, typed=replace(view.typed, search=None)) if view.typed.search is not None else view


def _found(view: View, search: Search) -> View:
    """The view with what the search finds; where it finds nothing more, what was found stands."""
    assert view.prompt is not None
    sent = view.memory.sent.get(view.prompt.name, ())
    holding = [text for text in reversed(sent) if search.text in text] if search.text else []
    if not search.text:
        return replace(view, typed=replace(search.before, search=search))
    if not holding:
        return replace(view, typed=replace(view.typed, search=search))
    skipped = min(search.skipped, len(holding) - 1)
    return replace(view, typed=replace(Typed.of(holding[skipped]), search=replace(search, skipped=skipped)))
