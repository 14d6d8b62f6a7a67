"""Where the operator is on the screen. Changed by keys and by the answers that they ask for, never by news."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from jiti_tui.frozen import frozen
from jiti_tui.tui.state.form import Form
from jiti_tui.tui.state.lists import Lists
from jiti_tui.tui.state.typed import Memory, Typed

if TYPE_CHECKING:
    from jiti_tui.engine.interface.snapshot import Snapshot
    from jiti_tui.engine.interface.trial_row import TrialRow
    from jiti_tui.tui.state.scene import Scene
    from jiti_tui.tui.state.step import Step

OVERLAY = "overlay"
"""The slot under which the place on a sheet is kept; that on a pane is kept under the pane's name."""

Identity = str | int
"""What a selectable row is about: a restart's id, a check's name, a number. The cursor stays on it when rows change."""


class Pane(StrEnum):
    """What can be in front; in the order of F2 to F5."""

    STAGE = "stage"
    GOALS = "goals"
    REVISIONS = "revisions"
    PROPOSALS = "proposals"


class Sheet(StrEnum):
    """A page that lies over the stage until Esc."""

    CHANGES = "changes"
    DRAFT = "draft"
    KEYS = "keys"
    MODES = "modes"
    TRIAL = "trial"
    COMPARED = "compared"
    LOOKED = "looked"
    CHECK = "check"
    REVISION = "revision"
    PROPOSAL = "proposal"
    DIFFERENCE = "difference"
    OUTCOMES = "outcomes"
    PALETTE = "palette"


@frozen
class Overlay:
    """A sheet over the stage, what it is about, and the pane that Esc goes back to."""

    sheet: Sheet
    subject: Identity = ""
    back: Pane = Pane.STAGE


@frozen
class Place:
    """The cursor and the first line shown of a page. It holds for the page called `page` alone."""

    page: str = ""
    cursor: Identity | None = None
    top: int = 0


@frozen
class Inside:
    """Where in a pause the operator looks. It holds for the stage called `stage` alone."""

    stage: str = ""
    level: int | None = None
    """None is the innermost."""
    frame: int | None = None
    """None is the innermost one whose place in the attempt's own code is known."""
    locals: bool = False
    source: bool | None = None
    """None where it is shown if there is room."""


@frozen
class Marks:
    """The candidates that are marked to be compared, by their numbers. They hold for the stage called `stage` alone."""

    stage: str = ""
    numbers: tuple[int, ...] = ()


@frozen
class Draft:
    """Forms that the operator edits. `source` is the number of their proposal, or minus that of a trial."""

    source: int
    form: Form


@frozen
class Prompt:
    """A question on the request row. `submit` gets the text and says what follows.

    `name` keeps drafts and history apart. Without `typed`, Enter alone answers.
    """

    name: str
    label: str
    submit: Callable[[Scene, str], Step]
    typed: bool = True
    remembered: bool = True
    """What is typed goes into the history."""
    lisp: bool = False
    """Lisp is typed: Enter breaks the line while the form is open."""
    prose: bool = False
    """Sentences are typed, which may take several lines as Lisp may."""
    menu: bool = False
    """What is typed narrows the rows in front; the arrows move among them."""
    datum: bool = False
    """The Lisp is one datum, which is not evaluated."""
    tries: Callable[[Scene, str], Step] | None = None
    """What follows when the text is to be tried without being sent."""
    trial: Callable[[Snapshot, str], TrialRow | None] | None = None
    """Finds the trial of the text, whose outcome is shown below it."""

    @property
    def lines(self) -> bool:
        """What is typed may take several lines."""
        return self.lisp or self.prose


@frozen
class View:
    """Where the operator is, and what he types. `editing` says that the editor is open on the draft."""

    front: Pane = Pane.STAGE
    overlay: Overlay | None = None
    places: Mapping[str, Place] = field(default_factory=lambda: MappingProxyType({}))
    """By slot."""
    prompt: Prompt | None = None
    typed: Typed = field(default_factory=Typed)
    """What has been typed for the prompt."""
    memory: Memory = field(default_factory=Memory)
    draft: Draft | None = None
    editing: bool = False
    inside: Inside = Inside()
    marks: Marks = Marks()
    lists: Lists = field(default_factory=Lists)
    zoomed: bool = False
    """What is in front takes the whole screen."""

    @property
    def occupied(self) -> bool:
        """The operator answers a prompt or edits: the stage waits."""
        return self.prompt is not None or self.editing

    def place(self, slot: str, page: str) -> Place:
        """Return the place on `page`, its start when the operator has not been there."""
        place = self.places.get(slot)
        return place if place is not None and place.page == page else Place(page)

    def looks(self, stage: str) -> Inside:
        """Return where the operator looks in the pause on `stage`: at first, where it stands."""
        return self.inside if self.inside.stage == stage else Inside(stage)

    def marked(self, stage: str) -> tuple[int, ...]:
        """Return the candidates that are marked on `stage`."""
        return self.marks.numbers if self.marks.stage == stage else ()

    def at(self, slot: str, place: Place) -> View:
        """Return the view with another place on a page."""
        return replace(self, places=MappingProxyType({**self.places, slot: place}))

    def ask(self, prompt: Prompt) -> View:
        """Return the view with a question on the request row, its draft taken up again."""
        return replace(self, prompt=prompt, typed=self.memory.opened(prompt.name))

    def bring(self, pane: Pane) -> View:
        """Return the view with `pane` in front and nothing over the stage."""
        return replace(self, front=pane, overlay=None, prompt=None)

    def open(self, sheet: Sheet, subject: Identity = "") -> View:
        """Return the view with `sheet` over the stage."""
        back = self.overlay.back if self.overlay is not None else self.front
        return replace(self, front=Pane.STAGE, overlay=Overlay(sheet, subject, back), prompt=None)

    def close(self) -> View:
        """Return the view without the sheet, where it was opened."""
        back = self.overlay.back if self.overlay is not None else self.front
        return replace(self, front=back, overlay=None, prompt=None)
