"""The line that the operator types: its text, the cursor, and what was typed before."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from jiti_tui.tui.text.literal import literal

LONGEST_HISTORY = 200
LONGEST_LINE = 65_536
"""Characters that are pasted at once; what a world evaluates is bounded likewise."""
_LAST_WORD = re.compile(r"\S*\s*$")


@dataclass(frozen=True, slots=True)
class Typed:
    """`cursor` is an index into `text`, or its length. `recalled` counts lines back in the history."""

    text: str = ""
    cursor: int = 0
    recalled: int = 0

    def insert(self, text: str) -> Typed:
        """Return the line with `text` at the cursor; line ends and what cannot be shown become blanks and escapes."""
        safe = literal(text[:LONGEST_LINE])
        return Typed(self.text[: self.cursor] + safe + self.text[self.cursor :], self.cursor + len(safe))

    def edited(self, key: str) -> Typed:
        """Return the line after an editing key, the same line when the key is none."""
        text, at = self.text, self.cursor
        match key:
            case "left":
                return replace(self, cursor=max(0, at - 1))
            case "right":
                return replace(self, cursor=min(len(text), at + 1))
            case "home" | "ctrl+a":
                return replace(self, cursor=0)
            case "end" | "ctrl+e":
                return replace(self, cursor=len(text))
            case "backspace":
                return Typed(text[: max(0, at - 1)] + text[at:], max(0, at - 1))
            case "delete" | "ctrl+d":
                return Typed(text[:at] + text[at + 1 :], at)
            case "ctrl+w":
                start = at - len(_LAST_WORD.findall(text[:at])[0])
                return Typed(text[:start] + text[at:], start)
            case "ctrl+u":
                return Typed(text[at:], 0)
            case "ctrl+k":
                return Typed(text[:at], at)
            case _:
                return self


@dataclass(frozen=True, slots=True)
class Memory:
    """Drafts that were left and lines that were sent, by the name of their prompt."""

    drafts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    sent: Mapping[str, Sequence[str]] = field(default_factory=lambda: MappingProxyType({}))

    def opened(self, name: str) -> Typed:
        """Return the line to start with: the draft."""
        text = self.drafts.get(name, "")
        return Typed(text, len(text))

    def left(self, name: str, text: str) -> Memory:
        """Return the memory with a draft."""
        return replace(self, drafts=MappingProxyType({**self.drafts, name: text}))

    def sending(self, name: str, text: str) -> Memory:
        """Return the memory with a line that was sent; its draft is gone."""
        before = [line for line in self.sent.get(name, ()) if line != text]
        sent = (*before, text)[-LONGEST_HISTORY:] if text.strip() else self.sent.get(name, ())
        return replace(self.left(name, ""), sent=MappingProxyType({**self.sent, name: sent}))

    def recall(self, name: str, typed: Typed, by: int) -> Typed:
        """Return the line `by` steps further back in the history; step 0 is the draft."""
        sent = self.sent.get(name, ())
        step = max(0, min(len(sent), typed.recalled + by))
        text = sent[-step] if step else self.drafts.get(name, "")
        return Typed(text, len(text), step)
