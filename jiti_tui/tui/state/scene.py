"""Everything that a picture is drawn from, and the picture's pages once it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from jiti_tui.engine.interface.commands import Painted
from jiti_tui.engine.interface.snapshot import Notice, Snapshot
from jiti_tui.frozen import frozen
from jiti_tui.tui.pages.page import Page
from jiti_tui.tui.state.keymap import KeyMap
from jiti_tui.tui.state.view import OVERLAY, Overlay, Pane, Sheet, View
from jiti_tui.tui.text.glyphs import Glyphs

WIDE = 100
"""From this width on the rail stands beside the stage; below it the panes are tabs."""

_STAGES_OWN = frozenset({Sheet.CHANGES, Sheet.DRAFT})
"""Sheets on which the stage's keys act: they show what would be acted upon."""


def filter_name(pane: Pane) -> str:
    """Return the name of the prompt for the filter of `pane`."""
    return f"filter {pane}"


@frozen
class Scene:
    """`snapshot` is the newest. `stage` is the one that the stage shows: an older one while the operator types."""

    snapshot: Snapshot
    stage: Snapshot
    view: View
    width: int
    height: int
    glyphs: Glyphs
    now: float
    """Seconds since the epoch, for ages."""
    elapsed: float = 0.0
    """Seconds since the phase was entered."""
    asked: float = 0.0
    """Seconds since a question about the past or about a frame was asked."""
    looking: bool = False
    """A form is being evaluated in a throwaway copy for the operator."""
    notice: Notice | None = None
    """Stands on the request row instead of the request."""
    keymap: KeyMap = field(default_factory=KeyMap)
    themes: tuple[str, ...] = ()
    """Names of those that can be chosen."""

    @property
    def wide(self) -> bool:
        """The rail is shown."""
        return self.width >= WIDE and not self.view.zoomed

    @property
    def bare(self) -> bool:
        """On a narrow screen the status row is left out: what is in front takes its place."""
        return self.width < WIDE and self.view.zoomed

    def sought(self, pane: Pane) -> str:
        """Return what the rows of `pane` must hold: what is being typed, or was."""
        prompt = self.view.prompt
        if prompt is not None and prompt.name == filter_name(pane):
            return self.view.typed.text
        return self.view.lists.sought(pane)

    @property
    def overlay(self) -> Overlay | None:
        """The sheet over the stage. Those of the changes go with the stage that they are about."""
        overlay = self.view.overlay
        if (
            overlay is not None
            and overlay.sheet in (Sheet.CHANGES, Sheet.COMPARED)
            and overlay.subject != self.stage_name
        ):
            return None
        return overlay

    @property
    def slot(self) -> str:
        """Where the view keeps the place of the page in front."""
        return OVERLAY if self.overlay is not None else self.view.front

    @property
    def stage_name(self) -> str:
        """Tells one stage from the next: a new one starts at its top, its cursor on its first row."""
        painted = self.painted
        return f"{painted.phase} {painted.generation} {painted.attempt}"

    @property
    def sheet(self) -> Sheet | None:
        """The sheet over the stage, by kind."""
        overlay = self.overlay
        return overlay.sheet if overlay is not None else None

    @property
    def stage_in_front(self) -> bool:
        """What the acting keys act upon is what the operator looks at."""
        return self.view.front is Pane.STAGE and (self.sheet is None or self.sheet in _STAGES_OWN)

    @property
    def painted(self) -> Painted:
        """What an acting command must carry."""
        return self.stage.painted

    @property
    def standing(self) -> tuple[object, ...]:
        """Tells a stage that must be read anew from the one before; the operator's own steps change nothing."""
        suggestion, outcome = self.stage.suggestion, self.stage.outcome
        return (
            self.painted,
            suggestion.number if suggestion is not None else None,
            outcome.revision if outcome is not None else None,
            self.stage.held,
        )


@frozen
class Shown:
    """A scene that was painted, with its pages by slot."""

    scene: Scene
    pages: Mapping[str, Page]
    seen: bool = True
    """The stage has stood long enough to be acted upon."""

    @property
    def page(self) -> Page:
        """The page in front."""
        return self.pages[self.scene.slot]
