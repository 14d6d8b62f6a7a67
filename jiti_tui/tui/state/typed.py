"""What the operator types on the request row, and what was typed before."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType

from jiti_tui.frozen import frozen
from jiti_tui.tui.state.form import Form
from jiti_tui.tui.text.literal import literal
from jiti_tui.tui.text.open_form import is_open

_NAME = re.compile(r"""[^\s()'"`,;#|]*$""")

LONGEST_HISTORY = 200


@frozen
class Search:
    """A search of what was sent before for `text`: `skipped` newer finds are passed over, Esc brings `before` back."""

    text: str
    skipped: int
    before: Typed


@frozen
class Typed:
    """A line, or the lines of a form. `recalled` counts steps back in the history."""

    form: Form = field(default_factory=Form)
    recalled: int = 0
    search: Search | None = None

    @classmethod
    def of(cls, text: str, recalled: int = 0) -> Typed:
        """Return `text` with the cursor at its end."""
        return cls(Form.of(text).at_end(), recalled)

    @property
    def text(self) -> str:
        """The whole text."""
        return self.form.text

    @property
    def goes_on(self) -> bool:
        """As Lisp it is not complete. An empty last line ends it all the same: what is open is only guessed."""
        form = self.form
        ended = form == form.at_end() and len(form.lines) > 1 and not form.line.strip()
        return not ended and is_open(form.text)

    def insert(self, text: str, *, lines: bool = False) -> Typed:
        """Return it with `text` at the cursor. Line ends become blanks where there is no place for `lines`."""
        return Typed(self.form.insert(text if lines else literal(text)))

    def edited(self, key: str) -> Typed:
        """Return it after an editing key, the same when the key is none."""
        form = self.form.edited(key, page=1)
        return replace(self, form=form) if form.lines == self.form.lines else Typed(form)


def name_before(form: Form) -> str:
    """Return the beginning of a Lisp name that stands before the cursor, "" where there is none."""
    found = _NAME.search(form.line[: form.column])
    return found.group() if found is not None else ""


@frozen
class Memory:
    """Drafts that were left and texts that were sent, by the name of their prompt."""

    drafts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    sent: Mapping[str, Sequence[str]] = field(default_factory=lambda: MappingProxyType({}))

    def opened(self, name: str) -> Typed:
        """Return what to start with: the draft."""
        return Typed.of(self.drafts.get(name, ""))

    def left(self, name: str, text: str) -> Memory:
        """Return the memory with a draft."""
        return replace(self, drafts=MappingProxyType({**self.drafts, name: text}))

    def sending(self, name: str, text: str) -> Memory:
        """Return the memory with a text that was sent; its draft is gone."""
        before = [line for line in self.sent.get(name, ()) if line != text]
        sent = (*before, text)[-LONGEST_HISTORY:] if text.strip() else self.sent.get(name, ())
        return replace(self.left(name, ""), sent=MappingProxyType({**self.sent, name: sent}))

    def recall(self, name: str, typed: Typed, by: int) -> Typed:
        """Return the text `by` steps further back in the history; step 0 is the draft."""
        sent = self.sent.get(name, ())
        step = max(0, min(len(sent), typed.recalled + by))
        return Typed.of(sent[-step] if step else self.drafts.get(name, ""), step)
